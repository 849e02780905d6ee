"""Makes claims of what the network finds, in the words of the message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from holdfast.core.claims import CURRENT, PAST, PLAN, STATEMENT, Claim
from holdfast.language.claims.learned.network import (
    BEGINS,
    DENIED,
    IS_PAST,
    OUTSIDE,
    Chances,
    Floats,
    network,
)
from holdfast.language.claims.learned.properties import Token, tokens_of
from holdfast.language.claims.read import may_tell
from holdfast.language.claims.voice import COVER, MESSAGE_MAX, own_text

SURE = 0.85
"""Least probability of a statement: the mean of the surest two thirds of its tokens."""
CERTAINTY = 0.7
"""The certainty of these claims, from 0 to 1; below that of claims of the grammar, 0.8 by default."""
_NOTE_MAX = 240
"""Characters of a message that may tell of its author without a word for them, in short sentences."""
_END = re.compile(r"[.!?]\s|\n")
_BELONGS = 0.3
"""Probability of the tokens that belong to a statement."""


def learned_claims(text: str) -> list[Claim]:
    """Returns the statements that the network finds in a message, each as it is written, in order; none in
    text that is not the author's own, and none in more than MESSAGE_MAX characters."""
    is_read = len(text) <= MESSAGE_MAX and (len(text) <= _NOTE_MAX or may_tell(text))
    tokens = tokens_of(text) if is_read else []
    if not any(token.is_word for token in tokens):
        return []
    chances = network().chances(tokens)
    found = [_claim(text, tokens, chances, *span) for span in _spans(tokens, chances.parts)]
    claims = [claim for claim in found if claim is not None and may_tell(_sentence(text, claim))]
    own = own_text(text) if claims else ""
    return [claim for claim in claims if COVER not in own[claim.start : claim.end]]


def _sentence(text: str, claim: Claim) -> str:
    """Returns the sentence, or the line, in which a claim stands."""
    before, after = _END.split(text[: claim.start]), _END.split(text[claim.end :], maxsplit=1)
    return before[-1] + text[claim.start : claim.end] + after[0]


def _spans(tokens: Sequence[Token], parts: Floats) -> Iterator[tuple[int, int]]:
    """Yields the first token of each statement and the one behind its last, without signs at its ends."""
    inside = 1 - parts[:, OUTSIDE]
    begins = parts[:, BEGINS] >= inside / 2
    at = 0
    while at < len(tokens):
        first, at = at, at + 1
        if not inside[first] > _BELONGS:
            continue
        while at < len(tokens) and inside[at] > _BELONGS and not begins[at]:
            at += 1
        words = [number for number in range(first, at) if tokens[number].is_word]
        if words:
            yield words[0], words[-1] + 1


def _claim(text: str, tokens: Sequence[Token], chances: Chances, first: int, last: int) -> Claim | None:
    """Returns what the tokens of a statement claim; None if it is too uncertain."""
    inside = np.sort(1 - chances.parts[first:last, OUTSIDE])[::-1]
    if not inside[: (2 * len(inside) + 2) // 3].mean() >= SURE:
        return None
    kind = network().types[int(chances.types[first:last].mean(0).argmax())]
    state = int(chances.states[first:last].mean(0).argmax())
    start, end = tokens[first].start, tokens[last - 1].end
    status = PAST if state == IS_PAST else PLAN if kind == "plan" else CURRENT
    return Claim(
        kind, STATEMENT, text[start:end], positive=state != DENIED, status=status, certainty=CERTAINTY,
        start=start, end=end, verbatim=True,
    )  # fmt: skip
