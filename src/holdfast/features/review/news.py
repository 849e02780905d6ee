"""News of a description that a person pinned or edited: once approved, it is the next version of that one."""

from __future__ import annotations

from holdfast.core.insights import INSIGHT
from holdfast.core.kinds import KINDS
from holdfast.core.record import Memory, Status
from holdfast.core.review import Decision, Result
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import check_may_change
from holdfast.features.admission.draft import Draft
from holdfast.features.memories import embed
from holdfast.features.service import Service
from holdfast.language.statements.merging import with_news
from holdfast.stores.base.ports import Patch, Writer

ACCEPTED = "accepted"
"""The reason why news that was approved is no longer there: it is a version of what it was about."""


def is_news(memory: Memory) -> bool:
    """Returns whether a memory is news that waits beside a description."""
    waits = memory.status in (Status.PENDING, Status.REJECTED) and memory.supersedes is not None
    return waits and KINDS[memory.kind].is_derived and memory.external_id is None


def accepted(service: Service, tx: Writer, memory: Memory) -> Decision | None:
    """Makes approved news the next version of the description that it waits beside, which a machine may
    update again unless it is pinned; None for any other memory, and if that description is gone."""
    if not is_news(memory):
        return None
    view, now = personal_view(service.principal, ANY_STATE), service.clock()
    current = tx.get(view, memory.supersedes or "")
    if current is None:
        return None
    check_may_change(service.principal, current)
    if memory.kind == INSIGHT:  # it may have grown since
        parts = with_news(current, memory)
    else:
        parts = {"text": memory.text, "summary": memory.summary, "metadata": memory.metadata}
    draft = Draft(
        kind=memory.kind,
        title=memory.title,
        scope=memory.scope,
        external_id=current.external_id,
        origin=memory.origin.value,
        source=memory.source,
        confidence=memory.confidence,
        tags=memory.tags,
        **parts,
    )
    admitted = service.admission.admit(draft, id=current.id, now=now)
    vectors = embed.embed_now(service.embedder, [admitted])[0]
    placed = admitted.placed(current.place, project=current.project, session=current.session)
    newer = placed.next_version_of(current, now).with_memory(
        edited=False, status=Status.APPROVED, status_reason=None, fingerprint=memory.fingerprint
    )
    stored = tx.insert_version(view, newer, vectors, service.embedder.model)
    embed.queue(service, tx, stored, vectors, now)
    tx.patch(view, memory.id, Patch(deleted_at=now, deleted_reason=ACCEPTED), now=now)
    for action, id, detail in (("revise", stored.id, {"version": stored.version}), ("forget", memory.id, {})):
        tx.add_event(at=now, actor=service.principal.label, action=action, subject=id, detail=dict(detail))
    reason = f"accepted as version {stored.version} of memory {stored.id}"
    return Decision(stored.id, Result.APPROVED, stored, reason, related=memory.id)
