"""SQLite databases: tables and views with columns, keys, references and ranges; opened for reading only."""

from __future__ import annotations

import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.reconciled import DATA_TABLE, FILE, FILE_ID, Entity, payload_with
from holdfast.language.code_outline import tables_of
from holdfast.readers import profile
from holdfast.readers.steps import limit_steps

SUFFIXES = frozenset({".db", ".sqlite", ".sqlite3", ".db3"})
MAGIC = b"SQLite format 3\0"
STORE, HEAD = b"HOLD", 72
"""What a store of Holdfast has as its application id, and the length of a header that ends with it."""


def is_database(path: Path) -> bool:
    """Returns whether a file is a SQLite database, but for a store of memories."""
    head = _head(path)
    return head.startswith(MAGIC) and not _is_of_store(head)


def is_store(path: Path) -> bool:
    """Returns whether a file is a store of Holdfast: what it holds is no news to it."""
    head = _head(path)
    return head.startswith(MAGIC) and _is_of_store(head)


def _head(path: Path) -> bytes:
    # a pipe must not be waited for
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        return file.read(HEAD) or b""


def _is_of_store(head: bytes) -> bool:
    return head[HEAD - len(STORE) :] == STORE


def read(path: Path) -> dict[str, Any]:
    """Returns the payload of a database. Raises InvalidInput `file_unreadable`."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            entities = list(_entities(connection))
    except sqlite3.Error as error:
        raise InvalidInput(
            f"{path.name} cannot be read as a SQLite database: {error}", code="file_unreadable",
            hint="close the program that holds it locked, or check the file",
        ) from None  # fmt: skip
    tables = [entity for entity in entities if entity.data["kind"] == "table"]
    views = [entity.id for entity in entities if entity.data["kind"] == "view"]
    whole = {"kind": "SQLite database", **linked(tables), "views": views}
    if entities:  # of one without tables there is nothing to say
        entities.append(Entity(FILE, FILE_ID, {key: value for key, value in whole.items() if value}))
    return payload_with(path.name, "sqlite", entities)


def linked(tables: Sequence[Entity]) -> dict[str, Any]:
    """Notes in each table which others refer to it. Returns the tables by size, and their links."""
    links: defaultdict[str, list[str]] = defaultdict(list)
    by_id = {table.id: table for table in tables}
    for table in tables:
        for reference in table.data.get("references", ()):
            other = str(reference["table"])
            if other not in links[table.id]:
                links[table.id].append(other)
            if other in by_id and other != table.id:
                others = by_id[other].data.setdefault("referenced_by", [])
                others += [table.id] if table.id not in others else []
    rows = {table.id: table.data.get("rows") for table in tables}
    sized = sorted(rows, key=lambda name: (-(rows[name] or 0), name))
    return {
        "tables": [{"name": name} | ({} if rows[name] is None else {"rows": rows[name]}) for name in sized],
        "links": [f"{name} to {' and '.join(links[name])}" for name in sized if links[name]],
    }


def _entities(connection: sqlite3.Connection) -> Iterator[Entity]:
    """Yields the tables and views of a database, each within a budget of steps."""
    listed = connection.execute(
        "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view')"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ).fetchall()
    shadows = _shadows(connection)
    for name, kind, statement in listed:
        if name in shadows:
            continue
        is_spent = limit_steps(connection)
        try:
            data = _table(connection, name, kind)
            if kind == "view":
                data |= {"definition": statement, "computed_from": tables_of(statement)}
            yield Entity(DATA_TABLE, name, data)
        except sqlite3.Error as error:  # a view over a table that is gone
            why = "it takes too long to compute" if is_spent() else str(error)
            yield Entity(DATA_TABLE, name, {"kind": kind}, why)
        except MemoryError:
            yield Entity(DATA_TABLE, name, {"kind": kind}, "it takes too much memory to compute")


def _shadows(connection: sqlite3.Connection) -> set[str]:
    """Returns the tables behind virtual tables, such as those of an index of words."""
    try:
        rows = connection.execute("PRAGMA table_list").fetchall()
    except sqlite3.Error:
        return set()
    return {name for _, name, kind, *_ in rows if kind == "shadow"}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _clipped(column: str) -> str:
    """Returns the expression for as much of a value as is looked at."""
    return (
        f"CASE typeof({column}) WHEN 'text' THEN substr({column}, 1, {profile.VALUE_READ})"
        f" WHEN 'blob' THEN x'00' ELSE {column} END"
    )


def _table(connection: sqlite3.Connection, name: str, kind: str) -> dict[str, Any]:
    """Returns a table with its rows counted, its columns profiled, its keys and references."""
    table = _quoted(name)
    described = connection.execute(f"PRAGMA table_info({table})").fetchall()
    values = ", ".join(_clipped(_quoted(title)) for _, title, *_ in described) or "NULL"
    rows = connection.execute(f"SELECT {values} FROM {table} LIMIT {profile.ROWS}").fetchall()  # noqa: S608
    count = len(rows)
    if count == profile.ROWS:
        count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    columns = [
        profile.column(title, (row[at] for row in rows), declared=declared.lower() or None)
        for at, (_, title, declared, *_) in enumerate(described)
    ]
    keys = [title for _, title, _, _, _, place in sorted(described, key=lambda column: column[5]) if place]
    references: dict[int, dict[str, Any]] = {}
    for number, _, other, ours, theirs, *_ in connection.execute(f"PRAGMA foreign_key_list({table})"):
        reference = references.setdefault(number, {"table": other, "columns": [], "to": []})
        reference["columns"].append(ours)
        if theirs is not None:
            reference["to"].append(theirs)
    data = {
        "kind": kind, "name": name, "rows": count, "columns": columns,
        "sampled": len(rows) if len(rows) < count else None, "keys": keys or profile.keys_of(columns),
        "references": [references[number] for number in sorted(references)],
    }  # fmt: skip
    return {key: value for key, value in data.items() if value not in (None, [])}
