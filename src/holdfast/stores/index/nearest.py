"""The nearest rows of a segment to each of many vectors: candidates by vector alone, for all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdfast.stores.index.quantised import dots_of_all, exact, quantise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.index.row_filter import RowFilter
    from holdfast.stores.index.segment import Segment

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float32]
    Bools = NDArray[np.bool_]

PRODUCTS = 1 << 19
"""Products that are looked at together: as many as a processor has at hand."""
SLACK = 1e-4
"""By how much a cosine is taken for higher where rows are only sorted out."""


class Near(NamedTuple):
    """Pairs of a vector and a memory near to it, and the passages of these memories."""

    vectors: Ints
    """The index of the vector of each pair."""
    memories: Ints
    """The number of the memory of each pair."""
    places: Ints
    """Where the passages of the pairs stand, those of each pair together."""
    pairs: Ints
    """The pair of each passage."""

    def scored(self, queries: Floats, passages: NDArray[np.float16], is_stored: Bools) -> Floats:
        """Returns the cosine of each pair from the stored vectors of the passages, -1 without any."""
        cosine = np.full(len(self.vectors), -1.0, np.float32)
        rows = self.vectors[self.pairs[is_stored]]
        np.maximum.at(cosine, self.pairs[is_stored], exact(queries[rows], passages[is_stored]))
        return cosine


def nearest(segment: Segment, row_filter: RowFilter, vectors: Floats, fetch: int, above: float) -> Near:
    """Returns for each vector the memories of the `fetch` passages with the highest cosines by their codes,
    above a bound, which is not negative; of equal ones the newer comes first."""
    scale, codes = quantise(vectors)
    scales = segment.scale
    with np.errstate(divide="ignore"):
        # what a product has to be for the cosine, but for the scale of the question
        needed = np.where(row_filter.rows & (scales > 0), (above - SLACK) / scales, np.inf)
    batches: list[tuple[Ints, Ints, Floats]] = []
    width = max(PRODUCTS // len(vectors), 1)
    for first in range(0, max(segment.size, 1), width):
        here = slice(first, first + width)
        products = dots_of_all(codes, segment.codes[here])
        queries, rows = np.nonzero(products * scale[:, None] >= needed[here])
        steps = scales[here][rows] * scale[queries]
        cosine = (products[queries, rows].astype(np.float64) * steps).astype(np.float32)
        passing = _best(queries, cosine, fetch) & (cosine > above)
        batches.append((queries[passing], rows[passing] + first, cosine[passing]))
    queries, rows, cosine = (np.concatenate(parts) for parts in zip(*batches, strict=True))
    order = np.lexsort((-segment.memory[rows], -cosine, queries))
    queries, rows = queries[order], rows[order]
    rank = np.arange(len(queries)) - np.searchsorted(queries, queries)
    queries, rows = queries[rank < fetch], rows[rank < fetch]
    segment.conversations.catch_up(segment.records)
    pairs = np.unique(queries * segment.size + segment.conversations.head[rows])
    queries, heads = np.divmod(pairs, max(segment.size, 1))
    counts = segment.conversations.end[heads] - heads
    of_pair = np.repeat(np.arange(len(heads)), counts)
    first_of = np.cumsum(counts) - counts
    places = np.arange(len(of_pair)) + (heads - first_of)[of_pair]
    return Near(queries, segment.memory[heads], places, of_pair)


def _best(queries: Ints, cosine: Floats, fetch: int) -> Bools:
    """Returns which pairs are among the best `fetch` of their vector or equal to these; `queries` is sorted.

    What no vector can express is near to everything: without this, all pairs would be sorted.
    """
    best = np.ones(len(queries), np.bool_)
    _, firsts, counts = np.unique(queries, return_index=True, return_counts=True)
    for index in np.flatnonzero(counts > 2 * fetch).tolist():
        own = slice(firsts[index], firsts[index] + counts[index])
        best[own] = cosine[own] >= np.partition(cosine[own], -fetch)[-fetch]
    return best
