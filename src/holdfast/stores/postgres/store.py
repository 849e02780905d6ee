"""The PostgreSQL store: snapshots, transactions, checking, closing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.domain.errors import Damaged, StoreError
from holdfast.domain.events import Head
from holdfast.engine.ports import Reader, Writer
from holdfast.stores.postgres.check import problems
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.sql import statements
from holdfast.stores.postgres.tenant import Tenant
from holdfast.stores.postgres.writer import PostgresWriter
from holdfast.stores.segments import Index
from holdfast.stores.sql.reader import Models

CACHE_BYTES = 512 * 1024 * 1024
"""What the index segments of one process may hold."""


class PostgresStore:
    """One tenant of a database that many tenants share. Any number of threads, processes and machines may
    have it open. Opening checks the end of the event chain. Raises StoreError."""

    def __init__(self, tenant: Tenant, *, cache_bytes: int = CACHE_BYTES) -> None:
        self._tenant = tenant
        self._index = Index(cache_bytes)
        self._models: Models = {}
        self._lost = self._find_loss()

    @property
    def location(self) -> str:
        return self._tenant.location

    @property
    def encryption(self) -> str | None:
        return None

    @contextmanager
    def read(self) -> Iterator[Reader]:
        state = statements("reading.sql")["state"]
        with self._tenant.transaction("begin_reading", state) as (connection, rows):
            if rows[0] is None:
                raise self._is_gone()
            change, last_pool, connections = rows[0]
            yield PostgresReader(
                connection, self._index, self._models, upto=change, last_pool=last_pool,
                connections=connections,
            )  # fmt: skip

    @contextmanager
    def write(self) -> Iterator[Writer]:
        if self._lost is not None:
            raise self._lost
        # two statements: what was waited for is seen only by the second
        first = statements("writing.sql")["next_change"], statements("reading.sql")["last_pool"]
        with self._tenant.transaction("begin_writing", *first) as (connection, (tenant, pools)):
            if tenant is None:
                raise self._is_gone()
            transaction = PostgresWriter(
                connection, self._index, self._models, tenant, last_pool=pools[0], connections=pools[1]
            )
            try:
                yield transaction
                transaction.finish()
                self._tenant.commit(connection)
            except BaseException:
                # loaded while the transaction had rows in hand that are now as they were
                self._index.drop(transaction.loaded)
                raise

    def check(self, *, thorough: bool) -> list[str]:
        found = [str(self._lost)] if self._lost else []
        with self.read() as snap:
            assert isinstance(snap, PostgresReader)
            return found + problems(snap.connection, thorough=thorough)

    def scrub(self) -> None:
        """Nothing: what erased rows leave in the files of the server goes with its vacuum and its log, which
        belong to whoever runs it (docs/postgres.md)."""

    def accept(self) -> None:
        accept = statements("writing.sql")["accept"]
        with self._tenant.transaction("begin_writing", accept) as (connection, _):
            self._tenant.commit(connection)
        self._lost = None

    def close(self) -> None:
        """Closes all connections."""
        self._tenant.close()

    def _find_loss(self) -> Damaged | None:
        """Whether the chain ends before the head that was written with it."""
        sql = statements("reading.sql")
        with self._tenant.transaction("begin_reading", sql["head"], sql["last_event"]) as (_, rows):
            head, last = (Head(*row) if row else Head() for row in rows)
        if last.sequence >= head.sequence:
            return None
        return Damaged(
            f"{head.sequence - last.sequence} acknowledged event(s) are missing from {self.location}",
            code="history_lost",
            hint="restore a backup, or take the loss: `holdfast doctor --accept-loss`, `Memory.accept_loss`",
        )

    def _is_gone(self) -> StoreError:
        return StoreError(
            f"{self.location} is no tenant any more", code="store_unavailable", hint="open it again"
        )
