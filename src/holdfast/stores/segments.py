"""Segments: the index of a pool in memory, contiguous and exact, from which candidates are found."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.domain.memories import Status
from holdfast.domain.ranking import KIND_NUMBERS, Signals
from holdfast.domain.views import Filter
from holdfast.domain.words import PACKED, idf, saturated
from holdfast.engine.ports import Question
from holdfast.stores.quantised import dots, quantise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float32]

NEVER = np.iinfo(np.int64).max
STATUS_NUMBERS = {status.value: number for number, status in enumerate(Status)}
APPROVED, SUPERSEDED = STATUS_NUMBERS[Status.APPROVED], STATUS_NUMBERS[Status.SUPERSEDED]


class Row(NamedTuple):
    """One passage of one version of a memory, as the store holds it."""

    memory: int
    pool: int
    change: int
    kind: str
    status: str
    current: int
    deleted_at: int | None
    pinned: int
    session: int | None
    scope_type: str
    scope_id: str | None
    branch: str | None
    at: int
    holds_from: int
    valid_until: int | None
    expires_at: int | None
    uses: int
    last_used: int | None
    start: int
    end: int
    terms: bytes
    scale: float | None
    code: bytes | None


class Found(NamedTuple):
    """Candidates as passages: the signals by memory, and which passages they came from."""

    signals: Signals
    rows: Ints
    """Per passage: memory number, start, and the index of the memory in `signals`; shape (passages, 3)."""


@dataclass(slots=True)
class _Block:
    """Postings of some rows: term numbers ascending, with the row and the count of each."""

    ids: NDArray[np.uint32]
    rows: NDArray[np.int32]
    counts: NDArray[np.uint8]

    def of(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        number = np.uint32(term)
        low, high = np.searchsorted(self.ids, number, "left"), np.searchsorted(self.ids, number, "right")
        return self.rows[low:high], self.counts[low:high]

    @classmethod
    def merged(cls, blocks: Sequence[_Block]) -> _Block:
        ids = np.concatenate([b.ids for b in blocks])
        order = np.argsort(ids, kind="stable")
        rows = np.concatenate([b.rows for b in blocks])
        counts = np.concatenate([b.counts for b in blocks])
        return cls(ids[order], rows[order], counts[order])


_COLUMNS: dict[str, Any] = {
    "memory": np.int64, "kind": np.int16, "status": np.int8, "current": np.bool_, "deleted": np.bool_,
    "pinned": np.bool_, "session": np.int64, "scope_type": np.int32, "scope_id": np.int32, "branch": np.int32,
    "at": np.int64, "holds_from": np.int64, "valid_until": np.int64, "expires_at": np.int64, "uses": np.int64,
    "last_used": np.int64, "start": np.int64, "end": np.int64, "length": np.float32, "scale": np.float32,
}  # fmt: skip


class Segment:
    """All passages of one pool, column by column, grown in place."""

    def __init__(self, dim: int) -> None:
        self.size = 0
        self.dead = 0
        self._dim = dim
        self._columns = {name: np.zeros(0, dtype) for name, dtype in _COLUMNS.items()}
        self._alive = np.zeros(0, np.bool_)
        self._codes = np.zeros((0, dim), np.int8)
        self._blocks: list[_Block] = []
        self._highest = 0

    def __getattr__(self, name: str) -> NDArray[Any]:
        return self._columns[name][: self.size]

    @property
    def alive(self) -> Bools:
        return self._alive[: self.size]

    @property
    def codes(self) -> NDArray[np.int8]:
        return self._codes[: self.size]

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        columns = sum(column.nbytes for column in self._columns.values())
        return columns + self._codes.nbytes + sum(b.ids.nbytes * 9 // 4 for b in self._blocks)

    def append(self, rows: Sequence[Row], interned: dict[str, int]) -> None:
        """Adds passages behind the others."""
        if not rows:
            return
        first, count = self.size, len(rows)
        self._reserve(first + count)
        self.size += count
        self._alive[first : self.size] = True
        self._write(slice(first, self.size), rows, interned)
        packed = np.frombuffer(b"".join(row.terms for row in rows), PACKED)
        distinct = np.fromiter((len(row.terms) // PACKED.itemsize for row in rows), np.int64, count)
        owners = np.repeat(np.arange(first, self.size, dtype=np.int32), distinct)
        counts = packed["count"].copy()
        self._columns["length"][first : self.size] = np.bincount(
            owners - first, weights=counts, minlength=count
        )
        self._blocks.append(_Block.merged([_Block(packed["id"].copy(), owners, counts)]))
        while len(self._blocks) > 1 and len(self._blocks[-2].ids) <= 2 * len(self._blocks[-1].ids):
            self._blocks[-2:] = [_Block.merged(self._blocks[-2:])]
        self._highest = max(self._highest, max(row.memory for row in rows))

    def rows_of(self, memory: int) -> Ints:
        """Where the passages of a memory version stand."""
        if memory > self._highest:
            return np.zeros(0, np.int64)
        return np.flatnonzero((self.memory == memory) & self.alive)

    def update(self, rows: Sequence[Row], interned: dict[str, int]) -> bool:
        """Takes over a changed state of one memory in place; False if its passages are others now."""
        places = self.rows_of(rows[0].memory)
        if len(places) != len(rows) or list(self.start[places]) != [row.start for row in rows]:
            return False
        self._write(places, rows, interned)
        return True

    def kill(self, memory: int) -> None:
        """Takes a memory out."""
        places = self.rows_of(memory)
        self._alive[places] = False
        self.dead += len(places)

    def postings(self, term: int) -> Iterable[tuple[NDArray[np.int32], NDArray[np.uint8]]]:
        """Rows that hold a term, with counts; dead rows included."""
        return (block.of(term) for block in self._blocks)

    def _reserve(self, size: int) -> None:
        capacity = len(self._alive)
        if size <= capacity:
            return
        capacity = max(size, capacity * 3 // 2)

        def grown(array: NDArray[Any]) -> NDArray[Any]:
            new = np.zeros((capacity, *array.shape[1:]), array.dtype)
            new[: self.size] = array[: self.size]
            return new

        self._columns = {name: grown(column) for name, column in self._columns.items()}
        self._alive, self._codes = grown(self._alive), grown(self._codes)

    def _write(self, where: slice | Ints, rows: Sequence[Row], interned: dict[str, int]) -> None:
        def number(text: str | None) -> int:
            return 0 if text is None else interned.setdefault(text, len(interned) + 1)

        def put(name: str, values: list[Any]) -> None:
            self._columns[name][where] = values

        by = Row(*map(list, zip(*rows, strict=True)))  # type: ignore[arg-type]
        values: Any = by
        put("memory", values.memory)
        put("kind", [KIND_NUMBERS[v] for v in values.kind])
        put("status", [STATUS_NUMBERS[v] for v in values.status])
        put("current", values.current)
        put("deleted", [v is not None for v in values.deleted_at])
        put("pinned", values.pinned)
        put("session", [v or 0 for v in values.session])
        put("scope_type", [number(v) for v in values.scope_type])
        put("scope_id", [number(v) for v in values.scope_id])
        put("branch", [number(v) for v in values.branch])
        put("at", values.at)
        put("holds_from", values.holds_from)
        put("valid_until", [NEVER if v is None else v for v in values.valid_until])
        put("expires_at", [NEVER if v is None else v for v in values.expires_at])
        put("uses", values.uses)
        put("last_used", [v or 0 for v in values.last_used])
        put("start", values.start)
        put("end", values.end)
        put("scale", [v or 0.0 for v in values.scale])
        blank = bytes(self._dim)
        codes = b"".join(blank if v is None else v for v in values.code)
        self._codes[where] = np.frombuffer(codes, np.int8).reshape(len(rows), self._dim)


class Index:
    """The segments of one store, as many as fit into `limit` bytes, kept right by the change sequence."""

    def __init__(self, limit: int) -> None:
        self.lock = threading.RLock()
        self.change = 0
        self._limit = limit
        self.model: tuple[str, int] = ("", 0)
        self._segments: OrderedDict[int, Segment] = OrderedDict()
        self._interned: dict[str, int] = {}

    def use_model(self, name: str, dim: int) -> None:
        """Only vectors of this model are searched; another one starts the cache afresh."""
        if self.model != (name, dim):
            self.model = (name, dim)
            self._segments.clear()

    @property
    def is_empty(self) -> bool:
        return not self._segments

    def has(self, pool: int) -> bool:
        return pool in self._segments

    def load(self, pool: int, rows: Sequence[Row]) -> None:
        """Takes in a whole pool and lets go of those not asked for longest if there is no more room."""
        segment = Segment(self.model[1])
        segment.append(rows, self._interned)
        self._segments[pool] = segment
        held = sum(s.nbytes for s in self._segments.values())
        while held > self._limit and len(self._segments) > 1:
            _, dropped = self._segments.popitem(last=False)
            held -= dropped.nbytes

    def apply(self, rows: Iterable[Row], erased: Iterable[int]) -> None:
        """Takes over what changed since `change`: rows of any pool in the order of their memories."""
        fresh: dict[int, list[Row]] = {}
        for memory, passages in _grouped(rows):
            pool = passages[0].pool
            for number, segment in self._segments.items():
                if number != pool:
                    segment.kill(memory)
            home = self._segments.get(pool)
            if home is not None and not home.update(passages, self._interned):
                home.kill(memory)
                fresh.setdefault(pool, []).extend(passages)
        for memory in erased:
            for segment in self._segments.values():
                segment.kill(memory)
        for pool, passages in fresh.items():
            self._segments[pool].append(passages, self._interned)
        for pool in [p for p, s in self._segments.items() if s.dead > 1_000 and s.dead > s.size // 4]:
            del self._segments[pool]

    def candidates(
        self,
        pools: Sequence[int],
        narrowing: Filter,
        hidden: frozenset[str],
        tagged: Ints | None,
        question: Question,
    ) -> Found:
        """The best passages of some pools by words and by vectors, with all statistics taken from the
        passages that the filter leaves over: nothing outside them has any influence."""
        segments = [self._segments[pool] for pool in pools]
        for pool in pools:
            self._segments.move_to_end(pool)
        masks = [self._mask(s, narrowing, hidden, tagged, question.now) for s in segments]
        bounds = np.cumsum([0] + [s.size for s in segments])
        mask = _joined(masks, np.bool_)
        total = int((mask & (_joined([s.start for s in segments], np.int64) == 0)).sum())
        if not mask.any():
            return Found(Signals.none(total), np.zeros((0, 3), np.int64))
        memory = _joined([s.memory for s in segments], np.int64)
        words = self._words(segments, masks, mask, bounds, question.terms)
        cosine = self._cosines(segments, mask, bounds, question.vector)
        chosen = np.union1d(
            _best(words, memory, question.fetch, 0.0), _best(cosine, memory, question.fetch, -1.5)
        )
        return _gathered(segments, bounds, chosen, memory, words, np.maximum(cosine, -1), total)

    def _mask(self, s: Segment, f: Filter, hidden: frozenset[str], tagged: Ints | None, now: int) -> Bools:
        mask = s.alive.copy()
        if f.as_of is not None:
            mask &= (s.status == APPROVED) | (s.status == SUPERSEDED)
            mask &= (s.holds_from <= f.as_of) & (s.valid_until > f.as_of)
        elif f.statuses is not None:
            mask &= s.current & np.isin(s.status, [STATUS_NUMBERS[v.value] for v in f.statuses])
        else:
            mask &= s.current & (s.status == APPROVED) & (s.valid_until > now)
            mask &= (s.expires_at > now) | s.pinned
        if f.deleted is not None:
            mask &= s.deleted == f.deleted
        if f.kinds is not None:
            mask &= np.isin(s.kind, [KIND_NUMBERS[k] for k in f.kinds])
        if hidden:
            mask &= ~np.isin(s.kind, [KIND_NUMBERS[k] for k in hidden])
        if f.scope_type is not None:
            mask &= s.scope_type == self._interned.get(f.scope_type, -1)
        if f.scope_id is not None:
            mask &= s.scope_id == self._interned.get(f.scope_id, -1)
        if f.branches is not None:
            mask &= np.isin(s.branch, [0 if b is None else self._interned.get(b, -1) for b in f.branches])
        if f.session is not None:
            mask &= s.session == f.session
        if f.since is not None:
            mask &= s.at >= f.since
        if f.until is not None:
            mask &= s.at < f.until
        if f.pinned is not None:
            mask &= s.pinned == f.pinned
        if tagged is not None:
            mask &= np.isin(s.memory, tagged)
        return mask

    @staticmethod
    def _words(
        segments: list[Segment], masks: list[Bools], mask: Bools, bounds: Ints, terms: Sequence[int]
    ) -> Floats:
        scores = np.zeros(len(mask), np.float32)
        if not terms:
            return scores
        total = int(mask.sum())
        lengths = _joined([s.length for s in segments], np.float32)
        average = float(lengths[mask].mean(dtype=np.float64))
        for term in terms:
            places, counts = [], []
            for segment, allowed, first in zip(segments, masks, bounds, strict=False):
                for rows, tally in segment.postings(term):
                    kept = allowed[rows]
                    places.append(rows[kept] + first)
                    counts.append(tally[kept])
            where = _joined(places, np.int64)
            if len(where):
                shares = saturated(_joined(counts, np.uint8).astype(np.float32), lengths[where], average)
                scores[where] += np.float32(idf(len(where), total)) * shares
        return scores

    @staticmethod
    def _cosines(segments: list[Segment], mask: Bools, bounds: Ints, vector: Floats | None) -> Floats:
        cosine = np.full(len(mask), -2.0, np.float32)
        if vector is None:
            return cosine
        scale, code = quantise(vector[None, :])
        for segment, first in zip(segments, bounds, strict=False):
            wanted = np.flatnonzero(mask[first : first + segment.size] & (segment.scale > 0))
            if not len(wanted):
                continue
            # a scattered gather pays only when little of the segment is wanted
            if len(wanted) * 4 < segment.size:
                products = dots(code[0], segment.codes[wanted])
            else:
                products = dots(code[0], segment.codes)[wanted]
            cosine[first + wanted] = products * (segment.scale[wanted] * scale[0])
        return cosine


def _grouped(rows: Iterable[Row]) -> Iterable[tuple[int, list[Row]]]:
    group: list[Row] = []
    for row in rows:
        if group and group[0].memory != row.memory:
            yield group[0].memory, group
            group = []
        group.append(row)
    if group:
        yield group[0].memory, group


def _joined(arrays: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)


def _best(scores: Floats, memory: Ints, count: int, above: float) -> Ints:
    """Places of the `count` highest scores above a bound; ties go to the newer memory, so that the choice
    does not depend on where rows stand."""
    places = np.flatnonzero(scores > above)
    if len(places) <= count:
        return places
    values = scores[places]
    edge = np.partition(values, len(values) - count)[len(values) - count]
    sure = places[values > edge]
    tied = places[values == edge]
    tied = tied[np.argsort(-memory[tied], kind="stable")][: count - len(sure)]
    return np.concatenate([sure, tied])


def _gathered(
    segments: list[Segment],
    bounds: Ints,
    chosen: Ints,
    memory: Ints,
    words: Floats,
    cosine: Floats,
    total: int,
) -> Found:
    """Chosen passages by memory: each signal from the best passage, which words decide before vectors."""
    numbers, group = np.unique(memory[chosen], return_inverse=True)
    best_words = np.zeros(len(numbers), np.float32)
    best_cosine = np.full(len(numbers), -1.0, np.float32)
    np.maximum.at(best_words, group, words[chosen])
    np.maximum.at(best_cosine, group, cosine[chosen])
    fit = words[chosen] / max(float(words[chosen].max(initial=0.0)), 1e-9) + np.maximum(cosine[chosen], 0)
    order = np.lexsort((chosen, -fit, group))
    representative = chosen[order[np.unique(group[order], return_index=True)[1]]]

    def column(name: str, places: Ints) -> NDArray[Any]:
        return _joined([getattr(s, name) for s in segments], None)[places]

    starts = column("start", representative)
    signals = Signals(
        number=numbers,
        words=best_words,
        cosine=best_cosine,
        passage=np.stack([starts, column("end", representative)], axis=1),
        kind=column("kind", representative),
        at=column("at", representative),
        last_used=column("last_used", representative),
        uses=column("uses", representative),
        pinned=column("pinned", representative),
        total=total,
    )
    return Found(signals, np.stack([memory[chosen], column("start", chosen), group.ravel()], axis=1))
