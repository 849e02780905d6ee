"""Pages of lists: each is the sequence of what it lists; and reading all of them, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class Listing(Sequence[T_co]):
    """A page as the sequence of one of its fields, so that `for` and `len` take the page itself."""

    __slots__ = ()
    LISTS = ""
    """The name of that field."""

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T_co]: ...
    def __getitem__(self, index: int | slice) -> T_co | Sequence[T_co]:
        items: Sequence[T_co] = getattr(self, self.LISTS)
        return items[index]

    def __len__(self) -> int:
        return len(getattr(self, self.LISTS))

    def __iter__(self) -> Iterator[T_co]:
        return iter(getattr(self, self.LISTS))


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
