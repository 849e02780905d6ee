"""A segment: the passages of one pool in memory, contiguous and exact, column by column."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.core.filter_rule import NARROWING
from holdfast.core.record import Status
from holdfast.core.views import Filter, View
from holdfast.language.manner import Manner
from holdfast.stores.index.blocks import BadBlock, Block, pack, unpack
from holdfast.stores.index.conversations import Conversations
from holdfast.stores.index.postings import Packed, Postings, packed_columns
from holdfast.stores.index.row_filter import INTERNED, NUMBERED, RowFilter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

CHUNK = 4_096
"""Rows that are taken in at a time: as Python objects they need many times what they need as columns."""
FILTERS_KEPT = 4
"""Filters whose rows a segment remembers."""
EXACT_ROWS = 4_096
"""Passages up to which a segment keeps the exact vectors that were read; a larger one keeps codes alone."""


class Row(NamedTuple):
    """One passage of one version of a memory, as the store holds it, made ready for columns: times that
    never come are `NEVER`, a missing session or use is 0, a missing vector a scale of 0 and a blank code."""

    memory: int
    passage: int
    pool: int
    kind: str
    status: str
    current: int
    deleted: int
    pinned: int
    session: int
    spot: int
    """The number of its first version: its place among what was said at the same time."""
    assistant: int
    manner: int
    """What its text does, as bits of `Manner`."""
    speaker: str | None
    scope_type: str
    scope_id: str | None
    branch: str | None
    owner: str
    at: int
    holds_from: int
    valid_until: int
    expires_at: int
    uses: int
    last_used: int
    start: int
    end: int
    terms: bytes
    scale: float
    code: bytes


_COLUMNS: dict[str, Any] = {
    "memory": np.int64, "passage": np.int64, "status": np.int8, "current": np.bool_, "deleted": np.bool_,
    "scope_id": np.int32, "branch": np.int32, "owner": np.int32, "holds_from": np.int64,
    "valid_until": np.int64, "expires_at": np.int64, "length": np.float32, "scale": np.float32,
    "alive": np.bool_, "is_exact": np.bool_,
}  # fmt: skip
_RECORD = np.dtype(
    [
        ("at", np.int64), ("last_used", np.int64), ("uses", np.int64), ("session", np.int64),
        ("spot", np.int64), ("start", np.int64), ("end", np.int64), ("speaker", np.int32),
        ("scope_type", np.int32), ("kind", np.int16), ("pinned", np.bool_), ("assistant", np.bool_),
        ("manner", np.uint16),
    ],
    align=True,
)  # fmt: skip
"""What ranking wants to know of a row: together, so that the few rows that matter are read at once."""
HELD = frozenset({*_COLUMNS, *(_RECORD.names or ()), "scope", "about_work"})
"""Columns that a filter can compare here; what it says of others is asked of the store."""
_AS_STORED = (
    "memory", "passage", "current", "deleted", "pinned", "session", "spot", "assistant", "manner", "at",
    "holds_from", "valid_until", "expires_at", "uses", "last_used", "start", "end", "scale",
)  # fmt: skip


SEEN = frozenset({Status.APPROVED, Status.SUPERSEDED})
"""The statuses whose texts are seen by all who may read their place."""


def is_judged_here(view: View) -> bool:
    """Returns whether the rows of a view follow from columns that segments hold.

    They do not hold who owns a text that waits or was forgotten, nor where an earlier version was written:
    views of one pool alone see all that is current there, others nothing of the kind.
    """
    narrowing = view.filter
    if view.only is None and (
        narrowing.as_of is not None
        or narrowing.deleted is not False
        or not (narrowing.statuses or SEEN) <= SEEN
    ):
        return False
    return all(column.column in HELD or getattr(narrowing, column.parameter) is None for column in NARROWING)


class Segment:
    """All passages of one pool, column by column, grown in place."""

    def __init__(self, dim: int, pool: int, *, is_remote: bool) -> None:
        self.size = 0
        self.pool = pool
        self.is_remote = is_remote
        """Whether its codes stay where they are stored, and the server is asked what is near."""
        self.dead = 0
        self.postings = Postings()
        self.conversations = Conversations()
        self._dim = dim
        self._capacity = 0
        self._columns = {name: np.zeros(0, dtype) for name, dtype in _COLUMNS.items()}
        self._records = np.zeros(0, _RECORD)
        self._codes = np.zeros((0, 0 if is_remote else dim), np.int8)
        self._exact = np.zeros((0, dim), np.float16)
        """Of rows that are marked so."""
        self._filters: OrderedDict[tuple[Filter, frozenset[str]], RowFilter] = OrderedDict()
        self._ordered = 0
        """Rows up to here are in the order of their memories."""
        self._highest = 0

    def __getattr__(self, name: str) -> NDArray[Any]:
        return self.column(name)

    def has(self, column: str) -> bool:
        """Returns whether a column of the record is held in memory."""
        return column in HELD

    def column(self, name: str) -> NDArray[Any]:
        """Returns a column of all rows."""
        if name == "about_work":  # a bit of another, which is stored
            return self._column("manner")[: self.size] & Manner.WORK > 0
        return self._column(name)[: self.size]

    @property
    def records(self) -> NDArray[Any]:
        return self._records[: self.size]

    @property
    def codes(self) -> NDArray[np.int8]:
        return self._codes[: self.size]

    @property
    def nbytes(self) -> int:
        """Returns the memory used, in bytes."""
        columns = sum(column.nbytes for column in self._columns.values())
        others = self.postings.nbytes + self.conversations.nbytes + len(self._filters) * self._capacity
        vectors = self._codes.nbytes + self._exact.nbytes
        return columns + self._records.nbytes + vectors + others

    def append(self, rows: Iterable[Row], interned: dict[str, int]) -> None:
        """Appends passages."""
        first = self.size
        terms: list[bytes] = []
        coming = iter(rows)
        while chunk := list(islice(coming, CHUNK)):
            here = slice(self.size, self.size + len(chunk))
            self._reserve(here.stop)
            self.size = here.stop
            columns = _columns(chunk)
            self._write(here, columns, interned)
            terms += columns.terms
        if not terms:
            return
        here = slice(first, self.size)
        self._columns["alive"][here] = True
        self._columns["length"][here] = self.postings.append(first, terms)
        self._note_order(first)

    def _note_order(self, first: int) -> None:
        """Notes how the rows from one on continue the order of memories."""
        in_order = bool((self.memory[max(first - 1, 0) : -1] <= self.memory[max(first, 1) :]).all())
        if self._ordered == first and in_order:
            self._ordered = self.size
        self._highest = max(self._highest, int(self.memory[first:].max()))

    def reserve(self, rows: int) -> None:
        """Makes room for so many more rows."""
        self._reserve(self.size + rows)

    def adopt(self, block: Block, interned: dict[str, int], *, after: int, last: int) -> None:
        """Appends the passages of a block, without vectors if it comes without codes. Raises BadBlock, and is
        then as before, also if it does not end with the memory `last` or begins before the one after `after`.
        """
        first, (size, texts, columns) = self.size, unpack(block.content)
        here = slice(first, first + size)
        try:
            if len(columns["passage"]) != size:
                raise BadBlock("columns of another length")
            if size and not after < np.min(columns["memory"]) <= np.max(columns["memory"]) == last:
                raise BadBlock("other memories")
            terms, spread = columns["terms"], columns["spread"]
            ends = np.cumsum(np.broadcast_to(spread, len(terms)), dtype=np.int64)
            parts = (
                np.broadcast_to(columns[name], ends[-1] if len(ends) else 0) for name in ("rows", "counts")
            )
            postings = Packed(first, terms.astype(np.int64), ends, *parts)
            if np.max(postings.rows, initial=0) >= max(size, 1) or np.min(postings.rows, initial=0) < 0:
                raise BadBlock("words of rows that it does not have")
            self._reserve(here.stop)
            for name in (*_AS_STORED, "length"):
                self._column(name)[here] = columns[name]
            for name in (*NUMBERED, *INTERNED):
                self._column(name)[here] = numbers = _numbers(name, texts, interned)[columns[name]]
                if np.min(numbers, initial=0) < 0:
                    raise BadBlock(f"an unknown {name}")
            if block.codes is None:
                self._columns["scale"][here] = 0
            else:
                self._codes[here] = np.frombuffer(block.codes, np.int8).reshape(size, self._dim)
        except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            raise BadBlock(f"{type(error).__name__}: {error}") from error
        if not size:
            return
        self.postings.adopt(postings)
        self.size = here.stop
        self._columns["alive"][here] = True
        self._columns["is_exact"][here] = False
        self._note_order(first)

    def packed(self, interned: Mapping[str, int]) -> Block:
        """Returns the rows that are not removed, in the order of their memories, as a block."""
        rows = np.flatnonzero(self.alive)
        rows = rows[np.lexsort((self.passage[rows], self.memory[rows]))]
        columns = {name: self.column(name)[rows] for name in _AS_STORED}
        columns["length"] = self.length[rows].astype(np.int64)
        texts: dict[str, list[str | None]] = {}
        for name in (*NUMBERED, *INTERNED):
            by_number = {number: text for text, number in NUMBERED.get(name, interned).items()}
            values, columns[name] = np.unique(self.column(name)[rows], return_inverse=True)
            texts[name] = [by_number.get(value) for value in values.tolist()]
        ordered = sorted({text for own in texts.values() for text in own if text is not None})
        numbers: dict[str | None, int] = {None: 0, **{text: number for number, text in enumerate(ordered, 1)}}
        for name, own in texts.items():
            columns[name] = np.array([numbers[text] for text in own], np.int64)[columns[name]]
        places = np.full(self.size, -1)
        places[rows] = np.arange(len(rows))
        columns |= packed_columns(self.postings.moved(places))
        return Block(pack(len(rows), ordered, columns), self.codes[rows].tobytes())

    def rows_of(self, memories: Ints) -> Ints:
        """Returns the rows of the passages of some memories, each memory's in their order; `memories`
        ascending.
        """
        head, tail = self.memory[: self._ordered], self.memory[self._ordered :]
        low, high = head.searchsorted(memories), head.searchsorted(memories, "right")
        counts = high - low
        places = np.arange(counts.sum()) + np.repeat(low - np.cumsum(counts) + counts, counts)
        if len(tail):
            places = np.concatenate([places, np.flatnonzero(np.isin(tail, memories)) + self._ordered])
        alive: Ints = places[self.alive[places]]
        return alive

    def places_of(self, passages: Ints) -> Ints:
        """Returns the rows of passages, -1 for those that are not in the segment."""
        places = np.full(len(passages), -1)
        # numbers of passages ascend with those of their memories, but for what was put back or titled anew
        for first, last in ((0, self._ordered), (self._ordered, self.size)):
            numbers = self.passage[first:last]
            ascends = bool((numbers[:-1] <= numbers[1:]).all())
            order = np.arange(len(numbers)) if ascends else np.argsort(numbers, kind="stable")
            indexes = np.searchsorted(numbers, passages, "right", sorter=order) - 1
            rows = first + order[indexes[indexes >= 0]]
            there = self.alive[rows] & (self.passage[rows] == passages[indexes >= 0])
            places[np.flatnonzero(indexes >= 0)[there]] = rows[there]
        return places

    def take_over(self, changed: Ints, rows: Mapping[int, Sequence[Row]], interned: dict[str, int]) -> None:
        """Applies changes of memories: those in `rows` by memory, the others were removed.

        Passages that exist already are changed in place, all others are removed or appended.
        """
        if changed[0] > self._highest:
            self.append([row for passages in rows.values() for row in passages], interned)
            return
        existing: dict[int, list[int]] = {}
        places = self.rows_of(changed)
        for memory, place in zip(self.memory[places].tolist(), places.tolist(), strict=True):
            existing.setdefault(memory, []).append(place)
        same, removed, fresh = [], [], dict(rows)
        updated: list[Row] = []
        for memory, where in existing.items():
            now = rows.get(memory, ())
            if self.passage[where].tolist() == [row.passage for row in now]:
                same += where
                updated += fresh.pop(memory)
            else:
                removed += where
        if same:
            stored = self.records[same]
            if any(
                stored[name].tolist() != [getattr(row, name) for row in updated] for name in ("session", "at")
            ):
                self.conversations = Conversations()
            self._write(np.array(same), _columns(updated), interned)
        self._columns["alive"][np.array(removed, np.int64)] = False
        self.dead += len(removed)
        for filter_ in self._filters.values() if existing else ():
            filter_.renew(self, np.array(same + removed, np.int64))
        self.append([row for passages in fresh.values() for row in passages], interned)

    def exact(self, places: Ints) -> tuple[NDArray[np.float16], Bools]:
        """Returns the exact vectors of some rows, and which of them are cached."""
        is_cached = self.is_exact[places]
        if not is_cached.any():
            return np.zeros((len(places), self._dim), np.float16), is_cached
        return self._exact[places], is_cached

    def keep_exact(self, places: Ints, vectors: NDArray[np.float16]) -> None:
        """Caches exact vectors that were read, up to a limit."""
        if self.size > EXACT_ROWS:
            if len(self._exact):
                self._columns["is_exact"][:] = False
                self._exact = np.zeros((0, self._dim), np.float16)
            return
        if not len(self._exact):
            self._exact = np.zeros((self._capacity, self._dim), np.float16)
        self._exact[places] = vectors
        self._columns["is_exact"][places] = True

    def row_filter(
        self,
        narrowing: Filter,
        hidden: frozenset[str],
        matching: Ints | None,
        interned: Mapping[str, int],
        now: int,
    ) -> RowFilter:
        """Returns the rows that pass a filter."""
        if matching is not None:
            return RowFilter(self, narrowing, hidden, matching, interned, now)
        key = narrowing, hidden
        cached = self._filters.pop(key, None)
        if cached is not None:
            cached.catch_up(self)  # first: what was added may have ended in between
        if cached is None or not cached.holds_at(now):
            cached = RowFilter(self, narrowing, hidden, None, interned, now)
        self._filters[key] = cached
        if len(self._filters) > FILTERS_KEPT:
            self._filters.popitem(last=False)
        return cached

    def _reserve(self, size: int) -> None:
        """Makes room for a number of rows, with half as many to spare."""
        if size <= self._capacity:
            return
        self._capacity = max(size, self._capacity * 3 // 2)

        def grown(array: NDArray[Any]) -> NDArray[Any]:
            new = np.zeros((self._capacity, *array.shape[1:]), array.dtype)
            new[: self.size] = array[: self.size]
            return new

        self._columns = {name: grown(column) for name, column in self._columns.items()}
        self._records, self._codes = grown(self._records), grown(self._codes)
        if len(self._exact):
            self._exact = grown(self._exact)

    def _column(self, name: str) -> NDArray[Any]:
        return self._columns[name] if name in self._columns else self._records[name]

    def _write(self, where: slice | Ints, values: Any, interned: dict[str, int]) -> None:
        """Writes values into the columns of rows; texts are stored as numbers."""

        def number(text: str | None) -> int:
            return 0 if text is None else interned.setdefault(text, len(interned) + 1)

        numbers: dict[str, dict[Any, int]] = dict(NUMBERED)
        for name in INTERNED:
            numbers[name] = {text: number(text) for text in set(getattr(values, name))}
        for name, by_text in numbers.items():
            self._column(name)[where] = [by_text[text] for text in getattr(values, name)]
        for name in _AS_STORED:
            self._column(name)[where] = getattr(values, name)
        self._columns["is_exact"][where] = False
        if not self.is_remote:
            codes = np.frombuffer(b"".join(values.code), np.int8)
            self._codes[where] = codes.reshape(len(values.code), self._dim)


def _numbers(column: str, texts: Sequence[str], interned: dict[str, int]) -> Ints:
    """Returns the number of each text of a block in a column: 0 for none, then theirs. A text that the column
    does not know is -1."""
    if column in NUMBERED:
        return np.array([-1, *(NUMBERED[column].get(text, -1) for text in texts)])
    return np.array([0, *(interned.setdefault(text, len(interned) + 1) for text in texts)])


def _columns(rows: Sequence[Row]) -> Any:
    """Returns rows transposed: a row whose fields are columns."""
    return Row(*zip(*rows, strict=True))  # type: ignore[arg-type]
