"""Reader of one consistent snapshot of one tenant in PostgreSQL, always through a view."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from psycopg.rows import dict_row

from holdfast.core.events import Head
from holdfast.core.views import View
from holdfast.stores.index.row_filter import NEVER
from holdfast.stores.index.segment import Row, Segment
from holdfast.stores.index.segments import Index
from holdfast.stores.postgres.connection import Connection, Halves
from holdfast.stores.postgres.remote_ann import cosines
from holdfast.stores.postgres.sql import Statement, statements
from holdfast.stores.sql.decoding import only
from holdfast.stores.sql.reader import Models, SqlReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.postgres.remote_ann import Neighbours

BATCH = 4_096
"""Rows of the index that are fetched at a time."""
HALVES = 4
"""Bytes before the numbers of a `halfvec` on the wire."""


class PostgresReader(SqlReader):
    """A snapshot of a tenant's rows."""

    def __init__(
        self,
        connection: Connection,
        index: Index,
        models: Models,
        *,
        upto: int,
        last_pool: int | None,
        connections: str,
    ) -> None:
        self._connection: Any = connection
        self._sql = statements("reading.sql")
        self._ready: set[int] | None = None
        super().__init__(index, models, upto=upto, last_pool=last_pool, connections=connections)

    @property
    def connection(self) -> Any:
        """Returns the connection, for checks of the rows themselves; everything else reads through a view."""
        return self._connection

    def head(self, view: View) -> Head:
        rows = self._all("head", {})
        return Head(*rows[0]) if rows else Head()

    # how statements are run

    def _row(self, name: str, values: dict[str, Any]) -> tuple[Any, ...]:
        return only(self._all(name, values))

    def _value(self, name: str, values: dict[str, Any]) -> Any:
        rows = self._all(name, values)
        return rows[0][0] if rows else None

    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return self._fetched(self._sql[name], values)

    def _fetched(self, statement: Statement, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        cursor = self._executed(self._connection.cursor(), statement, values)
        return cast("list[tuple[Any, ...]]", cursor.fetchall())

    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        return self._named_rows(self._sql[name], values)

    def _named_rows(self, statement: Statement, values: dict[str, Any]) -> list[dict[str, Any]]:
        with self._connection.cursor(row_factory=dict_row) as cursor:
            self._executed(cursor, statement, values)
            return cast("list[dict[str, Any]]", cursor.fetchall())

    def _executed(self, cursor: Any, statement: Statement, values: dict[str, Any]) -> Any:
        return cursor.execute(statement.query, statement.bound(values))

    def _indexed(self, name: str, values: dict[str, Any]) -> Iterator[Row]:
        """Yields the rows of a whole pool in binary, in batches."""
        with self._connection.cursor(name=name, binary=True) as cursor:
            cursor.execute(self._sql[name].query, self._of_index(values))
            yield from _by_batches(cursor)

    def _changes(self, since: dict[str, Any]) -> tuple[list[tuple[Any, ...]], Iterator[Row]]:
        """Returns changes in one round trip, since other writers wait meanwhile."""
        cursor, values = self._connection.cursor(binary=True), self._of_index(since)
        with self._connection.pipeline():
            erased = self._connection.execute(self._sql["erased_since"].query, since)
            cursor.execute(self._sql["index_since"].query, values)
        return erased.fetchall(), _by_batches(cursor)

    def _of_index(self, values: dict[str, Any]) -> dict[str, Any]:
        """Returns the bindings of statements about rows of the index."""
        model, dim = self._index.model
        number = self._model(model, dim)
        more = {"upto": self._upto, "model": number, "blank": bytes(dim), "never": NEVER, "coded": True}
        return {**more, **values}

    def _load(self, pool: int) -> None:
        """Loads a pool into the index, without codes if the server has an index for it."""
        if self._ready is None:
            model = self._model(*self._index.model)
            self._ready = {number for (number,) in self._ann_rows("ready", {"model": model})}
        is_remote = pool in self._ready
        rows = self._indexed("index_of_pool", {"pool": pool, "coded": not is_remote})
        self._index.load(pool, rows, is_remote=is_remote)

    def _remote_ann(
        self, segment: Segment, allowed: NDArray[np.bool_], vector: NDArray[np.float32], limit: int
    ) -> NDArray[np.float32]:
        """Returns the similarity of the rows of a segment, from an index on the server."""
        name, dim = self._index.model
        params: dict[str, Any] = {"pool": segment.pool, "model": self._model(name, dim), "dim": dim}
        params["vector"] = Halves.of(vector)

        def nearest(count: int) -> Neighbours:
            return self._ann_rows("nearest", {**params, "wanted": count})

        def among(passages: NDArray[np.int64]) -> Neighbours:
            listed = json.dumps(passages.tolist())
            return self._ann_rows("nearest_among", {**params, "passages": listed, "wanted": limit})

        return cosines(segment, allowed, limit, nearest, among)

    def _ann_rows(self, name: str, values: dict[str, Any]) -> list[Any]:
        return self._fetched(statements("ann_index.sql")[name], values)

    def _vectors(self, values: dict[str, Any]) -> list[tuple[int, bytes]]:
        """Returns the exact vectors of passages."""
        statement = self._sql["exact_vectors"]
        with self._connection.cursor(binary=True) as cursor:
            rows = cursor.execute(statement.query, statement.bound(values)).fetchall()
        if not rows:
            return []
        size = len(rows[0][1]) - HALVES
        swapped = (
            np.frombuffer(b"".join(vector[HALVES:] for _, vector in rows), ">f2").astype("<f2").tobytes()
        )
        return [(passage, swapped[i * size : (i + 1) * size]) for i, (passage, _) in enumerate(rows)]


def _by_batches(cursor: Any) -> Iterator[Row]:
    while rows := cursor.fetchmany(BATCH):
        yield from rows
