"""Fixtures of the PostgreSQL tests: everything here needs the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from holdfast.stores.postgres.store import PostgresStore
from holdfast.stores.postgres.tenant import Tenant
from tests.postgres.server import APPLICATION, Server, fresh_tenant, server, url

Open = Callable[..., PostgresStore]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens stores, of a new tenant unless one is named, and closes them at the end."""
    server()
    stores: list[PostgresStore] = []

    def open_one(
        tenant: str | None = None, database: str = "holdfast", role: str = APPLICATION
    ) -> PostgresStore:
        store = PostgresStore(Tenant(url(role, database, tenant or fresh_tenant())))
        stores.append(store)
        return store

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server of one module alone. Not in the folder of pytest, which every run closes to other users, and
    the server does not run as root."""
    with TemporaryDirectory(prefix="holdfast-own-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder) / "data")
        server.start()
        yield server
        server.halt()
        server.stop()
