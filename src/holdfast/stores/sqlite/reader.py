"""Reader of one consistent snapshot of a SQLite store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import apsw

from holdfast.core.events import Head
from holdfast.core.views import View
from holdfast.stores.index.row_filter import NEVER
from holdfast.stores.index.segment import Row
from holdfast.stores.index.segments import Index
from holdfast.stores.sql.decoding import only
from holdfast.stores.sql.reader import SqlReader
from holdfast.stores.sqlite.head import HeadFile
from holdfast.stores.sqlite.sql import statements


class SqliteReader(SqlReader):
    """A snapshot of the file."""

    def __init__(self, connection: apsw.Connection, index: Index, head: HeadFile) -> None:
        self._connection = connection
        self._sql = statements("reading.sql")
        self._head = head
        upto, last_pool, connections = self._one("state", {})
        super().__init__(index, {}, upto=upto, last_pool=last_pool, connections=connections)

    @property
    def connection(self) -> apsw.Connection:
        """Returns the connection, for checks of the file itself; everything else reads through a view."""
        return self._connection

    def head(self, view: View) -> Head:
        return self._head.read()

    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(self._sql[name], values))

    def _one(self, name: str, values: dict[str, Any]) -> tuple[Any, ...]:
        return only(self._all(name, values))

    def _value(self, name: str, values: dict[str, Any]) -> Any:
        return self._connection.execute(self._sql[name], values).get

    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        return self._named(self._sql[name], values)

    def _named(self, sql: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        cursor = self._connection.execute(sql, values)
        first = cursor.fetchone()
        if first is None:
            return []
        names = [column[0] for column in cursor.get_description()]
        return [dict(zip(names, row, strict=True)) for row in (first, *cursor)]

    def _indexed(self, name: str, values: dict[str, Any]) -> Iterator[Row]:
        model, dim = self._index.model
        values = {**values, "upto": self._upto, "model": self._model(model, dim), "dim": dim, "never": NEVER}
        return cast("Iterator[Row]", self._connection.execute(self._sql[name], values))

    def _vectors(self, values: dict[str, Any]) -> list[tuple[int, bytes]]:
        return cast("list[tuple[int, bytes]]", self._all("exact_vectors", values))
