"""The kind of store `tenants:///srv/tenants.json?tenant=name`: a tenant at the server of a directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.stores.base.backend import Copies, Engine, Home, Moved, Opened, Schema, Since
from holdfast.stores.base.registry import backend_of
from holdfast.stores.base.tenant_directory import parsed
from holdfast.stores.directory.routed import (
    Route,
    RoutedKeys,
    RoutedReplays,
    RoutedSpool,
    RoutedStore,
    resolved,
)

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from holdfast.stores.base.tenant_moves import TenantMoves

A_SERVER = "postgresql://"
"""The beginning of the addresses of servers."""


class DirectoryBackend:
    """A backend that finds the address of a tenant in a file; everything else is that of its server."""

    encryption = None
    administration = None
    moves: TenantMoves | None = None

    @property
    def copies(self) -> Copies:
        return RoutedCopies()

    def open(self, settings: Settings, *, create: bool = True) -> Opened:
        route = Route(settings, create=create)
        return Opened(RoutedStore(route), RoutedSpool(route), RoutedKeys(route), RoutedReplays(route))

    def engine(self) -> Engine:
        return backend_of(A_SERVER).engine()

    def schema(self, settings: Settings) -> Schema | None:
        there = resolved(settings)
        return backend_of(there.store).schema(there)

    def makes_file(self, location: str) -> bool:
        return False

    def without_password(self, location: str) -> str:
        return backend_of(A_SERVER).without_password(location)

    def from_anywhere(self, location: str) -> str:
        parsed(location)
        return location

    def moved(self, location: str) -> Moved | None:
        return None

    def note_moved(self, location: str, moved: Moved) -> None:
        """Does nothing: memories that were migrated elsewhere leave no note in a database."""


class RoutedCopies:
    """The copies of a tenant that is found by a directory: those of its server."""

    def home(self, settings: Settings) -> Home:
        there, copies = _there(settings)
        _, tenant = parsed(settings.store)
        # the name outlasts a move
        return replace(copies.home(there), name=settings.store.partition("?")[0] + f"?tenant={tenant}")

    def exists(self, settings: Settings) -> bool:
        there, copies = _there(settings)
        return copies.exists(there)

    def settings_of(self, settings: Settings, copy: Path) -> Settings:
        there, copies = _there(settings)
        return copies.settings_of(there, copy)

    def copy(self, settings: Settings, target: Path) -> None:
        there, copies = _there(settings)
        copies.copy(there, target)

    def memories(self, copy: Settings) -> int:
        copies = backend_of(copy.store).copies  # it is a file, wherever the tenant is
        assert copies is not None
        return copies.memories(copy)

    def held(self, settings: Settings) -> AbstractContextManager[None]:
        there, copies = _there(settings)
        return copies.held(there)

    def since(self, settings: Settings, copy: Path) -> Since:
        there, copies = _there(settings)
        return copies.since(there, copy)

    def put_back(self, settings: Settings, copy: Settings, *, change: int | None) -> None:
        there, copies = _there(settings)
        copies.put_back(there, copy, change=change)


def _there(settings: Settings) -> tuple[Settings, Copies]:
    """Returns the settings and copies of the store that a directory leads to. Raises InvalidInput."""
    there = resolved(settings)
    copies = backend_of(there.store).copies
    if copies is None:
        raise InvalidInput(
            "this kind of server has no backups", code="config_invalid", hint="use its own tools"
        )
    return there, copies


BACKEND = DirectoryBackend()
