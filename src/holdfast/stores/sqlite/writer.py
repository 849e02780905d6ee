"""One write transaction on a SQLite store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np

from holdfast.core.errors import Conflict
from holdfast.core.events import Head
from holdfast.core.record import Memory
from holdfast.stores.index.quantised import to_bytes
from holdfast.stores.index.segments import Index
from holdfast.stores.sql.writer import SqlWriter
from holdfast.stores.sqlite.head import HeadFile
from holdfast.stores.sqlite.reader import SqliteReader
from holdfast.stores.sqlite.seals import Seals
from holdfast.stores.sqlite.sql import statements

if TYPE_CHECKING:
    from holdfast.core.places import Place
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.ports import Vectors


class SqliteWriter(SqliteReader, SqlWriter):
    """A transaction that holds the write lock of the file."""

    def __init__(self, connection: apsw.Connection, index: Index, head: HeadFile, seals: Seals) -> None:
        super().__init__(connection, index, head)
        self._seals = seals
        self._write = statements("writing.sql")
        self._change = int(self._returned("next_change", {}))
        last = connection.execute(self._sql["last_event"]).fetchone()
        self._last = Head(*last) if last else Head()

    @property
    def last_event(self) -> Head:
        """Returns the end of the event chain in this transaction."""
        return self._last

    @contextmanager
    def attempt(self) -> Iterator[None]:
        kept, sealed = (self._last, self._pools, dict(self._models)), self._seals.mark()
        self._run("begin_attempt", {})
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # a failing disk has undone all of it
                self._run("undo_attempt", {})
                self._run("end_attempt", {})
            self._last, self._pools, self._models = kept
            self._seals.undo(sealed)
            # loaded while rows were in hand that are now as they were
            self._index.drop(self.loaded)
            raise
        self._run("end_attempt", {})

    def insert(
        self, admitted: Admitted, vectors: Vectors | None, model: str, *, home: Place | None = None
    ) -> Memory:
        memory = admitted.memory
        values = self._values_of(memory, home) | {"number": None}
        if not self._run_if_unique("insert_memory", values):
            raise Conflict("something with the same identity stands there already", code="duplicate_text")
        number = self._connection.last_insert_rowid()
        coded = None if vectors is None else to_bytes(vectors)
        for part, ((start, end), terms) in enumerate(zip(admitted.spans, admitted.terms, strict=True)):
            values = {"memory": number, "part": part, "start": start, "end": end, "terms": terms.to_bytes()}
            self._run("insert_passage", values | {"number": None})
            if vectors is not None and coded is not None:
                passage = self._connection.last_insert_rowid()
                self._insert_vector(passage, self._model_number(model, vectors.shape[1]), coded[part])
        for part, one in enumerate(admitted.facts):
            values = {"memory": number, "part": part, "owner": memory.place.owner, **asdict(one)}
            self._run("insert_fact", values)
        return memory

    def insert_all(self, memories: Sequence[tuple[Admitted, Vectors | None]], model: str) -> None:
        """Inserts table by table, in a third of the time: SQLite gets one statement for all rows of each."""
        whole = [vectors for _, vectors in memories if vectors is not None]
        coded = iter(to_bytes(np.concatenate(whole)) if whole else ())
        first = int(self._returned("last_number", {"table": "memories"})) + 1
        passage = int(self._returned("last_number", {"table": "passages"}))
        rows: list[dict[str, Any]] = []
        parts: list[tuple[Any, ...]] = []
        codes: list[tuple[Any, ...]] = []
        facts: list[dict[str, Any]] = []
        for number, (admitted, vectors) in enumerate(memories, first):
            memory = admitted.memory
            rows.append(self._values_of(memory, None) | {"number": number})
            for part, ((start, end), terms) in enumerate(zip(admitted.spans, admitted.terms, strict=True)):
                passage += 1
                parts.append((passage, number, part, start, end, terms.to_bytes()))
                if vectors is not None:
                    codes.append((passage, self._model_number(model, vectors.shape[1]), *next(coded)))
            owner = memory.place.owner
            for part, one in enumerate(admitted.facts):
                facts.append({"memory": number, "part": part, "owner": owner, **asdict(one)})
        try:
            self._connection.executemany(self._write["insert_memory"], rows)
        except apsw.ConstraintError:
            raise Conflict("something with the same identity stands there", code="duplicate_text") from None
        self._connection.executemany(self._write["insert_passage"], parts)
        self._connection.executemany(self._write["insert_vector"], codes)
        self._connection.executemany(self._write["insert_fact"], facts)

    def _run(self, name: str, values: dict[str, Any]) -> None:
        self._connection.execute(self._write[name], values)

    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(self._write[name], values))

    def _returned(self, name: str, values: dict[str, Any]) -> Any:
        return self._connection.execute(self._write[name], values).get

    def _written(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
        return self._named(self._write[name], values)

    def _run_if_unique(self, name: str, values: dict[str, Any]) -> bool:
        sealed = self._seals.mark()
        try:
            self._run(name, values)
        except apsw.ConstraintError:
            self._seals.undo(sealed)  # rows that the statement had changed before it failed
            return False
        return True
