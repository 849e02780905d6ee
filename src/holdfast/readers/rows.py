"""Rows of SQLite databases of other programs, which may be running: read only, without files of our own."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.core.errors import InvalidInput


def tables_of(source: Path | bytes) -> frozenset[str]:
    """Returns the names of the tables of a database. Raises InvalidInput `file_unreadable`."""
    with _copied(source) as connection:
        rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return frozenset(name for (name,) in rows if not name.startswith("sqlite_"))


def rows_of(source: Path | bytes, table: str, *, newest_first: bool = False) -> Iterator[dict[str, Any]]:
    """Yields the rows of a table by the names of their columns, in the order of writing. The program that the
    database belongs to may be running; nothing next to the file is written. Raises InvalidInput
    `file_unreadable`."""
    name, order = table.replace('"', '""'), "DESC" if newest_first else "ASC"
    with _copied(source) as connection:
        connection.row_factory = sqlite3.Row
        for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY rowid {order}'):  # noqa: S608
            yield dict(row)


@contextmanager
def _copied(source: Path | bytes) -> Iterator[sqlite3.Connection]:
    """Opens a database that is not changed by reading it: as it is, or a copy where changes wait in a log."""
    with ExitStack() as stack:
        try:
            if isinstance(source, bytes):
                connection = stack.enter_context(closing(sqlite3.connect(":memory:")))
                connection.deserialize(source)
            else:
                path, log = source.resolve(), Path(f"{source.resolve()}-wal")
                if log.exists():
                    folder = Path(stack.enter_context(TemporaryDirectory(prefix="holdfast-")))
                    path = Path(shutil.copyfile(path, folder / "copy.db"))
                    shutil.copyfile(log, folder / "copy.db-wal")
                address = f"{path.as_uri()}?mode=ro" + ("" if log.exists() else "&immutable=1")
                connection = stack.enter_context(closing(sqlite3.connect(address, uri=True, timeout=10)))
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield connection
        except (sqlite3.Error, OSError) as error:
            raise InvalidInput(
                f"the SQLite database cannot be read: {error}", code="file_unreadable",
                hint="close the program that uses it, or check the file",
            ) from None  # fmt: skip
