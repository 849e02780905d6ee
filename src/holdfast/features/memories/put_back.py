"""Taking a decision back: the memory waits for review again, as it did before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.kinds import EXCLUSION, KINDS
from holdfast.core.record import Memory, Origin, Status
from holdfast.core.review import AS_ASKED, EVIDENCE_REMOVED, REASONS
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import check_may_review
from holdfast.features.admission.initial_values import (
    BY_PERSON,
    PERSONAL,
    flagged_as,
    waits_in_place,
    why_unsure,
    why_untrusted,
)
from holdfast.features.memories.browse import check_version
from holdfast.features.memories.revision import Revision
from holdfast.features.service import Service
from holdfast.stores.base.ports import Patch, Writer

if TYPE_CHECKING:
    from holdfast.core.events import Event

_DECISIONS = frozenset({"approve", "reject"})
_LATER = frozenset({"clean", "feedback", "hold", "merge", "redact", "revise", "supersede", "wrong"})
"""What changes text, confidence or status after a decision, which then can no longer be taken back."""


def is_put_back(revision: Revision) -> bool:
    """Returns whether a revision says that a memory shall wait, and nothing else."""
    return revision == Revision(status=Status.PENDING.value, if_version=revision.if_version)


def put_back(service: Service, tx: Writer, memory: Memory, *, if_version: int | None = None) -> Memory | None:
    """Takes the decision back that a memory which waited was the last to get: it keeps its author and text
    and waits for the reason it waited for. What gave way to it stays as it is. None if there is no such
    decision, or a machine asks. Raises Conflict, Refusal."""
    if service.principal.is_machine:
        return None
    now, view = service.clock(), personal_view(service.principal, ANY_STATE)
    events = tx.events_about(view, [memory.id])
    at = _last(events, _DECISIONS | _LATER)
    decision = None if at is None else events[at]
    if decision is None or decision.action not in _DECISIONS or "confidence" not in decision.detail:
        return None
    check_version(memory, if_version)
    check_may_review(service.principal, memory)
    supersedes = decision.detail.get("supersedes")
    confidence = decision.detail["confidence"]
    reason = _reason(memory, decision, events[:at], confidence)
    if supersedes is not None and not KINDS[memory.kind].is_derived:
        reason += f"; it contradicts memory {supersedes}"
    patch = Patch(status=Status.PENDING, status_reason=reason, confidence=confidence, supersedes=supersedes)
    stored = tx.patch(view, memory.id, patch, now=now)
    detail = {"was": memory.status.value}
    tx.add_event(at=now, actor=service.principal.label, action="hold", subject=memory.id, detail=detail)
    return stored


def _last(events: Sequence[Event], actions: frozenset[str]) -> int | None:
    return next((at for at in reversed(range(len(events))) if events[at].action in actions), None)


def _reason(memory: Memory, decision: Event, before: Sequence[Event], confidence: float) -> str:
    """Returns why a memory waited. Events hold no text, so the reason is found again from what it is and what
    was done to it."""
    if (why := decision.detail.get("why")) is not None:
        return REASONS[why]
    if memory.kind == EXCLUSION and memory.origin is not Origin.USER:
        return BY_PERSON
    for event in reversed(before):
        if event.action == "feedback" and event.detail.get("status") == Status.PENDING.value:
            return flagged_as(event.detail["verdict"], confidence)
        if event.action == "hold" and "rests_on" in event.detail:
            return EVIDENCE_REMOVED
        if event.action in _LATER and event.action != "hold":
            break
    reason = why_untrusted(memory.origin, memory.flags) or why_unsure(confidence)
    if reason is None and waits_in_place(memory.pii_risk, memory.visibility):
        reason = PERSONAL
    return reason or AS_ASKED
