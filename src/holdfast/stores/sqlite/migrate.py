"""Migrations: forward only, one transaction each, newer files refused."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import apsw

from holdfast.core.errors import StoreError
from holdfast.stores.base.backend import Schema
from holdfast.stores.sqlite.cipher import StoreKey, check_form
from holdfast.stores.sqlite.connection import APPLICATION_ID, connect, translated
from holdfast.stores.sqlite.seals import changed_tables, seal_all, seal_schema
from holdfast.stores.sqlite.sql import migrations, statements

WAITS = tuple(min(0.005 * 2**attempt, 1.0) for attempt in range(18))
"""Seconds between attempts to switch to a write-ahead log, together about 11."""


def schema_version() -> int:
    """Returns the schema version that this version of Holdfast writes."""
    return migrations()[-1][0]


def check_header(connection: apsw.Connection, path: Path) -> int:
    """Returns the schema version of a file; 0 for an empty one. Raises StoreError for other files or newer
    schemas, which are not touched.
    """
    # one statement, one state of the file: between several, another process may create the schema
    version, application, tables = connection.execute(statements("reading.sql")["header"]).get
    if application != APPLICATION_ID and (tables or application or version):
        raise StoreError(
            f"{path} is a database of another program", code="store_not_a_database", hint="check the path"
        )
    if version > schema_version():
        raise StoreError(
            f"{path} was written by a newer Holdfast (schema {version}, this one knows {schema_version()})",
            code="store_newer",
            hint="upgrade: pip install --upgrade holdfast",
        )
    return int(version)


def schema_of(path: Path, key: StoreKey | None) -> Schema:
    """Returns the schema of a file, which is only read. Raises StoreError."""
    check_form(path, key)
    with translated(path), closing(connect(path, writable=False, key=key)) as connection:
        return Schema(check_header(connection, path), schema_version())


def migrate(
    connection: apsw.Connection, path: Path, before: Callable[[], None] = lambda: None, *,
    to: int | None = None,
) -> None:  # fmt: skip
    """Brings a file to the current schema, or a new one to an earlier schema `to`. Interrupted, it stays at
    the last whole step; several processes may try at once. `before` is called before anything of an older
    schema is changed, and may raise."""
    if connection.pragma("journal_mode") != "wal":  # new, or a conversion of it was killed
        _use_log(connection)
    current = check_header(connection, path)
    if current == schema_version():
        return
    if current:
        before()
    for version, script in migrations()[:to]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if check_header(connection, path) < version:
                foreign = changed_tables(connection) if version > 1 else ()
                connection.execute(script)
                seal_all(connection, foreign=foreign)
                seal_schema(connection)
                connection.pragma("application_id", APPLICATION_ID)
                connection.pragma("user_version", version)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(apsw.Error):  # a failed commit may have rolled back already
                connection.execute("ROLLBACK")
            raise


def _use_log(connection: apsw.Connection) -> None:
    """Switches the file to a write-ahead log. SQLite does not wait when several processes do so at once,
    since each would wait for the other to let go of the file."""
    for wait in (*WAITS, None):
        try:
            connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if wait is None:
                raise
            time.sleep(wait * random.uniform(0.5, 1.5))
