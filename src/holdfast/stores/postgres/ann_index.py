"""Vector indexes of large pools on the server, created and dropped by the owner of the tables."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import psycopg

from holdfast.core.errors import StoreBusy, StoreError
from holdfast.stores.base.backend import Indexes
from holdfast.stores.postgres.connection import (
    BUSY_TIMEOUT,
    CONNECT_TIMEOUT,
    Connection,
    address,
    cannot_open,
    translated,
)
from holdfast.stores.postgres.migrate import check_version, search_path
from holdfast.stores.postgres.sql import statements

DIMENSIONS = 4_000
"""What pgvector can index of a `halfvec`."""


def make_indexes(url: str, *, above: int) -> Indexes:
    """Creates an index for each pool of a tenant whose codes take more than `above` bytes, and drops the
    others.

    Runs as the owner of the tables and blocks neither reads nor writes. Interrupted work is repeated by the
    next call. Raises StoreError, StoreBusy if another call is running, InvalidInput.
    """
    parsed = address(url)
    try:
        connection = psycopg.connect(parsed.conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT)
    except psycopg.Error as error:
        raise cannot_open(parsed.location, error) from error
    with connection, translated(parsed.location):
        check_version(connection, parsed.location)
        sql = statements("ann_index.sql")
        if connection.execute(sql["may_make"].query).fetchone() != (True,):
            raise StoreError(
                f"the role may not make indexes in {parsed.location}",
                code="store_unavailable", hint="the role must own the tables",
            )  # fmt: skip
        if connection.execute(sql["alone"].query).fetchone() != (True,):
            raise StoreBusy(
                f"indexes of {parsed.location} are being made already",
                code="store_busy", hint="wait until they are",
            )  # fmt: skip
        entering = {
            "tenant": parsed.tenant, "path": search_path(connection), "patience": str(BUSY_TIMEOUT),
            "idle": None, "seal": None,
        }  # fmt: skip
        try:
            return _create_indexes(connection, entering, above)
        finally:
            # the server notices the end of a connection only later, when the next call may have begun
            with suppress(psycopg.Error):
                connection.execute(sql["not_alone"].query)


def _create_indexes(connection: Connection, entering: dict[str, str | None], above: int) -> Indexes:
    """Creates the vector indexes that are missing and drops those that are not needed. Returns their
    numbers."""

    def query(name: str, **values: object) -> list[tuple[Any, ...]]:
        with connection.transaction():  # the tenant is set for it alone, as everywhere
            connection.execute(statements("connecting.sql")["enter"].query, entering)
            return connection.execute(statements("ann_index.sql")[name].query, values).fetchall()

    def run(name: str, **values: object) -> None:
        """Lets the server put a statement together, and runs it, which no transaction may hold."""
        connection.execute(str(query(name, **values)[0][0]).encode())

    there = {(pool, model): valid for pool, model, valid in query("made")}
    made = unchanged = passages = 0
    for pool, model, dim, count, relation in query("pools"):
        if count * dim <= above or dim > DIMENSIONS:
            continue
        passages += count
        if there.pop((pool, model), False):
            unchanged += 1
            continue
        run("drop", pool=str(pool), model=str(model))
        run("make", pool=str(pool), model=str(model), dim=dim, relation=relation)
        made += 1
    for pool, model in there:
        run("drop", pool=str(pool), model=str(model))
    return Indexes(made, unchanged, len(there), passages)
