"""Blocks of the index in the file: written some time after the rows, and read instead of them."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from holdfast.stores.index.blocks import BLOCK_ROWS, BadBlock, Block
from holdfast.stores.index.row_filter import NEVER
from holdfast.stores.index.segment import Row, Segment
from holdfast.stores.sqlite.sql import statements

if TYPE_CHECKING:
    import apsw

DUE = 1_024
"""Changes, or new memories, after which blocks are written."""
ROWS_MAX = 2_048
"""Memories that a reader has to read beside the blocks before these are written earlier."""
_LOOK = 32
"""How many changes pass before what a reader has to read is counted again."""
_OTHER_MODELS = 8
"""Blocks that are written anew at a time because their vectors are those of another model."""

Changed = dict[int, list[int]]
"""The memories that have changed since blocks were written, ascending, by pool."""
_first = itemgetter(0)


class _StoredBlock(NamedTuple):
    """A block as its table has it."""

    number: int
    last: int
    size: int
    model: int | None
    is_whole: bool


def are_due(connection: apsw.Connection) -> bool:
    """Returns whether enough has changed since blocks were last written."""
    sql = statements("blocks.sql")
    changes, memories = connection.execute(sql["age"]).get
    if changes >= DUE or memories >= DUE:
        return True
    if changes % _LOOK:
        return False
    return bool(connection.execute(sql["rows_to_read"], {"limit": ROWS_MAX}).get >= ROWS_MAX)


def write_blocks(connection: apsw.Connection, *, anew: bool = False) -> None:
    """Brings all blocks to the state of the rows, in the transaction of the caller; with `anew` from the rows
    alone."""
    _BlockWriter(connection).write(anew=anew)


def changed_since_blocks(connection: apsw.Connection) -> Changed:
    """Returns the memories that have changed since blocks were last written."""
    rows = connection.execute(statements("blocks.sql")["changed"])
    return {pool: [number for _, number in own] for pool, own in groupby(rows, _first)}


def take_changes(segment: Segment, rows: Iterable[Row], interned: dict[str, int]) -> None:
    """Replaces memories that have changed since the blocks of a segment were written, by their rows."""
    if by_memory := {memory: list(map(Row._make, own)) for memory, own in groupby(rows, _first)}:
        segment.take_over(np.array(sorted(by_memory), np.int64), by_memory, interned)


def wrong_blocks(connection: apsw.Connection) -> Iterator[tuple[str, int]]:
    """Yields each block that does not hold what its rows say, as (problem, its last memory)."""
    blocks = _BlockWriter(connection)
    for (pool,) in list(blocks.run("pools")):
        after = 0
        for block in blocks.blocks_of(pool):
            if block.is_whole and not blocks.is_right(pool, block, after):
                yield (
                    "a part of the index that is not of the memories (`holdfast maintain`)",
                    block.last,
                )
            after = block.last


class _BlockWriter:
    """The blocks of one file in one transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        of_pool = statements("reading.sql")["index_of_pool"]
        self._sql = {**statements("blocks.sql"), "index_of_pool": of_pool}
        self._model: int | None
        self._dim: int
        self._model, self._dim = connection.execute(self._sql["model"]).fetchone() or (None, 0)
        self._upto: int = connection.execute(self._sql["change"]).get
        self._changed = changed_since_blocks(connection)

    def write(self, *, anew: bool) -> None:
        """Writes what has changed; with `anew` everything."""
        if anew:
            self.run("delete_all")
            self.run("forget")
            self._changed = changed_since_blocks(self._connection)
        for (number,) in list(self.run("of_other_models", model=self._model, limit=_OTHER_MODELS)):
            self.run("empty", number=number)
        for pool in sorted({*self._changed, *(pool for (pool,) in self.run("pools_to_read"))}):
            self._write_pool(pool)
        self.run("note")

    def blocks_of(self, pool: int) -> list[_StoredBlock]:
        """Returns the blocks of a pool in their order."""
        return [_StoredBlock(*row) for row in self.run("of_pool", pool=pool)]

    def is_right(self, pool: int, block: _StoredBlock, after: int) -> bool:
        """Returns whether a block, with what has changed since, holds what the rows say."""
        model, dim = self.run("model_of", number=block.number).fetchone()
        content, codes = self.run("read", number=block.number).fetchone()
        stored, segment = Segment(dim, pool, is_remote=False), Segment(dim, pool, is_remote=False)
        numbers, others = dict[str, int](), dict[str, int]()
        try:
            stored.adopt(Block(content, codes), numbers, after=after, last=block.last)
        except BadBlock:
            return False
        if stored.size != block.size:
            return False
        own = _between(self._changed.get(pool, []), after, block.last)
        of = {"pool": pool, "model": model, "dim": dim}
        take_changes(stored, self._rows("index_of_memories", **of, numbers=json.dumps(own)), numbers)
        segment.append(self._rows("index_of_pool", **of, after=after, last=block.last), others)
        return stored.packed(numbers) == segment.packed(others)

    def run(self, name: str, **values: Any) -> Any:
        """Runs a statement."""
        return self._connection.execute(self._sql[name], values)

    def _write_pool(self, pool: int) -> None:
        """Writes the blocks of a pool that changed."""
        blocks, changed = self.blocks_of(pool), self._changed.get(pool, [])
        after = 0
        for block in blocks:
            own = _between(changed, after, block.last)
            if not block.is_whole:
                self.run("delete", number=block.number)
                self._append(pool, [], after, block.last)
            elif own and block.model == self._model:
                segment, interned = Segment(self._dim, pool, is_remote=False), dict[str, int]()
                self._adopt(segment, block, after, interned)
                rows = self._rows("index_of_memories", pool=pool, numbers=json.dumps(own))
                take_changes(segment, rows, interned)
                self.run("delete", number=block.number)
                self._insert(block.last, segment, interned)
            after = block.last
        self._append(pool, self.blocks_of(pool), after, NEVER)

    def _append(self, pool: int, blocks: list[_StoredBlock], after: int, last: int) -> None:
        """Writes the rows in a range as blocks; the first joins those before it that are not much larger."""
        for part in _parts(self._rows("index_of_pool", pool=pool, after=after, last=last)):
            segment, interned = Segment(self._dim, pool, is_remote=False), dict[str, int]()
            size, first = len(part), len(blocks)
            while (
                first and blocks[first - 1].size <= 2 * size and blocks[first - 1].size + size <= BLOCK_ROWS
            ):
                first -= 1
                size += blocks[first].size
            for place in range(first, len(blocks)):
                self._adopt(segment, blocks[place], blocks[place - 1].last if place else 0, interned)
                self.run("delete", number=blocks[place].number)
            segment.append(part, interned)
            self._insert(part[-1][0], segment, interned)
            blocks = []

    def _adopt(self, segment: Segment, block: _StoredBlock, after: int, interned: dict[str, int]) -> None:
        """Appends a block to a segment, from the rows if it cannot be used."""
        content, codes = self.run("read", number=block.number).fetchone()
        if content is not None and block.model == self._model:
            try:
                segment.adopt(Block(content, codes), interned, after=after, last=block.last)
                return
            except BadBlock:
                pass
        values = {"pool": segment.pool, "after": after, "last": block.last}
        segment.append(self._rows("index_of_pool", **values), interned)

    def _insert(self, last: int, segment: Segment, interned: dict[str, int]) -> None:
        """Writes a segment as the block that ends with memory `last`; its size leaves out dead rows."""
        block = segment.packed(interned)
        self.run(
            "insert", pool=segment.pool, last=last, size=segment.size - segment.dead, model=self._model,
            content=block.content, codes=block.codes,
        )  # fmt: skip

    def _rows(self, name: str, **values: Any) -> Iterator[Row]:
        values = {"model": self._model, "dim": self._dim, "upto": self._upto, "never": NEVER, **values}
        return cast("Iterator[Row]", self._connection.execute(self._sql[name], values))


def _between(numbers: list[int], after: int, last: int) -> list[int]:
    return numbers[bisect_right(numbers, after) : bisect_right(numbers, last)]


def _parts(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Yields rows in lists of about the size of a block, each memory whole."""
    part: list[Row] = []
    for _, own in groupby(rows, _first):
        passages = list(own)
        if part and len(part) + len(passages) > BLOCK_ROWS:
            yield part
            part = []
        part += passages
    if part:
        yield part
