"""Small files next to a store that contain its data, encrypted with its key if it has one.

An encrypted file is an SQLite database of one row, so that the same cipher and the same code protect it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from holdfast.stores.sqlite.cipher import StoreKey, sync_folder
from holdfast.stores.sqlite.connection import connect, translated
from holdfast.stores.sqlite.safe_files import open_beside, read_beside
from holdfast.stores.sqlite.sql import statements

NEW = ".new"
"""Ends the names of files that are being written."""


def write_sealed(path: Path, content: bytes, key: StoreKey | None) -> None:
    """Replaces a file as a whole, durably, readable by its owner only. Raises StoreError, OSError."""
    fresh = path.with_name(path.name + NEW)
    try:
        fill_sealed(fresh, content, key)
        os.replace(fresh, path)
        sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


def fill_sealed(path: Path, content: bytes, key: StoreKey | None) -> None:
    """Writes a file, synced; one that is there is lost first. Raises StoreError, OSError."""
    descriptor = open_beside(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    with open(descriptor, "wb") as file:
        if key is None:
            file.write(content)
            file.flush()
        else:
            _fill(path, content, key)
        os.fsync(file.fileno())


def read_sealed(path: Path, key: StoreKey | None) -> bytes:
    """Returns the content. Raises StoreError, FileNotFoundError, OSError."""
    if key is None:
        return read_beside(path)
    os.close(open_beside(path, os.O_RDONLY))
    connection = connect(path, writable=False, key=key, frozen=True)
    try:
        with translated(path):
            return bytes(connection.execute(statements("sealed.sql")["read"]).get)
    finally:
        connection.close()


def _fill(path: Path, content: bytes, key: StoreKey) -> None:
    """Writes a content to a new encrypted file."""
    connection = connect(path, writable=True, key=key)
    try:
        with translated(path):
            # the file counts only once it is whole and synced, and a journal would lie next to it
            connection.pragma("journal_mode", "off")
            connection.execute(statements("sealed.sql")["create"])
            connection.execute(statements("sealed.sql")["write"], {"content": content})
    finally:
        connection.close()
