"""Forgetting memories: hidden and restorable, or erased for good (S2.36)."""

from __future__ import annotations

from typing import Any

from holdfast.core.errors import Conflict, InvalidInput
from holdfast.core.folders import chunk_digest
from holdfast.core.graph import ENTITY_GONE
from holdfast.core.kinds import KINDS, SAID
from holdfast.core.projects import PROJECT_DELETED
from holdfast.core.record import Memory, Status, external_key
from holdfast.core.tidying import BROUGHT_BACK, UNUSED
from holdfast.core.views import ANY_STATE, GONE, personal_view, place_view
from holdfast.features.access.permission import check_may_change, check_may_take_away, why_not_take_away
from holdfast.features.access.places import PlaceResolver, find_external, find_same
from holdfast.features.memories import titles
from holdfast.features.memories.browse import check_version, existing_memory
from holdfast.features.memories.entity_links import check_ends_live, check_may_remove, settle
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.memories.reinstate import reinstate
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.service import Service
from holdfast.stores.base.ports import Patch, Writer

REASON_MAX = 500
OWN_REASONS = (ENTITY_GONE, PROJECT_DELETED)
"""Reasons that are not stated by callers."""


def forget(
    service: Service, id: str, *, reason: str | None = None, if_version: int | None = None, **place: Any
) -> Memory:
    """Hides a memory from every search and list; `restore` makes it visible again. Raises NotFound, Conflict
    if it is not at `if_version`."""
    is_invalid = not isinstance(reason, str) or len(reason) > REASON_MAX or reason in OWN_REASONS
    if reason is not None and is_invalid:
        raise InvalidInput(
            f"a reason must be text of at most {REASON_MAX} characters", code="argument_invalid"
        )
    now = service.clock()
    with service.store.write() as tx:
        memory = existing_memory(tx, service, id, place)
        check_version(memory, if_version)
        check_may_take_away(service.principal, tx, memory)
        check_may_remove(tx, service.principal, memory)
        Tombstones(service, tx).bury([memory])
        patch = Patch(deleted_at=now, deleted_reason=_clean_reason(service, reason))
        stored = tx.patch(personal_view(service.principal, ANY_STATE), memory.id, patch, now=now)
        _note_passage(service, tx, memory, is_forgotten=True)
        _add_event(service, tx, now, "forget", memory.id, agreed=service.principal.agreed)
        if memory.kind == "entity":
            settle(service, tx, now, "forget", memory)
        titles.pass_on(service, tx, [memory])
        return stored


def restore(service: Service, id: str, **place: Any) -> Memory:
    """Restores a forgotten memory, or makes a superseded one current again, which takes a person. Raises
    NotFound, Refusal, or Conflict if it is neither or its place is taken."""
    now = service.clock()
    everything = personal_view(service.principal, GONE)
    with service.store.write() as tx:
        memory = existing_memory(tx, service, id, place, states=GONE)
        if memory.project is not None:  # the project may have been deleted meanwhile
            PlaceResolver(service, tx, now).project(memory.project)
        if memory.deleted_at is None and memory.status is Status.SUPERSEDED:
            return reinstate(service, tx, memory, now)
        stored = bring_back(service, tx, memory, now)
        return (tx.get(everything, memory.id) or stored) if memory.about else stored


def bring_back(service: Service, tx: Writer, memory: Memory, now: int) -> Memory:
    """Restores a forgotten memory within a transaction, with its links, and an event. Raises Conflict,
    NotFound, and has changed nothing then."""
    if memory.deleted_at is None:
        raise Conflict(f"memory {memory.id} is neither forgotten nor superseded", code="not_deleted")
    check_may_change(service.principal, memory)
    check_ends_live(tx, service.principal, memory)
    conflicting = find_external(tx, service.principal, memory)
    if conflicting is None and not KINDS[memory.kind].is_evidence:
        conflicting = find_same(tx, memory)
    if conflicting is not None and conflicting.id != memory.id:
        raise Conflict(
            f"memory {conflicting.id} has the same text or id in its place", code="restore_expired"
        )
    Tombstones(service, tx).lift(memory)
    patch = Patch(
        status_reason=BROUGHT_BACK if memory.deleted_reason == UNUSED else None,
        clear=frozenset({"deleted_at", "deleted_reason"}),
    )
    stored = tx.patch(personal_view(service.principal, GONE), memory.id, patch, now=now)
    _note_passage(service, tx, memory, is_forgotten=False)
    _add_event(service, tx, now, "restore", memory.id)
    if memory.place.session is not None and memory.kind in SAID:
        stored = titles.settle(service, tx, [memory.place.session], anew=True).get(memory.id, stored)
    if memory.kind == "entity" or memory.about:
        settle(service, tx, now, "restore", memory)
    return stored


def erase(service: Service, id: str, *, if_version: int | None = None, **place: Any) -> int:
    """Erases a memory and everything derived from it, so that no byte is left in the store's files: rows,
    versions, words, vectors. Returns the number of rows. Raises NotFound, Conflict."""
    now = service.clock()
    everything = personal_view(service.principal, GONE)
    with service.store.write() as tx:
        memory = existing_memory(tx, service, id, place, states=GONE)
        check_version(memory, if_version)
        check_may_take_away(service.principal, tx, memory)
        check_may_remove(tx, service.principal, memory)
        _note_passage(service, tx, memory, is_forgotten=True)
        Tombstones(service, tx).bury([memory])
        ids = [memory.id, *_forgotten_copies(tx, service, memory)]
        rows = tx.erase(everything, ids)
        withdraw(service, tx, ids)
        titles.pass_on(service, tx, [memory])
        for memory_id in ids:
            detail = {} if memory.place.owner == service.principal.user else {"owner": memory.place.owner}
            tx.add_event(
                at=now, actor=service.principal.label, action="erase", subject=memory_id, detail=detail
            )
    service.drop_counts(ids)
    service.store.scrub()
    return rows


def _forgotten_copies(tx: Writer, service: Service, memory: Memory) -> list[str]:
    """Returns the ids of memories with the text or the external id of one in its place that were forgotten
    before: they would still hold what is erased."""
    around = place_view(memory.place, memory.kind, GONE)
    ids: set[str] = set()
    for version in tx.versions(around, [memory.id]):
        key = external_key(version.kind, version.place, version.external_id)
        ids.update(tx.forgotten_copies(around, memory.place.owner, version.content_hash, key))
    copies = tx.several(around, sorted(ids - {memory.id}), now=0)
    return [
        copy.id
        for copy in copies
        if not KINDS[copy.kind].is_evidence or copy.place.session == memory.place.session
        if why_not_take_away(service.principal, tx, copy) is None
    ]


def _note_passage(service: Service, tx: Writer, memory: Memory, *, is_forgotten: bool) -> None:
    """Records that a passage was forgotten, or is no longer, so that its file does not bring it back; by a
    hash only."""
    digest = chunk_digest(memory)
    if digest is not None and memory.source is not None:
        tx.note_forgotten(personal_view(service.principal), memory.source, digest, is_forgotten)


def _clean_reason(service: Service, reason: str | None) -> str | None:
    return None if reason is None else service.admission.clean_text(reason)


def _add_event(service: Service, tx: Writer, now: int, action: str, id: str, *, agreed: bool = False) -> None:
    detail = {"agreed": True} if agreed else {}
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=id, detail=detail)
