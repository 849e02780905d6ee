"""Connections to one SQLite file: opening, settings, and translated errors."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from json import JSONDecodeError
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from holdfast.core.errors import Conflict, Damaged, HoldfastError, StoreBusy, StoreError
from holdfast.stores.base.backend import Engine
from holdfast.stores.sqlite.cipher import SCHEME, Form, StoreKey, form_of, wrong_key

APPLICATION_ID = 0x484F4C44
"""`HOLD` in the file header: tells a Holdfast store from other databases."""
_LEAST_ROOM = 64 << 10  # bytes: with less free, an I/O error counts as a full disk
BUSY_TIMEOUT = 30_000
"""Milliseconds to wait for another process's write."""
WAL_LIMIT = 64 * 1024 * 1024

WRITER_KIB = 16_384
"""Pages that a connection keeps. Readers are many, and most that they need is in segments."""
READER_KIB = 2_048


SQLITE_MIN = (3, 45, 0)
"""The first version of SQLite that has all that stores use."""
CIPHERS = "multipleciphers-"
"""Begins the names of file systems that encrypt; without one, SQLite would write a plain log next to an
encrypted file."""


def engine() -> Engine:
    """Returns the versions of SQLite and its Python package, and what of it a store needs and lacks."""
    version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    problems = []
    if version < SQLITE_MIN:
        problems.append(f"version {'.'.join(map(str, SQLITE_MIN))} or newer is needed")
    if not any(name.startswith(CIPHERS) for name in apsw.vfs_names()):
        problems.append("it cannot encrypt: another package has taken the place of apsw-sqlite3mc")
    return Engine(
        f"SQLite {apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()}",
        tuple(problems),
        "pip uninstall apsw; pip install --force-reinstall apsw-sqlite3mc",
    )


def connect(
    path: Path,
    *,
    writable: bool,
    vfs: str | None = None,
    frozen: bool = False,
    key: StoreKey | None = None,
    addresses: bool = False,
    alone: bool = False,
) -> apsw.Connection:
    """Returns a connection with durable settings: every commit is synced before it is acknowledged.

    `frozen` reads a file that nobody can be writing, in a folder where SQLite cannot create files next to
    it. With a `key` everything is encrypted, the log too; a wrong key raises at the first read. With
    `addresses`, statements may name files by URI (`file:`); the path is absolute then. With `alone`, the
    index of the log is in memory, and no other process can open the file until the connection is closed.
    """
    flags = apsw.SQLITE_OPEN_READWRITE if writable or alone else apsw.SQLITE_OPEN_READONLY
    if frozen or addresses:
        flags |= apsw.SQLITE_OPEN_URI
    name = f"file:{quote(str(path.resolve()))}?immutable=1" if frozen else str(path)
    if alone:
        vfs = "unix-excl"
    if key is not None:
        vfs = CIPHERS + (vfs or "unix")
    with translated(path):
        connection = apsw.Connection(name, flags=flags, vfs=vfs)
        connection.set_busy_timeout(BUSY_TIMEOUT)
        if key is not None:
            _unlock(connection, key)
        # plans do not depend on what is bound: else statements are prepared again with every new value
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        connection.pragma("foreign_keys", True)
        connection.pragma("mmap_size", 0)
        connection.pragma("cache_size", -(WRITER_KIB if writable else READER_KIB))
        connection.pragma("temp_store", "memory")
        if alone:  # it may be written, but only so that it can be locked
            connection.pragma("query_only", True)
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if writable:
            connection.pragma("synchronous", "full")
            connection.pragma("secure_delete", True)
            connection.pragma("journal_size_limit", WAL_LIMIT)
    return connection


def opens(path: Path, key: StoreKey) -> bool:
    """Returns whether a key opens an encrypted store. Raises StoreError for other errors."""
    try:
        with translated(path), closing(connect(path, writable=False, key=key)) as connection:
            connection.pragma("user_version")
    except StoreError as error:
        if error.code == "key_wrong":
            return False
        raise
    return True


def _unlock(connection: apsw.Connection, key: StoreKey) -> None:
    """Sets the key of an encrypted file. Raises an error whose trace does not hold the key."""
    connection.pragma("cipher", SCHEME)
    try:
        connection.pragma("key", f"raw:{key.text}")
        return
    except apsw.Error as error:
        kind = type(error)
    # raised here: the trace of the first error holds the statement, and so the key
    raise kind("the key could not be set")


@contextmanager
def turn(lock: threading.RLock, path: Path, patience: int | None) -> Iterator[None]:
    """Serialises the writers of this process, each of which waits so many milliseconds; without end for None.
    Raises StoreBusy."""
    if not lock.acquire(timeout=-1 if patience is None else patience / 1000):
        raise StoreBusy(f"another thread keeps {path} locked", code="store_busy", hint="try again")
    try:
        yield
    finally:
        lock.release()


def begin(connection: apsw.Connection, patience: int | None) -> None:
    """Begins to write, and waits for others so many milliseconds; BUSY_TIMEOUT for None. Raises
    apsw.BusyError."""
    if patience is None:
        connection.execute("BEGIN IMMEDIATE")
        return
    connection.set_busy_timeout(patience)
    try:
        connection.execute("BEGIN IMMEDIATE")
    finally:
        connection.set_busy_timeout(BUSY_TIMEOUT)


def full(path: Path) -> StoreError:
    """Returns the error of a full disk."""
    return StoreError(
        f"the disk that holds {path} is full; the write was not kept",
        code="store_full",
        hint="free some space and try again; everything acknowledged is safe",
    )


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Translates SQLite's errors into Holdfast's, each with a hint."""
    try:
        yield
    except HoldfastError:
        raise
    except (apsw.BusyError, apsw.LockedError, apsw.ProtocolError) as error:
        raise StoreBusy(
            f"another process keeps {path} locked",
            code="store_busy",
            hint="try again; the doctor (`holdfast doctor`, `Memory.doctor`) shows the state of the store",
        ) from error
    except apsw.FullError as error:
        raise full(path) from error
    except apsw.ConstraintError as error:
        raise Conflict(
            f"something with the same identity is stored there already ({error})", code="duplicate_text"
        ) from error
    except apsw.ReadOnlyError as error:
        raise read_only(path) from error
    except apsw.NotADBError as error:
        if form_of(path) is Form.SEALED:
            raise wrong_key(path) from error
        raise StoreError(
            f"{path} is not a Holdfast store", code="store_not_a_database", hint="check the path"
        ) from error
    except (apsw.CorruptError, apsw.SQLError, UnicodeDecodeError, JSONDecodeError) as error:
        # a statement that the schema does not fit: somebody dropped or renamed what it names
        raise damaged(path, str(error)) from error
    except apsw.CantOpenError as error:
        raise cannot_open(path) from error
    except (apsw.IOError, apsw.PermissionsError, apsw.AuthError) as error:
        if isinstance(error, apsw.IOError) and _has_no_room(path):
            raise full(path) from error  # not even for the index of the write-ahead log
        raise StoreError(
            f"the disk failed on {path}: {error}",
            code="store_io",
            hint="what was acknowledged is kept; check the disk, then `holdfast doctor` or `Memory.doctor`",
        ) from error


def _has_no_room(path: Path) -> bool:
    """Returns whether the disk of a file is as good as full; False if it cannot be asked."""
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _LEAST_ROOM


def read_only(path: Path) -> StoreError:
    """Returns the error for a file or folder that cannot be written."""
    return StoreError(
        f"{path} or its folder cannot be written; reading still works",
        code="store_read_only",
        hint="check the permissions, or set HOLDFAST_STORE to another file",
    )


def damaged(path: Path, detail: str) -> Damaged:
    """Returns the error for a corrupt database."""
    return Damaged(
        f"{path} is corrupt: {detail}",
        code="store_damaged",
        hint="stop writing, copy the file away, then ask the doctor (`holdfast doctor`, `Memory.doctor`)",
    )


def cannot_open(path: Path) -> StoreError:
    """Returns the error for a path that cannot be opened, with the reason."""
    if path.is_dir():
        what, hint = f"{path} is a folder, not a file", "name a file, such as memory.db in it"
    elif not path.parent.is_dir():
        what, hint = f"the folder {path.parent} does not exist", "create it, or choose another path"
    elif path.exists() and not os.access(path, os.R_OK):
        what, hint = f"{path} cannot be read", "check its permissions"
    elif not path.exists() and not os.access(path.parent, os.W_OK):
        return read_only(path)
    else:
        what, hint = f"{path} cannot be opened", "check the path and its permissions"
    return StoreError(what, code="store_unavailable", hint=hint)


def rows(
    connection: apsw.Connection, sql: str, values: dict[str, Any] | None = None
) -> list[tuple[Any, ...]]:
    """Returns all rows of a statement."""
    return list(connection.execute(sql, values))
