"""Changes made to the file by somebody else: the doctor notices each, and never ends in a traceback."""

# ruff: noqa: S608

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import apsw
import pytest

from holdfast.api.memory import Memory
from holdfast.core.errors import HoldfastError
from holdfast.core.wire import to_plain
from tests.reliability.tampering import UNNOTICED, Change, changes, populate, row_key
from tests.reliability.workload import opened

GARBAGE = ("NULL", "x'ff00fe'", "'{'", "'no such thing'", "-9223372036854775808", "1.5", "''")
"""What no column holds, whatever its type."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with rows in every table, closed."""
    folder = tmp_path_factory.mktemp("sound")
    with opened(folder / "a.db") as memory:
        populate(memory, folder)
        assert memory.doctor().problems == ()
    return folder / "a.db"


def tables(path: Path) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """Yields each table with its columns and a condition that names its last row."""
    connection = apsw.Connection(str(path))
    for (table,) in list(
        connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
    ):
        info = list(connection.execute("SELECT name, type, pk FROM pragma_table_info(?)", (table,)))
        keys = [name for name, _, part in sorted(info, key=lambda one: one[2]) if part]
        row = connection.execute(
            f"SELECT {', '.join(keys)} FROM {table} ORDER BY {keys[0]} DESC LIMIT 1"
        ).fetchone()
        assert row is not None, f"{table} is empty, so nothing of it is tried"
        yield table, [(name, type) for name, type, _ in info], row_key(keys, row)
    connection.close()


def problems_after(path: Path, folder: Path, change: Change, *, reads: bool = True) -> tuple[str, ...] | None:
    """Returns what the doctor says of a copy with one change, after which everything is read; None if no form
    of it changes anything."""
    copy = folder / "copy.db"
    for end in ("", ".head"):
        shutil.copyfile(f"{path}{end}", f"{copy}{end}")
    connection = apsw.Connection(str(copy))
    is_done = any(_accepted(connection, statement) for statement in change.statements)
    if not is_done:  # what breaks a rule of the schema is a change too
        connection.pragma("ignore_check_constraints", True)
        is_done = any(_accepted(connection, statement) for statement in change.statements)
    connection.close()
    if not is_done:
        return None
    with opened(copy) as memory:
        problems = memory.doctor().problems
        if reads:
            read_everything(memory)
        return problems


def read_everything(memory: Memory) -> None:
    """Reads through every area: each result can be written, each error has a code."""
    for read in (
        memory.list, memory.stats, memory.quality, memory.audit.list, memory.facts.list, memory.entities.list,
        memory.sessions.list, memory.projects.list, memory.folders.list, memory.sources.list,
        memory.jobs.list, memory.members.list, memory.review.inbox,
        lambda: list(memory.export()),
        lambda: memory.facts.history("colours"),
        lambda: memory.recall("lanterns of the harbour", project="shop"),
        lambda: memory.context("what opens the harbour", project="shop", session="work"),
        lambda: memory.sessions.messages("monday"),
        lambda: memory.entities.neighbourhood("Lena", project="shop"),
        lambda: [memory.history(event.subject or "") for event in memory.audit.list()],
        lambda: [memory.get(record.id) for record in memory.list(project="shop").memories],
        lambda: memory.maps.get("shop"),
    ):  # fmt: skip
        with suppress(HoldfastError):
            to_plain(read())


def _accepted(connection: apsw.Connection, statement: str) -> bool:
    before = connection.total_changes()
    with suppress(apsw.ConstraintError, apsw.MismatchError):
        connection.execute(statement)
    return connection.total_changes() > before


def test_changes_of_columns_and_rows_are_noticed(sound: Path, tmp_path: Path) -> None:
    """Every third change of a table."""
    check_changes(sound, tmp_path, every=3)


@pytest.mark.slow
def test_every_change_of_a_column_or_row_is_noticed(sound: Path, tmp_path: Path) -> None:
    check_changes(sound, tmp_path, every=1)


def check_changes(sound: Path, folder: Path, *, every: int) -> None:
    """Tries one change each, in a copy; those that cannot be noticed are listed with the reason."""
    all_changes = [change for table in tables(sound) for change in changes(*table)]
    assert len(all_changes) >= 198
    chosen = all_changes[::every]
    unnoticed: set[tuple[str, str]] = set()
    for number, change in enumerate(chosen):
        problems = problems_after(sound, folder, change, reads=number % 4 == 0)
        assert problems is not None, f"nothing could be changed: {change.table}.{change.what}"
        if not problems:
            unnoticed.add((change.table, change.what))
    expected = set(UNNOTICED) & {(change.table, change.what) for change in chosen}
    assert unnoticed == expected, "these changes are not noticed"


def test_no_garbage_in_a_column_ends_in_a_traceback(sound: Path, tmp_path: Path) -> None:
    garbage = cycle(GARBAGE)
    for table, columns, key in tables(sound):
        for name, _ in columns:
            value = next(garbage)
            text = f'UPDATE {table} SET "{name}" = {value} WHERE {key} AND "{name}" IS DISTINCT FROM {value}'
            problems = problems_after(sound, tmp_path, Change(table, name, (text,)))
            assert problems is None or problems or (table, name) in UNNOTICED, text


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON memories BEGIN UPDATE memories SET status = 'approved'; END",
        "CREATE VIEW everything AS SELECT * FROM memories",
        "CREATE TABLE copies (text)",
        "CREATE INDEX memories_by_text ON memories (text)",
        "DROP INDEX memories_by_change",
        "ALTER TABLE members ADD COLUMN note TEXT",
        "DROP TABLE tombstones",
    ],
)
def test_what_the_file_defines_otherwise_is_noticed(sound: Path, tmp_path: Path, statement: str) -> None:
    """A foreign trigger would act inside the transactions of Holdfast, which seal what it does."""
    copy = tmp_path / "copy.db"
    for end in ("", ".head"):
        shutil.copyfile(f"{sound}{end}", f"{copy}{end}")
    connection = apsw.Connection(str(copy))
    connection.execute(statement)
    connection.close()
    with opened(copy) as memory:
        assert memory.doctor().problems


def test_a_table_that_is_gone_ends_in_an_error_with_a_code(sound: Path, tmp_path: Path) -> None:
    """Of each table, also of the words and of the vectors."""
    copy = tmp_path / "copy.db"
    for table, _, _ in tables(sound):
        for end in ("", ".head"):
            shutil.copyfile(f"{sound}{end}", f"{copy}{end}")
        connection = apsw.Connection(str(copy))
        connection.pragma("foreign_keys", False)
        connection.execute(f"DROP TABLE {table}")
        connection.close()
        with suppress(HoldfastError), opened(copy) as memory:
            assert memory.doctor().problems, table
            read_everything(memory)
            memory.remember("The lamp room is locked at night", project="shop")
