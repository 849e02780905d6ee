"""Redacting: erasing one version from the history of a memory, or what the rules find in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_count
from holdfast.core.errors import Conflict, InvalidInput, NotFound, Refusal
from holdfast.core.history import REDACTED
from holdfast.core.record import NUMBERS, SHORT_TEXTS, Memory
from holdfast.core.scanning import CLEAN
from holdfast.core.views import GONE, personal_view
from holdfast.features.access.permission import check_may_change
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.recheck import PERSONAL, Recheck, Rechecked
from holdfast.features.memories import embed
from holdfast.features.memories.browse import existing_memory
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.service import Service
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Writer

_KEPT = (
    "version", "status", "recorded_at", "updated_at", "at", "created_by", "origin", "source", "confidence",
    "pinned", "edited", "valid_from", "valid_until", "expires_at", "deleted_at", "supersedes",
    "superseded_by", "about", "role", "position", "use_count", "last_used_at",
)  # fmt: skip
"""Fields of a version that redacting keeps: its author, times and state, and none that holds its text."""


def redact(service: Service, id: str, version: int, **place: Any) -> None:
    """Erases one version of a memory, forgotten or not, so that no byte of its text, title, tags, metadata,
    words, vectors and facts is left in the store's files. Its row, its author and times stay. Raises
    NotFound; Conflict `version_current` for the present version of a memory that is not forgotten."""
    checked_count(version, "version")
    view = personal_view(service.principal, GONE)
    with service.store.write() as tx:
        memory = existing_memory(tx, service, id, place, states=GONE)
        check_may_change(service.principal, memory)
        old = next(
            (
                version_before
                for version_before in tx.versions(view, [memory.id])
                if version_before.version == version
            ),
            None,
        )
        if old is None:
            raise NotFound(f"memory {memory.id} has no version {version}", code="memory_not_found")
        if version == memory.version and memory.deleted_at is None:
            raise Conflict(
                f"version {version} is what memory {memory.id} says now",
                code="version_current",
                hint="revise or forget it first",
            )
        erase_version(service, tx, memory, old)
    service.drop_counts([memory.id])
    service.store.scrub()


def erase_version(service: Service, tx: Writer, memory: Memory, old: Memory) -> None:
    """Replaces a version of a memory by a placeholder without its text, within a transaction, and adds an
    event. A memory whose present version is redacted is forgotten."""
    now = service.clock()
    placeholder = _placeholder_of(service, memory, old, now)
    if old.version == memory.version and memory.deleted_at is None:
        placeholder = placeholder.with_memory(deleted_at=now)
    vectors = embed.embed_now(service.embedder, [placeholder])[0]
    tx.redact(personal_view(service.principal, GONE), placeholder, vectors, service.embedder.model)
    withdraw(service, tx, [memory.id])
    tx.add_event(
        at=now, actor=service.principal.label, action="redact", subject=memory.id,
        detail={"version": old.version},
    )  # fmt: skip


def redact_again(service: Service, tx: Writer, versions: Iterable[tuple[str, int]]) -> int:
    """Erases versions that the store of a backup redacted since it was made. Returns how many."""
    view = personal_view(service.principal, GONE)
    count = 0
    for id, version in versions:
        memory = tx.get(view, id)
        for old in tx.versions(view, [id]) if memory else ():
            if memory is not None and old.version == version and old.text != REDACTED:
                erase_version(service, tx, memory, old)
                count += 1
    return count


def clean_version(service: Service, tx: Writer, memory: Memory, old: Memory, findings: Rechecked) -> None:
    """Takes what the rules find out of a version of a memory, within a transaction, and adds an event: the
    rest of it, its author, times and state stay. A version of which nothing usable is left, or whose rest is
    the text of another memory, is erased. Raises Refusal `legal_hold`."""
    now, view = service.clock(), personal_view(service.principal, GONE, closed=True)
    try:
        cleaned = _cleaned(service, memory, old, findings, now)
        vectors = embed.embed_now(service.embedder, [cleaned])[0]
        with tx.attempt():
            tx.redact(view, cleaned, vectors, service.embedder.model)
    except (Conflict, InvalidInput, Refusal) as error:
        if error.code == "legal_hold":
            raise
        erase_version(service, tx, memory, old)
        return
    if old.version == memory.version:
        embed.queue(service, tx, cleaned.memory, vectors, now)
    tx.add_event(
        at=now, actor=service.principal.label, action=CLEAN, subject=memory.id,
        detail={"version": old.version, "personal": not findings.types.keys().isdisjoint(PERSONAL)},
    )  # fmt: skip


def clean_again(service: Service, tx: Writer, versions: Iterable[tuple[str, int, bool]]) -> int:
    """Takes what the rules find out of versions that the store of a backup has cleaned since it was made;
    personal data too, where that was taken out. Returns how many."""
    view = personal_view(service.principal, GONE, closed=True)
    count = 0
    for id, version, personal in versions:
        memory = tx.get(view, id)
        for old in tx.versions(view, [id]) if memory else ():
            if memory is None or old.version != version:
                continue
            (result,) = Recheck(service.admission, personal=personal).find([old])
            if result.types:
                clean_version(service, tx, memory, old, result)
                count += 1
    return count


def _cleaned(service: Service, memory: Memory, old: Memory, findings: Rechecked, now: int) -> Admitted:
    """Returns a version without what was found in it, admitted again. Raises InvalidInput, Refusal."""

    def part(name: str) -> Any:
        return findings.values.get(name, getattr(old, name))

    draft = Draft(
        text=part("text"), kind=old.kind, **{name: part(name) for name in (*SHORT_TEXTS, *NUMBERS)},
        role=old.role, taken_from=old.origin, tags=part("tags"),
        metadata=part("metadata"), evidence=part("evidence"), expires_at="never",
    )  # fmt: skip
    admitted = replace(service.admission, exclusions=()).admit(draft, id=old.id, now=now)
    new = admitted.memory
    attributes = {name: getattr(old, name) for name in _KEPT}
    attributes |= {name: part(name) for name in ("status_reason", "deleted_reason")}
    attributes |= {
        "external_id": old.external_id if old.external_id == memory.external_id else None,
        "fingerprint": old.fingerprint,
        "flags": (*old.flags, *(flag for flag in new.flags if flag not in old.flags)),
        "redactions": (*old.redactions, *findings.types.elements()),
    }
    return admitted.with_memory(**attributes).in_place(old.place, project=old.project, session=old.session)


def _placeholder_of(service: Service, memory: Memory, old: Memory, now: int) -> Admitted:
    """Returns the placeholder of a version: its author, times and state, with the text `[redacted]`."""
    title = REDACTED if old.kind == "entity" else None
    draft = Draft(text=REDACTED, kind=old.kind, title=title, expires_at="never")
    admitted = replace(service.admission, exclusions=()).admit(draft, id=old.id, now=now)
    attributes = {name: getattr(old, name) for name in _KEPT}
    external_id = old.external_id if old.external_id == memory.external_id else None
    named = admitted.with_memory(**attributes, external_id=external_id, fingerprint=None)
    return named.in_place(old.place, project=old.project, session=old.session)
