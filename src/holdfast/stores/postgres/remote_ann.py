"""Nearest-neighbour search using a pgvector index when one exists, in place of codes in memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.index.segment import Segment

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float32]

Neighbours = list[tuple[int, float]]
"""Passages and their cosines."""

ASKED_MAX = 5_000
"""Passages that the index is asked for at most."""
COMPARED = 4
"""Passages that are compared one by one in the time in which the index finds one more (docs/scale.md)."""
MARGIN = 2
"""How many times as many passages are asked for as would do if the filter fell evenly."""


def cosines(
    segment: Segment,
    allowed: NDArray[np.bool_],
    limit: int,
    nearest: Callable[[int], Neighbours],
    among: Callable[[Ints], Neighbours],
) -> Floats:
    """Returns cosines of at least the `limit` nearest of the allowed rows of a segment, -2 for all others.

    `nearest` queries the index, which knows no filter, for a number of passages of the pool; `among`
    compares passages one by one. If few rows are allowed, or the index returns too few, the rows are
    compared one by one, so that a narrow view gets a complete result.
    """
    cosine = np.full(segment.size, -2.0, np.float32)
    left = int(np.count_nonzero(allowed))
    limit = min(limit, left)
    requested = math.ceil(MARGIN * limit * segment.size / left) if left else 0
    while limit < left and requested <= min(left // COMPARED, ASKED_MAX):
        neighbours = nearest(requested)
        if _fill_cosines(cosine, segment, allowed, neighbours) >= limit:
            return cosine
        if len(neighbours) < requested:
            break
        requested *= 4
    if left:
        _fill_cosines(cosine, segment, allowed, among(segment.passage[allowed]))
    return cosine


def _fill_cosines(
    cosine: Floats, segment: Segment, allowed: NDArray[np.bool_], neighbours: Neighbours
) -> int:
    """Writes the cosines of the allowed passages, and returns their number."""
    passages, values = (
        np.array([id for id, _ in neighbours], np.int64),
        np.array([vector for _, vector in neighbours]),
    )
    places = segment.places_of(passages)
    mask = (places >= 0) & allowed[places]
    cosine[places[mask]] = values[mask]
    return int(np.count_nonzero(mask))
