"""The in-memory index of one store: its segments, which return candidates."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.views import Filter
from holdfast.stores.base.ports import Question
from holdfast.stores.index.candidates import Candidates, candidates
from holdfast.stores.index.nearest import Near, nearest
from holdfast.stores.index.pools import Pools
from holdfast.stores.index.row_filter import RowFilter
from holdfast.stores.index.segment import Row, Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.index.candidates import RemoteAnn

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]
    NearPassages = tuple[Near, Ints, NDArray[np.float16], Bools]
    """What is near, and of its passages the numbers, the exact vectors, and which of these are cached."""

NAMES_KEPT = 1_000
"""Names of speakers, scopes, branches and owners that are kept beyond two for each row."""


class Index:
    """The segments of one store, as many as fit into `limit` bytes, updated by change number."""

    def __init__(self, limit: int) -> None:
        self.lock = threading.RLock()
        self.change = 0
        self.pools = Pools({})
        """The committed pools as last read; any reader may put a later state here."""
        self._limit = limit
        self.model: tuple[str, int] = ("", 0)
        self._segments: OrderedDict[int, Segment] = OrderedDict()
        self._interned: dict[str, int] = {}
        self._by_word: dict[str, set[int]] = {}
        self._has_grown = False
        self._named = 0
        """How many of the interned strings are in `_by_word`."""

    def use_model(self, name: str, dim: int) -> None:
        """Selects the model whose vectors are searched; another one empties the cache."""
        if self.model != (name, dim):
            self.model = (name, dim)
            self._segments.clear()

    @property
    def is_empty(self) -> bool:
        return not self._segments

    @property
    def names(self) -> int:
        """Returns the number of interned names of speakers, scopes, branches and owners."""
        return len(self._interned)

    def has(self, pool: int) -> bool:
        return pool in self._segments

    def drop(self, pools: Iterable[int]) -> None:
        """Drops pools, such as those loaded by a transaction that was rolled back."""
        with self.lock:
            for pool in pools:
                self._segments.pop(pool, None)

    def blank(self, pool: int) -> tuple[Segment, dict[str, int]]:
        """Returns an empty segment, to be filled and put here, and the numbers of names."""
        return Segment(self.model[1], pool, is_remote=False), self._interned

    def put(self, segment: Segment) -> None:
        """Adds a segment that holds a whole pool."""
        self._segments[segment.pool] = segment
        self._has_grown = True

    def load(self, pool: int, rows: Iterable[Row], *, is_remote: bool = False) -> None:
        """Loads a whole pool, with `is_remote` all but its codes."""
        segment = Segment(self.model[1], pool, is_remote=is_remote)
        segment.append(rows, self._interned)
        self.put(segment)

    def apply(self, rows: Iterable[Row], erased: Iterable[int]) -> None:
        """Applies changes since `change`: rows of any pool in the order of their memories."""
        here: dict[int, dict[int, list[Row]]] = {}
        changed = set(erased)
        for memory, passages in groupby(rows, lambda row: row.memory):
            group = list(passages)
            here.setdefault(group[0].pool, {})[memory] = group
            changed.add(memory)
        if not changed:
            return
        self._has_grown = True
        numbers = np.array(sorted(changed), np.int64)
        for pool, segment in list(self._segments.items()):
            segment.take_over(numbers, here.get(pool, {}), self._interned)
            if segment.dead > 1_000 and segment.dead > segment.size // 4:
                del self._segments[pool]
        if self.names > NAMES_KEPT + 2 * sum(segment.size for segment in self._segments.values()):
            # most belong to rows that are gone, as the names of renamed files do: read what is there anew
            self._segments.clear()
            self._interned, self._by_word, self._named = {}, {}, 0

    def candidates(
        self,
        pools: Sequence[int],
        narrowing: Filter,
        hidden: frozenset[str],
        matching: Ints | None,
        question: Question,
        remote_ann: RemoteAnn | None = None,
        pool_cache: Pools | None = None,
    ) -> Candidates:
        """Returns the best passages of some pools by words and by vectors. All statistics come from the
        passages that pass the filter: no other passage has any influence. `pool_cache` says where the pools
        are: in those of projects everything is for work.
        """
        pool_cache = pool_cache or self.pools
        filtered = self._filtered(pools, narrowing, hidden, matching, question.now, pool_cache)
        boosts = {self._interned.get(scope, -1): factor for scope, factor in question.boosts.items()}
        speakers = self._speakers(question.names)
        result = candidates(filtered, question, speakers, boosts, pool_cache.user_wide, remote_ann)
        self._make_room()
        return result

    def nearest(
        self,
        pools: Sequence[int],
        narrowing: Filter,
        hidden: frozenset[str],
        vectors: NDArray[np.float32],
        now: int,
        fetch: int,
        above: float,
        pool_cache: Pools,
    ) -> list[NearPassages] | None:
        """Returns what is nearest to each vector in each of some pools, as `candidates` chooses it by vector
        alone; None if the codes of one are not here."""
        parts = []
        for segment, rows in self._filtered(pools, narrowing, hidden, None, now, pool_cache):
            if segment.is_remote:
                return None
            matches = nearest(segment, rows, vectors, fetch, above)
            parts.append((matches, segment.passage[matches.places], *segment.exact(matches.places)))
        self._make_room()
        return parts

    def _filtered(
        self,
        pools: Sequence[int],
        narrowing: Filter,
        hidden: frozenset[str],
        matching: Ints | None,
        now: int,
        pool_cache: Pools,
    ) -> list[tuple[Segment, RowFilter]]:
        """Returns the segments of pools that have rows which pass the filter, each with these."""
        in_project = replace(narrowing, for_work=None)
        filtered = []
        for pool in pools:
            self._segments.move_to_end(pool)
            segment = self._segments[pool]
            own = in_project if pool in pool_cache.in_projects else narrowing
            rows = segment.row_filter(own, hidden, matching, self._interned, now)
            if rows.passages:
                filtered.append((segment, rows))
        return filtered

    def _make_room(self) -> None:
        """Drops the least recently used pools, if there are too many: after a search, which may need more
        of them at once than fit.
        """
        if not self._has_grown:
            return
        self._has_grown = False
        size = sum(s.nbytes for s in self._segments.values())
        while size > self._limit and len(self._segments) > 1:
            _, dropped = self._segments.popitem(last=False)
            size -= dropped.nbytes

    def exact(self, candidates: Candidates) -> tuple[NDArray[np.float16], Bools]:
        """Returns the exact vectors of candidate passages, and which of them are cached."""
        parts = [segment.exact(places) for segment, places in candidates.places]
        if len(parts) == 1:
            return parts[0]
        vectors, is_cached = zip(*parts, strict=True)
        return np.concatenate(vectors), np.concatenate(is_cached)

    def keep_exact(
        self, candidates: Candidates, vectors: NDArray[np.float16], read: Bools, *, change: int
    ) -> None:
        """Caches exact vectors read for candidates found at a change, unless more has changed."""
        with self.lock:
            first = 0
            for segment, places in candidates.places if change == self.change else ():
                here = slice(first, first + len(places))
                segment.keep_exact(places[read[here]], vectors[here][read[here]])
                first = here.stop

    def _speakers(self, words: frozenset[str]) -> set[int]:
        """Returns the numbers of the names that contain any of some words."""
        for name, number in islice(self._interned.items(), self._named, None):
            for word in name.casefold().split():
                self._by_word.setdefault(word, set()).add(number)
        self._named = len(self._interned)
        return set[int]().union(*(self._by_word.get(word, ()) for word in words))
