"""Two tenants in one database: whatever is forgotten, reused or tried, neither sees nor touches the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import errors, sql

from holdfast import NotFound
from holdfast.stores.postgres.store import PostgresStore
from tests.fakes import HashEmbedder
from tests.postgres.conftest import Open
from tests.postgres.server import APPLICATION, OWNER, as_superuser, fresh_tenant, make_database, unique, url
from tests.support import memory_on, texts

SECRET = "The vault is behind the harbour office"

Connection = psycopg.Connection[tuple[Any, ...]]


def tables() -> list[str]:
    """Every table of ours that belongs to tenants."""
    with as_superuser("holdfast") as connection:
        rows = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'r'"
            " AND relname <> 'schema_versions' ORDER BY relname"
        ).fetchall()
    return [str(row[0]) for row in rows]


def count(connection: Connection, table: str) -> int:
    query = sql.SQL("SELECT count(*) FROM holdfast.{}").format(sql.Identifier(table))
    row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


@pytest.fixture
def ana(opened: Open) -> str:
    """A tenant with something in most tables; its name."""
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    kept = memory.remember(SECRET, kind="fact", project="works", tags=["vault"])
    memory.add_messages([{"role": "user", "content": "My favourite colour is red"}], session="chat")
    memory.entities.create("Ada", "person")
    memory.sources.add("chatgpt", "0" * 64)
    result = memory.remember("To be erased", kind="note")
    assert kept.memory is not None
    assert result.memory is not None
    memory.forget(result.memory.id, hard=True)
    return tenant


@pytest.fixture
def application(ana: str) -> Iterator[Connection]:
    """A bare connection of the role that serves, with no tenant set."""
    with psycopg.connect(url(APPLICATION), autocommit=True) as connection:
        yield connection


def enter(connection: Connection, tenant: str) -> None:
    connection.execute("SELECT set_config('holdfast.tenant', %s, true)", [tenant])


def inside(connection: Connection, tenant: str | None, statement: str) -> None:
    """Runs a statement in a transaction of a tenant."""
    with connection.transaction():
        if tenant is not None:
            enter(connection, tenant)
        connection.execute(statement.encode())


def test_s4_52_two_tenants_of_one_database_see_nothing_of_each_other(opened: Open) -> None:
    """Names, numbers, hits, counts and the chain of events are each tenant's own."""
    first, second = (memory_on(opened(), seed=seed) for seed in (1, 2))
    stored = first.remember(SECRET, kind="fact", project="works", visibility="team").memory
    assert stored is not None
    assert first.recall("vault harbour", project="*").items
    assert second.recall("vault harbour", project="*").items == ()
    assert second.list(project="*").memories == []
    assert second.count() == 0
    assert second.projects.list() == []
    assert list(second.audit) == []
    with pytest.raises(NotFound):
        second.get(stored.id)
    with pytest.raises(NotFound):
        second.forget(stored.id, hard=True)
    mine = second.remember("Our own first note", project="works").memory
    assert mine is not None
    assert (mine.place.project, stored.place.project) == (1, 1)  # numbers are counted in each tenant
    assert texts(first.list(project="*")) == [SECRET]


def test_a_forgotten_tenant_sees_nothing(application: Connection) -> None:
    assert {table: count(application, table) for table in tables()} == dict.fromkeys(tables(), 0)


@pytest.mark.parametrize("said", ["", " ", "tenant", "%", "' OR true --"])
def test_an_empty_or_unknown_tenant_sees_nothing(application: Connection, said: str) -> None:
    with application.transaction():
        enter(application, said)
        assert sum(count(application, table) for table in tables()) == 0


def test_the_right_tenant_sees_its_own_rows(application: Connection, ana: str) -> None:
    """Without this the other tests would prove nothing."""
    with application.transaction():
        enter(application, ana)
        filled = {table for table in tables() if count(application, table)}
    assert filled >= {
        "tenants", "memories", "passages", "vectors", "models", "events", "projects", "pools", "sessions",
        "sources", "erased", "facts",
    }  # fmt: skip


def test_the_tenant_ends_with_the_transaction(application: Connection, ana: str) -> None:
    """After a commit, a rollback and an error the connection belongs to nobody, as a pool needs it."""
    with application.transaction():
        enter(application, ana)
        assert count(application, "memories") > 0
    assert count(application, "memories") == 0
    with application.transaction(force_rollback=True):
        enter(application, ana)
        assert count(application, "memories") > 0
    assert count(application, "memories") == 0
    with pytest.raises(errors.DivisionByZero):
        inside(application, ana, "SELECT 1 / 0")
    assert count(application, "memories") == 0


def test_a_connection_goes_back_to_the_pool_without_a_tenant(opened: Open, ana: str) -> None:
    """After reading, after writing, and after an error in the middle of either."""
    store = opened(ana)
    memory = memory_on(store)
    memory.recall("vault", project="works")
    memory.remember("Another note")
    for use in (store.read, store.write):
        with pytest.raises(ZeroDivisionError), use():
            raise ZeroDivisionError
    _nobody(store)


def _nobody(store: PostgresStore) -> None:
    pool = store._tenant._pool
    seen = 0
    while pool.get_stats().get("pool_available", 0):
        connection = pool.getconn()
        seen += 1
        assert count(connection, "memories") == 0
        connection.close()
        pool.putconn(connection)
    assert seen > 0


@pytest.mark.parametrize("where", ["another", "", None])
def test_no_row_can_be_written_into_another_tenant(
    application: Connection, ana: str, where: str | None
) -> None:
    """WITH CHECK, for new rows and for rows that are changed."""
    refused = (errors.InsufficientPrivilege, errors.CheckViolation)
    with pytest.raises(refused):
        inside(application, where, "INSERT INTO holdfast.tenants (tenant_id) VALUES ('new')")
    with pytest.raises(refused):
        inside(application, ana, "UPDATE holdfast.models SET tenant_id = 'another'")
    with pytest.raises(refused):
        inside(application, ana, "UPDATE holdfast.models SET tenant_id = ''")


def test_rows_of_others_can_be_neither_changed_nor_removed(application: Connection, ana: str) -> None:
    with application.transaction():
        enter(application, "another")
        for table in ("memories", "vectors", "facts", "passages"):
            name = sql.Identifier(table)
            assert application.execute(sql.SQL("DELETE FROM holdfast.{}").format(name)).rowcount == 0
        assert application.execute("UPDATE holdfast.memories SET text = 'x'").rowcount == 0


def test_the_owner_of_the_tables_is_bound_too(ana: str) -> None:
    """FORCE: the role for migrations reads no memory unless it says whose."""
    with psycopg.connect(url(OWNER), autocommit=True) as connection:
        assert sum(count(connection, table) for table in tables()) == 0


def test_switching_row_security_off_is_an_error_and_not_a_way_in(application: Connection, ana: str) -> None:
    with application.transaction(force_rollback=True):
        application.execute("SET LOCAL row_security = off")
        with pytest.raises(errors.InsufficientPrivilege):
            count(application, "memories")


def test_copy_is_bound_too(application: Connection, ana: str) -> None:
    with application.cursor() as cursor:
        with cursor.copy("COPY holdfast.memories TO STDOUT") as copy:
            assert list(copy) == []
        with cursor.copy("COPY (SELECT text FROM holdfast.memories) TO STDOUT") as copy:
            assert list(copy) == []
        with pytest.raises(psycopg.Error), cursor.copy("COPY holdfast.erased FROM STDIN") as copy:
            copy.write(f"{ana}\t1\t1\n")


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE holdfast.memories CASCADE",
        "ALTER TABLE holdfast.memories NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON holdfast.memories",
        "CREATE POLICY mine ON holdfast.memories USING (true)",
        "CREATE TABLE holdfast.mine (x int)",
        "UPDATE holdfast.events SET actor = 'nobody'",
        "DELETE FROM holdfast.events",
        "DELETE FROM holdfast.tenants",
        "UPDATE holdfast.schema_versions SET version = 0",
        "SELECT holdfast.admit_application('public')",
        "SET ROLE holdfast_owner",
        "SET SESSION AUTHORIZATION holdfast_owner",
    ],
)
def test_the_application_cannot_open_the_wall(application: Connection, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        application.execute(statement.encode())


def test_an_error_about_a_key_tells_nothing_of_other_tenants(opened: Open, ana: str) -> None:
    """Unique keys begin with the tenant: the same id, project and external id can stand in both."""
    memory = memory_on(opened(), seed=7)
    other = memory_on(opened(), seed=7)
    first = memory.remember("The same", external_id="x", project="works")
    second = other.remember("The same", external_id="x", project="works")
    assert (first.outcome, second.outcome) == ("created", "created")
    assert first.memory == second.memory


def test_a_prepared_statement_knows_no_tenant(application: Connection, ana: str) -> None:
    """A plan that was made and kept for one tenant asks anew whose rows it may see, each time."""
    application.execute("SET plan_cache_mode = force_generic_plan")
    application.execute("PREPARE everything AS SELECT count(*) FROM holdfast.memories")
    seen = []
    for tenant in (ana, "another", None, ana, ""):
        with application.transaction():
            if tenant is not None:
                enter(application, tenant)
            seen.append(application.execute("EXECUTE everything").fetchone())
    assert seen[0] == seen[3] != (0,)
    assert seen[1] == seen[2] == seen[4] == (0,)


NEAREST = """
SELECT passage FROM holdfast.vectors
ORDER BY vector::{schema}.halfvec(32) OPERATOR({schema}.<=>) %s::{schema}.halfvec(32) LIMIT 10
"""


def test_gates_a_small_tenant_beside_a_large_one_gets_its_ten(opened: Open) -> None:
    """An approximate index of the server finds what is nearest of all tenants and then leaves out what is not
    the tenant's: 0 of 10, unless it goes on looking. Holdfast asks no index that holds more than one pool."""
    database = make_database(unique("nearest"))
    large, small = (memory_on(opened(name, database)) for name in ("large", "small"))
    texts_of = {large: ("harbour at noon", 600), small: ("lighthouse in spring", 10)}
    for memory, (about, number) in texts_of.items():
        messages = [{"role": "user", "content": f"{about} {n}"} for n in range(number)]
        memory.add_messages(messages, session="talk")
    question = "harbour at noon"
    vector = str(HashEmbedder().embed([question])[0].tolist())
    with as_superuser(database) as connection:
        row = connection.execute(
            "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
            " WHERE e.extname = 'vector'"
        ).fetchone()
        assert row is not None
        schema = str(row[0])
        connection.execute(
            f"CREATE INDEX nearest ON holdfast.vectors USING hnsw ((vector::{schema}.halfvec(32))"
            f" {schema}.halfvec_cosine_ops)".encode()
        )
        connection.execute("ANALYZE")
    found = {}
    with psycopg.connect(url(APPLICATION, database), autocommit=True) as connection:
        for scan in ("off", "strict_order"):
            with connection.transaction():
                enter(connection, "small")
                connection.execute(f"SET LOCAL hnsw.iterative_scan = {scan}".encode())
                for other in ("enable_seqscan", "enable_sort", "enable_bitmapscan"):
                    connection.execute(f"SET LOCAL {other} = off".encode())
                query = NEAREST.format(schema=schema).encode()
                found[scan] = len(connection.execute(query, [vector]).fetchall())
    assert found == {"off": 0, "strict_order": 10}
    assert small.recall(question, mode="vectors", limit=10).searched == 10
