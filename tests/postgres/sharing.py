"""Connections that the stores of one process share: to a new one everything is new, which costs the server
three times what a usual test asks of it. Tests of this folder have connections of their own, as users do."""

from __future__ import annotations

from typing import Any

import pytest
from psycopg_pool import ConnectionPool

from holdfast.stores.postgres import tenant
from holdfast.stores.postgres.check import guard
from holdfast.stores.postgres.connection import Connection


class Shared:
    """The pools of a process, one for each address, and the databases that were checked."""

    def __init__(self) -> None:
        self._pools: dict[str, _Pool] = {}
        self._checked: set[tuple[str, str, str]] = set()

    def share(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Has each store that is opened take part."""
        monkeypatch.setattr(tenant, "ConnectionPool", self._pool)
        monkeypatch.setattr(tenant, "guard", self._guard)

    def close(self) -> None:
        """Closes the connections."""
        for pool in self._pools.values():
            pool.end()

    def _pool(self, conninfo: str, *, max_size: int, **options: Any) -> _Pool:
        if conninfo not in self._pools:
            self._pools[conninfo] = _Pool(conninfo, max_size=4 * max_size, **options)
        return self._pools[conninfo]

    def _guard(self, connection: Connection, location: str) -> None:
        """Checks a database for a role once: no test that shares changes what is granted or defined."""
        database = (connection.info.host, connection.info.dbname, connection.info.user)
        if database not in self._checked:
            guard(connection, location)
            self._checked.add(database)


class _Pool(ConnectionPool[Connection]):
    """A pool that outlasts the stores."""

    def close(self, timeout: float = 5.0) -> None:
        """Leaves it to others."""

    def end(self) -> None:
        """Closes the connections."""
        super().close()
