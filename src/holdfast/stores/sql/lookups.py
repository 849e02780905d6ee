"""Finding a memory in an SQL store by what identifies it."""

from __future__ import annotations

from abc import ABC, abstractmethod
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

    def find(self, view: View, external_key: str) -> Memory | None:
        return self._memory("by_external_key", view, {"key": external_key})

    def keyed(self, view: View, external_id: str, *, limit: int, now: int) -> list[Memory]:
        return self._memories("by_external_id", view, now, {"external_id": external_id, "limit": limit})

    def with_hash(self, view: View, content_hash: str) -> list[Memory]:
        return self._memories("by_hash", view, 0, {"hash": content_hash})
