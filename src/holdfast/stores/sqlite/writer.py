"""One write transaction on a SQLite store."""

from __future__ import annotations

from typing import Any

import apsw

from holdfast.core.errors import Conflict
from holdfast.core.events import Head
from holdfast.stores.index.segments import Index
from holdfast.stores.sql.inserting import Waiting
from holdfast.stores.sql.reader import Models
from holdfast.stores.sql.writer import SqlWriter
from holdfast.stores.sqlite.head import HeadFile
from holdfast.stores.sqlite.reader import SqliteReader
from holdfast.stores.sqlite.seals import Seals
from holdfast.stores.sqlite.sql import statements


class SqliteWriter(SqliteReader, SqlWriter):
    """A transaction that holds the write lock of the file."""

    def __init__(
        self, connection: apsw.Connection, index: Index, models: Models, head: HeadFile, seals: Seals
    ) -> None:
        self._begin()
        self._seals = seals
        self._sealed: list[dict[str, list[int]]] = []
        """The seals at each savepoint."""
        # models of its own: those that it adds may be rolled back
        super().__init__(connection, index, dict(models), head)
        self._write = statements("writing.sql")
        self._change = int(self._returned("next_change", {}))
        last = connection.execute(self._sql["last_event"]).fetchone()
        self._last = Head(*last) if last else Head()
        self._last_memory, self._last_passage = connection.execute(self._write["last_numbers"]).get

    @property
    def last_event(self) -> Head:
        """Returns the end of the event chain in this transaction."""
        return self._last

    @property
    def connection(self) -> apsw.Connection:
        self._flush()
        return super().connection

    def finish(self) -> None:
        """Writes what waits and the seals, before the commit."""
        self._flush()
        for name, values in self._sums():
            self._run(name, values)
        self._seals.store(self._connection)

    def _begin_attempt(self) -> None:
        self._sealed.append(self._seals.mark())
        self._connection.execute(self._write["begin_attempt"])

    def _end_attempt(self) -> None:
        self._sealed.pop()
        self._connection.execute(self._write["end_attempt"])

    def _undo_attempt(self) -> None:
        """Goes back to the last savepoint, if the transaction still stands, and to the seals noted at it."""
        mark = self._sealed.pop()
        if self._connection.in_transaction:  # a failing disk has undone all of it
            self._connection.execute(self._write["undo_attempt"])
            self._connection.execute(self._write["end_attempt"])
        self._seals.undo(mark)

    def _flush(self) -> None:
        self._write_waiting()

    def _insert_rows(self, rows: Waiting) -> None:
        """Inserts the rows that wait to be written. Raises Conflict."""
        try:
            self._connection.executemany(self._write["insert_memory"], rows.memories)
        except apsw.ConstraintError:
            raise Conflict(
                "something with the same identity is stored there already", code="duplicate_text"
            ) from None
        self._connection.executemany(self._write["insert_passage"], rows.passages)
        vectors = (
            (passage, model, scale, code, vector) for passage, model, _, scale, code, vector in rows.coded()
        )
        self._connection.executemany(self._write["insert_vector"], vectors)
        self._connection.executemany(self._write["insert_fact"], rows.facts)
        self._connection.executemany(self._write["insert_event"], rows.events)

    # how statements are run: what waits comes before what could see it, or changes something

    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        self._before_reading()
        return super()._all(name, values)

    def _value(self, name: str, values: dict[str, Any]) -> Any:
        self._before_reading()
        return super()._value(name, values)

    def _named_rows(self, sql: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        self._before_reading()
        return super()._named_rows(sql, values)

    def _before_reading(self) -> None:
        if self._waiting:
            self._write_waiting()

    def _run(self, name: str, values: dict[str, Any]) -> None:
        self._write_waiting()
        self._connection.execute(self._write[name], values)

    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        self._write_waiting()
        return list(self._connection.execute(self._write[name], values))

    def _returned(self, name: str, values: dict[str, Any]) -> Any:
        self._write_waiting()
        return self._connection.execute(self._write[name], values).get

    def _written(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        self._write_waiting()
        return self._named_rows(self._write[name], values)

    def _run_if_unique(self, name: str, values: dict[str, Any]) -> bool:
        """Runs a statement. Returns False if a row of the same identity exists."""
        self._write_waiting()
        sealed = self._seals.mark()
        try:
            self._run(name, values)
        except apsw.ConstraintError:
            self._seals.undo(sealed)  # rows that the statement had changed before it failed
            return False
        return True
