"""Reader of one consistent snapshot of a SQLite store."""

from __future__ import annotations

import json
import logging
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, cast

import apsw

from holdfast.core.events import Head
from holdfast.core.views import View
from holdfast.stores.index.blocks import BadBlock, Block
from holdfast.stores.index.row_filter import NEVER
from holdfast.stores.index.segment import Row, Segment
from holdfast.stores.index.segments import Index
from holdfast.stores.sql.decoding import only
from holdfast.stores.sql.reader import Models, SqlReader
from holdfast.stores.sqlite.blocks import ROWS_MAX, Changed, changed_since_blocks, take_changes
from holdfast.stores.sqlite.head import HeadFile
from holdfast.stores.sqlite.sql import statements

log = logging.getLogger("holdfast")


class SqliteReader(SqlReader):
    """A snapshot of the file."""

    def __init__(self, connection: apsw.Connection, index: Index, models: Models, head: HeadFile) -> None:
        self._connection = connection
        self._sql = statements("reading.sql")
        self._head = head
        self._changed: Changed | None = None
        upto, last_pool, connections = self._row("state", {})
        super().__init__(index, models, upto=upto, last_pool=last_pool, connections=connections)

    @property
    def connection(self) -> apsw.Connection:
        """Returns the connection, for checks of the file itself; everything else reads through a view."""
        return self._connection

    def head(self, view: View) -> Head:
        return self._head.read()

    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(self._sql[name], values))

    def _row(self, name: str, values: dict[str, Any]) -> tuple[Any, ...]:
        return only(self._all(name, values))

    def _value(self, name: str, values: dict[str, Any]) -> Any:
        return self._connection.execute(self._sql[name], values).get

    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        return self._named_rows(self._sql[name], values)

    def _named_rows(self, sql: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns rows by the names of their columns, which the cursor tells only while there are rows."""
        cursor = self._connection.execute(sql, values)
        first = cursor.fetchone()
        if first is None:
            return []
        names = [column[0] for column in cursor.get_description()]
        return [dict(zip(names, row, strict=True)) for row in (first, *cursor)]

    def _indexed(self, name: str, values: dict[str, Any]) -> Iterator[Row]:
        model, dim = self._index.model
        values = {**values, "upto": self._upto, "model": self._model(model, dim), "dim": dim, "never": NEVER}
        sql = self._sql[name] if name in self._sql else statements("blocks.sql")[name]
        return cast("Iterator[Row]", self._connection.execute(sql, values))

    def _load(self, pool: int) -> None:
        """Loads a pool from its blocks, from its rows where there is none that can be used, and what has
        changed since."""
        name, dim = self._index.model
        model, last = self._model(name, dim), 0
        segment, interned = self._index.blank(pool)
        values = {"pool": pool, "dim": dim}
        sql = statements("blocks.sql")
        size: int = self._connection.execute(sql["size"], values).get
        segment.reserve(size + min(ROWS_MAX, size // 4))  # with room for the rows that come after the blocks
        for end, model_of, content, codes in self._connection.execute(sql["of_pool_whole"], values):
            if content is None or (dim and model_of != model):
                self._append(segment, interned, last, end)
            else:
                try:
                    segment.adopt(Block(content, codes), interned, after=last, last=end)
                except BadBlock as error:
                    log.warning("a block of the index is damaged, its rows are read: %s", error)
                    self._append(segment, interned, last, end)
            last = end
        self._append(segment, interned, last, NEVER)
        if last and (changed := self._changed_since_blocks().get(pool)):
            numbers = json.dumps(changed[: bisect_right(changed, last)])
            rows = self._indexed("index_of_memories", {"pool": pool, "numbers": numbers})
            take_changes(segment, rows, interned)
        self._index.put(segment)

    def _changed_since_blocks(self) -> Changed:
        if self._changed is None:
            self._changed = changed_since_blocks(self._connection)
        return self._changed

    def _append(self, segment: Segment, interned: dict[str, int], after: int, last: int) -> None:
        values = {"pool": segment.pool, "after": after, "last": last}
        segment.append(self._indexed("index_of_pool", values), interned)

    def _vectors(self, values: dict[str, Any]) -> list[tuple[int, bytes]]:
        return cast("list[tuple[int, bytes]]", self._all("exact_vectors", values))
