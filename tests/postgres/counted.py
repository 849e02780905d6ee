"""What the transactions of a store make the server do, counted in each transaction on its own connection.

The totals of the server hold what other connections have done too, and come with a delay of seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Any

from holdfast import Memory
from holdfast.stores.base.ports import Reader, Store, Writer
from holdfast.stores.postgres.reader import PostgresReader

ROWS_READ = (
    "SELECT sum(pg_stat_get_xact_tuples_returned(oid)) FROM pg_class WHERE oid = 'memories'::regclass"
    " OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'memories'::regclass)"
)
"""Rows and index entries of the table of memories."""
NEAR_SCANS = (
    "SELECT coalesce(sum(pg_stat_get_xact_numscans(oid)), 0) FROM pg_class"
    " WHERE relkind = 'i' AND starts_with(relname, 'near_')"
)
"""Scans of the indexes of vectors."""


class Counted:
    """A store that counts something in each of its transactions."""

    def __init__(self, store: Store, query: str) -> None:
        self._store = store
        self._query = query.encode()
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def read(self) -> Iterator[Reader]:
        with self._store.read() as snap, self._counting(snap):
            yield snap

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        with self._store.write(patience=patience) as transaction, self._counting(transaction):
            yield transaction

    @contextmanager
    def _counting(self, snap: Reader) -> Iterator[None]:
        assert isinstance(snap, PostgresReader)
        before = self._counted_by(snap.connection)
        yield
        self.count += self._counted_by(snap.connection) - before

    def _counted_by(self, connection: Any) -> int:
        """Returns what a connection counted since it last reported to the server."""
        (number,) = connection.execute(self._query).fetchone()
        return int(number)


class RoundTrips:
    """A store that counts how often the server was waited for, from the first statement of each transaction
    that the caller sees to its commit."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        with TemporaryFile() as told:
            with self._store.write(patience=patience) as transaction:
                assert isinstance(transaction, PostgresReader)
                wire = transaction.connection.pgconn
                wire.trace(told.fileno())
                yield transaction
            wire.untrace()
            told.seek(0)
            self.count += told.read().count(b"ReadyForQuery")


def counted(memory: Memory, query: str) -> Counted:
    """Returns the store of a memory, which counts from now on."""
    store = memory._service.store = Counted(memory._service.store, query)
    return store
