"""Copies of one tenant of a database server: each is a store in a file, made of the tenant's rows.

So a backup is opened, checked, read and restored as that of a store in a file, and needs no server for it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, cast

from holdfast.core.errors import InvalidInput
from holdfast.stores.base.backend import Home, Since
from holdfast.stores.base.backup_addresses import location_of
from holdfast.stores.base.registry import backend_of
from holdfast.stores.base.rows import FileRows, ServerRows
from holdfast.stores.base.safeguard import kept_before, stopping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.config import Settings


class TenantCopies:
    """The copies of tenants of a kind of server."""

    def __init__(self, server: ServerRows) -> None:
        self._server = server

    @property
    def _files(self) -> FileRows:
        return cast(FileRows, backend_of("").copies)

    def home(self, settings: Settings) -> Home:
        return self._server.home(settings)

    def exists(self, settings: Settings) -> bool:
        return self._server.exists(settings)

    def settings_of(self, settings: Settings, copy: Path) -> Settings:
        return self._files.settings_of(settings, copy)

    def copy(self, settings: Settings, target: Path) -> None:
        with self._server.reading(settings) as contents:
            self._files.write_rows(settings, target, contents)

    def memories(self, copy: Settings) -> int:
        return self._files.memories(copy)

    def save_before(self, change: str, settings: Settings, *, schema: int, role: str) -> None:
        """Makes a backup of each tenant of the configured database, whose tables have an earlier `schema`,
        unless the settings say otherwise. Each is a store in a file of that schema, which the version that
        wrote it opens. `role` is the one that serves. Raises StoreError `backup_failed`."""
        if settings.backup_before_changes == "off":
            return
        with stopping(change):
            tenants = self._server.tenants(settings, role=role)
            if tenants and settings.backup_folder is None:
                raise InvalidInput(
                    "the folder for backups of a database is not named", code="backup_folder_missing",
                    hint="name it in the setting backup_folder",
                )  # fmt: skip
            for tenant in tenants:
                home, location = self.home(tenant), location_of(str(tenant.backup_folder))
                scratch = Path(gettempdir())
                with kept_before(change, location, home.name, home.stem, scratch=scratch) as target:
                    with self._server.reading(tenant, schema=schema) as contents:
                        self._files.write_rows(tenant, target.path, contents)
                    checked = self._files.checked(tenant, target.path)
                    target.memories, target.events, target.encryption = checked

    @contextmanager
    def held(self, settings: Settings) -> Iterator[None]:
        if self.exists(settings):
            self._server.check_replaceable(settings)  # who writes meanwhile is noticed by `put_back`
        yield

    def since(self, settings: Settings, copy: Path) -> Since:
        with TemporaryDirectory(prefix="now-", dir=copy.parent) as folder:
            now = Path(folder) / "now.db"
            with self._server.reading(settings) as contents:
                self._files.write_rows(settings, now, contents)
                change = contents.numbers.change
            return replace(self._files.since(self.settings_of(settings, now), copy), change=change)

    def put_back(self, settings: Settings, copy: Settings, *, change: int | None) -> None:
        with self._files.reading_rows(copy) as contents:
            self._server.fill(settings, contents, change=change)
