"""Makes claims of what the network finds, in the words of the message.

The value is the statement, or the sentence around it where that is but a few words ("Coeliac, so no bread")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from holdfast.core.claims import CURRENT, PAST, PLAN, STATEMENT, Claim
from holdfast.language.claims.cuts import further_clauses
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
from holdfast.language.claims.lexicon import KIN, class_of_word
from holdfast.language.claims.read import may_tell
from holdfast.language.claims.voice import COVER, MESSAGE_MAX, own_text

SURE = 0.8
"""Least probability of a statement: the mean of the surest two thirds of its tokens."""
CERTAINTY = 0.7
"""The certainty of these claims, from 0 to 1; below that of claims of the grammar, 0.8 by default."""
_NOTE_MAX = 240
"""Characters of a message that may tell of its author without a word for them, in short sentences."""
_END = re.compile(r"[.!?]\s|\n")
_SPEAKER = re.compile(
    r"\b(?:i|me|my|mine|we|(?-i:us)|our|ours|ich|mich|mir|mein\w*|wir|uns\w*)\b", re.IGNORECASE
)
_SINCE = re.compile(r"\b(?:since|seit)\s+(?:[^\W\d_]+\s+)?$", re.IGNORECASE)
"""Matches the beginning of a time since when something is so, which the time does not say itself."""
_LASTS = re.compile(r"\b(?:since (?!(?:i|we|my|our|he|she|they|it|there)\b)|seit )", re.IGNORECASE)
"""Matches words of what is so already."""
_INTENDS = re.compile(
    r"\b(?:plan\w*|want\w*|hop(?:e|ed|ing)|intend\w*|consider\w*|think\w*|sav(?:e|ed|ing)|look(?:ed|ing) for(?:ward)?"
    r"|going to|about to|dream\w*|will|träum\w*|möchte|wollen|wollte|vorhabe|spar\w*|überleg\w*)\b|'ll\b",
    re.IGNORECASE,
)
"""Matches words of what is only intended, for however long."""
_FRAGMENT_MAX = 4
"""Words of a statement that may say too little by itself, if none is for its author."""
_SENTENCE_MAX = 160
"""Characters of a sentence that is given in place of a few of its words."""
_BELONGS = 0.3
"""Least probability of the tokens by which a statement is found."""
_GOES_ON = 0.1
"""Least probability of a word beside a statement that belongs to it as well."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The statements that the network finds in a message, in order, and what it says of each token.

    It says nothing of what it does not read: more than MESSAGE_MAX characters, and long texts without a word
    for their author."""

    claims: Sequence[Claim] = ()
    tokens: Sequence[Token] = ()
    chances: Chances | None = None


def read_message(text: str) -> Reading:
    """Returns what the network reads in a message. What is not the author's own states nothing."""
    is_read = len(text) <= MESSAGE_MAX and (len(text) <= _NOTE_MAX or may_tell(text))
    tokens = tokens_of(text) if is_read else []
    if not any(token.is_word for token in tokens):
        return Reading()
    chances = network().chances(tokens)
    candidates = [_claim(text, tokens, chances, *spans) for spans in _spans(tokens, chances.parts)]
    claims = [claim for claim in candidates if claim is not None and may_tell(text[_sentence(text, claim)])]
    own = own_text(text) if claims else ""
    claims = [_in_full(text, own, claim) for claim in claims if COVER not in own[claim.start : claim.end]]
    claims = [claim for claim in claims if not _is_bare(claim)]
    once = {(claim.type, claim.value): claim for claim in reversed(claims)}
    return Reading(list(reversed(once.values())), tokens, chances)


def _sentence(text: str, claim: Claim) -> slice:
    """Returns where the sentence, or the line, is in which a claim stands."""
    return _line(text, claim.start, claim.end)


def _line(text: str, start: int, end: int) -> slice:
    before, after = _END.split(text[:start])[-1], _END.split(text[end:], maxsplit=1)[0]
    return slice(start - len(before), end + len(after))


def _clause(text: str, claim: Claim) -> slice:
    """Returns where the sentence of a claim is, without the clauses before and after it that have a subject
    and verb of their own."""
    where = _sentence(text, claim)
    joints = [(at, begin) for at, begin in further_clauses(text) if where.start < at < where.stop]
    start = max([where.start, *(begin for _, begin in joints if begin <= claim.start)])
    return slice(start, min([where.stop, *(at for at, _ in joints if at >= claim.end)]))


def _in_full(text: str, own_text: str, claim: Claim) -> Claim:
    """Returns a claim of a few words with its clause as its value, if that is the author's own and short."""
    says_enough = len(claim.value.split()) > _FRAGMENT_MAX or _SPEAKER.search(claim.value)
    if says_enough and not _SINCE.search(f"{text[: claim.start]}{claim.value.split()[0]} "):
        return claim
    where = _clause(text, claim)
    sentence = " ".join(text[where].split()).rstrip(" ,;.!?")
    return (
        claim if COVER in own_text[where] or len(sentence) > _SENTENCE_MAX else replace(claim, value=sentence)
    )


def _is_bare(claim: Claim) -> bool:
    """Returns whether a value only names somebody, or ends with the verb of a subject: "My dad is"."""
    subject = _SUBJECT.fullmatch(claim.value)
    if subject is None or subject["verb"] is not None:
        return subject is not None
    kind = class_of_word(subject["noun"])
    return kind in KIN or (kind is None and claim.type in ("family", "relationship"))


_SUBJECT = re.compile(
    r"(?:my|our|mein\w*|unser\w*)\s(?:(?-i:[a-zäöü][\w-]*)\s)?(?P<noun>[\w-]+)(?:\s(?-i:[A-ZÄÖÜ])[\w'’-]+){0,2}"
    r"(?P<verb>\s(?:is|are|was|were|has|have|had|ist|sind|war|waren|hat|haben|hatte|hatten))?",
    re.IGNORECASE,
)
"""Matches somebody or something of the author's, by noun and name, with at most a verb that says nothing alone."""
_LEADS_ON = frozenset(
    "a an the my our your his her their for of in at on to with by from into about as and or but than"
    " der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere unserem für"
    " von vom in im an am auf mit bei beim aus zu zum zur nach über um als und oder".split()
)
"""Words with which no statement ends."""
_LED_MAX = 3
"""Words that are added to a statement that would end with one of these."""
_Span = tuple[int, int]
"""The first token of a statement, and the one behind its last."""


def _spans(tokens: Sequence[Token], parts: Floats) -> Iterator[tuple[_Span, _Span]]:
    """Yields for each statement the tokens by which it is found, and these with the words beside them that
    may belong to it, both without signs at their ends."""
    inside = 1 - parts[:, OUTSIDE]
    begins = parts[:, BEGINS] >= inside / 2
    goes_on = (inside > _GOES_ON) & [token.is_word for token in tokens]
    led = [False, *(token.text.lower() in _LEADS_ON for token in tokens)]
    at = end = 0
    while at < len(tokens):
        first, at = at, at + 1
        if not inside[first] > _BELONGS:
            continue
        while at < len(tokens) and inside[at] > _BELONGS and (led[at] or not begins[at]):
            at += 1
        words = [number for number in range(first, at) if tokens[number].is_word]
        if words:
            core = words[0], words[-1] + 1
            least, (begin, end) = end, core
            while begin > least and goes_on[begin - 1]:
                begin -= 1
            while end < len(tokens) and goes_on[end] and not begins[end]:
                end += 1
            most = min(end + _LED_MAX, len(tokens))
            while end < most and led[end] and tokens[end].is_word:
                end += 1
            at = max(at, end)
            yield core, (begin, end)


def _claim(
    text: str, tokens: Sequence[Token], chances: Chances, core: _Span, statement: _Span
) -> Claim | None:
    """Returns what a statement claims, by the tokens by which it is found and in all its words; None if it is
    too uncertain."""
    first, last = core
    inside = np.sort(1 - chances.parts[first:last, OUTSIDE])[::-1]
    if not inside[: (2 * len(inside) + 2) // 3].mean() >= SURE:
        return None
    kinds = chances.types[first:last].mean(0)
    state = int(chances.states[first:last].mean(0).argmax())
    start, end = tokens[statement[0]].start, tokens[statement[1] - 1].end
    plan, where = network().types.index("plan"), _line(text, start, end)
    if kinds.argmax() == plan and _LASTS.search(text[where]) and not _INTENDS.search(text[where]):
        beside = [where.start <= token.start < where.stop for token in tokens]
        kinds = chances.types[beside].mean(0)
        kinds[plan] = 0
    kind = network().types[int(kinds.argmax())]
    found_at = tokens[first].start
    for at, begin in further_clauses(text):
        start, end = (max(start, begin), end) if begin <= found_at else (start, min(end, at))
    status = PAST if state == IS_PAST else PLAN if kind == "plan" else CURRENT
    return Claim(
        kind, STATEMENT, text[start:end], positive=state != DENIED, status=status, certainty=CERTAINTY,
        start=start, end=end, verbatim=True,
    )  # fmt: skip
