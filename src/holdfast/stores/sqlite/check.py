"""Checks of a SQLite store: the file itself, and consistency of texts, words and vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

import apsw

from holdfast.stores.sql.recheck import differing, problem_lines
from holdfast.stores.sqlite.blocks import wrong_blocks
from holdfast.stores.sqlite.seals import broken
from holdfast.stores.sqlite.sql import migrations, statements

if TYPE_CHECKING:
    from holdfast.stores.base.derived import Derive


def problems(connection: apsw.Connection, *, thorough: bool, derive: Derive | None = None) -> list[str]:
    """Returns descriptions of problems; empty if the file is sound. Thorough also compares all rows with
    their seals, and each memory with its hash, its words and its vectors.
    """
    messages: list[str] = []
    try:
        messages += [
            str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"
        ]
        messages += problem_lines(_orphans(connection))
        if thorough:
            messages += broken(connection)
            messages += _altered_schema(connection)
            messages += problem_lines(_unlawful(connection, derive))
            messages += problem_lines(wrong_blocks(connection))
    except (apsw.Error, UnicodeDecodeError, JSONDecodeError) as error:
        messages.append(f"the file is corrupt: {error}")
    return messages


def _altered_schema(connection: apsw.Connection) -> Iterator[str]:
    """Yields what the file defines otherwise than Holdfast does: a foreign trigger would change rows in the
    transactions of Holdfast itself, and their seals with them."""
    read = statements("checking.sql")["schema"]
    with closing(apsw.Connection(":memory:")) as model:
        for _, script in migrations():
            model.execute(script)
        own = dict(_defined(model, read))
    there = dict(_defined(connection, read))
    for name in sorted(own.keys() | there.keys()):
        if name not in own:
            yield f"{name} is not of Holdfast"
        elif name not in there:
            yield f"{name} is gone"
        elif own[name] != there[name]:
            yield f"{name} is not as Holdfast defined it"


def _defined(connection: apsw.Connection, read: str) -> Iterator[tuple[str, str]]:
    for type, name, sql in connection.execute(read):
        yield f"{type} {name}", sql


def _orphans(connection: apsw.Connection) -> Iterator[tuple[str, str]]:
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of {table} refers to nothing in {parent}", "its key" if row is None else str(row)


def _unlawful(connection: apsw.Connection, derive: Derive | None) -> Iterator[tuple[str, Any]]:
    rules = dict(statements("checking.sql"))
    read = {name: rules.pop(name) for name in ("stored", "derived", "schema")}
    for name, sql in rules.items():
        for row in connection.execute(sql):
            yield name.replace("_", " "), row[0]

    def fetch(name: str, values: dict[str, Any]) -> Iterable[tuple[Any, ...]]:
        return connection.execute(read[name], values)

    yield from differing(fetch, derive, halves="<f2")
