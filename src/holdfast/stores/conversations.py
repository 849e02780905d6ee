"""Conversations: which memories of a segment stand beside each other in their session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.masks import Mask
    from holdfast.stores.segments import Segment

    Ints = NDArray[np.int64]
    Places = NDArray[np.int32]


class Conversations:
    """Links between the memories of each session in the order of their numbers. A memory stands at its head,
    the row of its first passage.

    Links are followed past rows that a mask shuts out, so that they join what a view can see.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._size = 0
        self._highest = -1
        self._last: dict[int, int] = {}
        self._head = np.zeros(0, np.int32)
        self._before = np.zeros(0, np.int32)
        self._after = np.zeros(0, np.int32)

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._head.nbytes + self._before.nbytes + self._after.nbytes

    def catch_up(self, segment: Segment) -> None:
        """Takes in the rows that were added to the segment."""
        first = self._size
        if segment.size == first:
            return
        heads = first + np.flatnonzero(segment.start[first:] == 0)
        numbers = segment.memory[heads]
        if len(numbers) and (numbers[0] < self._highest or np.any(numbers[1:] < numbers[:-1])):
            # something was put back in or moved: it belongs between the others
            self._begin()
            first, heads = 0, np.flatnonzero(segment.start == 0)
            heads = heads[np.argsort(segment.memory[heads], kind="stable")]
        self._reserve(segment.size)
        where = np.zeros(segment.size - first, np.int32)
        where[heads - first] = heads
        self._head[first : segment.size] = np.maximum.accumulate(where)
        self._link(heads, segment.session[heads])
        self._size = segment.size
        self._highest = int(segment.memory[: segment.size].max())

    def heads_of(self, rows: Ints) -> Ints:
        """The heads of the memories that some rows belong to, ascending and each once."""
        return np.unique(self._head[rows]).astype(np.int64)

    def before(self, heads: Ints, mask: Mask) -> Ints:
        """The head of what a view sees before each memory in its session; -1 for nothing."""
        return self._next(heads, self._before, mask)

    def after(self, heads: Ints, mask: Mask) -> Ints:
        """The head of what a view sees after each memory in its session; -1 for nothing."""
        return self._next(heads, self._after, mask)

    @staticmethod
    def _next(heads: Ints, links: Places, mask: Mask) -> Ints:
        found = links[heads].astype(np.int64)
        while len(shut := np.flatnonzero((found >= 0) & ~mask.rows[found])):
            found[shut] = links[found[shut]]
        return found

    def _link(self, heads: Ints, sessions: Ints) -> None:
        inside = sessions > 0
        heads, sessions = heads[inside], sessions[inside]
        order = np.argsort(sessions, kind="stable")
        heads, sessions = heads[order], sessions[order]
        joined = sessions[1:] == sessions[:-1]
        self._before[heads[1:][joined]] = heads[:-1][joined]
        self._after[heads[:-1][joined]] = heads[1:][joined]
        ends = np.append(~joined, True) if len(heads) else joined
        starts = np.insert(~joined, 0, True) if len(heads) else joined
        for session, head in zip(sessions[starts].tolist(), heads[starts].tolist(), strict=True):
            last = self._last.get(session)
            if last is not None:
                self._before[head], self._after[last] = last, head
        self._last.update(zip(sessions[ends].tolist(), heads[ends].tolist(), strict=True))

    def _reserve(self, size: int) -> None:
        if size <= len(self._head):
            return
        capacity = max(size, len(self._head) * 3 // 2)

        def grown(array: Places, blank: int) -> Any:
            new = np.full(capacity, blank, np.int32)
            new[: len(array)] = array
            return new

        self._head = grown(self._head, 0)
        self._before, self._after = grown(self._before, -1), grown(self._after, -1)
