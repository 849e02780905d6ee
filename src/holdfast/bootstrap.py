"""The composition root: from settings to a service, the only place that chooses adapters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.config import Settings
from holdfast.domain.arguments import shown
from holdfast.domain.errors import StoreError
from holdfast.domain.places import Principal, usable_name
from holdfast.embeddings.static import StaticEmbedder
from holdfast.engine.ports import Clock, Embedder
from holdfast.engine.service import Service, wall_clock
from holdfast.stores.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from holdfast.engine.access_keys import KeyRing


def open_service(
    settings: Settings, *, embedder: Embedder | None = None, clock: Clock = wall_clock, create: bool = True
) -> Service:
    """A service over the configured store. Raises StoreError if it cannot be opened, or with `create` off if
    there is none: a path that was mistyped must not look like an empty store."""
    principal = Principal(
        user=usable_name(settings.user, "user"),
        agent=None if settings.agent is None else usable_name(settings.agent, "agent"),
    )
    path = Path(settings.store)
    try:
        if not create and path.parent.is_dir() and not path.exists():
            raise StoreError(
                f"there is no store at {path}",
                code="store_unavailable",
                hint="check the path; `holdfast remember` creates one",
            )
        store = SqliteStore(path, cache_bytes=settings.cache_mb * 1024 * 1024)
    except OSError as error:  # such as a name that is too long
        raise StoreError(
            f"{shown(str(path), 100)} cannot be opened: {error.strerror or error}",
            code="store_unavailable",
            hint="check the path",
        ) from error
    return Service(
        store, embedder or StaticEmbedder(), principal, clock, secret_entropy=settings.secret_entropy
    )


def key_ring(service: Service) -> KeyRing:
    """Where the keys of a tenant are: beside its store."""
    from holdfast.stores.keyfile import KeyFile

    return KeyFile(Path(f"{service.store.location}.keys"))
