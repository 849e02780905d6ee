"""Rows of SQLite databases of other programs, which may be running: read only, without files of our own.

A database may be made to harm who reads it: tables without end, values that are computed and larger than the
file. So only what is stored in ordinary tables is read, and no more than a database of its size can hold.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.readers.steps import STEPS_MAX, limit_steps

VALUE_MAX = 16 << 20
"""Most bytes of one value."""
_STORED = "type = 'table' AND rootpage > 0 AND sql LIKE 'CREATE TABLE %'"
"""Tables that are stored, which those of modules are not, whatever page they claim."""
_TIMES, _LEAST = 4, 64 << 20
"""Limits on the values read from one table: so many times the size of the database, and so many bytes in any
case. A default value of an added column is stored once and read in each row."""
_STEPS_PER_BYTE = 10
"""Steps to read a byte of small values, with room to spare."""


def tables_of(source: Path | bytes) -> frozenset[str]:
    """Returns the names of the tables of a database. Raises InvalidInput `file_unreadable`."""
    with _copied(source) as connection:
        rows = connection.execute(f"SELECT name FROM sqlite_schema WHERE {_STORED}")  # noqa: S608
        return frozenset(name for (name,) in rows if not name.startswith("sqlite_"))


def rows_of(source: Path | bytes, table: str, *, newest_first: bool = False) -> Iterator[dict[str, Any]]:
    """Yields the rows of a table by the names of its columns but the computed ones, in the order of writing.
    The program that the database belongs to may be running; nothing next to the file is written. Raises
    InvalidInput `file_unreadable`."""
    order = "DESC" if newest_first else "ASC"
    with _copied(source) as connection:
        left = max(_LEAST, _TIMES * _size(connection))
        limit_steps(connection, STEPS_MAX + _STEPS_PER_BYTE * _size(connection))
        table_info = connection.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", (table,))
        # with the table in front, since a quoted name that is no column would be a text
        columns = ", ".join(f"t.{_quoted(name)}" for name, hidden in table_info if not hidden)
        connection.row_factory = sqlite3.Row
        read = f"SELECT {columns} FROM {_quoted(table)} AS t ORDER BY rowid {order}"  # noqa: S608
        for row in connection.execute(read):
            left -= sum(len(value) if isinstance(value, str | bytes) else 1 for value in row)
            if left < 0:
                raise sqlite3.DatabaseError("it gives more than it can hold")
            yield dict(row)


def _size(connection: sqlite3.Connection) -> int:
    """Returns the size of a database in bytes."""
    ((size,),) = connection.execute(
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    )
    return int(size)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


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
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX)
            limit_steps(connection)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield connection
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise InvalidInput(
                f"the SQLite database cannot be read: {error}", code="file_unreadable",
                hint="close the program that uses it, or check the file",
            ) from None  # fmt: skip
