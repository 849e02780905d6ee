"""Rules by which the tables could be distributed by tenant, as Citus asks, compared with the catalogue."""

from __future__ import annotations

import pytest

from tests.postgres.server import as_superuser, server

RULES = {
    "every table has a primary key that begins with the tenant": """
        SELECT t.relname FROM pg_class t
        WHERE t.relnamespace = 'holdfast'::regnamespace AND t.relkind = 'r' AND t.relname <> 'schema_versions'
            AND NOT EXISTS (
                SELECT 1 FROM pg_constraint c
                    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
                WHERE c.conrelid = t.oid AND c.contype = 'p' AND a.attname = 'tenant_id')
    """,
    "every unique index begins with the tenant, as itself": """
        SELECT i.indexrelid::regclass FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
            LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE t.relnamespace = 'holdfast'::regnamespace AND t.relname <> 'schema_versions' AND i.indisunique
            AND a.attname IS DISTINCT FROM 'tenant_id'
    """,
    "every foreign key leads from the tenant to the tenant": """
        SELECT c.conname FROM pg_constraint c
            JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
            JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
        WHERE c.connamespace = 'holdfast'::regnamespace AND c.contype = 'f'
            AND NOT (a.attname = 'tenant_id' AND b.attname = 'tenant_id')
    """,
    "the tenant has one type everywhere, and no column is numbered across tenants": """
        SELECT t.relname || '.' || a.attname FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
        WHERE t.relnamespace = 'holdfast'::regnamespace AND t.relkind = 'r' AND a.attnum > 0 AND (
            a.attidentity <> '' OR (a.attname = 'tenant_id' AND a.atttypid <> 'text'::regtype))
    """,
}


@pytest.mark.parametrize("rule", RULES)
def test_the_tables_can_be_distributed_by_tenant(rule: str) -> None:
    server()
    with as_superuser("holdfast") as connection:
        connection.execute("SELECT number FROM holdfast.memories LIMIT 1")  # the tables are there
        assert connection.execute(RULES[rule]).fetchall() == []
