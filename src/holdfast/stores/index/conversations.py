"""Conversations: links between neighbouring memories of a session in a segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Conversations:
    """Links between the memories of each session in the order in which they were said, then of their first
    versions, from row to row of a segment. A memory is at its head, the row of its first passage; the
    others follow it.
    """

    def __init__(self) -> None:
        self._size = 0
        self._last: dict[int, int] = {}
        self._head = np.zeros(0, np.int64)
        self._end = np.zeros(0, np.int64)
        self._before = np.zeros(0, np.int64)
        self._after = np.zeros(0, np.int64)

    @property
    def nbytes(self) -> int:
        """Returns the memory used, in bytes."""
        return 4 * self._head.nbytes

    @property
    def head(self) -> Ints:
        """Returns the head of each row's memory."""
        return self._head[: self._size]

    @property
    def end(self) -> Ints:
        """Returns, at each head, the row after the last of its memory."""
        return self._end[: self._size]

    @property
    def before(self) -> Ints:
        """Returns, at each head, the head of the previous memory in its session; -1 for none."""
        return self._before[: self._size]

    @property
    def after(self) -> Ints:
        """Returns, at each head, the head of the next memory in its session; -1 for none."""
        return self._after[: self._size]

    def catch_up(self, records: NDArray[Any]) -> None:
        """Adds the rows that were appended to the records of a segment."""
        first, size = self._size, len(records)
        if size == first:
            return
        heads = first + np.flatnonzero(records["start"][first:] == 0)
        self._reserve(size)
        counts = np.diff(heads, append=size)
        self._head[first:size] = np.repeat(heads, counts)
        self._end[heads] = heads + counts
        self._size = size
        self._link(records, heads)

    def _link(self, records: NDArray[Any], heads: Ints) -> None:
        """Links heads with each other, and with the last memories of their sessions."""
        heads = heads[records["session"][heads] > 0]
        if not len(heads):
            return
        heads = heads[np.lexsort((heads, *(records[name][heads] for name in ("spot", "at", "session"))))]
        sessions = records["session"][heads]
        joined = sessions[1:] == sessions[:-1]
        self._before[heads[1:][joined]] = heads[:-1][joined]
        self._after[heads[:-1][joined]] = heads[1:][joined]
        starts, ends = np.insert(~joined, 0, True), np.append(~joined, True)
        belated = []
        for session, head in zip(sessions[starts].tolist(), heads[starts].tolist(), strict=True):
            last = self._last.pop(session, None)
            if last is None:
                continue
            if (records["at"][last], records["spot"][last]) > (records["at"][head], records["spot"][head]):
                belated.append(session)
            else:
                self._before[head], self._after[last] = last, head
        self._last.update(zip(sessions[ends].tolist(), heads[ends].tolist(), strict=True))
        if belated:
            # it was said, or is known again, after what followed: its session is linked anew
            inside = np.isin(records["session"], belated) & (records["start"] == 0)
            whole = np.flatnonzero(inside)
            self._before[whole] = self._after[whole] = -1
            for session in belated:
                del self._last[session]
            self._link(records, whole)

    def _reserve(self, size: int) -> None:
        """Makes room for a number of rows, with half as many to spare."""
        if size <= len(self._head):
            return
        capacity = max(size, len(self._head) * 3 // 2)

        def grown(array: Ints, blank: int) -> Any:
            new = np.full(capacity, blank, np.int64)
            new[: len(array)] = array
            return new

        self._head, self._end = grown(self._head, 0), grown(self._end, 0)
        self._before, self._after = grown(self._before, -1), grown(self._after, -1)
