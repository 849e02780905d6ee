"""Making a superseded memory current again."""

from __future__ import annotations

from holdfast.core.errors import Conflict
from holdfast.core.kinds import KINDS
from holdfast.core.record import Memory, Status
from holdfast.core.tidying import KEPT_APART, MERGED
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import check_may_review
from holdfast.features.access.places import find_same
from holdfast.features.service import Service
from holdfast.stores.base.ports import Patch, Writer


def reinstate(service: Service, tx: Writer, memory: Memory, now: int) -> Memory:
    """Makes a superseded memory current, with an event; what replaced it stays as it is. Raises Refusal, and
    Conflict `duplicate_text` if its text was stored again."""
    check_may_review(service.principal, memory)
    check_no_duplicate(tx, memory)
    view = personal_view(service.principal, ANY_STATE)
    stored = tx.patch(view, memory.id, reinstating(service, tx, memory), now=now)
    detail = {"was": Status.SUPERSEDED.value, "by": memory.superseded_by}
    tx.add_event(
        at=now, actor=service.principal.label, action="restore", subject=memory.id,
        detail={name: value for name, value in detail.items() if value is not None},
    )  # fmt: skip
    return stored


def reinstating(service: Service, tx: Writer, memory: Memory) -> Patch:
    """Returns the patch that makes a superseded memory current, valid as long as it was before."""
    if (memory.status_reason or "").startswith(MERGED):
        return Patch(status=Status.APPROVED, status_reason=KEPT_APART, clear=frozenset({"superseded_by"}))
    events = tx.events_about(personal_view(service.principal, ANY_STATE), [memory.id])
    gave_way = next((event for event in reversed(events) if event.action == "supersede"), None)
    until = None if gave_way is None else gave_way.detail.get("until")
    clear = {"status_reason", "superseded_by"} | ({"valid_until"} if until is None else set())
    return Patch(status=Status.APPROVED, valid_until=until, clear=frozenset(clear))


def check_no_duplicate(tx: Writer, memory: Memory) -> None:
    """Raises Conflict if the same text has replaced a superseded memory."""
    if KINDS[memory.kind].is_evidence:
        return
    duplicate = find_same(tx, memory)
    if duplicate is not None and duplicate.id != memory.id:
        raise Conflict(f"memory {duplicate.id} has exactly the same text", code="duplicate_text")
