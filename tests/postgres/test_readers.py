"""Reading a database on a server: what it holds, and neither its credentials nor personal values."""

from __future__ import annotations

import json

from psycopg import sql

from holdfast.features.reconcile.entities import entities_of, type_of
from holdfast.readers import servers
from tests.postgres.server import as_superuser, unique, url


def test_a_database_on_a_server_has_comments_keys_and_references() -> None:
    name = unique("warehouse")
    with as_superuser() as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    with as_superuser(name) as connection:
        connection.execute(
            """CREATE TABLE customers (id int PRIMARY KEY, email text, city text);
            COMMENT ON TABLE customers IS 'Everybody who ever ordered';
            CREATE SCHEMA sales;
            CREATE TABLE sales.orders (customer int REFERENCES customers (id), total numeric(9,2));
            COMMENT ON COLUMN sales.orders.total IS 'in francs, without tax';
            CREATE VIEW sales.broken AS SELECT 1 / (SELECT count(*) FROM customers WHERE id < 0) AS x;
            INSERT INTO customers SELECT n, 'p' || n || '@example.org', 'Bern' FROM generate_series(1, 50) n;
            INSERT INTO sales.orders SELECT n, n / 2.0 FROM generate_series(1, 50) n"""
        )
    payload = servers.read(url("postgres", name))
    json.dumps(payload)
    found = {
        one.id: f"!{one.error}" if one.error else type_of(one.type).describe(one, payload["name"]).text
        for one in entities_of(payload)
    }
    assert set(found) == {"customers", "sales.orders", "sales.broken", "connection"}
    assert "50 rows, 3 columns. Everybody who ever ordered. One row for each id." in found["customers"]
    assert "customer refers to customers (id)." in found["sales.orders"]
    assert "total (numeric(9,2), 0.5 to 25): in francs, without tax" in found["sales.orders"]
    assert found["sales.broken"] == "!DivisionByZero"
    assert "It offers 3 tables" in found["connection"]
    assert "@" not in json.dumps(found)
