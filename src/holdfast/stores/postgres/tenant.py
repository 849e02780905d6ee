"""One tenant of a database: its connections, and transactions that see only its rows."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

import psycopg
from psycopg import capabilities
from psycopg.errors import DuplicatePreparedStatement, FeatureNotSupported
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from holdfast.core.errors import StoreError
from holdfast.stores.base.tenant_moves import moved_error
from holdfast.stores.postgres.check import guard
from holdfast.stores.postgres.connection import (
    BUSY_TIMEOUT,
    CONNECT_TIMEOUT,
    ENDED,
    IDLE_TIMEOUT,
    IMPATIENCE,
    Address,
    Connection,
    address,
    cannot_open,
    configure,
    connection_lost,
    read_only,
    translated,
)
from holdfast.stores.postgres.migrate import check_version, search_path
from holdfast.stores.postgres.seals import make_key, seal_key
from holdfast.stores.postgres.sql import Statement, statements

CONNECTIONS = 10
"""Connections that one process has open to one tenant at most."""
PREPARE_AFTER = 5
"""A statement that was run so often on a connection is prepared."""


TO, FROM, PART = "to:", "from:", "part:"
"""The beginning of the mark of a tenant that was moved, of its whole copy, and of one that lacks changes."""

Sent = tuple[bytes, dict[str, Any] | None]
"""A statement and its values, as the server gets them."""


class Tenant:
    """A pool of connections for one tenant.

    Opening checks the schema and that row-level security binds the role that it connects as. With `create`
    off the tenant must exist. `timeout` is the number of seconds to wait for the server; while a transaction
    is begun or given up, its connection is in the context `waiting`. Raises StoreError, InvalidInput.
    """

    def __init__(
        self,
        url: str | Address,
        *,
        create: bool = True,
        timeout: int = CONNECT_TIMEOUT,
        waiting: Callable[[Connection], AbstractContextManager[None]] = lambda _: nullcontext(),
    ) -> None:
        self._waiting = waiting
        self._address = address(url) if isinstance(url, str) else url
        self._timeout, self._impatience = timeout, IMPATIENCE * timeout / CONNECT_TIMEOUT
        self._sql = statements("connecting.sql")
        self.is_closed = False
        try:
            # directly: a pool would go on trying where the address or the password is wrong
            with (
                psycopg.connect(
                    self._address.conninfo, autocommit=True, connect_timeout=timeout
                ) as connection,
                waiting(connection),
            ):
                check_version(connection, self.location)
                guard(connection, self.location)
                self._entering: dict[str, str | None] = {
                    "tenant": self._address.tenant,
                    "path": search_path(connection),
                    "patience": str(BUSY_TIMEOUT),
                    "idle": None,
                    "seal": None,
                }
                self._make(connection, create=create)
                prepares = self._may_prepare(connection)
        except psycopg.Error as error:
            raise cannot_open(self.location, error) from error
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            self._address.conninfo,
            kwargs={
                "autocommit": True,
                "connect_timeout": timeout,
                "prepare_threshold": PREPARE_AFTER if prepares else None,
            },
            configure=configure,
            min_size=0,
            max_size=CONNECTIONS,
            timeout=timeout,
            reconnect_timeout=self._impatience,  # then the next request tries, without waiting out a pause
            num_workers=1,
            open=True,
        )
        self._finalizer = weakref.finalize(self, self._pool.close)

    @property
    def location(self) -> str:
        """Returns database and tenant, without credentials."""
        return self._address.location

    @property
    def replicas(self) -> tuple[Address, ...]:
        """Returns the addresses of this tenant at the servers that it may be read from."""
        return self._address.replicas

    @contextmanager
    def transaction(
        self, begin: str, *first: Statement, values: dict[str, Any] | None = None
    ) -> Iterator[tuple[Connection, list[Any]]]:
        """Opens a transaction of the tenant and yields it with the first row of each of its first
        statements, which take the values `values`; rolled back on exit unless it was committed. Errors are
        translated.
        """
        if self.is_closed:
            raise StoreError("this memory was closed", code="store_closed", hint="open it again")
        with translated(self.location):
            here = self._sql["moved_writing" if begin == "begin_writing" else "moved_reading"]
            connection, rows = self._begin(begin, (*first, here), values)
            try:
                check_here(rows.pop(), self.location)
                yield connection, rows
            except psycopg.Error:
                # what was prepared on it may be half there, and another may lead to a server that took over
                connection.close()
                raise
            finally:
                self._put_back(connection)

    def commit(self, connection: Connection, last: Sequence[Sent] = ()) -> None:
        """Commits durably, after the last statements. If the connection breaks now, the outcome is
        unknown.
        """
        try:
            with connection.pipeline():
                for query, values in last:
                    connection.execute(query, values)
                cursor = connection.execute("COMMIT")
            done = cursor.statusmessage
        except ENDED:  # before it was asked to commit
            raise
        except psycopg.Error as error:
            if not connection.closed:
                raise
            raise connection_lost(self.location, committing=True) from error
        if done != "COMMIT":  # after a statement that failed, PostgreSQL rolls back and raises nothing
            raise StoreError("the transaction had failed; nothing of it was kept", code="store_io")

    def close(self) -> None:
        """Closes all connections."""
        self.is_closed = True
        self._finalizer()

    def _begin(
        self, begin: str, first: tuple[Statement, ...], values: dict[str, Any] | None
    ) -> tuple[Connection, list[Any]]:
        """Returns a connection inside a new transaction. One that broke while idle is replaced, since
        nothing was sent on it. If all break, the server is down behind a pooler that still accepts
        connections.
        """
        entering = self._entering
        if begin == "begin_writing":
            patience = (values or {}).get("patience", BUSY_TIMEOUT)
            entering = {**entering, "idle": str(IDLE_TIMEOUT), "patience": str(patience)}
        left, until = CONNECTIONS, time.monotonic() + self._timeout
        while True:
            connection = self._connection()
            try:
                with self._waiting(connection), connection.pipeline():
                    connection.execute(self._sql[begin].query)
                    connection.execute(self._sql["enter"].query, entering)
                    cursors = [connection.execute(statement.query, values) for statement in first]
                return connection, [cursor.fetchone() for cursor in cursors]
            except BaseException as error:
                broken = error if connection.closed and isinstance(error, psycopg.Error) else None
                if isinstance(error, psycopg.Error):
                    connection.close()
                self._put_back(connection)
                if isinstance(error, FeatureNotSupported):  # a standby knows no transaction that writes
                    raise read_only(self.location) from error
                if broken is None:
                    raise
                if not left or time.monotonic() > until:
                    raise cannot_open(self.location, broken) from broken
                left -= 1

    def _connection(self) -> Connection:
        """Returns a connection of the pool; raises at once if the server is unreachable."""
        try:
            return self._pool.getconn(timeout=self._impatience)
        except PoolTimeout:
            try:
                psycopg.connect(self._address.conninfo, connect_timeout=self._timeout).close()
            except psycopg.Error as error:
                raise cannot_open(self.location, error) from error
            return self._pool.getconn()

    def _put_back(self, connection: Connection) -> None:
        """Gives a connection back to the pool, outside of any transaction; the pool replaces a broken one."""
        if not connection.closed:
            with suppress(psycopg.Error), self._waiting(connection):
                if connection.info.transaction_status != TransactionStatus.IDLE:
                    connection.execute("ROLLBACK")
        self._pool.putconn(connection)

    def _may_prepare(self, connection: Connection) -> bool:
        """Returns whether statements can be prepared: without a pooler, and with one that supports them."""
        if connection.execute(self._sql["backend"].query).fetchone() == (connection.info.backend_pid,):
            return True
        # an older libpq gives one up in SQL, which no pooler understands
        if not capabilities.has_send_close_prepared():
            return False
        try:
            with connection.transaction():
                cursor = connection.execute(self._sql["keeps_names"].query, prepare=True)
                if cursor.fetchone() == (False,):
                    return True
                connection.execute(self._sql["forget_prepared"].query)
        except DuplicatePreparedStatement:
            pass
        return False

    def _make(self, connection: Connection, *, create: bool) -> None:
        """Creates the rows of the tenant if they are missing and may be created."""
        with connection.transaction():
            connection.execute(self._sql["enter"].query, self._entering)
            is_there = self._is_there(connection)
            if create and not is_there:  # a standby can be read, so nothing is written without need
                connection.execute(self._sql["add_tenant"].query)
                is_there = self._is_there(connection)
                make_key(connection)
            self._entering["seal"] = seal_key(connection)
            check_here(connection.execute(self._sql["moved_reading"].query).fetchone(), self.location)
        if not is_there:
            raise StoreError(
                f"there is no tenant at {self.location}",
                code="store_unavailable",
                hint="check the address; `holdfast remember` creates one",
            )

    def _is_there(self, connection: Connection) -> bool:
        return connection.execute(self._sql["has_tenant"].query).fetchone() == (1,)


def check_here(row: tuple[Any, ...] | None, location: str) -> None:
    """Raises StoreMoved if the mark of a tenant says that it was moved, or that it is a copy not yet used."""
    if row is None or row[0] is None:
        return
    mark = str(row[0])
    raise moved_error(location, to=mark.removeprefix(TO) if mark.startswith(TO) else None)
