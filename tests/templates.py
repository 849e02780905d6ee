"""New stores of tests are copies of an empty one that was made once, which takes half the time of
making one. Processes, encrypted stores and the tests of other folders make theirs anew."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import apsw
import pytest

from holdfast.stores.sqlite.seals import seal_all
from holdfast.stores.sqlite.store import SqliteStore

_create = SqliteStore._create


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
        draft.write_bytes(_empty())
        _give_key(draft)
        with suppress(FileExistsError):  # another thread has made it meanwhile
            os.link(draft, store.path)
        draft.unlink()
    except OSError:
        draft.unlink(missing_ok=True)
        _create(store)  # it tells what is wrong


def _give_key(path: Path) -> None:
    """Gives a store a key of its own, so that no other takes what it signed for what it signed itself."""
    connection = apsw.Connection(str(path))
    with connection:
        connection.execute("UPDATE secrets SET value = randomblob(32) WHERE name = 'seal'")
        seal_all(connection)
    connection.close()


@cache
def _empty() -> bytes:
    """Returns the content of an empty store."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteStore, "_create", _create)
        path = Path(folder) / "empty.db"
        SqliteStore(path).close()
        return path.read_bytes()
