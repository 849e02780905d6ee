"""Checks of a SQLite store: the file itself, and consistency of texts, words and vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from holdfast.core.errors import Damaged, StoreError
from holdfast.stores.sql.recheck import differing, problem_lines
from holdfast.stores.sqlite.blocks import wrong_blocks
from holdfast.stores.sqlite.connection import translated
from holdfast.stores.sqlite.seals import broken, definitions, is_of_other_development, is_sealed_schema
from holdfast.stores.sqlite.sql import migrations, statements

if TYPE_CHECKING:
    from holdfast.stores.base.derived import Derive


UNRELEASED = "its schema is that of a development version, which was never released"


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


@contextmanager
def explained(path: Path, connect: Callable[[], apsw.Connection]) -> Iterator[None]:
    """Translates errors. A statement that fails need not mean damage: another development version may have
    made the file, and nobody has changed its schema since."""
    try:
        with translated(path):
            yield
    except Damaged as error:
        is_unreleased = False
        if isinstance(error.__cause__, apsw.SQLError):
            with suppress(apsw.Error), closing(connect()) as connection:
                is_unreleased = is_of_other_development(connection, own_schema())
        if not is_unreleased:
            raise
        raise StoreError(
            f"{path} cannot be read by this version: {UNRELEASED}", code="store_unreleased",
            hint="export it with the version that made it, and import that into a new store",
        ) from error  # fmt: skip


@cache
def own_schema() -> dict[str, str]:
    """Returns what a file of this version defines."""
    with closing(apsw.Connection(":memory:")) as model:
        for _, script in migrations():
            model.execute(script)
        return definitions(model)


def _altered_schema(connection: apsw.Connection) -> Iterator[str]:
    """Yields what the file defines otherwise than Holdfast does: a foreign trigger would change rows in the
    transactions of Holdfast itself, and their seals with them."""
    own, there = own_schema(), definitions(connection)
    if is_of_other_development(connection, own):
        yield UNRELEASED
        return
    if there == own and not is_sealed_schema(connection, own):
        yield "the seal of the schema is not that of the schema"
    for name in sorted(own.keys() | there.keys()):
        if name not in own:
            yield f"{name} is not of Holdfast"
        elif name not in there:
            yield f"{name} is gone"
        elif own[name] != there[name]:
            yield f"{name} is not as Holdfast defined it"


def _orphans(connection: apsw.Connection) -> Iterator[tuple[str, str]]:
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of {table} refers to nothing in {parent}", "its key" if row is None else str(row)


def _unlawful(connection: apsw.Connection, derive: Derive | None) -> Iterator[tuple[str, Any]]:
    """Yields the violated rules of the stored data, each with the row concerned."""
    rules = dict(statements("checking.sql"))
    read = {name: rules.pop(name) for name in ("stored", "derived")}
    for name, sql in rules.items():
        for row in connection.execute(sql):
            yield name.replace("_", " "), row[0]

    def fetch(name: str, values: dict[str, Any]) -> Iterable[tuple[Any, ...]]:
        return connection.execute(read[name], values)

    yield from differing(fetch, derive, halves="<f2")
