"""Amounts that users keep, counted with each transaction, in an SQL store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from holdfast.core.storage import Amount, Growth, Totals

if TYPE_CHECKING:
    from holdfast.core.views import View


class SqlStorageReader(ABC):
    """The mixin of the reader for what users keep."""

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    def storage(self, view: View) -> Amount:
        return self._storage_of(view.user)

    def storage_of_all(self, view: View) -> Totals:
        return Totals(*self._all("storage_of_all", {})[0])

    def _storage_of(self, owner: str) -> Amount:
        rows = self._all("storage", {"owner": owner})
        return Amount(*rows[0]) if rows else Amount()


class SqlStorageWriter(SqlStorageReader):
    """The mixin of the writer: adds up what the transaction stores and erases of each user, and writes the
    sums when they are asked for, at its end at the latest."""

    _growth: dict[str, Amount]
    """Sums that are not written yet."""
    _added: dict[str, int]
    """Versions by user, of the sums that are written."""

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...

    def storage(self, view: View) -> Amount:
        self._settle()
        return super().storage(view)

    def storage_of_all(self, view: View) -> Totals:
        self._settle()
        return super().storage_of_all(view)

    def grown(self) -> list[Growth]:
        self._settle()
        owners = [owner for owner, versions in self._added.items() if versions > 0]
        usage = [(owner, self._storage_of(owner)) for owner in owners]
        return [Growth(growth.versions, growth.bytes, owner) for owner, growth in usage]

    def _count(self, owner: str, versions: int, size: int) -> None:
        before = self._growth.get(owner, Amount())
        self._growth[owner] = Amount(before.versions + versions, before.bytes + size)

    def _settle(self) -> None:
        """Writes the sums that are not written yet, so that what is read next includes them."""
        for name, values in self._sums():
            self._run(name, values)
        for owner, growth in self._growth.items():
            self._added[owner] = self._added.get(owner, 0) + growth.versions
        self._growth = {}

    def _sums(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields the statements that write the sums, with their values."""
        for owner, growth in self._growth.items():
            if growth.versions or growth.bytes:
                yield "add_storage", {"owner": owner, "versions": growth.versions, "bytes": growth.bytes}
            if growth.versions < 0:
                yield "drop_storage", {"owner": owner}  # of who keeps nothing the name goes too
