"""The nearest memories to each of many vectors in an SQL store, with exact scores."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.stores.base.ports import Question
from holdfast.stores.base.signals import nearest_first
from holdfast.stores.index.candidates import CODE_ERROR
from holdfast.stores.index.segment import is_judged_here

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.core.views import View
    from holdfast.stores.base.ports import Vectors
    from holdfast.stores.base.signals import Signals
    from holdfast.stores.index.pools import Pools
    from holdfast.stores.index.segments import Index


class SqlNearestReader(ABC):
    """The mixin of the reader for what is near to many texts at once."""

    _index: Index

    @abstractmethod
    def candidates(self, view: View, question: Question) -> Signals: ...
    @abstractmethod
    def _bring_up(self, pools: Sequence[int], model: str, dim: int) -> None: ...
    @abstractmethod
    def _known_pools(self) -> Pools: ...
    @abstractmethod
    def _pool_numbers(self, view: View) -> list[int]: ...
    @abstractmethod
    def _model(self, name: str, dim: int) -> int | None: ...
    @abstractmethod
    def _vectors(self, values: dict[str, Any]) -> list[tuple[int, bytes]]: ...

    def nearest(
        self, view: View, vectors: Vectors, model: str, *, limit: int, least: float, now: int
    ) -> list[list[tuple[int, float]]]:
        pools, dim = self._pool_numbers(view), vectors.shape[1]
        if not pools or not len(vectors):
            return [[] for _ in vectors]
        parts = None
        if is_judged_here(view):
            with self._index.lock:
                self._bring_up(pools, model, dim)
                all_pools, above = self._known_pools(), max(least - CODE_ERROR, 0.0)
                narrowing, hidden = all_pools.without_archived(view).filter, view.hidden_kinds
                parts = self._index.nearest(pools, narrowing, hidden, vectors, now, limit, above, all_pools)
        if parts is None:  # the store itself has to be asked, for each
            queries = (Question((), vector, model, dim, limit, now, least=least) for vector in vectors)
            return [nearest_first(self.candidates(view, query), least)[:limit] for query in queries]
        self._read_lacking([(passages, stored, cached) for _, passages, stored, cached in parts], model)
        results: list[list[tuple[int, float]]] = [[] for _ in vectors]
        for matches, _, stored, is_known in parts:
            cosine = matches.scored(vectors, stored, is_known)
            pairs = zip(matches.vectors.tolist(), matches.memories.tolist(), cosine.tolist(), strict=True)
            for place, memory, likeness in pairs:
                if likeness >= least:
                    results[place].append((memory, likeness))
        return [sorted(neighbours, key=lambda pair: (-pair[1], pair[0]))[:limit] for neighbours in results]

    def _read_lacking(
        self,
        parts: Sequence[tuple[NDArray[np.int64], NDArray[np.float16], NDArray[np.bool_]]],
        model: str,
    ) -> None:
        """Reads the exact vectors that the index lacks, and marks them as known."""
        missing = sorted({number for passages, _, cached in parts for number in passages[~cached].tolist()})
        if not missing:
            return
        values = {"model": self._model(model, parts[0][1].shape[1]), "passages": json.dumps(missing)}
        read = dict(self._vectors(values))
        for passages, stored, cached in parts:
            lacking = np.flatnonzero(~cached)
            numbers = passages[lacking].tolist()
            there = lacking[[number in read for number in numbers]]
            whole = b"".join(read[number] for number in numbers if number in read)
            stored[there] = np.frombuffer(whole, np.float16).reshape(len(there), stored.shape[1])
            cached[there] = True
