"""Reading memories: one by id, pages of a list, and the history of a memory."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.core.arguments import checked_flag, checked_limit, shown
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.record import Change, Memory
from holdfast.core.views import ANY_STATE, GONE, View, personal_view
from holdfast.features.access.places import Selection, view_of
from holdfast.features.service import Service
from holdfast.features.staleness.staleness import marked, stale_page
from holdfast.stores.base.ports import Page, Reader

ID_LENGTH = 36
START_MIN = 8
"""Length of an id, and minimum length of an abbreviated one."""
PAGE = 1_000
LISTED = 10
"""Maximum number of ids in the message about an ambiguous abbreviation."""


def get(service: Service, id: str) -> Memory:
    """Returns the memory with this id, in any status. Raises NotFound if it does not exist or is not
    visible."""
    with service.store.read() as snap:
        memory = existing_memory(snap, service, id)
        return marked(snap, personal_view(service.principal), [memory])[0]


def existing_memory(reader: Reader, service: Service, id: str) -> Memory:
    """Returns a memory as `get` does, within a snapshot or transaction."""
    memory = reader.get(personal_view(service.principal, ANY_STATE), checked_id(id))
    if memory is None:
        raise memory_not_found(id)
    return memory


def page(
    service: Service, selection: Selection, *, stale: bool = False, limit: int = 50, cursor: str | None = None
) -> Page:
    """Returns a page of the memories of a view, most recently recorded first (S2.13); with `stale` only those
    about files that have changed since."""
    checked_limit(limit)
    if checked_flag(stale, "stale"):
        return stale_page(service, selection, limit=limit, cursor=cursor)
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        page = snap.page(view, limit=limit, cursor=cursor, now=service.clock())
        return Page(marked(snap, view, page.memories), page.cursor)


def pages(reader: Reader, view: View) -> Iterator[Memory]:
    """Yields all memories of a view, most recently recorded first."""
    cursor: str | None = None
    while True:
        page = reader.page(view, limit=PAGE, cursor=cursor, now=0)
        yield from page.memories
        cursor = page.cursor
        if cursor is None:
            return


def count(service: Service, selection: Selection) -> int:
    """Returns the number of memories of a view."""
    with service.store.read() as snap:
        return snap.count(view_of(snap, service.principal, selection), now=service.clock())


def history(service: Service, id: str) -> list[Change]:
    """Returns every change of a memory, oldest first, with the text of each version (S3.15). Raises
    NotFound."""
    with service.store.read() as snap:
        changes = snap.history(personal_view(service.principal, ANY_STATE), checked_id(id))
    if not changes:
        raise memory_not_found(id)
    return changes


def id_of(service: Service, start: str) -> str:
    """Returns the id of the one memory, forgotten or not, whose id begins with `start`.

    A start that is shorter than `START_MIN`, a whole id, or of no memory, is returned unchanged. Raises
    InvalidInput `id_ambiguous` if several ids begin with it.
    """
    start = checked_id(start)
    if not START_MIN <= len(start) < ID_LENGTH:
        return start
    with service.store.read() as snap:
        ids = snap.beginning(personal_view(service.principal, GONE), start.lower(), limit=LISTED + 1)
    if len(ids) > 1:
        more = ", …" if len(ids) > LISTED else ""
        raise InvalidInput(
            f"several ids begin with {shown(start)}: {', '.join(ids[:LISTED])}{more}",
            code="id_ambiguous", hint="use more characters",
        )  # fmt: skip
    return ids[0] if ids else start


def memory_not_found(id: object) -> NotFound:
    """Builds the error for a memory that does not exist or is not visible."""
    return NotFound(
        f"there is no memory {shown(id, 60)}",
        code="memory_not_found",
        hint="`holdfast list --include deleted` shows forgotten ones, `holdfast restore ID` restores one"
        " (`Memory.list`, `Memory.restore`)",
    )


def checked_id(id: object) -> str:
    """Returns a string that may be an id unchanged. Raises NotFound for anything else."""
    if not isinstance(id, str) or len(id) > 100 or not id.isprintable():
        raise memory_not_found(shown(id, 60))
    return id
