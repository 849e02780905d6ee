"""One write transaction on one tenant in PostgreSQL: memories, words, vectors, events and jobs together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from psycopg import errors

from holdfast.core.errors import Conflict
from holdfast.core.events import Head
from holdfast.stores.index.segments import Index
from holdfast.stores.postgres.connection import Connection, Reals
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.sql import Statement, statements
from holdfast.stores.postgres.tenant import Sent
from holdfast.stores.sql.columns import plain
from holdfast.stores.sql.inserting import EVENT, FACT, PASSAGE, VECTOR, Waiting
from holdfast.stores.sql.reader import Models
from holdfast.stores.sql.writer import SqlWriter

FEW = 1_500
"""Memories of a tenant up to which any index looks as good as any other to a planner without statistics."""
_PLANNED: WeakKeyDictionary[Connection, int] = WeakKeyDictionary()
"""The number of the last memory when the plans of a connection were made."""


class PostgresWriter(PostgresReader, SqlWriter):
    """A transaction that holds the row of its tenant, so that changes, numbers and events stay in order. Its
    candidates are those of the moment it began."""

    def __init__(
        self,
        connection: Connection,
        index: Index,
        models: Models,
        tenant: tuple[Any, ...],
        *,
        last_pool: int | None,
        connections: str,
    ) -> None:
        self._change, self._last_memory, self._last_passage, sequence, digest = tenant
        self._begin()
        # models of its own: those that it adds may be rolled back
        super().__init__(
            connection, index, dict(models), upto=self._change - 1, last_pool=last_pool,
            connections=connections,
        )  # fmt: skip
        self._write = statements("writing.sql")
        self._last = Head() if digest is None else Head(sequence, digest)
        self._stored = self._numbers()
        self._queued: list[Sent] = []
        """Statements whose outcome nobody waits for: they go with the next one, or with the commit."""

    def finish(self) -> list[Sent]:
        """Returns the statements to send with the commit, including what waits, the last numbers and the head
        of the chain.
        """
        last = [*self._queued, *self._inserts(self._waiting)]
        last += [(self._write[name].query, values) for name, values in self._sums()]
        if self._numbers() != self._stored:
            last.append((self._write["finish"].query, self._numbers()))
        return last

    def _numbers(self) -> dict[str, Any]:
        """Returns the last numbers that were given out, as parameters of a statement."""
        last = self._last if self._last.sequence else None
        return {
            "memory": self._last_memory,
            "passage": self._last_passage,
            "sequence": self._last.sequence,
            "hash": last and last.hash,
        }

    @property
    def connection(self) -> Any:
        self._flush()
        return self._connection

    def _begin_attempt(self) -> None:
        self._connection.execute(self._write["begin_attempt"].query)

    def _end_attempt(self) -> None:
        self._queued.append((self._write["end_attempt"].query, None))

    def _undo_attempt(self) -> None:
        """Rolls back to the savepoint of the attempt."""
        if self._connection.closed:
            return
        # it has none if what waited before it was refused, which ends the transaction
        refused = errors.InvalidSavepointSpecification, errors.InFailedSqlTransaction
        with suppress(*refused), self._connection.pipeline():
            self._send_queued()
            for name in ("undo_attempt", "end_attempt"):
                self._connection.execute(self._write[name].query)

    def _flush(self) -> None:
        if self._has_more_to_send():
            with self._sending():
                pass

    def _insert_rows(self, rows: Waiting) -> None:
        for query, values in self._inserts(rows):
            self._connection.execute(query, values)

    def _inserts(self, rows: Waiting) -> Iterator[Sent]:
        """Yields the statements that write rows, one for each table: each statement has its price, as the
        seal of the table is written anew.
        """
        if rows.memories:
            yield from self._plan_anew(rows.memories[-1]["number"])
            yield self._write["insert_memory"].query, {"rows": plain(rows.memories)}
        for name, columns, records in (
            ("insert_passage", PASSAGE, rows.passages),
            ("insert_fact", FACT, rows.facts),
            ("insert_event", EVENT, rows.events),
        ):
            if records:
                yield self._write[name].query, _columns(columns, records)
        for (model, _), same in groupby(rows.coded(), lambda row: (row[1], len(row[-1]))):
            values = _columns(VECTOR, list(same))
            halves = np.frombuffer(b"".join(values["vector"]), np.float16)
            more = {"model": model, "dim": len(values["vector"][0]) // 2, "vector": Reals.of(halves)}
            yield self._write["insert_vector"].query, values | more

    def _plan_anew(self, number: int) -> Iterator[Sent]:
        """Discards the plans of the connection once the tenant has doubled. The server keeps a plan, also
        that of a foreign key, until it has gathered statistics, and one made for an empty table scans the
        whole tenant for each row.
        """
        if number >= max(FEW, 2 * _PLANNED.get(self._connection, 0)):
            _PLANNED[self._connection] = number
            yield self._write["plan_anew"].query, None

    def _run_if_unique(self, name: str, values: dict[str, Any]) -> bool:
        """Runs the statement in a savepoint, since an error would otherwise end the whole transaction."""
        self._flush()
        try:
            with self._connection.transaction():
                self._run(name, values)
        except errors.UniqueViolation:
            return False
        return True

    # how statements are run

    def _has_more_to_send(self) -> bool:
        return bool(self._queued or self._waiting or self._marks)

    @contextmanager
    def _sending(self) -> Iterator[None]:
        """Sends what waits, and what is run inside, in one round trip. A conflict ends the transaction or the
        attempt."""
        try:
            with self._connection.pipeline():
                self._send_queued()
                self._write_waiting()
                yield
        except errors.UniqueViolation as error:
            raise Conflict(
                "something with the same identity is stored there already", code="duplicate_text"
            ) from error

    def _send_queued(self) -> None:
        queued, self._queued = self._queued, []
        for query, values in queued:
            self._connection.execute(query, values)

    def _executed(self, cursor: Any, statement: Statement, values: dict[str, Any]) -> Any:
        if not self._has_more_to_send():
            return super()._executed(cursor, statement, values)
        with self._sending():
            return super()._executed(cursor, statement, values)

    def _run(self, name: str, values: dict[str, Any]) -> None:
        self._executed(self._connection.cursor(), self._write[name], values)

    def _returned(self, name: str, values: dict[str, Any]) -> Any:
        return self._rows_of(name, values)[0][0]

    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return self._fetched(self._write[name], values)

    def _written(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        return self._named_rows(self._write[name], values)


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    """Returns rows as columns by name."""
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
