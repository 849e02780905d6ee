"""Seals: keyed digests over all rows of each table, by which changes made outside of Holdfast are noticed.

The seal of a table is the exclusive or of the digests of its rows, so that it follows each change of a row
without reading the others. SQLite reports every changed row to a hook of the connection that writes, so no
statement can forget it. Passages and vectors are only counted: the check computes them again from the texts.
"""

from __future__ import annotations

import marshal
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from hashlib import blake2b
from typing import Any

import apsw

from holdfast.stores.sqlite.sql import statements

UNSEALED = frozenset({"blocks", "seals", "secrets", "sqlite_master"})
"""The tables without a seal. What blocks hold is compared with the rows, and may be missing; rebuilding the
file writes the definitions of triggers into the last."""
LITESTREAM = "litestream.sql"
"""What Litestream adds to a file that it copies continuously: tables of its own, which change no others."""
COUNTED = frozenset({"passages", "vectors"})
"""The tables whose rows have no digest."""
KEY_BYTES = 32
_ROWS = {"INSERT": 1, "UPDATE": 0, "DELETE": -1}
_FORM = 2
"""A form of marshal without references between values, so that equal rows have equal bytes. It takes a third
of the time of any text form, and every row that is written pays for it."""


class Seals:
    """The changes of the seals in the transaction of one writing connection, until they are stored."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._sql = statements("seals.sql")
        self._digest = _digest_under(_key(connection, self._sql))
        self._changes: defaultdict[str, list[int]] = defaultdict(_nothing)
        connection.preupdate_hook(self._note)

    def store(self, connection: apsw.Connection) -> None:
        """Stores the changed seals, as the last statements of a transaction."""
        changes = [(table, rows, digest) for table, (rows, digest) in self._changes.items()]
        self._changes.clear()
        connection.executemany(self._sql["change"], changes)

    def mark(self) -> dict[str, list[int]]:
        """Returns the present changes, for `undo`."""
        return {table: list(change) for table, change in self._changes.items()}

    def undo(self, mark: dict[str, list[int]] | None = None) -> None:
        """Drops the changes made since a mark, as after a rollback; all of them without one."""
        self._changes = defaultdict(_nothing, {table: list(rows) for table, rows in (mark or {}).items()})

    def _note(self, update: Any) -> None:
        """Notes a change of a row, for the digest of its table."""
        table, operation = update.table_name, update.op
        if table in UNSEALED:
            return
        change = self._changes[table]
        change[0] += _ROWS[operation]
        if table in COUNTED:
            return
        if operation != "INSERT":
            change[1] ^= self._digest(update.old)
        if operation != "DELETE":
            change[1] ^= self._digest(update.new)


def seal_all(connection: apsw.Connection, *, foreign: Collection[str] = ()) -> None:
    """Seals all tables as they are, in the transaction of the caller; those of `foreign`, which others had
    changed before, so that this stays noticed."""
    sql = statements("seals.sql")
    key = _key(connection, sql)
    connection.execute(sql["clear"])
    for table, read in _tables(connection, sql):
        rows, digest = _sealed(connection, key, table, read)
        connection.execute(sql["change"], (table, rows, digest ^ (table in foreign)))


def seal_schema(connection: apsw.Connection) -> None:
    """Records what the file defines, as the version that made it left it."""
    connection.execute(statements("seals.sql")["seal_schema"], _schema_seal(definitions(connection)))


def definitions(connection: apsw.Connection) -> dict[str, str]:
    """Returns what a file defines, but for what Litestream adds: tables, indexes and triggers with their
    statements."""
    read = connection.execute(statements("seals.sql")["schema"])
    added = {name: sql.rstrip(";") for name, sql in statements(LITESTREAM).items()}
    return {f"{kind} {name}": sql for kind, name, sql in read if added.get(name) != sql}


def is_of_other_development(connection: apsw.Connection, own_schema: dict[str, str]) -> bool:
    """Returns whether a file of this schema version is as it was made, but by a version whose schema was
    another: one that was never released. The first such versions recorded no schema."""
    there = definitions(connection)
    return there != own_schema and is_sealed_schema(connection, there)


def is_sealed_schema(connection: apsw.Connection, defined: dict[str, str]) -> bool:
    """Returns whether these are the definitions that were recorded, if any were."""
    recorded = connection.execute(statements("seals.sql")["schema_seal"]).fetchone()
    return recorded in (None, _schema_seal(defined))


def _schema_seal(defined: dict[str, str]) -> tuple[int, int]:
    digest = blake2b(repr(sorted(defined.items())).encode(), digest_size=8).digest()
    return len(defined), int.from_bytes(digest, "little", signed=True)


def broken(connection: apsw.Connection) -> Iterator[str]:
    """Yields a description of each table whose rows are not those that were written."""
    if not _key(connection, statements("seals.sql")):
        yield "the key of the seals is missing, so changes made outside of Holdfast cannot be noticed"
        return
    for table, was, now in _changed(connection):
        if now is None:
            yield f"rows of {table} hold what is no text"
        elif now == GONE:
            yield f"the table {table} was sealed and is gone"
        else:
            yield (
                f"rows of {table} were changed, added or removed outside of Holdfast:"
                f" {was:,} were written, {now:,} are there"
            )


def changed_tables(connection: apsw.Connection) -> frozenset[str]:
    """Returns the tables whose rows are not those that were written."""
    return frozenset(table for table, _, _ in _changed(connection))


GONE = -1
"""Stands for the number of rows of a table that is not there."""


def _changed(connection: apsw.Connection) -> Iterator[tuple[str, int, int | None]]:
    """Yields each table whose rows are not those that were written, with their number as written and now;
    None where they cannot be read."""
    sql = statements("seals.sql")
    key = _key(connection, sql)
    stored = {table: (rows, digest) for table, rows, digest in connection.execute(sql["all"])}
    for table, read in _tables(connection, sql):
        was = stored.pop(table, (0, 0))
        try:
            now = _sealed(connection, key, table, read)
        except UnicodeDecodeError:
            yield table, was[0], None
            continue
        if now != was:
            yield table, was[0], now[0]
    stored.pop("sqlite_schema", None)  # compared with the definitions of this version
    for table, (rows, _) in stored.items():
        yield table, rows, GONE


def _nothing() -> list[int]:
    return [0, 0]


def _key(connection: apsw.Connection, sql: dict[str, str]) -> bytes:
    """Returns the key of the seals; empty if it is missing, which the check tells."""
    value = connection.execute(sql["key"]).get
    return value if isinstance(value, bytes) and len(value) == KEY_BYTES else b""


def _tables(connection: apsw.Connection, sql: dict[str, str]) -> list[tuple[str, str]]:
    """Returns the sealed tables, each with the statement that reads it."""
    unsealed = UNSEALED | statements(LITESTREAM).keys()
    return [(table, read) for table, read in connection.execute(sql["tables"]) if table not in unsealed]


def _sealed(connection: apsw.Connection, key: bytes, table: str, read: str) -> tuple[int, int]:
    """Returns the number of rows that a statement reads, and the XOR of their digests, 0 without any."""
    rows = digest = 0
    digest_of = _digest_under(key)
    for row in connection.execute(read):
        rows += 1
        digest ^= 0 if table in COUNTED else digest_of(row)
    return rows, digest


def _digest_under(key: bytes) -> Callable[[tuple[Any, ...]], int]:
    """Returns the function that digests a row, to a number that SQLite holds."""
    empty = blake2b(digest_size=8, key=key)

    def digest(row: tuple[Any, ...]) -> int:
        body = empty.copy()
        body.update(marshal.dumps(row, _FORM))
        return int.from_bytes(body.digest(), "little", signed=True)

    return digest
