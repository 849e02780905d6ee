"""Migrations: forward only, one transaction each, by the owner of the tables and never by the application."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

import psycopg

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput, StoreError
from holdfast.stores.base.backend import Schema
from holdfast.stores.postgres.connection import CONNECT_TIMEOUT, Connection, cannot_open, database
from holdfast.stores.postgres.seals import foreign_tables, hold_tenants, seal_tenants
from holdfast.stores.postgres.sql import Statement, migrations, statements


def schema_version() -> int:
    """Returns the schema version that this version of Holdfast writes."""
    return migrations()[-1][0]


def migrate(url: str, *, application: str, before: Callable[[int], None] = lambda _: None) -> int:
    """Brings a database to the current schema as its owner, and lets a role use it; returns the schema.

    `application` is the role that serves: it must exist, and be neither superuser nor owner. Interrupted, the
    database stays at the last whole step; several servers may try at once. `before` is called with the older
    schema before any of its tables is changed, and may raise. Raises StoreError, InvalidInput.
    """
    sql = statements("connecting.sql")
    parsed = database(url)
    try:
        with psycopg.connect(parsed.conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT) as connection:
            _check_application(connection, application)
            if current := current_version(connection):
                _check_released(connection, parsed.location)
            if 0 < current < schema_version():
                before(current)
            for version, script in ((0, ""), *migrations()):
                with connection.transaction():
                    connection.execute(sql["one_at_a_time"].query)
                    if version == 0:
                        _prepare(connection, sql)
                    elif current_version(connection) < version:
                        path = _first(connection, sql["search_path"])
                        connection.execute(sql["enter_schema"].query, {"path": path})
                        tenants = hold_tenants(connection) if version > 1 else []
                        foreign = foreign_tables(connection, tenants, path=path, role=application)
                        connection.execute(script.encode())
                        connection.execute(sql["admit_application"].query, {"role": application})
                        seal_tenants(connection, foreign, path=path, role=application)
                        noted = {"version": version, "script": fingerprint(script)}
                        connection.execute(sql["note_version"].query, noted)
            with connection.transaction():
                connection.execute(sql["one_at_a_time"].query)
                connection.execute(sql["admit_application"].query, {"role": application})
            return current_version(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreError(
            f"the role may not migrate {parsed.location}: {error.diag.message_primary}",
            code="store_unavailable",
            hint="it must own the database; a superuser adds pgvector once: CREATE EXTENSION vector",
        ) from error
    except psycopg.Error as error:
        raise cannot_open(parsed.location, error) from error


def _check_application(connection: Connection, role: str) -> None:
    """Raises InvalidInput unless the role is there and is one whom policies bind."""
    why = connection.execute(statements("connecting.sql")["unfit"].query, {"role": role}).fetchone()
    if why is not None and why[0] is not None:
        raise InvalidInput(
            f"the role {safe_repr(role)} {why[0]}",
            code="argument_invalid",
            hint="a superuser makes one that serves: CREATE ROLE name LOGIN PASSWORD '...'",
        )


def check_version(connection: Connection, location: str) -> None:
    """Raises StoreError unless the schema is the one that this program knows."""
    current = current_version(connection)
    if current > schema_version():
        raise StoreError(
            f"{location} has the schema {current} of a newer Holdfast; this one knows {schema_version()}",
            code="store_newer",
            hint="upgrade: pip install --upgrade holdfast",
        )
    if current < schema_version():
        raise StoreError(
            f"{location} has schema {current}, this Holdfast needs {schema_version()}",
            code="store_unavailable",
            hint="let the owner of the tables run `holdfast store prepare`; docs/postgres.md says how",
        )
    _check_released(connection, location)


def _check_released(connection: Connection, location: str) -> None:
    """Raises StoreError if the tables were made by other scripts than those of this version. A script that
    was released is never changed."""
    own = {version: fingerprint(script) for version, script in migrations()}
    noted = connection.execute(statements("connecting.sql")["scripts"].query).fetchall()
    if any(own.get(version, script) != script for version, script in noted):
        raise StoreError(
            f"{location} cannot be used by this version: its schema is that of a development version, which"
            " was never released", code="store_unreleased",
            hint="export or back up with the version that made it, and import that into a new database",
        )  # fmt: skip


def fingerprint(script: str) -> str:
    """Returns a digest of the statements of a migration, without comments and line breaks."""
    words = " ".join(re.sub(r"--.*", "", script).split())
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def schema_of(url: str) -> Schema | None:
    """Returns the schema of a database; None if it was not prepared. Raises StoreError, InvalidInput."""
    parsed = database(url)
    try:
        with psycopg.connect(parsed.conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT) as connection:
            current = current_version(connection)
    except psycopg.Error as error:
        raise cannot_open(parsed.location, error) from error
    return Schema(current, schema_version()) if current else None


def current_version(connection: Connection) -> int:
    """Returns the schema version of a database; 0 without our schema."""
    sql = statements("connecting.sql")
    if not _first(connection, sql["has_schema"]):
        return 0
    return int(_first(connection, sql["schema_version"]))


def search_path(connection: Connection) -> str:
    """Returns the search path: our schema and that of pgvector."""
    return str(_first(connection, statements("connecting.sql")["search_path"]))


def _prepare(connection: Connection, sql: dict[str, Statement]) -> None:
    if current_version(connection) > schema_version():
        check_version(connection, "the database")
    for name in ("make_schema", "make_extension", "make_versions"):
        connection.execute(sql[name].query)


def _first(connection: Connection, statement: Statement) -> Any:
    row = connection.execute(statement.query).fetchone()
    return row[0] if row else None
