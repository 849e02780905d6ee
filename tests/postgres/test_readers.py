"""Reading a database on a server: what it holds, and neither its credentials nor personal values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from psycopg import sql

from holdfast import Memory
from holdfast.core.errors import InvalidInput
from holdfast.features.reconcile.entities import entities_of, type_of
from holdfast.readers import servers
from tests.postgres.server import as_superuser, unique, url


def database(statements: str) -> str:
    """Returns the name of a new database with these tables."""
    name = unique("warehouse")
    with as_superuser() as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    with as_superuser(name) as connection:
        connection.execute(statements)
    return name


def texts(payload: dict[str, object]) -> dict[str, str]:
    """Returns the description of each part, or after a `!` why it has none."""
    json.dumps(payload)
    return {
        one.id: f"!{one.error}" if one.error else type_of(one.type).describe(one, str(payload["name"])).text
        for one in entities_of(payload)
    }


def test_a_database_on_a_server_has_comments_keys_and_references() -> None:
    name = database(
        """CREATE TABLE customers (id int PRIMARY KEY, email text, city text);
        COMMENT ON TABLE customers IS 'Everybody who ever ordered';
        CREATE SCHEMA sales;
        CREATE TABLE sales.orders (customer int REFERENCES customers (id), total numeric(9,2));
        COMMENT ON COLUMN sales.orders.total IS 'in francs, without tax';
        CREATE VIEW sales.broken AS SELECT 1 / (SELECT count(*) FROM customers WHERE id < 0) AS x;
        CREATE SCHEMA "Odd Schema";
        CREATE TABLE "Odd Schema"."The ""Table"" – ü" ("select" int, "%s" text, "{x}" text);
        CREATE TABLE without_columns ();
        INSERT INTO customers SELECT n, 'p' || n || '@example.org', 'Bern' FROM generate_series(1, 50) n;
        INSERT INTO sales.orders SELECT n, n / 2.0 FROM generate_series(1, 50) n"""
    )
    found = texts(servers.read(url("postgres", name)))
    odd = 'Odd Schema.The "Table" – ü'
    assert set(found) == {
        "customers", "sales.orders", "sales.broken", odd, "without_columns", "connection",
    }  # fmt: skip
    assert "50 rows, 3 columns. Everybody who ever ordered. One row for each id." in found["customers"]
    assert "customer refers to customers (id)." in found["sales.orders"]
    assert "total (numeric(9,2), 0.5 to 25): in francs, without tax" in found["sales.orders"]
    assert found["sales.broken"] == "!reading it ends with: division by zero"
    assert "Columns: select (integer); %s (text); {x} (text)." in found[odd]
    assert "It offers 5 tables" in found["connection"]
    assert "@" not in json.dumps(found)


def test_of_a_large_table_the_first_rows_are_read_and_that_is_said() -> None:
    name = database(
        """CREATE TABLE big (id int PRIMARY KEY, kind text);
        INSERT INTO big SELECT n, 'k' || n % 3 FROM generate_series(1, 5000) n;
        CREATE TABLE counted (id int);
        INSERT INTO counted SELECT n FROM generate_series(1, 2500) n;
        ANALYZE big"""
    )
    found = texts(servers.read(url("postgres", name)))
    assert (
        "about 5,000 rows, 2 columns. One row for each id. Columns in the first 2,000 rows: id"
        in found["big"]
    )
    assert "about 2,500 rows" in found["counted"], "counted, where the server has no estimate"


def test_long_values_are_read_in_part_and_times_that_nothing_else_has_count_as_empty() -> None:
    name = database(
        """CREATE TABLE notes (body text, extra jsonb, scan bytea, due date, at timestamptz, took interval);
        INSERT INTO notes VALUES
            (repeat('a', 9000000), jsonb_build_object('k', repeat('b', 9000000)), repeat('c', 9000)::bytea,
             'infinity', '-infinity', '2 days'),
            ('short', '{}', NULL, '5874897-12-31', '0044-03-15 BC', '-5 days')"""
    )
    payload = servers.read(url("postgres", name))
    assert len(json.dumps(payload)) < 20_000
    assert "due (date, all empty); at (timestamp with time zone, all empty)" in texts(payload)["notes"]


def test_what_its_user_may_not_read_keeps_what_is_known(tmp_path: Path) -> None:
    name = database(
        """CREATE TABLE orders (id int PRIMARY KEY, total int, margin int);
        CREATE SCHEMA hidden; CREATE TABLE hidden.wages (id int);
        INSERT INTO orders VALUES (1, 20, 3)"""
    )
    role = unique("reporter")
    with as_superuser(name) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN; GRANT SELECT (id, total) ON orders TO {role}")
    address = url("postgres", name)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert memory.reconcile(address).created == 3
        limited = memory.reconcile(address.replace("postgres@", f"{role}@"))
        assert (limited.removed, [change.why for change in limited.changes if change.action == "failed"]) == (
            0, [servers.NO_RIGHT],
        )  # fmt: skip
        known = {record.external_id: record.text for record in memory.list().memories}
    assert "hidden.wages" in known
    assert "2 columns" in known["orders"], "only those that its user may read"
    assert "hidden" not in known["connection"]


def test_a_server_that_goes_away_half_way_changes_nothing(tmp_path: Path) -> None:
    name = database("CREATE TABLE a (id int); CREATE TABLE z (id int)")
    address = url("postgres", name)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert memory.reconcile(address).created == 3
        before = {record.id: record.version for record in memory.list().memories}
        with as_superuser(name) as connection:
            connection.execute(
                """DROP TABLE z; ALTER TABLE a ADD more int;
                CREATE VIEW b AS SELECT pg_terminate_backend(pg_backend_pid())"""
            )
        with pytest.raises(InvalidInput) as refused:
            memory.reconcile(address)
        assert refused.value.code == "file_unreadable"
        assert {record.id: record.version for record in memory.list().memories} == before


@pytest.mark.parametrize(
    "address", ["postgresql://ana:hunter2@[::1/shop", "postgresql://ana:hunter2@db:port/shop"]
)
def test_an_address_that_is_none_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        servers.name_of(address)
    assert refused.value.code == "file_unreadable"
    assert "hunter2" not in str(refused.value) + str(refused.value.hint)
