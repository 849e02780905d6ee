"""Connections that the stores of one process share: to a new one everything is new, which costs the server
three times what a usual test asks of it. Tests of this folder have connections of their own, as users do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace, TracebackType
from typing import Any

import psycopg
import pytest
from psycopg_pool import ConnectionPool

from holdfast.stores.postgres import tenant
from holdfast.stores.postgres.check import guard
from holdfast.stores.postgres.connection import Connection


class Shared:
    """The pools of a process, one for each address, the connections by which stores are opened, and the
    databases that were checked."""

    def __init__(self) -> None:
        self._pools: dict[str, _Pool] = {}
        self._opening: dict[str, _Opening] = {}
        self._checked: set[tuple[str, str, str]] = set()

    def share(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Has each store that is opened take part."""
        monkeypatch.setattr(tenant, "ConnectionPool", self._pool)
        monkeypatch.setattr(tenant, "guard", self._guard)
        monkeypatch.setattr(tenant, "psycopg", SimpleNamespace(Error=psycopg.Error, connect=self._connect))

    def close(self) -> None:
        """Closes the connections."""
        for pool in self._pools.values():
            pool.end()
        for connection in self._opening.values():
            connection.close()

    def _pool(self, conninfo: str, *, max_size: int, **options: Any) -> _Pool:
        if conninfo not in self._pools:
            self._pools[conninfo] = _Pool(conninfo, max_size=4 * max_size, **options)
        return self._pools[conninfo]

    def _connect(self, conninfo: str, **options: Any) -> Connection:
        """Returns a connection by which stores at an address are opened, one store at a time."""
        kept = self._opening.pop(conninfo, None)
        if kept is not None and not kept.closed:
            return kept
        connection = _Opening.connect(conninfo, **options)
        connection.keep = partial(self._opening.setdefault, conninfo)
        return connection

    def _guard(self, connection: Connection, location: str) -> None:
        """Checks a database for a role once: no test that shares changes what is granted or defined."""
        database = (connection.info.host, connection.info.dbname, connection.info.user)
        if database not in self._checked:
            guard(connection, location)
            self._checked.add(database)


class _Opening(Connection):
    """A connection that waits for the next store when one is open."""

    keep: Callable[[_Opening], _Opening]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keeps it, unless something went wrong or another is kept."""
        if error is not None or self.keep(self) is not self:
            super().__exit__(kind, error, trace)


class _Pool(ConnectionPool[Connection]):
    """A pool that outlasts the stores. The connection that was used last is used next, so that few are warm
    and the others end."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pool = _Stack(self._pool)

    def close(self, timeout: float = 5.0) -> None:
        """Leaves it to others."""

    def end(self) -> None:
        """Closes the connections."""
        super().close()


class _Stack(deque[Connection]):
    """Gives first what came last."""

    def popleft(self) -> Connection:
        return self.pop()
