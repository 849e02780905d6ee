"""Segment groups: the segments of one view side by side, so that every step is done once for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.index.row_filter import RowFilter
    from holdfast.stores.index.segment import Segment

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


class SegmentGroup:
    """The rows of one segment or more, numbered through; `starts` holds the number of each one's first row.

    One segment alone is used without a copy; columns of several are concatenated on request.
    """

    def __init__(self, filtered: Sequence[tuple[Segment, RowFilter]]) -> None:
        self.segments = [segment for segment, _ in filtered]
        filters = [row_filter for _, row_filter in filtered]
        ends = np.cumsum([segment.size for segment in self.segments]).tolist()
        self.size: int = ends[-1]
        self.starts: list[int] = [0, *ends[:-1]]
        self.passages = sum(filter_.passages for filter_ in filters)
        self.words = sum(filter_.words for filter_ in filters)
        self.allowed: Bools = together([filter_.rows for filter_ in filters])
        """The rows that the filters leave over."""

    def column(self, name: str) -> NDArray[Any]:
        """Returns a column of every row."""
        return together([getattr(segment, name) for segment in self.segments])

    def take(self, name: str, rows: Ints) -> NDArray[Any]:
        """Returns a column of some rows, which ascend."""
        return together([getattr(segment, name)[places] for segment, places, _ in self.split(rows)])

    def links(self, name: str, rows: Ints) -> Ints:
        """Returns the targets of the links of some rows in their conversations; negative for none."""
        for segment in self.segments:
            segment.conversations.catch_up(segment.records)
        if len(self.segments) == 1:
            return np.asarray(getattr(self.segments[0].conversations, name)[rows])
        order = np.argsort(rows, kind="stable")
        parts = [
            np.where((targets := getattr(segment.conversations, name)[places]) < 0, targets, targets + start)
            for segment, places, start in self.split(rows[order])
        ]
        links = np.empty_like(rows)
        links[order] = np.concatenate(parts)
        return links

    def split(self, rows: Ints) -> list[tuple[Segment, Ints, int]]:
        """Returns the segments that contain some rows, at least one, the rows in each, and its start; the
        rows ascend.
        """
        if len(self.segments) == 1:
            return [(self.segments[0], rows, 0)]
        cuts = [*rows.searchsorted(self.starts).tolist(), len(rows)]
        each = zip(self.segments, self.starts, cuts, cuts[1:], strict=False)
        parts = [(segment, rows[low:high] - start, start) for segment, start, low, high in each if low < high]
        return parts or [(self.segments[0], rows, 0)]


def together(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Returns concatenated arrays; one alone is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts, dtype=parts[0].dtype)
