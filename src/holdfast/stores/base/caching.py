"""The protocol of embedders that keep vectors of texts in memory, which erasing empties."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


class Cache(Protocol):
    """Something that can be emptied."""

    def clear(self) -> None: ...


@runtime_checkable
class Caching(Protocol):
    """An embedder that keeps vectors of texts in memory."""

    @property
    def cache(self) -> Cache: ...
