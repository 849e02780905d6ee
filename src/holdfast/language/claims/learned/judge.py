"""Says how likely a claim is right, by weights that were learned from labelled chats, and chooses among claims.

The weights are those of a logistic regression over what `evidence` names; `tools/claim_tagger/judge.py` makes them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from holdfast.core.claims import PAST, Claim
from holdfast.language.claims.learned.evidence import evidence
from holdfast.language.claims.learned.network import Chances
from holdfast.language.claims.learned.properties import Token
from holdfast.language.claims.lexicon import KIN
from holdfast.language.weights import read_arrays, strings

DATA = Path(__file__).parent / "data" / "judge.npz"
LEAST = 0.4
"""Least probability of a claim that is made."""
_SURE = 0.7
"""Probability below which a claim of the grammar gives way to a likelier statement of the same words."""
_COUPLE = frozenset({"spouse", "partner"})
_NAMED = re.compile(r"[A-ZÄÖÜ(]")
_FURTHER = 3
"""Characters by which a statement is longer than the relation in it if it says something of the relative."""


@cache
def _weights() -> tuple[dict[str, float], float]:
    """Returns the weight of each name, and the logit of a claim of which nothing is known."""
    arrays = read_arrays(DATA)
    names = strings(arrays["names!"])
    return dict(zip(names, arrays["weights"].astype(float).tolist(), strict=True)), float(arrays["bias"])


def likelihood(names: Sequence[str]) -> float:
    """Returns how likely a claim is right for which this speaks."""
    weights, bias = _weights()
    return 1 / (1 + math.exp(-bias - sum(weights.get(name, 0.0) for name in dict.fromkeys(names))))


def judged(
    text: str, tokens: Sequence[Token], chances: Chances, read: Sequence[Claim], found: Sequence[Claim]
) -> list[Claim]:
    """Returns what a message claims, of what the grammar read and of the statements that the network found: what
    is likely enough, and of the same words the claim of the grammar, since it says what it is about; but the
    statement where that is likelier and the claim is unsure or only names a relative."""
    claims = [*read, *found]
    chance = [likelihood(evidence(text, tokens, chances, claim, claims)) for claim in claims]
    further = [number for number in range(len(read), len(claims)) if chance[number] >= LEAST]
    chosen = [
        number
        for number, claim in enumerate(read)
        if chance[number] >= LEAST
        or _only_ends(claim)
        or any(_is_named_in(claim, claims[statement]) for statement in further)
    ]
    of_grammar = list(chosen)
    for number in further:
        statement = claims[number]
        rivals = [
            at
            for at in of_grammar
            if _overlaps(claims[at], statement) and not _is_named_in(claims[at], statement)
        ]
        if all(
            chance[at] < chance[number]
            and (chance[at] < _SURE or _goes_on(claims[at], statement))
            and not _is_part_of(statement, claims[at])
            for at in rivals
        ):
            chosen = [at for at in chosen if at not in rivals] + [number]
    return [claims[number] for number in chosen]


def _overlaps(claim: Claim, other: Claim) -> bool:
    return claim.start < other.end and other.start < claim.end


def _is_named_in(claim: Claim, statement: Claim) -> bool:
    """Returns whether a statement says more of a relative whose name a claim says, or of a husband or wife, who
    are worth knowing beside what is said of them."""
    return (
        _overlaps(claim, statement)
        and _goes_on(claim, statement)
        and (claim.attribute in _COUPLE or _NAMED.search(claim.value) is not None)
    )


def _is_relation(claim: Claim) -> bool:
    """Returns whether a claim only says that there is a relative or pet."""
    return claim.attribute in KIN and not claim.subject


def _goes_on(claim: Claim, statement: Claim) -> bool:
    """Returns whether a claim only says that there is a relative or pet, and a statement goes on behind it."""
    return _is_relation(claim) and statement.end > claim.end + _FURTHER


def _is_part_of(statement: Claim, claim: Claim) -> bool:
    """Returns whether a statement is only a part of what a claim says of a relative or pet."""
    return (
        _is_relation(claim)
        and claim.start <= statement.start
        and statement.end <= claim.end
        and len(statement.value) < len(claim.value)
    )


def _only_ends(claim: Claim) -> bool:
    """Returns whether a claim only says that something is over, done or not so any more: it is seldom labelled,
    and what it ends would be believed for ever."""
    return claim.changes and (claim.status == PAST or not claim.positive)
