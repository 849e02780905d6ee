"""The schema in partitions by tenant: what docs/scale.md says of 100 million memories, tried out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import errors, sql

from holdfast.core.errors import StoreError
from holdfast.stores.postgres import migrate as migrating
from holdfast.stores.postgres.ann_index import make_indexes
from holdfast.stores.postgres.sql import migrations
from tests.postgres.conftest import Open
from tests.postgres.counted import NEAR_SCANS, counted
from tests.postgres.server import APPLICATION, OWNER, as_superuser, make_database, unique, url
from tests.support import memory_on, texts

PARTITIONS = 4
TABLE = re.compile(r"^CREATE TABLE holdfast\.(\w+) \(\n(.*?)^\);$", re.MULTILINE | re.DOTALL)
ADMIT = "EXECUTE format('REVOKE DELETE ON holdfast.tenants FROM %I', application);"
CLOSED = """
    FOR part IN SELECT oid::regclass FROM pg_class
        WHERE relnamespace = 'holdfast'::regnamespace AND relispartition AND relkind = 'r'
    LOOP
        EXECUTE format('REVOKE ALL ON %s FROM %I', part, application);
    END LOOP;
"""
"""A partition is reached through its table alone, whose privileges and policy then count."""


def partitioned(script: str) -> str:
    """The same schema with each table in partitions by the hash of the tenant."""

    def cut(found: re.Match[str]) -> str:
        name, body = found.groups()
        parts = "\n".join(
            f"CREATE TABLE holdfast.{name}_{n} PARTITION OF holdfast.{name}"
            f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {n});"
            for n in range(PARTITIONS)
        )
        return f"CREATE TABLE holdfast.{name} (\n{body}) PARTITION BY HASH (tenant_id);\n{parts}"

    whole = TABLE.sub(cut, script).replace("c.relkind = 'r'", "c.relkind IN ('r', 'p')")
    head = "RETURNS void LANGUAGE plpgsql AS $$\n"
    return whole.replace(ADMIT, ADMIT + CLOSED).replace(head, f"{head}DECLARE part regclass;\n")


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A database with the partitioned schema."""
    with pytest.MonkeyPatch.context() as patched:
        scripts = [(version, partitioned(script)) for version, script in migrations()]
        patched.setattr(migrating, "migrations", lambda: scripts)
        yield make_database(unique("partitioned"))


def rows(database: str, query: str) -> list[tuple[Any, ...]]:
    with as_superuser(database) as connection:
        return list(connection.execute(query.encode()).fetchall())


def test_s4_48_the_schema_can_be_partitioned_by_tenant(opened: Open, database: str) -> None:
    """The start-up check finds nothing wrong, everything is kept and found, and a tenant lies in one
    partition of each table."""
    memories = {
        name: memory_on(opened(name, database), seed=n) for n, name in enumerate(("one", "two", "three"))
    }
    for name, memory in memories.items():
        stored = memory.remember(f"The vault of {name} is behind the harbour office", project="works").memory
        assert stored is not None
        messages = [
            {"role": "user", "content": f"Favourite colour number {n} of {name} is red"} for n in range(40)
        ]
        memory.add_messages(messages, session="chat")
        memory.revise(stored.id, text=f"The vault of {name} is below the lighthouse")
        memory.forget(memory.list(limit=1).memories[0].id, hard=True)
    for name, memory in memories.items():
        assert texts(memory.recall("vault lighthouse", project="works")) == [
            f"The vault of {name} is below the lighthouse"
        ]
        found = texts(memory.recall("favourite colour", project="*"))
        assert len(found) == 10
        assert all(name in text for text in found)
        assert not memory.doctor().problems
        assert memory.audit.verify() >= 4  # remember, add_messages, revise, forget
    placed = rows(database, "SELECT tenant_id, count(DISTINCT tableoid) FROM holdfast.vectors GROUP BY 1")
    assert sorted(placed) == [("one", 1), ("three", 1), ("two", 1)]


def test_s4_48_a_statement_touches_the_partition_of_its_tenant_alone(opened: Open, database: str) -> None:
    """Though no statement names the tenant: the policy does, and the server leaves the others out."""
    memory_on(opened("pruned", database)).remember("The vault is behind the harbour office")
    with psycopg.connect(url(APPLICATION, database), autocommit=True) as connection, connection.transaction():
        connection.execute("SELECT set_config('holdfast.tenant', 'pruned', true)")
        plan = "\n".join(
            str(row[0])
            for row in connection.execute(
                "EXPLAIN (COSTS OFF) SELECT m.text, x.part FROM holdfast.memories m"
                " JOIN holdfast.passages x ON x.tenant_id = m.tenant_id AND x.memory = m.number"
                " WHERE m.current"
            )
        )
    assert len(set(re.findall(r" on memories_(\d+) ", plan))) == 1, plan
    assert len(set(re.findall(r" on passages_(\d+) ", plan))) == 1, plan


def test_s4_48_a_large_pool_has_its_index_in_the_partition_of_its_tenant(opened: Open, database: str) -> None:
    memory = memory_on(opened("indexed", database))
    messages = [{"role": "user", "content": f"The harbour at noon, number {n}"} for n in range(500)]
    memory.add_messages(messages, session="chat")
    found = memory.recall("harbour at noon").items
    owner = url(OWNER, database, "indexed")
    assert make_indexes(owner, above=100 * 32).made == 1
    again = memory_on(opened("indexed", database))
    store = counted(again, NEAR_SCANS)
    assert again.recall("harbour at noon").items == found
    assert store.count > 0
    assert make_indexes(owner, above=1_000 * 32).dropped == 1


def test_gates_the_wall_stands_before_each_partition(opened: Open, database: str) -> None:
    """The role that serves cannot go to a partition past its table, and start-up refuses where it could."""
    memory_on(opened("walled", database)).remember("The vault is behind the harbour office")
    with psycopg.connect(url(APPLICATION, database), autocommit=True) as connection:
        for statement in ("SELECT * FROM holdfast.memories_0", "DELETE FROM holdfast.events_0"):
            with pytest.raises(errors.InsufficientPrivilege):
                connection.execute(statement.encode())
    with psycopg.connect(url(OWNER, database), autocommit=True) as owner:
        grant = sql.SQL("{} DELETE ON holdfast.events_0 {} {}")
        owner.execute(grant.format(sql.SQL("GRANT"), sql.SQL("TO"), sql.Identifier(APPLICATION)))
        try:
            with pytest.raises(StoreError, match=r"may remove rows of holdfast\.events_0"):
                opened("walled", database)
        finally:
            owner.execute(grant.format(sql.SQL("REVOKE"), sql.SQL("FROM"), sql.Identifier(APPLICATION)))
