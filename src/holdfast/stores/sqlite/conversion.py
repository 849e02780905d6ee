"""Conversion of a store to an encrypted one, a plain one, or one with another key; atomic."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

import apsw

from holdfast.core.errors import Damaged, InvalidInput, StoreBusy, StoreError
from holdfast.stores.sqlite.cipher import SCHEME, StoreKey, sync_folder
from holdfast.stores.sqlite.connection import CIPHERS, connect, damaged, translated
from holdfast.stores.sqlite.head import HeadFile
from holdfast.stores.sqlite.leftovers import DRAFT, ERASING, overwrite, settle, sibling, sibling_files
from holdfast.stores.sqlite.sealed import fill_sealed, read_sealed
from holdfast.stores.sqlite.sql import statements
from holdfast.stores.sqlite.store import SqliteStore

WAIT = 2_000
"""Milliseconds to wait for another program to let go of the store."""


def convert(path: Path, old: StoreKey | None, new: StoreKey | None) -> None:
    """Gives a store another key, or its first one, or none (S4.55).

    Nobody else may have it open. A copy is made, compared row by row, put in the place of the store by one
    rename, and the old file is overwritten. Killed at any point, one complete store is at the path; what is
    left beside it is cleared by the next opening. Raises StoreError, StoreBusy, Damaged.
    """
    path = path.absolute()
    if path.is_symlink():
        raise InvalidInput(
            f"{path} is a link", code="argument_invalid", hint="move the store to the path of the link"
        )
    _examine(path, old)
    try:
        with HeadFile.alone(sibling(path, ".head")) as alone:
            if not alone:
                raise StoreBusy(
                    f"{path} is in use by another process",
                    code="store_busy",
                    hint="stop every program that uses it",
                )
            settle(path)
            try:
                _convert(path, old, new)
            finally:
                settle(path)
    except OSError as error:
        raise StoreError(
            f"{path} could not be converted: {error.strerror or type(error).__name__}",
            code="store_io",
            hint="it is unchanged or completely converted; `holdfast doctor` shows which; run it again",
        ) from error


def logical_hash(connection: apsw.Connection) -> str:
    """Returns a digest of the schema and of every row, independent of the layout of the file."""
    sql = statements("converting.sql")
    digest = hashlib.sha256(repr(list(connection.execute(sql["schema"]))).encode())
    for name, read in list(connection.execute(sql["tables"])):
        digest.update(repr(name).encode())
        for row in connection.execute(read):
            digest.update(repr(row).encode())
    return digest.hexdigest()


def _examine(path: Path, key: StoreKey | None) -> None:
    """Opens a store as every program does, which recovers it, and raises if it is not sound."""
    store = SqliteStore(path, key=key)
    try:
        messages = store.check(thorough=False)
    finally:
        store.close()
    if messages:
        raise damaged(path, messages[0])


def _convert(path: Path, old: StoreKey | None, new: StoreKey | None) -> None:
    """Writes the store under another key and puts the new file in its place."""
    draft = sibling(path, DRAFT)
    source = connect(path, writable=True, key=old, addresses=True)
    try:
        with translated(path):
            source.set_busy_timeout(WAIT)
            # no log lies next to the file, and nobody else reads it, until the connection is closed
            source.pragma("locking_mode", "exclusive")
            source.pragma("journal_mode", "delete")
            source.execute(statements("converting.sql")["hold"])
            before = logical_hash(source)
            _copy(source, draft, new)
            if _finished(draft, new) != before:
                raise Damaged(
                    f"the copy of {path} is not what was copied; nothing was changed",
                    code="store_damaged", hint="check the disk, then run it again",
                )  # fmt: skip
        for file in sibling_files(path):
            fill_sealed(sibling(file, DRAFT), read_sealed(file, old), new)
            sync_folder(file.parent)
        sibling(path, ".replays").unlink(missing_ok=True)
        _replace(path, draft)
    finally:
        source.close()


def _copy(source: apsw.Connection, draft: Path, key: StoreKey | None) -> None:
    # made first, so that nobody else may read it from its first byte on
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    fill(source, draft, key)


def fill(source: apsw.Connection, draft: Path, key: StoreKey | None) -> None:
    """Copies a store into an empty file with another key, in one read transaction. `source` was opened with
    `addresses`. Raises apsw.Error."""
    failed = _vacuum(source, draft, key)
    if failed is not None:
        # SQLite's own message, and the variables of its trace, hold the name of the target, and so the key
        raise failed("the copy could not be made")


def _vacuum(source: apsw.Connection, draft: Path, key: StoreKey | None) -> type[apsw.Error] | None:
    """Copies a store to a draft under another key. Returns the kind of error if that failed."""
    text = "" if key is None else f"raw:{key.text}"
    target = f"file:{quote(str(draft.resolve()))}?vfs={CIPHERS}unix&cipher={SCHEME}&key={text}"
    try:
        source.execute(statements("converting.sql")["copy"], {"target": target})
    except apsw.Error as error:
        return type(error)
    return None


def _finished(draft: Path, key: StoreKey | None) -> str:
    """Makes the copy ready for use and durable; returns its logical hash, empty if it is not sound."""
    copy = connect(draft, writable=True, key=key)
    try:
        copy.pragma("journal_mode", "wal")
        digest = logical_hash(copy) if copy.execute("PRAGMA integrity_check(1)").get == "ok" else ""
    finally:
        copy.close()
    descriptor = os.open(draft, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(draft.parent)
    return digest


def _replace(path: Path, draft: Path) -> None:
    """Puts a draft in the place of a file, and overwrites the old one if no link to it can be made."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        try:
            os.link(path, sibling(path, ERASING))
            found_again = True
        except OSError:  # a file system without hard links
            found_again = False
        sync_folder(path.parent)
        os.replace(draft, path)
        sync_folder(path.parent)
        if not found_again:
            overwrite(descriptor)
    finally:
        os.close(descriptor)
