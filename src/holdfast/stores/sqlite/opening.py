"""Opening connections to a store: one that writes, and those that read."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from shlex import quote

import apsw

from holdfast.core.errors import HoldfastError, StoreError
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.connection import connect, full, translated
from holdfast.stores.sqlite.head import HeadFile
from holdfast.stores.sqlite.leftovers import ERASING, sibling
from holdfast.stores.sqlite.migrate import check_header, schema_version


def open_writer(path: Path, *, vfs: str | None, key: StoreKey | None) -> apsw.Connection:
    """Returns a connection that writes. Raises StoreError, `store_linked` for a file with a second name: each
    name has a log of its own, and what was written by one is lost to the other."""
    with translated(path):
        _check_names(path)
    connection = connect(path, writable=True, vfs=vfs, key=key)
    try:
        with translated(path):
            check_header(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_names(path: Path) -> None:
    """Raises StoreError `store_linked` unless a file has one name, beside that of a conversion under way."""
    try:
        names = path.stat().st_nlink
        erasing = sibling(path, ERASING)
        names -= names > 1 and erasing.exists() and erasing.samefile(path)
    except OSError:
        return  # gone, or not to be looked at: opening it says so
    if names > 1:
        file, own = quote(str(path)), quote(f"{path}.own")
        raise StoreError(
            f"{path} has a second name (a hard link), by which changes would be lost", code="store_linked",
            hint=f"give it a file of its own: cp -p {file} {own} && mv {own} {file}",
        )  # fmt: skip


def open_writer_if_room(path: Path, *, vfs: str | None, key: StoreKey | None) -> apsw.Connection | None:
    """Returns a connection that writes, or None if the disk has no room for the index of the log. With a
    `vfs` there is no way to read without that index, so it raises. Raises StoreError."""
    try:
        return open_writer(path, vfs=vfs, key=key)
    except StoreError as error:
        if error.code != "store_full" or vfs is not None:
            raise
        return None


def open_reader(path: Path, *, vfs: str | None, key: StoreKey | None, alone: bool) -> apsw.Connection:
    """Returns a connection that reads, with `alone` while no other process has the store open. Raises
    StoreError, also if the schema would have to be upgraded first."""
    # a folder that cannot be written has no place for the log's shared memory
    frozen = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
    connection = connect(path, writable=False, vfs=vfs, frozen=frozen, key=key, alone=alone)
    try:
        with translated(path):
            version = check_header(connection, path)
        if version != schema_version():
            if alone:
                raise full(path)
            raise StoreError(
                f"{path} has schema {version} and cannot be upgraded while it is read-only",
                code="store_read_only",
                hint="make it writable once",
            )
    except BaseException:
        connection.close()
        raise
    return connection


def is_logged(path: Path) -> bool:
    """Returns whether there is something in the write-ahead log."""
    try:
        return os.path.getsize(f"{path}-wal") > 0
    except FileNotFoundError:
        return False


def shut(free: list[apsw.Connection], writer: apsw.Connection | None, head: HeadFile) -> None:
    """Closes the connections of a store, then its head."""
    for connection in [*free, writer]:
        if connection is not None:
            with suppress(apsw.Error, HoldfastError):
                connection.close()
    free.clear()
    head.close()
