"""The file of answers to requests with an idempotency key, next to the store and encrypted where it is."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

import apsw

from holdfast.core.errors import StoreError
from holdfast.stores.base.replays import BROKEN_OFF_MS, QUOTA, Replay
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.connection import connect, translated
from holdfast.stores.sqlite.safe_files import open_beside
from holdfast.stores.sqlite.sql import statements


class ReplayFile:
    """Answers in a small database of their own, so that they never hold up a writer of the store. It is made
    by the first request that needs it, and made anew if it cannot be read: it holds nothing else.
    """

    def __init__(self, path: Path, key: StoreKey | None = None) -> None:
        self._path = path
        self._key = key
        self._sql = statements("replays.sql")
        self._lock = threading.Lock()

    def reserve(self, caller: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        slot = {"who": caller, "key": key}
        with self._transaction() as connection:
            self._drop_old(connection, now)
            row = connection.execute(self._sql["known"], slot).fetchone()
            if row is not None:
                return Replay(*row)
            connection.execute(self._sql["put"], {**slot, **asdict(replay)})
            connection.execute(self._sql["keep_quota"], {"who": caller, "quota": QUOTA})
            return None

    def take_over(self, caller: str, key: str, previous: Replay, replay: Replay) -> Replay | None:
        slot = {"who": caller, "key": key}
        with self._transaction() as connection:
            row = connection.execute(self._sql["known"], slot).fetchone()
            present = None if row is None else Replay(*row)
            if present == previous:
                connection.execute(self._sql["put"], {**slot, **asdict(replay)})
            return None if present == previous else present

    def answer(self, caller: str, key: str, replay: Replay) -> None:
        with self._transaction() as connection:
            connection.execute(self._sql["answer"], {"who": caller, "key": key, **asdict(replay)})

    def release(self, caller: str, key: str) -> None:
        with self._transaction() as connection:
            connection.execute(self._sql["release"], {"who": caller, "key": key})

    def drop_old(self, now: int) -> None:
        if self._path.exists():
            with self._transaction() as connection:
                self._drop_old(connection, now)

    def _drop_old(self, connection: apsw.Connection, now: int) -> None:
        connection.execute(self._sql["drop_old"], {"now": now, "broken_off": BROKEN_OFF_MS})

    def blank(self) -> None:
        if self._path.exists():
            with self._transaction() as connection:
                connection.execute(self._sql["blank"])

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with self._lock, translated(self._path), closing(self._connect()) as connection, connection:
            yield connection

    def _connect(self) -> apsw.Connection:
        """Returns a connection with the table. Opened for each use: a conversion of the store may replace
        the file.
        """
        try:
            return self._connected()
        except (apsw.NotADBError, apsw.CorruptError, StoreError) as error:
            if isinstance(error, StoreError) and error.code not in ("key_wrong", "store_not_a_database"):
                raise
            with suppress(FileNotFoundError):
                self._path.unlink()
            return self._connected()

    def _connected(self) -> apsw.Connection:
        """Opens the file, which is created if it is missing."""
        os.close(open_beside(self._path, os.O_RDWR | os.O_CREAT))
        connection = connect(self._path, writable=True, key=self._key)
        try:
            connection.execute(self._sql["make"])
        except BaseException:
            connection.close()
            raise
        return connection
