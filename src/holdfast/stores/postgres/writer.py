"""One write transaction on one tenant in PostgreSQL: memories, words, vectors, events and jobs together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from psycopg import errors

from holdfast.core.errors import Conflict
from holdfast.core.events import Head
from holdfast.core.record import Memory
from holdfast.core.views import View
from holdfast.stores.base.ports import Use
from holdfast.stores.index.quantised import to_bytes
from holdfast.stores.index.segments import Index
from holdfast.stores.postgres.connection import Connection, Halves
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.sql import Statement, statements
from holdfast.stores.postgres.tenant import Sent
from holdfast.stores.sql.reader import Models
from holdfast.stores.sql.writer import SqlWriter

if TYPE_CHECKING:
    from holdfast.core.places import Place
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.ports import Vectors


FEW = 1_500
"""Memories of a tenant up to which any index looks as good as any other to a planner without statistics."""
WAITING = frozenset({"insert_event"})
"""Statements of whose outcome nothing depends but the commit."""
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
        # models of its own: those that it adds may be rolled back
        super().__init__(
            connection, index, dict(models), upto=self._change - 1, last_pool=last_pool,
            connections=connections,
        )  # fmt: skip
        self._write = statements("writing.sql")
        self._last = Head() if digest is None else Head(sequence, digest)
        self._stored = self._numbers()
        self._waiting: list[Sent] = []
        self._sent = 0

    def finish(self) -> list[Sent]:
        """Returns the statements to send with the commit, including the last numbers and the head of the
        chain.
        """
        if self._numbers() != self._stored:
            self._wait("finish", self._numbers())
        return self._waiting

    def _numbers(self) -> dict[str, Any]:
        last = self._last if self._last.sequence else None
        return {
            "memory": self._last_memory,
            "passage": self._last_passage,
            "sequence": self._last.sequence,
            "hash": last and last.hash,
        }

    @contextmanager
    def attempt(self) -> Iterator[None]:
        kept = self._last, self._pools, dict(self._models), self._last_memory, self._last_passage
        first, sent = len(self._waiting), self._sent
        self._wait("begin_attempt")
        try:
            yield
        except BaseException:
            if self._sent == sent:
                del self._waiting[first:]
            elif not self._connection.closed:
                self._waiting.clear()  # all of it came after the attempt had begun
                self._wait("undo_attempt")
                self._run("end_attempt", {})
            self._last, self._pools, self._models, self._last_memory, self._last_passage = kept
            # loaded while rows were in hand that are now as they were
            self._index.drop(self.loaded)
            raise
        if self._sent == sent:
            del self._waiting[first]  # nothing was sent that could be undone: what waits needs no savepoint
        else:
            self._wait("end_attempt")

    def insert(
        self, admitted: Admitted, vectors: Vectors | None, model: str, *, home: Place | None = None
    ) -> Memory:
        memory, number, passage = admitted.memory, self._last_memory + 1, self._last_passage
        values = self._values_of(memory, home) | {"number": number}
        model_number = 0 if vectors is None else self._model_number(model, vectors.shape[1])
        coded = None if vectors is None else to_bytes(vectors)
        with self._connection.pipeline():  # one round trip for all of it
            self._send()
            self._plan_anew(number)
            added = self._connection.execute(self._write["insert_memory"].query, values)
            for part, ((start, end), terms) in enumerate(zip(admitted.spans, admitted.terms, strict=True)):
                passage += 1
                values = {
                    "number": passage,
                    "memory": number,
                    "part": part,
                    "start": start,
                    "end": end,
                    "terms": terms.to_bytes(),
                }
                self._run("insert_passage", values)
                if coded is not None:
                    self._insert_vector(passage, model_number, coded[part])
            for part, one in enumerate(admitted.facts):
                values = {"memory": number, "part": part, "owner": memory.place.owner, **asdict(one)}
                self._run("insert_fact", values)
        # a conflict is told by the absence of the row, so that the transaction can go on
        if added.fetchone() is None:
            raise Conflict("something with the same identity stands there already", code="duplicate_text")
        self._last_memory, self._last_passage = number, passage
        return memory

    def _plan_anew(self, number: int) -> None:
        """Discards the plans of the connection once the tenant has doubled. The server keeps a plan, also
        that of a foreign key, until it has gathered statistics, and one made for an empty table scans the
        whole tenant for each row.
        """
        if number >= max(FEW, 2 * _PLANNED.get(self._connection, 0)):
            self._connection.execute(self._write["plan_anew"].query)
            _PLANNED[self._connection] = number

    def use(self, view: View, uses: Sequence[Use]) -> None:
        self._pool_numbers(view)  # before, for its answer is waited for
        with self._connection.pipeline():
            super().use(view, uses)

    def _insert_vector(self, passage: int, model: int, coded: tuple[float, bytes, bytes]) -> None:
        scale, code, vector = coded
        super()._insert_vector(passage, model, (scale, code, Halves.of(np.frombuffer(vector, np.float16))))

    def _run_if_unique(self, name: str, values: dict[str, Any]) -> bool:
        """Runs the statement in a savepoint, since an error would otherwise end the whole transaction."""
        self._send()
        try:
            with self._connection.transaction():
                self._run(name, values)
        except errors.UniqueViolation:
            return False
        return True

    # how statements are run

    def _wait(self, name: str, values: dict[str, Any] | None = None) -> None:
        """Queues a statement until another has to be sent, to save round trips: others wait for the row of
        the tenant meanwhile.
        """
        self._waiting.append((self._write[name].query, values))

    def _send(self) -> None:
        """Sends the queued statements."""
        waiting, self._waiting = self._waiting, []
        self._sent += bool(waiting)
        for query, values in waiting:
            self._connection.execute(query, values)

    def _asked(self, cursor: Any, statement: Statement, values: dict[str, Any]) -> Any:
        if not self._waiting:
            return super()._asked(cursor, statement, values)
        with self._connection.pipeline():
            self._send()
            return super()._asked(cursor, statement, values)

    def _run(self, name: str, values: dict[str, Any]) -> None:
        if name in WAITING:
            self._wait(name, values)
        else:
            self._asked(self._connection.cursor(), self._write[name], values)

    def _returned(self, name: str, values: dict[str, Any]) -> Any:
        return self._rows_of(name, values)[0][0]

    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return self._fetched(self._write[name], values)

    def _written(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        return self._named(self._write[name], values)
