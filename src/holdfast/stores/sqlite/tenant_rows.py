"""The rows of a store in a file, for copies of tenants of a database server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw

from holdfast.core.errors import StoreError
from holdfast.stores.base.rows import Contents, Numbers, Table, Tally
from holdfast.stores.sqlite.migrate import migrate
from holdfast.stores.sqlite.seals import seal_all
from holdfast.stores.sqlite.sql import statements


def read_rows(connection: apsw.Connection, digest_key: bytes) -> Contents:
    """Returns what a store holds, in the read transaction of the caller."""
    sql = statements("tenant_rows.sql")
    numbers = Numbers(*connection.execute(sql["numbers"]).get)
    return Contents(numbers, digest_key, _tables(connection))


def write_rows(connection: apsw.Connection, path: Path, contents: Contents) -> None:
    """Makes a store of an empty file: its schema, the rows, the numbers and the seals. Raises Damaged unless
    the rows can be read again, StoreError if they are those of another version."""
    migrate(connection, path, to=contents.schema)
    connection.pragma("foreign_keys", False)  # tables come in the order of the server; all is checked later
    sql, tally = statements("tenant_rows.sql"), Tally()
    tables = {
        name: (json.loads(columns), write) for name, columns, _, write in connection.execute(sql["tables"])
    }
    connection.execute("BEGIN IMMEDIATE")
    try:
        for table in tally.counting(contents.tables):
            columns, write = tables.pop(table.name, ([], ""))
            if columns != list(table.columns):
                raise _differs(table.name)
            connection.executemany(write, table.rows)
        if tables:
            raise _differs(next(iter(tables)))
        numbers = contents.numbers
        connection.execute(sql["put_change"], (numbers.change,))
        for name, last in (
            ("memories", numbers.memory), ("passages", numbers.passage), ("sessions", numbers.session),
        ):  # fmt: skip
            connection.execute(sql["drop_number"], (name,))
            connection.execute(sql["put_number"], (name, last))
        connection.execute(statements("writing.sql")["note_scrubbed"])  # nothing was erased in this file
        seal_all(connection)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(apsw.Error):
            connection.execute("ROLLBACK")
        raise
    tally.check(_tables(connection), str(path))


def _tables(connection: apsw.Connection) -> Iterator[Table]:
    for name, columns, read, _ in list(connection.execute(statements("tenant_rows.sql")["tables"])):
        yield Table(name, tuple(json.loads(columns)), connection.execute(read))


def _differs(table: str) -> StoreError:
    return StoreError(
        f"the table {table} of the database is not that of this version of Holdfast",
        code="store_newer", hint="use the version that the database was prepared with",
    )  # fmt: skip
