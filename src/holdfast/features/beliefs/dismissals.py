"""Dismissals: what is not to be believed, whatever says so. Each is kept beside what is never remembered."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.claims import Belief, Claim, plain
from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import EXCLUSION
from holdfast.core.places import Principal
from holdfast.core.record import Kept
from holdfast.core.views import Filter, personal_view
from holdfast.features.access.places import Selection
from holdfast.features.admission.draft import Draft
from holdfast.features.beliefs.corrections import Corrected, corrected_by, evidence_of
from holdfast.features.beliefs.fold import axis_of, words_of
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

DISMISSAL = "dismissal"
"""The external id of all dismissals, which tells them from rules of what is never remembered."""
NOT_BELIEVED = "Not believed: "


def dismiss(service: Service, id: str, selection: Selection, *, was: str | None, name: str | None) -> Kept:
    """Keeps that a belief read from a memory is not to be believed; the memory stays as it is. Raises
    NotFound, Conflict `changed_meanwhile`, InvalidInput for a memory that is the statement itself."""
    from holdfast.features.beliefs.correct import believed, wordings_of
    from holdfast.features.memories.browse import get
    from holdfast.features.memories.remember import remember

    belief = believed(service, id, selection, was, name)
    memory = get(service, belief.id)
    if memory.kind == belief.attribute or corrected_by(memory) is not None:
        raise InvalidInput(
            "this memory is the statement itself", code="argument_invalid",
            hint=f"forget it: holdfast forget {memory.id}",
        )  # fmt: skip
    values = wordings_of(service, belief) or [belief.value]
    what = "\0".join((axis_of(belief.attribute), belief.subject or "", str(belief.positive), belief.value))
    digest = hashlib.sha256(what.casefold().encode()).hexdigest()[:16]
    draft = Draft(
        NOT_BELIEVED + belief.text, kind=EXCLUSION, external_id=DISMISSAL, scope=(EXCLUSION, digest),
        visibility="private", evidence=evidence_of(belief, values),
    )  # fmt: skip
    return remember(service, draft)


def dismissals_in(reader: Reader, principal: Principal, now: int) -> tuple[Corrected, ...]:
    """Returns what a principal's user has dismissed."""
    view = personal_view(principal, Filter(kinds=frozenset({EXCLUSION}), owner=principal.user))
    found = map(corrected_by, reader.keyed(view, DISMISSAL, limit=LIMIT_MAX, now=now))
    return tuple(one for one in found if one is not None)


def is_dismissed(said: Claim | Belief, dismissals: Sequence[Corrected]) -> bool:
    """Checks whether a claim or belief says what was dismissed, in any of the wordings that it had then."""
    return any(
        axis_of(said.attribute) == axis_of(one.attribute)
        and said.positive is one.positive
        and (said.subject or "").casefold() == one.subject.casefold()
        and any(_is_equal(said.value, value) for value in one.values)
        for one in dismissals
    )


def _is_equal(one: str, other: str) -> bool:
    first, second = words_of(one), words_of(other)
    return plain(one) == plain(other) or (bool(first) and first == second)
