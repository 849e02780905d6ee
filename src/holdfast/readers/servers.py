"""PostgreSQL databases: tables and views with columns, keys, references, comments.

They are read in one snapshot that cannot write. Neither user nor password is part of what is kept.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from urllib.parse import urlsplit

from holdfast.core.errors import InvalidInput
from holdfast.core.masking import masked
from holdfast.core.reconciled import CONNECTION, DATA_TABLE, Entity, payload_with
from holdfast.readers import profile
from holdfast.readers.databases import linked
from holdfast.readers.extras import required

SCHEMES = frozenset({"postgresql", "postgres"})
SAMPLED = 2_000
"""Most rows of a table that are read to profile its columns."""
SECONDS = 30
"""After which one statement is given up."""

_TABLES = """
SELECT n.nspname, c.relname, c.relkind::text, c.reltuples::bigint, obj_description(c.oid, 'pg_class'),
    c.oid::bigint
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
    AND has_table_privilege(c.oid, 'SELECT')
ORDER BY 1, 2
"""
_COLUMNS = """
SELECT attrelid::bigint, attname, format_type(atttypid, atttypmod), col_description(attrelid, attnum)
FROM pg_attribute WHERE attrelid = ANY(%s::oid[]) AND attnum > 0 AND NOT attisdropped
ORDER BY attrelid, attnum
"""
_CONSTRAINTS = """
SELECT k.conrelid::bigint, k.contype::text, t.nspname, f.relname,
    ARRAY(SELECT a.attname FROM unnest(k.conkey) WITH ORDINALITY u(n, i)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY u.i),
    ARRAY(SELECT a.attname FROM unnest(k.confkey) WITH ORDINALITY u(n, i)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY u.i)
FROM pg_constraint k LEFT JOIN pg_class f ON f.oid = k.confrelid
    LEFT JOIN pg_namespace t ON t.oid = f.relnamespace
WHERE k.conrelid = ANY(%s::oid[]) AND k.contype IN ('p', 'f') ORDER BY k.conname
"""
_KINDS = {"r": "table", "p": "table", "v": "view", "m": "materialized view", "f": "foreign table"}


def is_address(source: str) -> bool:
    """Returns whether a source is the address of a database."""
    return urlsplit(source).scheme in SCHEMES


def name_of(address: str) -> str:
    """Returns an address without user, password and parameters."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"postgresql://{parts.hostname or 'localhost'}{port}{parts.path}"


def read(address: str) -> dict[str, Any]:
    """Returns the payload of a database. Raises InvalidInput `file_unreadable`, `extra_missing`."""
    psycopg = required("psycopg", "postgres", "a PostgreSQL database")
    try:
        with psycopg.connect(address, connect_timeout=SECONDS) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            connection.execute(f"SET LOCAL statement_timeout = '{SECONDS}s'")
            entities = _entities(psycopg, connection)
            (name,) = connection.execute("SELECT current_database()").fetchone()
    except psycopg.Error as error:
        raise InvalidInput(
            f"the database cannot be read: {masked(str(error).splitlines()[0])}", code="file_unreadable",
            hint="check the address, the password and the rights of its user",
        ) from None  # fmt: skip
    whole = {"name": str(name), "kind": "PostgreSQL database", **linked(entities)}
    return payload_with(str(name), "postgresql", [*entities, Entity(CONNECTION, "connection", whole)])


def _entities(psycopg: Any, connection: Any) -> list[Entity]:
    tables = connection.execute(_TABLES).fetchall()
    numbers = [row[5] for row in tables]
    columns, keys, references = defaultdict(list), {}, defaultdict(list)
    for number, name, type, comment in connection.execute(_COLUMNS, (numbers,)):
        columns[number].append((name, type, comment))
    for number, kind, schema, other, ours, theirs in connection.execute(_CONSTRAINTS, (numbers,)):
        if kind == "p":
            keys[number] = ours
        else:
            references[number].append({"table": _named(schema, other), "columns": ours, "to": theirs})
    found = []
    for schema, table, kind, estimate, comment, number in tables:
        id = _named(schema, table)
        data: dict[str, Any] = {
            "kind": _KINDS[kind], "name": id, "comment": comment, "keys": keys.get(number),
            "references": references.get(number),
        }  # fmt: skip
        try:
            with connection.transaction():
                rows, data["rows"] = _sampled(psycopg, connection, schema, table, estimate)
        except psycopg.Error as error:
            found.append(Entity(DATA_TABLE, id, {"name": id}, error.__class__.__name__))
            continue
        data["columns"] = [
            profile.column(name, (row[at] for row in rows), type=type, comment=about)
            for at, (name, type, about) in enumerate(columns[number])
        ]
        found.append(
            Entity(DATA_TABLE, id, {key: value for key, value in data.items() if value not in (None, [])})
        )
    return found


def _sampled(psycopg: Any, connection: Any, schema: str, table: str, estimate: int) -> tuple[list[Any], int]:
    """Returns rows of a table, and how many it has: counted if they are few, else as the server estimates."""
    name = psycopg.sql.Identifier(schema, table)
    rows = connection.execute(
        psycopg.sql.SQL("SELECT * FROM {} LIMIT %s").format(name), (SAMPLED,)
    ).fetchall()
    if len(rows) < SAMPLED:
        return rows, len(rows)
    if estimate > 0:
        return rows, estimate
    return rows, connection.execute(psycopg.sql.SQL("SELECT count(*) FROM {}").format(name)).fetchone()[0]


def _named(schema: str, table: str) -> str:
    return table if schema == "public" else f"{schema}.{table}"
