"""Tombstones in an SQL store."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.core.views import View


class SqlTombstoneReader(ABC):
    """The mixin of the reader for tombstones."""

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...
    @abstractmethod
    def _pool_numbers(self, view: View) -> list[int]: ...

    def has_tombstones(self, view: View) -> bool:
        return bool(self._all("has_tombstones", {"owner": view.user}))

    def tombstones(self, view: View, digests: Collection[str]) -> Mapping[str, bool]:
        values = {"owner": view.user, "digests": json.dumps(sorted(digests))}
        return {digest: bool(by_person) for digest, by_person in self._all("tombstones", values)}

    def buried(self, view: View, prefix: str, *, after: str, limit: int) -> list[tuple[str, bool]]:
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        values = {"owner": view.user, "after": max(prefix, after), "end": end, "limit": limit}
        return [(digest, bool(by_person)) for digest, by_person in self._all("buried", values)]

    def forgotten_copies(
        self, view: View, owner: str, content_hash: str, external_key: str | None
    ) -> list[str]:
        values = {"owner": owner, "hash": content_hash, "key": external_key}
        pools = {"pools": json.dumps(self._pool_numbers(view))}
        return [id for (id,) in self._all("forgotten_copies", values | pools)]


class SqlTombstoneWriter(SqlTombstoneReader):
    """The mixin of the writer for tombstones."""

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...

    def bury(self, view: View, digests: Collection[str], *, by_person: bool) -> None:
        listed = json.dumps(sorted(digests))
        self._run("bury", {"owner": view.user, "digests": listed, "by_person": by_person})

    def lift(self, view: View, digests: Collection[str]) -> None:
        self._run("lift", {"owner": view.user, "digests": json.dumps(sorted(digests))})
