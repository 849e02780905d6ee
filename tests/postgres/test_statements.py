"""PostgreSQL's statements and tables beside SQLite's: the same names, the same columns, the same filter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.core.places import Principal
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.stores.postgres.sql import Statement, statements
from holdfast.stores.postgres.store import PostgresStore
from holdfast.stores.postgres.tenant import Tenant
from holdfast.stores.sqlite.connection import connect
from holdfast.stores.sqlite.sql import statements as of_sqlite
from tests.postgres.server import as_superuser, fresh_url, server
from tests.test_architecture import SAYS_NOTHING, STRANGER, VIEWED_ELSEWHERE, _holds_something, fill

FILES_ONLY = {"hash_of_event", "header", "is_unscrubbed", "note_scrubbed", "last_numbers", "schema"}
"""Statements about the file that SQLite keeps."""
OWN = {
    "reading.sql": {"digest_key", "head", "last_pool", "position"},
    "writing.sql": {"accept", "finish", "plan_anew"},
    "checking.sql": {
        "vector_in_another_pool",
        "vector_of_nothing",
        "counter_behind_what_it_numbers",
        "the_digest_key_cannot_be_used",
    },
}
"""Statements about the row of the tenant, and about the pool of a vector, for indexes of the server."""
MANY_ROWS = {"insert_memory", "insert_passage", "insert_vector", "insert_fact", "insert_event"}
"""Statements that take many rows at a time here, and one in SQLite."""


@pytest.mark.parametrize("file", OWN)
def test_both_stores_know_the_same_statements(file: str) -> None:
    """What is added to one and not to the other fails here, before anybody calls it."""
    assert set(statements(file)) == set(of_sqlite(file)) - FILES_ONLY | OWN[file]


@pytest.mark.parametrize("file", OWN)
def test_both_take_the_same_values(file: str) -> None:
    for name, sql in of_sqlite(file).items():
        if name in FILES_ONLY | MANY_ROWS | {"state", "next_change", "index_of_pool", "index_since"}:
            continue
        theirs = set(re.findall(r"(?<![:\w]):([a-z]\w*)", sql))
        ours = set(re.findall(r"%\((\w+)\)[sbt]", statements(file)[name].query.decode()))
        assert ours - {"number"} == theirs - {"number"}, name


def test_rows_that_come_together_have_the_columns_of_those_that_come_alone() -> None:
    """The server has the pool beside a vector, for indexes of its own."""
    for name in MANY_ROWS:
        ours, theirs = (
            re.findall(r"\w+", re.search(r"INTO \w+ \(([^)]*)\)", query)[1])  # type: ignore[index]
            for query in (statements("writing.sql")[name].query.decode(), of_sqlite("writing.sql")[name])
        )
        assert [column for column in ours if (name, column) != ("insert_vector", "pool")] == theirs, name


def test_m_8_every_statement_that_reads_memories_holds_the_pools_of_a_view() -> None:
    """And the tenant is held by row-level security, whatever a statement says."""
    unbound = {
        name
        for name, statement in statements("reading.sql").items()
        if re.search(rb"\b(?:memories|passages|vectors)\b", statement.query)
        and b"pool = ANY(%(pools)s::bigint[])" not in statement.query
    }
    assert unbound == set(VIEWED_ELSEWHERE)


def test_lists_are_bound_as_arrays_and_everything_else_as_it_is() -> None:
    statement = Statement(b"", frozenset({"ids", "kinds"}))
    given = {"ids": '["a\\u0022,{}", "b"]', "kinds": None, "tags": '["t"]'}
    assert statement.bound(given) == {"ids": ['a",{}', "b"], "kinds": None, "tags": '["t"]'}


def test_both_stores_have_the_same_tables_and_columns(tmp_path: Path) -> None:
    """PostgreSQL has the tenant and the counted numbers beside them, and the pool of each vector."""
    with Memory(tmp_path / "a.db", user="ana"):
        pass
    connection = connect(tmp_path / "a.db", writable=False)
    text = "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'"
    theirs = {(str(table), str(column)) for table, column in connection.execute(text)}
    connection.close()
    server()
    with as_superuser("holdfast") as database:
        rows = database.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'holdfast'"
        ).fetchall()
    ours = {(str(table), str(column)) for table, column in rows}
    left_out = {("vectors", "number")}
    assert {
        pair for pair in theirs if pair[0] not in ("blocks", "counters", "sqlite_sequence")
    } - left_out <= ours
    only_here = {table for table, _ in ours} - {table for table, _ in theirs}
    assert only_here == {"tenants", "spool", "keys", "replays", "schema_versions"}
    more = {(table, column) for table, column in ours - theirs if table not in only_here}
    assert {(table, column) for table, column in more if column != "tenant_id"} == {("vectors", "pool")}


@pytest.fixture(scope="module")
def stored() -> Iterator[tuple[PostgresStore, str]]:
    """A store with private memories of ana."""
    address = fresh_url()
    id = fill(address)
    store = PostgresStore(Tenant(address))
    yield store, id
    store.close()


@pytest.mark.parametrize("name", SAYS_NOTHING)
def test_m_8_a_foreign_view_finds_nothing_by_any_method(name: str, stored: tuple[PostgresStore, str]) -> None:
    store, id = stored
    with store.read() as reader:
        ours = SAYS_NOTHING[name](reader, personal_view(Principal("ana"), ANY_STATE), id)
        theirs = SAYS_NOTHING[name](reader, STRANGER, id)
    assert _holds_something(ours), "the owner sees nothing either: the walk proves nothing"
    assert not _holds_something(theirs)
