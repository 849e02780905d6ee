"""Rows that go on naming a user after everything of that user was deleted: none, by the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tests.postgres.conftest import Open
from tests.postgres.server import as_superuser, fresh_tenant
from tests.reliability.naming_rows import tables_naming
from tests.reliability.tampering import populate
from tests.support import memory_on


def test_no_row_of_any_table_names_a_user_whose_everything_was_deleted(opened: Open, tmp_path: Path) -> None:
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    populate(memory, tmp_path)
    with as_superuser("holdfast") as connection:
        named = tables_naming(rows_of(connection, tenant), "ana")
        assert {"untidied", "jobs", "tombstones", "memories", "model_calls"} <= named
        deleted = memory.delete_all("ana")
        assert deleted.proof is not None
        assert deleted.proof.holds
        assert tables_naming(rows_of(connection, tenant), "ana") == set()
    assert memory.doctor().problems == ()


def rows_of(connection: psycopg.Connection[Any], tenant: str) -> Iterator[tuple[str, dict[str, object]]]:
    tables = connection.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE a.attname = 'tenant_id' AND c.relnamespace = 'holdfast'::regnamespace"
        " AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
    ).fetchall()
    for (table,) in tables:
        with connection.cursor(row_factory=dict_row) as cursor:
            cursor.execute(f"SELECT * FROM holdfast.{table} WHERE tenant_id = %s".encode(), (tenant,))  # noqa: S608
            for row in cursor:
                yield table, {k: v for k, v in row.items() if not isinstance(v, bytes)}
