"""Rows changed by somebody else, past the application: the doctor notices each change, in any column."""

# ruff: noqa: S608

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.postgres.conftest import Open
from tests.postgres.server import as_superuser, fresh_tenant
from tests.reliability.tampering import changes, populate, row_key
from tests.support import memory_on

WALL = "tenant_id"
"""A row with another tenant is gone for this one, which the deleting of rows tries."""


def tables(
    connection: psycopg.Connection[Any], tenant: str
) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """Yields each table with its columns and a condition that names its first row of the tenant."""
    for (table,) in connection.execute(
        "SELECT c.oid::regclass::text FROM pg_class c WHERE c.relkind = 'r'"
        " AND c.relnamespace = 'holdfast'::regnamespace AND c.relname NOT IN ('schema_versions', 'tenants')"
        " ORDER BY 1"
    ).fetchall():
        columns = connection.execute(
            "SELECT a.attname, format_type(a.atttypid, NULL) FROM pg_attribute a"
            " WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND a.attname <> %s ORDER BY a.attnum",
            (table, WALL),
        ).fetchall()
        keys = [
            name
            for (name,) in connection.execute(
                "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid"
                " AND a.attnum = ANY(i.indkey) WHERE i.indrelid = %s::regclass AND i.indisprimary"
                " ORDER BY a.attnum",
                (table,),
            ).fetchall()
        ]
        names = ", ".join(f'"{key}"' for key in keys if key != WALL)
        row = connection.execute(
            f"SELECT {names} FROM {table} WHERE tenant_id = '{tenant}' ORDER BY {names} LIMIT 1".encode()
        ).fetchone()
        if row is not None:
            yield table, columns, row_key([key for key in keys if key != WALL], row)


def test_every_change_of_a_column_or_row_is_noticed(opened: Open, tmp_path: Path) -> None:
    """Each is made as a superuser without foreign keys, told, and taken back."""
    tenant = fresh_tenant()
    store = opened(tenant)
    memory = memory_on(store)
    populate(memory, tmp_path)
    assert memory.doctor().problems == ()
    unnoticed: set[tuple[str, str]] = set()
    tried = 0
    with as_superuser("holdfast") as connection:
        connection.execute("SET session_replication_role = replica")
        for table, columns, key in tables(connection, tenant):
            kept = table.replace("holdfast.", "kept_")
            connection.execute(
                f"CREATE TEMP TABLE {kept} AS SELECT * FROM {table} WHERE tenant_id = '{tenant}'".encode()
            )
            for change in changes(table, columns, key):
                if not any(_accepted(connection, statement, tenant) for statement in change.statements):
                    continue
                tried += 1
                if not memory.doctor().problems:
                    unnoticed.add((table.removeprefix("holdfast."), change.what))
                connection.execute(f"DELETE FROM {table} WHERE tenant_id = '{tenant}'".encode())
                connection.execute(f"INSERT INTO {table} SELECT * FROM {kept}".encode())
    assert memory.doctor().problems == (), "everything was taken back"
    assert tried >= 198
    assert not unnoticed, "these changes are not noticed"


def test_a_change_by_a_superuser_is_noticed_though_triggers_fire(opened: Open) -> None:
    """The triggers have no key then."""
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    memory.members.add("ana", "owner")
    memory.members.add("ben", "member")
    with as_superuser("holdfast") as connection:
        connection.execute(
            "UPDATE holdfast.members SET role = 'owner' WHERE name = 'ben' AND tenant_id = %s", (tenant,)
        )
    problems = " ".join(memory.doctor().problems)
    assert "rows of members" in problems
    assert "the events say member" in problems
    memory.accept_loss()
    assert "rows of members" not in " ".join(memory.doctor().problems)


def _accepted(connection: psycopg.Connection[Any], statement: str, tenant: str) -> bool:
    limited = statement + (" AND" if " WHERE " in statement else " WHERE") + f" tenant_id = '{tenant}'"
    try:
        return connection.execute(limited.encode()).rowcount > 0
    except (psycopg.errors.IntegrityError, psycopg.errors.DataError, psycopg.errors.ProgrammingError):
        return False


@pytest.mark.parametrize("kept", [b"", b"half of a key...", b"k" * 33])
def test_a_digest_key_of_another_length_is_noticed(opened: Open, kept: bytes) -> None:
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    memory.remember("The boat is red")
    assert memory.doctor().problems == ()
    with as_superuser("holdfast") as connection:
        connection.execute("UPDATE holdfast.tenants SET digest_key = %s WHERE tenant_id = %s", (kept, tenant))
    assert "the digest key cannot be used: it does not hold a key" in memory.doctor().problems
