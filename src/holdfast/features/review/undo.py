"""Undo: what was decided in the inbox is as it was before, and waits for a decision again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from holdfast.core.arguments import LIMIT_MAX, checked_list
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.record import Memory, Status
from holdfast.core.review import Decision, Result, refused_decision, why_held
from holdfast.core.views import ANY_STATE, GONE, personal_view
from holdfast.features.access.permission import check_may_review
from holdfast.features.memories.browse import existing_memory
from holdfast.features.memories.naming import checked_id
from holdfast.features.memories.put_back import put_back
from holdfast.features.memories.reinstate import reinstating
from holdfast.features.review import news, sharing
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer

if TYPE_CHECKING:
    from holdfast.core.events import Event


def undo(service: Service, ids: Collection[str] | str) -> list[Decision]:
    """Takes the last decision about each memory back, the last one first, in one transaction, and returns one
    result each, in order. One that cannot be taken back is refused and does not stop the others. Raises
    InvalidInput."""
    requested = checked_list(ids, "ids")
    if len(requested) > LIMIT_MAX:
        raise InvalidInput(f"at most {LIMIT_MAX} decisions are taken back at once", code="limit_invalid")
    results: list[Decision] = []
    with service.store.write() as tx:
        recent = sharing.recent_events(tx, service)
        for id in reversed(requested):
            try:
                with tx.attempt():
                    results.append(_undo(service, tx, id, recent))
            except HoldfastError as error:
                results.append(refused_decision(str(id), error))
    return results[::-1]


def _undo(service: Service, tx: Writer, id: str, recent: Sequence[Event]) -> Decision:
    """Takes the last decision about a memory back: one on a request to share it, on news, or on the memory
    itself. Raises NotFound, Refusal, Conflict, InvalidInput."""
    if (shared := sharing.decision_about(tx, checked_id(id), recent)) is not None:
        return sharing.take_back(service, tx, *shared, service.clock())
    memory = existing_memory(tx, service, id, states=GONE)
    if news.is_accepted(memory):  # named by what it was before it became a version
        memory = existing_memory(tx, service, memory.supersedes or "")
    check_may_review(service.principal, memory)
    if (accepted := news.last_accepted(tx, service, memory)) is not None:
        return news.take_back(service, tx, memory, accepted)
    if (waiting := put_back(service, tx, memory)) is None:
        raise InvalidInput(
            f"memory {memory.id} has no decision that can be taken back", code="nothing_to_change",
            hint="it was changed since, or never waited: `holdfast show` shows its history",
        )  # fmt: skip
    _revive(service, tx, waiting)
    return Decision(waiting.id, Result.PENDING, waiting, why_held(waiting))


def _revive(service: Service, tx: Writer, waiting: Memory) -> None:
    """Lets the memory hold again that had to give way to one whose approval is taken back."""
    view, now = personal_view(service.principal, ANY_STATE), service.clock()
    other = None if waiting.supersedes is None else tx.get(view, waiting.supersedes)
    if other is None or other.status is not Status.SUPERSEDED or other.superseded_by != waiting.id:
        return
    tx.patch(view, other.id, reinstating(service, tx, other), now=now)
    detail = {"was": Status.SUPERSEDED.value, "by": waiting.id}
    tx.add_event(at=now, actor=service.principal.label, action="approve", subject=other.id, detail=detail)
