"""Permission to change memories that other users wrote, or that a person pinned or edited (S4.53)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from holdfast.core.errors import Refusal
from holdfast.core.kinds import EXCLUSION
from holdfast.core.pages import each
from holdfast.core.places import Principal, Role, Visibility
from holdfast.core.record import PERSONS, Memory, Status
from holdfast.core.views import ANY_STATE, View, personal_view
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

PAGE = 1_000


def check_in_person(principal: Principal, act: str) -> None:
    """Raises Refusal `person_needed` for an agent or a service: what only a person in person does."""
    if principal.is_machine:
        raise Refusal(
            f"only a person {act}",
            code="person_needed",
            hint="do it in person: on the command line without an agent, or with a key that names none",
        )


def check_shares(service: Service, visibility: Visibility) -> None:
    """Raises Refusal `sharing_off` for a visibility that nobody may give to what they keep here."""
    if visibility is not Visibility.PRIVATE and not service.shares:
        raise Refusal(
            f"nothing is shared between users here: visibility {visibility.value} is refused",
            code="sharing_off",
            hint="leave visibility out; whoever runs the store decides by the setting `sharing`",
        )


def is_own(principal: Principal, memory: Memory) -> bool:
    """Returns whether a memory is the principal's to change, machines aside: its owner's, and an admin's."""
    return memory.place.owner == principal.user or principal.role is Role.ADMIN


def why_not_change(principal: Principal, memory: Memory) -> Refusal | None:
    """Returns the refusal to change or remove a visible memory; None if it is allowed.

    Only its owner and admins of the team may change a memory; no machine may change one that a person pinned
    or edited.
    """
    if not is_own(principal, memory):
        return Refusal(
            f"memory {memory.id} belongs to another user",
            code="not_yours",
            hint="its owner may, or an admin: an owner of the team makes a key for that with"
            " `holdfast keys create --for USER --role admin`",
        )
    if principal.is_machine and memory.kind == EXCLUSION:
        return Refusal("only a person may lift what is never remembered", code="person_needed")
    if principal.is_machine and (memory.pinned or memory.edited):
        return Refusal(
            f"a person pinned or edited memory {memory.id}; a machine may not change it",
            code="edited_by_person",
        )
    if principal.is_machine and memory.status is Status.REJECTED:
        return Refusal(
            f"memory {memory.id} was rejected; a machine may not change or remove it",
            code="review_by_person",
        )
    return None


def why_not_take_away(principal: Principal, reader: Reader, memory: Memory) -> Refusal | None:
    """Returns the refusal to forget, rewrite or move a visible memory, or to flag it as wrong; None if it is
    allowed. No machine does that to what a person wrote or imported who has not agreed, whichever interface
    it uses.

    It may replace them by a statement of its own, beside which they stay as superseded.
    """
    refusal = why_not_change(principal, memory)
    if refusal is not None or not principal.is_machine or principal.agreed:
        return refusal
    if _words_of_person(principal, reader, memory) is None:
        return None
    return Refusal(
        f"memory {memory.id} is what a person wrote, or replaced that: no agent takes it away or changes it"
        " without asking them",
        code="person_needed",
        hint="tell the user what is wrong with it: they change it in person; `replaces` of remember puts a"
        " statement of yours in its place",
    )


def _words_of_person(principal: Principal, reader: Reader, memory: Memory) -> Memory | None:
    """Returns a memory that a person wrote or imported, else the nearest such one that it replaced, itself or
    by others: they stay superseded when it is gone."""
    step: Memory | None = memory
    while step is not None:
        if step.said_by in PERSONS:
            return step
        former = step.supersedes and reader.get(personal_view(principal, ANY_STATE), step.supersedes)
        is_replaced = former and former.status is Status.SUPERSEDED and former.superseded_by == step.id
        step = former if former and is_replaced else None
    return None


def why_not_review(principal: Principal, memory: Memory) -> Refusal | None:
    """Returns the refusal to decide on a memory that waits for review; None if it is allowed. No machine
    approves what it, or another, has written (S4.45)."""
    if principal.is_machine:
        return Refusal(
            f"only a person may decide on memory {memory.id}",
            code="review_by_person",
            hint="`holdfast review`, without an agent",
        )
    return why_not_change(principal, memory)


def check_may_lift(principal: Principal) -> None:
    """Raises Refusal `review_by_person` for a machine: only a person brings back what was forgotten."""
    if principal.is_machine:
        raise Refusal(
            "only a person brings back what was forgotten", code="review_by_person", hint="without an agent"
        )


def check_may_review(principal: Principal, memory: Memory) -> None:
    """Raises Refusal `review_by_person` for a machine, or `not_yours`."""
    refusal = why_not_review(principal, memory)
    if refusal is not None:
        raise refusal


def check_may_change(principal: Principal, memory: Memory) -> None:
    """Raises Refusal `not_yours`, `edited_by_person` or `review_by_person`."""
    refusal = why_not_change(principal, memory)
    if refusal is not None:
        raise refusal


def check_may_take_away(principal: Principal, reader: Reader, memory: Memory) -> None:
    """Raises Refusal `not_yours`, `edited_by_person`, `review_by_person` or `person_needed`."""
    refusal = why_not_take_away(principal, reader, memory)
    if refusal is not None:
        raise refusal


def check_may_take_away_all(
    principal: Principal, reader: Reader, view: View, is_affected: Callable[[Memory], bool]
) -> None:
    """Raises Refusal `person_needed`, `edited_by_person` or `review_by_person` if a machine would remove or
    move, among others, a memory of the view that a person wrote, pinned, edited or rejected. Memories of
    other users do not count: they stay."""
    if not principal.is_machine:
        return
    everything = replace(view, author=None)  # memories that it may not read count too
    for memory in each(lambda cursor: reader.page(everything, limit=PAGE, cursor=cursor, now=0)):
        if memory.place.owner == principal.user and is_affected(memory):
            check_may_take_away(principal, reader, memory)
