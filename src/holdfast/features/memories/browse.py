"""Reading memories: one by id, pages of a list, and the history of a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_flag, checked_limit
from holdfast.core.errors import Conflict
from holdfast.core.facets import Facets, facets_of
from holdfast.core.kinds import EXCLUSION
from holdfast.core.pages import each
from holdfast.core.record import Change, Memory
from holdfast.core.views import ANY_STATE, GONE, Filter, View, personal_view
from holdfast.features.access.places import Selection, listed_view
from holdfast.features.memories.naming import memory_not_found, named_memory
from holdfast.features.service import Service
from holdfast.features.staleness.staleness import stale_page, with_staleness
from holdfast.stores.base.ports import Page, Reader

PAGE = 1_000


def get(service: Service, id: str, **place: Any) -> Memory:
    """Returns the memory with this id, or external id in a place, in any status. Raises NotFound if it does
    not exist or is not visible."""
    with service.store.read() as snap:
        memory = existing_memory(snap, service, id, place)
        return with_staleness(snap, personal_view(service.principal), [memory])[0]


def existing_memory(
    reader: Reader, service: Service, id: str, place: Mapping[str, Any] | None = None, *,
    states: Filter = ANY_STATE,
) -> Memory:  # fmt: skip
    """Returns a memory as `get` does, within a snapshot or transaction."""
    memory = named_memory(reader, service.principal, id, place, states=states)
    if memory is None:
        raise memory_not_found(id)
    return memory


def check_version(memory: Memory, if_version: int | None) -> None:
    """Raises Conflict `version_mismatch` unless a memory is at a version, if one is named."""
    if if_version not in (None, memory.version):
        raise Conflict(
            f"memory {memory.id} is at version {memory.version}",
            code="version_mismatch",
            hint="read it again first",
        )


def page(
    service: Service, selection: Selection, *, stale: bool = False, limit: int = 50, cursor: str | None = None
) -> Page:
    """Returns a page of the memories of a view, most recently recorded first (S2.13); with `stale` only those
    about files that have changed since."""
    checked_limit(limit)
    if checked_flag(stale, "stale"):
        return stale_page(service, selection, limit=limit, cursor=cursor)
    with service.store.read() as snap:
        view = listed_view(snap, service.principal, selection)
        page = snap.page(view, limit=limit, cursor=cursor, now=service.clock())
        return Page(with_staleness(snap, view, page.memories), page.cursor)


def pages(reader: Reader, view: View) -> Iterator[Memory]:
    """Yields all memories of a view, most recently recorded first."""
    return each(lambda cursor: reader.page(view, limit=PAGE, cursor=cursor, now=0))


def in_order(reader: Reader, view: View, *, now: int) -> Iterator[Memory]:
    """Yields the memories of a conversation's view in their order, oldest first."""
    return each(lambda cursor: reader.conversation(view, limit=PAGE, cursor=cursor, now=now))


def count(service: Service, selection: Selection) -> int:
    """Returns the number of memories of a view."""
    with service.store.read() as snap:
        return snap.count(listed_view(snap, service.principal, selection), now=service.clock())


def facets(service: Service, selection: Selection) -> Facets:
    """Returns the numbers of memories of a view by what filters compare; those of kinds, origins and owners
    beside what is selected of the other two."""
    wide = replace(selection, kinds=None, origins=None, owner=None)
    with service.store.read() as snap:
        narrow = listed_view(snap, service.principal, selection).filter
        view = listed_view(snap, service.principal, wide)
        if EXCLUSION in (narrow.kinds or ()):
            view = replace(view, hidden_kinds=view.hidden_kinds - {EXCLUSION})
        rows = snap.facets(view, now=service.clock())
    owners = None if narrow.owner is None else {narrow.owner}
    chosen = {"kind": narrow.kinds, "origin": narrow.origins, "owner": owners}
    return facets_of(rows, {name: values for name, values in chosen.items() if values is not None})


def history(service: Service, id: str, *, deleted: bool = False, **place: Any) -> list[Change]:
    """Returns every change of a memory, oldest first, with the text of each version (S3.15); with `deleted`
    also of one that was forgotten. Raises NotFound."""
    from holdfast.core.history import history_of

    with service.store.read() as snap:
        if checked_flag(deleted, "deleted"):
            memory = existing_memory(snap, service, id, place, states=GONE)
            view = personal_view(service.principal, GONE)
            return history_of(snap.versions(view, [memory.id]), snap.events_about(view, [memory.id]))
        memory = existing_memory(snap, service, id, place)
        return snap.history(personal_view(service.principal, ANY_STATE), memory.id)


def id_of(service: Service, id: str, **place: Any) -> str:
    """Returns the whole id of the memory, forgotten or not, that an external id or a short id names; any
    other text unchanged. Raises InvalidInput `id_ambiguous`."""
    with service.store.read() as snap:
        memory = named_memory(snap, service.principal, id, place, states=GONE)
    return id if memory is None else memory.id
