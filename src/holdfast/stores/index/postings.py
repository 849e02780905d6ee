"""Postings: the rows of a segment that contain a term, with counts."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.language.terms import PACKED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]

ROWS_MAX = 1 << 24
"""Rows that one segment can hold: what is left of 64 bits beside a term and a count."""

_TERM, _ROW, _ROW_BITS, _COUNT_BITS = np.uint64(32), np.uint64(8), np.uint64(ROWS_MAX - 1), np.uint64(255)
_LAST = np.uint64((1 << 32) - 1)


_NO_TERM = np.uint64((1 << 64) - 1)
_NONE = np.zeros(0, np.uint64)
_first = itemgetter(0)


class Matches(NamedTuple):
    """Occurrences of some terms: the term, the row and the count of each."""

    terms: NDArray[np.int64]
    rows: NDArray[np.int64]
    counts: NDArray[np.uint64]

    def where(self, mask: NDArray[np.bool_]) -> Matches:
        """Returns the matches that a mask selects."""
        return Matches(self.terms[mask], self.rows[mask], self.counts[mask])

    def joined(self, other: Matches) -> Matches:
        """Returns these matches and others."""
        return Matches(
            np.concatenate([self.terms, other.terms]),
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.counts, other.counts]),
        )


class Packed(NamedTuple):
    """The postings of a block: its terms ascending, where the rows of each end, and rows with counts. `first`
    is the number of the first row."""

    first: int
    terms: NDArray[Any]
    ends: NDArray[np.int64]
    rows: NDArray[Any]
    counts: NDArray[Any]

    def keys(self, term: int, low: int, high: int) -> Keys:
        """Returns the keys of one term."""
        keys = (self.rows[low:high].astype(np.uint64) + np.uint64(self.first)) << _ROW
        keys |= np.uint64(term << 32)
        keys |= self.counts[low:high].astype(np.uint64)
        return keys

    @property
    def all_keys(self) -> Keys:
        """Returns the keys of all terms."""
        keys = (self.rows.astype(np.uint64) + np.uint64(self.first)) << _ROW
        keys |= np.repeat(self.terms.astype(np.uint64), np.diff(self.ends, prepend=0)) << _TERM
        keys |= self.counts.astype(np.uint64)
        return keys


def packed_columns(keys: Keys) -> dict[str, NDArray[Any]]:
    """Returns sorted keys as columns of a block: its distinct terms, how many rows each has, the rows and the
    counts."""
    terms = keys >> _TERM
    starts = np.flatnonzero(np.diff(terms, prepend=_NO_TERM))
    return {
        "terms": terms[starts],
        "spread": np.diff(starts, append=len(keys)),
        "rows": keys >> _ROW & _ROW_BITS,
        "counts": keys & _COUNT_BITS,
    }


class Postings:
    """Sorted keys of term, row and count in one number each: sorting and looking up need no second array.

    Rows are added in blocks, and a block is merged with the one before as soon as that is not much larger,
    so that a single row costs little and there are never many blocks.
    """

    def __init__(self) -> None:
        self._blocks: list[Keys] = []
        self._packed: list[Packed] = []

    @property
    def nbytes(self) -> int:
        """Returns the memory used, in bytes."""
        packed = sum(part.nbytes for array in self._packed for part in array[1:])
        return packed + sum(block.nbytes for block in self._blocks)

    def moved(self, places: NDArray[np.int64]) -> Keys:
        """Returns the sorted keys of all rows, each at its new place; a negative one drops it."""
        keys = np.concatenate([_NONE, *(block.all_keys for block in self._packed), *self._blocks])
        moved = places[(keys >> _ROW & _ROW_BITS).astype(np.int64)]
        keys = keys[moved >= 0] & ~(_ROW_BITS << _ROW)
        keys |= moved[moved >= 0].astype(np.uint64) << _ROW
        keys.sort()
        return keys

    def adopt(self, packed: Packed) -> None:
        """Adds the postings of a block as they are."""
        if packed.first + int(packed.rows.max(initial=0)) >= ROWS_MAX:
            raise OverflowError(f"a segment holds at most {ROWS_MAX:,} passages")
        if len(packed.terms):
            self._packed.append(packed)

    def append(self, first: int, terms: Sequence[bytes]) -> NDArray[np.float32]:
        """Adds the packed terms of rows `first`, `first + 1`, …; returns the number of words of each row."""
        if first + len(terms) > ROWS_MAX:
            raise OverflowError(f"a segment holds at most {ROWS_MAX:,} passages")
        packed = np.frombuffer(b"".join(terms), PACKED)
        distinct = np.array([len(term) for term in terms], np.int64) // PACKED.itemsize
        rows = np.repeat(np.arange(len(terms)), distinct)
        counts = packed["count"]
        keys = packed["id"].astype(np.uint64) << _TERM
        keys |= (rows + first).astype(np.uint64) << _ROW
        keys |= counts
        keys.sort()
        self._blocks.append(keys)
        while len(self._blocks) > 1 and len(self._blocks[-2]) <= 2 * len(self._blocks[-1]):
            merged = np.concatenate(self._blocks[-2:])
            merged.sort(kind="stable")
            self._blocks[-2:] = [merged]
        return np.bincount(rows, weights=counts, minlength=len(terms)).astype(np.float32)

    def spans(self, first: Keys, last: Keys) -> list[tuple[int, Keys]]:
        """Returns, for each block and each term in it, the index of the term and its keys. Terms are given
        by the bounds of their keys.
        """
        spans = []
        terms = (first >> _TERM).astype(np.int64)
        for packed in self._packed:
            places = packed.terms.searchsorted(terms).clip(max=len(packed.terms) - 1)
            for i in np.flatnonzero(packed.terms[places] == terms).tolist():
                place = int(places[i])
                low = int(packed.ends[place - 1]) if place else 0
                spans.append((i, packed.keys(int(terms[i]), low, int(packed.ends[place]))))
        for block in self._blocks:
            lows, highs = block.searchsorted(first), block.searchsorted(last, "right")
            indexes = np.flatnonzero(lows < highs)
            bounds = zip(indexes.tolist(), lows[indexes].tolist(), highs[indexes].tolist(), strict=True)
            spans += [(i, block[low:high]) for i, low, high in bounds]
        return spans


def looked_up(postings: Sequence[Postings], starts: Sequence[int], terms: Sequence[int]) -> Matches:
    """Returns the matches of terms in some segments, term by term, including rows removed since. Rows are
    numbered through: those of each segment start at its number in `starts`.
    """
    first = np.array(terms, np.uint64) << _TERM
    last = first | _LAST
    parts = [
        (i, keys, start)
        for segment_postings, start in zip(postings, starts, strict=True)
        for i, keys in segment_postings.spans(first, last)
    ]
    # by term, blocks in their order: what is added up for a row is added in the order of the terms
    parts.sort(key=_first)
    keys = np.concatenate([_NONE, *(part for _, part, _ in parts)])
    sizes = [len(part) for _, part, _ in parts]
    rows = (keys >> _ROW & _ROW_BITS).astype(np.int64)
    if len(starts) > 1:
        rows += np.repeat(np.array([start for _, _, start in parts], np.int64), sizes)
    order = np.repeat(np.array([i for i, _, _ in parts], np.int64), sizes)
    return Matches(order, rows, keys & _COUNT_BITS)
