"""The SQLite backend: opening a store in a file, and the files next to it."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

from holdfast.config import Settings, at_home
from holdfast.core.arguments import safe_repr
from holdfast.core.errors import StoreError
from holdfast.stores.base.backend import Copies, Encryption, Engine, Moved, Opened, Schema
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.tenant_moves import TenantMoves
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.configured_key import key_of
from holdfast.stores.sqlite.keyfile import KeyFile
from holdfast.stores.sqlite.moved import note, noted
from holdfast.stores.sqlite.spool import Spool
from holdfast.stores.sqlite.store import SqliteStore


class SqliteBackend:
    """The backend in which a store is named by the path of its file; spool, keys and notes lie next to it."""

    administration = None
    moves: TenantMoves | None = None

    @property
    def encryption(self) -> Encryption:
        from holdfast.stores.sqlite.encryption import FileEncryption

        return FileEncryption()

    @property
    def copies(self) -> Copies:
        from holdfast.stores.sqlite.copies import FileCopies

        return FileCopies()

    def open(self, settings: Settings, *, create: bool = True) -> Opened:
        path = Path(settings.store)
        try:
            real = path.resolve()  # SQLite, too, takes `..` back from a folder that is not there
            if not create and real.parent.is_dir() and not real.exists():
                raise StoreError(
                    f"there is no store at {path}",
                    code="store_unavailable",
                    hint="check the path; `holdfast remember` creates one",
                )
            key = key_of(settings)
            store = SqliteStore(
                path, cache_bytes=settings.cache_mb * 1024 * 1024, key=key,
                before_migration=partial(_save_before_migration, settings, key),
            )  # fmt: skip
        except OSError as error:  # such as a name that is too long
            raise StoreError(
                f"{safe_repr(str(path), 100)} cannot be opened: {error.strerror or error}",
                code="store_unavailable",
                hint="check the path",
            ) from error
        with suppress(StoreError, OSError):  # what is over does not wait for another request
            store.replays.drop_old(wall_clock())
        spool = Spool(Path(f"{store.path}.spool"), key)
        return Opened(store, spool, KeyFile(Path(f"{store.path}.keys"), key), store.replays)

    def engine(self) -> Engine:
        from holdfast.stores.sqlite.connection import engine

        return engine()

    def schema(self, settings: Settings) -> Schema | None:
        from holdfast.stores.sqlite.migrate import schema_of

        path = Path(settings.store).resolve()
        return schema_of(path, key_of(settings)) if path.exists() else None

    def makes_file(self, location: str) -> bool:
        return not Path(location).exists()

    def without_password(self, location: str) -> str:
        return location

    def from_anywhere(self, location: str) -> str:
        return str(at_home(location).absolute())

    def moved(self, location: str) -> Moved | None:
        return noted(Path(location).resolve())  # the note is beside the file, not beside a link to it

    def note_moved(self, location: str, moved: Moved) -> None:
        note(Path(location).resolve(), moved)


def _save_before_migration(settings: Settings, key: StoreKey | None) -> None:
    from holdfast.stores.sqlite.safeguard import save_before  # not imported for every opening

    save_before("migration", settings, key, key)


BACKEND = SqliteBackend()
