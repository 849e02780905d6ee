"""New stores of tests are copies of an empty one that was made once, which takes half the time of
making one. Processes, encrypted stores and the tests of other folders make theirs anew."""

from __future__ import annotations

import os
import tempfile
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path

import apsw
import pytest

from holdfast.stores.sqlite.seals import seal_all
from holdfast.stores.sqlite.store import SqliteStore

LOG_AT, WITH_LOG, WITHOUT_LOG = 18, b"\2\2", b"\1\1"
"""Where the header of a file of SQLite says whether it has a write-ahead log, and how."""
_create = SqliteStore._create
_lock = threading.Lock()


def copy_new_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has stores that are not there yet be copied from the empty one."""
    monkeypatch.setattr(SqliteStore, "_create", _copy)


def _copy(store: SqliteStore) -> None:
    opening = store._open_writer.keywords
    if opening["key"] is not None or opening["vfs"] is not None:
        _create(store)
        return
    draft = Path(f"{store.path}.{os.urandom(4).hex()}")
    try:
        draft.touch(0o600)
        with draft.open("r+b") as file:
            file.write(_new_content())
            file.seek(LOG_AT)
            file.write(WITH_LOG)
        with suppress(FileExistsError):  # another thread has made it meanwhile
            os.link(draft, store.path)
        draft.unlink()
    except OSError:
        draft.unlink(missing_ok=True)
        _create(store)  # it tells what is wrong


def _new_content() -> bytes:
    """Returns the content of an empty store with a key of its own, so that no other takes what it signed for
    what it signed itself, but for the part of its header that says that there is a log."""
    with _lock:
        connection = _in_memory()
        with connection:
            connection.execute("UPDATE secrets SET value = randomblob(32) WHERE name = 'seal'")
            seal_all(connection)
        return connection.serialize("main")


@cache
def _in_memory() -> apsw.Connection:
    """Returns the empty store in memory, where nothing is written to a file and the schema is read once."""
    content = bytearray(_empty())
    content[LOG_AT : LOG_AT + len(WITH_LOG)] = WITHOUT_LOG  # there is none in memory
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bytes(content))
    return connection


@cache
def _empty() -> bytes:
    """Returns the content of an empty store."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteStore, "_create", _create)
        path = Path(folder) / "empty.db"
        SqliteStore(path).close()
        return path.read_bytes()
