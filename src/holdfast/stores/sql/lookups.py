"""Finding a memory in an SQL store by what identifies it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.core.views import View


class SqlLookupReader(ABC):
    """The mixin of the reader for external ids, keys and texts."""

    @abstractmethod
    def _memory(self, name: str, view: View, values: dict[str, Any]) -> Memory | None: ...
    @abstractmethod
    def _memories(self, name: str, view: View, now: int, values: dict[str, Any]) -> list[Memory]: ...

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...
    @abstractmethod
    def _filter(self, view: View, now: int) -> dict[str, Any]: ...

    def find(self, view: View, external_key: str) -> Memory | None:
        return self._memory("by_external_key", view, {"key": external_key})

    def keyed(self, view: View, external_id: str, *, limit: int, now: int) -> list[Memory]:
        return self._memories("by_external_id", view, now, {"external_id": external_id, "limit": limit})

    def with_hash(self, view: View, content_hash: str) -> list[Memory]:
        return self._memories("by_hash", view, 0, {"hash": content_hash})

    def known_hashes(self, view: View, hashes: Collection[str]) -> set[str]:
        values = {**self._filter(view, 0), "hashes": json.dumps(list(hashes))}
        return {digest for (digest,) in self._all("known_hashes", values)}

    def known_keys(self, view: View, keys: Collection[str]) -> set[str]:
        values = {**self._filter(view, 0), "keys": json.dumps(list(keys))}
        return {key for (key,) in self._all("known_keys", values)}
