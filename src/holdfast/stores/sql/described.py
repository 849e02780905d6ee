"""Sources whose content is described in an SQL store, and the fingerprints of the descriptions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import Conflict, NotFound
from holdfast.stores.sql.columns import plain
from holdfast.stores.sql.rows import source_of

if TYPE_CHECKING:
    from holdfast.core.reconciled import Fingerprint
    from holdfast.core.sources import Source
    from holdfast.core.views import View
    from holdfast.stores.index.pools import Pools


class SqlDescribedReader(ABC):
    """The mixin of the reader for sources whose content is described."""

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...
    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...
    @abstractmethod
    def _known_pools(self) -> Pools: ...
    @abstractmethod
    def _pool_numbers(self, view: View) -> list[int]: ...

    def described(self, view: View) -> list[Source]:
        pools, sources = self._known_pools(), [source_of(row) for row in self._dicts("described", {})]
        return [
            source
            for source in sources
            if view.owns(source.owner) or pools.allows(view, source.pool, source.readers)
        ]

    def fingerprints(self, view: View, source: str) -> list[Fingerprint]:
        from holdfast.core.reconciled import Fingerprint

        values = {"source": source, "pools": self._pools_of(view, source)}
        return list(map(Fingerprint._make, self._all("fingerprints", values)))

    def compare_fingerprints(
        self, view: View, source: str, digests: Collection[str]
    ) -> tuple[set[str], list[Fingerprint]]:
        from holdfast.core.reconciled import Fingerprint

        current = digests if isinstance(digests, set) else set(digests)
        values = {"source": source, "pools": self._pools_of(view, source)}
        # two texts, since tens of thousands of rows take longer; what was forgotten has no digest
        [(joined, numbers)] = self._all("digests", values)
        stored = [] if joined is None else joined.split(" ")
        same = current.intersection(stored)
        if len(same) == len(stored):
            return same, []
        of = zip(stored, numbers.split(" "), strict=True)
        others = [int(number) for digest, number in of if digest not in same]
        rows = self._all("numbered_fingerprints", {**values, "numbers": plain(others)})
        return same, list(map(Fingerprint._make, rows))

    def _pools_of(self, view: View, source: str) -> str:
        """Returns the pools of a source, as far as the view includes them."""
        pools = self._known_pools().by_number
        return plain([number for number in self._pool_numbers(view) if pools[number].source == source])


class SqlDescribedWriter(SqlDescribedReader):
    """The mixin of the writer for sources whose content is described."""

    @abstractmethod
    def _run_if_unique(self, name: str, values: dict[str, Any]) -> bool: ...

    def rename_source(self, view: View, id: str, digest: str) -> None:
        if id not in {source.id for source in self.described(view)}:
            raise NotFound(f"there is no source {id!r:.60}", code="source_not_found")
        if not self._run_if_unique("rename_source", {"id": id, "digest": digest}):
            raise Conflict("another source is called so", code="duplicate_text")
