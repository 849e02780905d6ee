"""PostgreSQL databases: tables and views with columns, keys, references, comments.

They are read in one snapshot that cannot write. Neither user nor password is part of what is kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

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
"""After which a connection that is not made is given up."""
STATEMENT_SECONDS = 10
"""After which the rows of one table are given up, such as those of a slow view."""
COUNT_SECONDS = 3
"""After which counting is given up: the planner of the server then says how many rows there are."""
NO_RIGHT = "its user may not read it"
"""Why a table keeps what is known of it if the user of the address has no right to its rows."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+")

_TABLES = """
SELECT n.nspname, c.relname, c.relkind::text, c.reltuples::bigint, obj_description(c.oid, 'pg_class'),
    c.oid::bigint, has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY 1, 2
"""
_COLUMNS = """
SELECT a.attrelid::bigint, a.attname, format_type(a.atttypid, a.atttypmod),
    col_description(a.attrelid, a.attnum),
    t.typname
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = ANY(%s::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
    AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
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
_PLAIN = frozenset("bool int2 int4 int8 float4 float8 numeric oid uuid".split())
_TIMES = frozenset({"date", "timestamp", "timestamptz"})
_VALUES = {
    "plain": "{column}",
    "time": "CASE WHEN {column} BETWEEN '0001-01-02' AND '9999-12-30' THEN {column} END",
    "binary": "substring({column} FROM 1 FOR 1)",
    "text": "left({column}::text, {most})",
}
"""How values are read: no more of each than is looked at, and no time that Python does not have."""
_KINDS = {"r": "table", "p": "table", "v": "view", "m": "materialized view", "f": "foreign table"}


def is_address(source: str) -> bool:
    """Returns whether a source is the address of a database."""
    return source.partition("://")[0].lower() in SCHEMES and "://" in source


def check_known(source: str) -> None:
    """Checks that an address is not of a kind that has no reader. Raises InvalidInput `format_unknown`, which
    names neither user nor password."""
    scheme = source.partition("://")[0].lower()
    if is_address(source) or not _SCHEME.fullmatch(scheme) or "://" not in source:
        return
    plain = scheme.partition("+")[0]
    if plain in SCHEMES:
        hint = f"without the driver: {plain}://USER:PASSWORD@HOST:5432/NAME"
    elif plain in ("sqlite", "file"):
        hint = f"name the path of the file, without {scheme}://"
    else:
        hint = (
            "export its tables as .csv or .parquet files and reconcile their folder,"
            " or send what they hold as a payload from a program"
        )
    raise InvalidInput(
        f"addresses that begin with {scheme}:// cannot be reconciled; of databases on servers only PostgreSQL"
        " can", code="format_unknown", hint=hint,
    )  # fmt: skip


def name_of(address: str) -> str:
    """Returns an address without user, password and parameters, but for a server that these name, such as by
    the folder of its socket. Raises InvalidInput `file_unreadable`."""
    try:
        parts = urlsplit(address)
        named = dict(parse_qsl(parts.query))
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:  # it may quote the password
        raise InvalidInput(
            "the address of the database cannot be read: brackets, or a port that is no number",
            code="file_unreadable", hint="postgresql://USER:PASSWORD@HOST:5432/NAME",
        ) from error  # fmt: skip
    server: dict[str, str] = {key: named[key] for key in ("host", "port") if key in named}
    if server and not parts.hostname:
        return f"postgresql://{parts.path}?{urlencode(server, safe='/')}"
    return f"postgresql://{parts.hostname or 'localhost'}{port}{parts.path}"


def read(address: str) -> dict[str, Any]:
    """Returns the payload of a database. Raises InvalidInput `file_unreadable`, `extra_missing`."""
    psycopg = required("psycopg", "postgres", "a PostgreSQL database")
    try:
        with psycopg.connect(address, connect_timeout=SECONDS) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            _limit(connection, SECONDS)
            entities = _entities(psycopg, connection)
            (name,) = connection.execute("SELECT current_database()").fetchone()
    except psycopg.Error as error:
        raise InvalidInput(
            f"the database cannot be read: {masked(str(error).splitlines()[0])}", code="file_unreadable",
            hint="check the address, the password and the rights of its user",
        ) from None  # fmt: skip
    offered = [entity for entity in entities if entity.error != NO_RIGHT]
    whole = {"name": str(name), "kind": "PostgreSQL database", **linked(offered)}
    return payload_with(str(name), "postgresql", [*entities, Entity(CONNECTION, "connection", whole)])


def _entities(psycopg: Any, connection: Any) -> list[Entity]:
    """Returns the tables and views of a database server with their columns, keys and comments."""
    tables = connection.execute(_TABLES).fetchall()
    numbers = [row[5] for row in tables]
    columns, keys, references = defaultdict(list), {}, defaultdict(list)
    for number, *column in connection.execute(_COLUMNS, (numbers,)):
        columns[number].append(column)
    for number, kind, schema, other, ours, theirs in connection.execute(_CONSTRAINTS, (numbers,)):
        if kind == "p":
            keys[number] = ours
        else:
            references[number].append(
                {"table": _qualified_name(schema, other), "columns": ours, "to": theirs}
            )
    entities = []
    for schema, table, kind, estimate, comment, number, is_readable in tables:
        id = _qualified_name(schema, table)
        if not is_readable:
            entities.append(Entity(DATA_TABLE, id, {"name": id}, NO_RIGHT))
            continue
        data: dict[str, Any] = {
            "kind": _KINDS[kind], "name": id, "comment": comment, "keys": keys.get(number),
            "references": references.get(number),
        }  # fmt: skip
        name = psycopg.sql.Identifier(schema, table)
        try:
            with connection.transaction():
                _limit(connection, STATEMENT_SECONDS)
                rows = _sampled(psycopg, connection, name, columns[number])
            data["rows"] = len(rows) if len(rows) < SAMPLED else estimate
            if data["rows"] <= 0 < len(rows):
                data["rows"] = _count(psycopg, connection, name)
        except psycopg.Error as error:
            entities.append(Entity(DATA_TABLE, id, {"name": id}, _why(psycopg, error)))
            continue
        data["sampled"] = len(rows) if len(rows) < (data["rows"] or 0) else None
        data["columns"] = [
            profile.column(title, (row[at] for row in rows), type=type, comment=about)
            for at, (title, type, about, _) in enumerate(columns[number])
        ]
        entities.append(
            Entity(DATA_TABLE, id, {key: value for key, value in data.items() if value not in (None, [])})
        )
    return entities


def _sampled(psycopg: Any, connection: Any, name: Any, columns: list[Any]) -> list[Any]:
    """Returns the first rows of a table, of each value as much as is looked at."""
    sql = psycopg.sql
    values = [
        sql.SQL(_VALUES[_form(type)]).format(column=sql.Identifier(title), most=profile.VALUE_READ)
        for title, _, _, type in columns
    ]
    query = sql.SQL("SELECT {} FROM {} LIMIT {}").format(sql.SQL(", ").join(values), name, SAMPLED)
    rows: list[Any] = connection.execute(query).fetchall()
    return rows


def _form(type: str) -> str:
    """Returns how values of a type are read."""
    if type in _PLAIN:
        return "plain"
    return "time" if type in _TIMES else "binary" if type == "bytea" else "text"


def _count(psycopg: Any, connection: Any, name: Any) -> int:
    """Returns how many rows a table has of which the server has no estimate: counted, or as many as its
    planner expects if that takes long."""
    try:
        with connection.transaction():
            _limit(connection, COUNT_SECONDS)
            query = psycopg.sql.SQL("SELECT count(*) FROM {}").format(name)
            return int(connection.execute(query).fetchone()[0])
    except psycopg.errors.QueryCanceled:
        query = psycopg.sql.SQL("EXPLAIN (FORMAT JSON) SELECT 1 FROM {}").format(name)
        return int(connection.execute(query).fetchone()[0][0]["Plan"]["Plan Rows"])


def _why(psycopg: Any, error: Exception) -> str:
    """Returns why the rows of a table cannot be read, without the message of the server, which may quote a
    value of them."""
    if isinstance(error, psycopg.errors.QueryCanceled):
        return f"its first rows take longer than {STATEMENT_SECONDS} s"
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
    return f"reading it ends with: {words}"


def _limit(connection: Any, seconds: int) -> None:
    """Sets after how many seconds a statement of the transaction is given up."""
    connection.execute(f"SET LOCAL statement_timeout = '{seconds}s'")


def _qualified_name(schema: str, table: str) -> str:
    return table if schema == "public" else f"{schema}.{table}"
