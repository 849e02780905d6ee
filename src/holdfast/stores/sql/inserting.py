"""New memories and events of a transaction: they wait, and are written many rows at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.core.events import Head
from holdfast.stores.index.quantised import to_bytes
from holdfast.stores.sql.columns import values_of
from holdfast.stores.sql.reader import SqlReader
from holdfast.stores.sql.storage import SqlStorageWriter

if TYPE_CHECKING:
    from holdfast.core.facts import Statement
    from holdfast.core.places import Place, Pool
    from holdfast.core.record import Memory
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.ports import Vectors

AT_ONCE = 1_000
"""Memories that wait at most."""
PASSAGE = ("number", "memory", "part", "start", "end", "terms")
VECTOR = ("passage", "model", "pool", "scale", "code", "vector")
FACT = ("memory", "part", "owner", "topic", "act", "rank", "value", "other")
EVENT = ("sequence", "change", "at", "actor", "action", "subject", "detail", "hash")
"""The columns of waiting rows."""


Mark = tuple[int, int, int, int, int, int]


@dataclass(slots=True)
class Waiting:
    """Rows that are not written yet, in their order; of vectors the first three columns, and the vectors."""

    memories: list[dict[str, Any]] = field(default_factory=list)
    passages: list[tuple[Any, ...]] = field(default_factory=list)
    vectors: list[tuple[int, int, int]] = field(default_factory=list)
    arrays: list[Vectors] = field(default_factory=list)
    facts: list[tuple[Any, ...]] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.memories or self.passages or self.events or self.vectors or self.facts)

    def mark(self) -> Mark:
        """Returns how much waits by now."""
        return (
            len(self.memories), len(self.passages), len(self.vectors), len(self.arrays), len(self.facts),
            len(self.events),
        )  # fmt: skip

    def cut(self, mark: Mark) -> Waiting:
        """Takes off what came after a mark, and returns it."""
        later = Waiting()
        for attribute, place in zip(fields(Waiting), mark, strict=True):
            rows = getattr(self, attribute.name)
            setattr(later, attribute.name, rows[place:])
            del rows[place:]
        return later

    def coded(self) -> list[tuple[Any, ...]]:
        """Returns the rows of the vectors, for each dimension together."""
        by_dim: dict[int, list[Vectors]] = {}
        for array in self.arrays:
            by_dim.setdefault(array.shape[1], []).append(array)
        codes = {dim: iter(to_bytes(np.concatenate(arrays))) for dim, arrays in by_dim.items()}
        dims = (array.shape[1] for array in self.arrays for _ in array)
        return [(*row, *next(codes[dim])) for row, dim in zip(self.vectors, dims, strict=True)]


class SqlInserter(SqlReader, SqlStorageWriter):
    """The part of a transaction that adds memories and events.

    What waits is written before anything else that writes or that could see it, and with the commit at the
    latest. So is the savepoint of an attempt: one in which nothing was written needs none.
    """

    _change: int
    _last: Head
    _last_memory: int
    _last_passage: int

    def _begin(self) -> None:
        """Starts with nothing that waits."""
        self._waiting = Waiting()
        self._growth, self._added = {}, {}
        self._marks: list[Mark] = []
        """What waited when each attempt began that is open and has no savepoint, the outer ones first."""
        self._savepoints = 0
        """The open attempts that have one: those around the others."""

    # what the backend does

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...

    @abstractmethod
    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _flush(self) -> None:
        """Writes what waits."""

    @abstractmethod
    def _insert_rows(self, rows: Waiting) -> None:
        """Writes rows. Raises Conflict for a memory whose identity is taken."""

    @abstractmethod
    def _begin_attempt(self) -> None:
        """Sets a savepoint."""

    @abstractmethod
    def _end_attempt(self) -> None:
        """Releases the last savepoint."""

    @abstractmethod
    def _undo_attempt(self) -> None:
        """Goes back to the last savepoint and releases it, if the transaction still stands."""

    @abstractmethod
    def _pool_number(self, pool: Pool) -> int: ...

    @abstractmethod
    def _model_number(self, name: str, dim: int) -> int: ...

    # how it waits

    @contextmanager
    def attempt(self) -> Iterator[None]:
        saved = self._last, self._pools, dict(self._models), self._last_memory, self._last_passage
        counts = dict(self._growth), dict(self._added)
        depth = self._savepoints + len(self._marks)
        self._marks.append(self._waiting.mark())
        try:
            yield
        except BaseException:
            if self._savepoints > depth:
                self._waiting = Waiting()  # all of it came after the attempt had begun
                self._savepoints -= 1
                self._undo_attempt()
            elif self._savepoints + len(self._marks) > depth:
                self._waiting.cut(self._marks.pop())
            self._last, self._pools, self._models, self._last_memory, self._last_passage = saved
            self._growth, self._added = counts
            # loaded while rows were in hand that are now as they were
            self._index.drop(self.loaded)
            raise
        if self._savepoints > depth:
            self._savepoints -= 1
            self._end_attempt()
        else:
            self._marks.pop()

    def _write_waiting(self) -> None:
        """Writes what waits, and sets the savepoints of the attempts that are open."""
        marks, self._marks = self._marks, []
        parts = [self._waiting.cut(mark) for mark in reversed(marks)]
        rows, self._waiting = self._waiting, Waiting()
        if rows:
            self._insert_rows(rows)
        for rows in reversed(parts):
            self._begin_attempt()
            self._savepoints += 1
            if rows:
                self._insert_rows(rows)

    # what is added

    def insert(
        self, admitted: Admitted, vectors: Vectors | None, model: str, *, home: Place | None = None
    ) -> Memory:
        with self.attempt():  # a conflict undoes this one alone
            self._add(admitted, vectors, model, home)
            self._flush()
        return admitted.memory

    def insert_all(self, memories: Sequence[tuple[Admitted, Vectors | None]], model: str) -> None:
        for admitted, vectors in memories:
            self._add(admitted, vectors, model, None)
            if len(self._waiting.memories) >= AT_ONCE:
                self._flush()

    def _add(
        self, admitted: Admitted, vectors: Vectors | None, model: str, home: Place | None,
        number: int | None = None,
    ) -> None:  # fmt: skip
        """Adds a memory with its passages, terms and vectors to the rows that wait to be written."""
        memory = admitted.memory
        written_in = self._pool_number(memory.place.pool(memory.kind))
        pool = written_in if home is None else self._pool_number(home.pool(memory.kind))
        number = number or self._last_memory + 1
        values = values_of(memory, pool=pool, written_in=written_in, change=self._change)
        values["number"], values["current"] = number, home is None
        self._add_passages(number, pool, admitted, vectors, model)
        self._waiting.memories.append(values)
        size = len(values["text"].encode()) + len(values["metadata"].encode())
        self._count(values["owner"], 1, size)
        for part, fact in enumerate(admitted.facts):
            self._add_fact(number, part, memory.place.owner, fact)
        self._last_memory = max(self._last_memory, number)

    def _add_passages(
        self, memory: int, pool: int, admitted: Admitted, vectors: Vectors | None, model: str
    ) -> None:
        """Adds the passages of a memory, with its words and vectors."""
        first = self._last_passage + 1
        passages = [
            (first + part, memory, part, start, end, terms.to_bytes())
            for part, ((start, end), terms) in enumerate(zip(admitted.spans, admitted.terms, strict=True))
        ]
        if vectors is not None:
            self._add_vectors([passage for passage, *_ in passages], pool, vectors, model)
        self._waiting.passages += passages
        self._last_passage = first + len(passages) - 1

    def _add_vectors(self, passages: Sequence[int], pool: int, vectors: Vectors, model: str) -> None:
        if len(passages):
            number = self._model_number(model, vectors.shape[1])  # may be written, before anything waits
            self._waiting.vectors += [(passage, number, pool) for passage in passages]
            self._waiting.arrays.append(vectors)

    def _add_fact(self, memory: int, part: int, owner: str, statement: Statement) -> None:
        row = (
            memory,
            part,
            owner,
            statement.topic,
            statement.act.value,
            statement.rank,
            statement.value,
            statement.other,
        )
        self._waiting.facts.append(row)
