"""News of a description that a person pinned or edited: once approved, it is the next version of that one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.core.insights import INSIGHT
from holdfast.core.kinds import KINDS
from holdfast.core.record import Memory, Status
from holdfast.core.review import Decision, Result, why_held
from holdfast.core.views import ANY_STATE, GONE, personal_view
from holdfast.features.access.permission import check_may_change
from holdfast.features.admission.draft import Draft
from holdfast.features.memories import embed
from holdfast.features.memories.browse import existing_memory
from holdfast.features.memories.forget import bring_back
from holdfast.features.service import Service
from holdfast.language.statements.merging import with_news
from holdfast.stores.base.ports import Patch, Reader, Writer

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
    stored = _next_version(service, tx, current, memory, parts, edited=False, fingerprint=memory.fingerprint)
    tx.patch(view, memory.id, Patch(deleted_at=now, deleted_reason=ACCEPTED), now=now)
    _add_event(service, tx, "revise", stored, version=stored.version, accepted=memory.id)
    _add_event(service, tx, "forget", memory)
    reason = f"accepted as version {stored.version} of memory {stored.id}"
    return Decision(stored.id, Result.APPROVED, stored, reason, related=memory.id)


def is_accepted(memory: Memory) -> bool:
    """Returns whether a memory is news that was approved: it is a version of what it was about."""
    return memory.deleted_at is not None and memory.deleted_reason == ACCEPTED


def last_accepted(reader: Reader, service: Service, current: Memory) -> str | None:
    """Returns the id of the news that the present version of a description was made of, if it was."""
    events = reader.events_about(personal_view(service.principal, ANY_STATE), [current.id])
    made = next((event for event in reversed(events) if event.action == "revise"), None)
    if made is None or made.detail.get("version") != current.version:
        return None
    return made.detail.get("accepted")


def take_back(service: Service, tx: Writer, current: Memory, news: str) -> Decision:
    """Lets accepted news wait beside its description again, which says in a further version what it said
    before. Raises NotFound."""
    view = personal_view(service.principal, GONE)
    waiting = existing_memory(tx, service, news, states=GONE)
    before = next(
        memory for memory in tx.versions(view, [current.id]) if memory.version == current.version - 1
    )
    parts = {"text": before.text, "summary": before.summary, "metadata": before.metadata}
    stored = _next_version(
        service, tx, current, before, parts, edited=before.edited, fingerprint=before.fingerprint,
        origin=before.origin, created_by=before.created_by,
    )  # fmt: skip
    _add_event(service, tx, "revise", stored, version=stored.version)
    restored = bring_back(service, tx, waiting, service.clock())
    return Decision(restored.id, Result.PENDING, restored, why_held(restored))


def _next_version(
    service: Service, tx: Writer, current: Memory, source: Memory, parts: Mapping[str, Any], **more: Any
) -> Memory:
    """Stores what another memory, or an earlier version, says as the next version of a description."""
    view, now = personal_view(service.principal, ANY_STATE), service.clock()
    draft = Draft(
        kind=source.kind,
        title=source.title,
        scope=source.scope,
        external_id=current.external_id,
        taken_from=source.origin,
        source=source.source,
        confidence=source.confidence,
        tags=source.tags,
        **parts,
    )
    admitted = service.admission.admit(draft, id=current.id, now=now)
    vectors = embed.embed_now(service.embedder, [admitted])[0]
    placed = admitted.in_place(current.place, project=current.project, session=current.session)
    newer = placed.next_version_of(current, now).with_memory(
        status=Status.APPROVED, status_reason=None, **more
    )
    stored = tx.insert_version(view, newer, vectors, service.embedder.model)
    embed.queue(service, tx, stored, vectors, now)
    return stored


def _add_event(service: Service, tx: Writer, action: str, memory: Memory, **detail: Any) -> None:
    actor = service.principal.label
    tx.add_event(at=service.clock(), actor=actor, action=action, subject=memory.id, detail=detail)
