"""Dismissals: what is not to be believed, whatever says so; beliefs are made without it."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.core.claims import Belief, Claim, plain
from holdfast.core.places import Principal
from holdfast.features.beliefs.corrections import Corrected, corrected_by
from holdfast.features.beliefs.fold import axis_of, words_of
from holdfast.features.memories.own_rules import rules_in
from holdfast.stores.base.ports import Reader

DISMISSAL = "dismissal"
"""The external id of all dismissals, which tells them from rules of what is never remembered."""


def dismissals_in(reader: Reader, principal: Principal, now: int) -> tuple[Corrected, ...]:
    """Returns what a principal's user has dismissed."""
    corrections = map(corrected_by, rules_in(reader, principal, DISMISSAL, now))
    return tuple(dismissal for dismissal in corrections if dismissal is not None)


def is_dismissed(claim: Claim | Belief, dismissals: Sequence[Corrected]) -> bool:
    """Returns whether a claim or belief says what was dismissed, in any of the wordings that it had then."""
    return any(
        axis_of(claim.attribute) == axis_of(dismissal.attribute)
        and claim.positive is dismissal.positive
        and (claim.subject or "").casefold() == dismissal.subject.casefold()
        and any(_is_equal(claim.value, value) for value in dismissal.values)
        for dismissal in dismissals
    )


def _is_equal(value: str, other: str) -> bool:
    first, second = words_of(value), words_of(other)
    return plain(value) == plain(other) or (bool(first) and first == second)
