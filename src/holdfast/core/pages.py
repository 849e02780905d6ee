"""Reads a list to its end, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class PageOf(Protocol[T_co]):
    """A page of memories, and the cursor of the next (None: the last)."""

    @property
    def memories(self) -> Sequence[T_co]: ...
    @property
    def cursor(self) -> str | None: ...


def each(page: Callable[[str | None], PageOf[T_co]]) -> Iterator[T_co]:
    """Yields the memories of all pages; `page` returns the one at a cursor."""
    cursor: str | None = None
    while True:
        read = page(cursor)
        yield from read.memories
        cursor = read.cursor
        if cursor is None:
            return
