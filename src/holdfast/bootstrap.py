"""The composition root: from settings to a service, the only place that chooses adapters."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import Settings
from holdfast.domain.places import Principal, usable_name
from holdfast.embeddings.static import StaticEmbedder
from holdfast.engine.ports import Clock, Embedder
from holdfast.engine.service import Service, wall_clock
from holdfast.stores.sqlite.store import SqliteStore


def open_service(
    settings: Settings, *, embedder: Embedder | None = None, clock: Clock = wall_clock
) -> Service:
    """A service over the configured store. Raises StoreError if it cannot be opened."""
    principal = Principal(
        user=usable_name(settings.user, "user"),
        agent=None if settings.agent is None else usable_name(settings.agent, "agent"),
    )
    store = SqliteStore(Path(settings.store), cache_bytes=settings.cache_mb * 1024 * 1024)
    return Service(store, embedder or StaticEmbedder(), principal, clock)
