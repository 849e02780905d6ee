"""Segments: the index of a pool in memory, contiguous and exact, from which candidates are found."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.domain.places import Pool
from holdfast.domain.ranking import KIND_NUMBERS, Signals
from holdfast.domain.views import Filter
from holdfast.domain.words import idf, saturated
from holdfast.engine.ports import Question
from holdfast.stores.masks import STATUS_NUMBERS, Mask
from holdfast.stores.postings import Postings
from holdfast.stores.quantised import dots, quantise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float32]

CHUNK = 4_096
"""Rows that are taken in at a time: as Python objects they need many times what they need as columns."""
MASKS_KEPT = 4
"""Filters whose mask a segment remembers."""


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
    scope_type: str
    scope_id: str | None
    branch: str | None
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


class Pools:
    """The pools of a store by number, and their numbers."""

    def __init__(self, by_number: dict[int, Pool]) -> None:
        self.by_number = by_number
        self.numbers = {pool: number for number, pool in by_number.items()}
        self.last = max(by_number, default=None)


class Found(NamedTuple):
    """Candidates as passages: the signals by memory, and which passages they came from."""

    signals: Signals
    passages: Ints
    """Numbers of the passages."""
    groups: Ints
    """For each passage the index of its memory in `signals`."""


_COLUMNS: dict[str, Any] = {
    "memory": np.int64, "passage": np.int64, "kind": np.int16, "status": np.int8, "current": np.bool_,
    "deleted": np.bool_, "pinned": np.bool_, "session": np.int64, "scope_type": np.int32,
    "scope_id": np.int32, "branch": np.int32, "at": np.int64, "holds_from": np.int64,
    "valid_until": np.int64, "expires_at": np.int64, "uses": np.int64, "last_used": np.int64,
    "start": np.int64, "end": np.int64, "length": np.float32, "scale": np.float32, "alive": np.bool_,
}  # fmt: skip
_AS_STORED = (
    "memory", "passage", "current", "deleted", "pinned", "session", "at", "holds_from", "valid_until",
    "expires_at", "uses", "last_used", "start", "end", "scale",
)  # fmt: skip


class Segment:
    """All passages of one pool, column by column, grown in place."""

    def __init__(self, dim: int) -> None:
        self.size = 0
        self.dead = 0
        self.postings = Postings()
        self._dim = dim
        self._capacity = 0
        self._columns = {name: np.zeros(0, dtype) for name, dtype in _COLUMNS.items()}
        self._codes = np.zeros((0, dim), np.int8)
        self._masks: OrderedDict[tuple[Filter, frozenset[str]], Mask] = OrderedDict()
        self._ordered = 0
        """Rows up to here stand in the order of their memories."""
        self._highest = 0

    def __getattr__(self, name: str) -> NDArray[Any]:
        return self._columns[name][: self.size]

    @property
    def codes(self) -> NDArray[np.int8]:
        return self._codes[: self.size]

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        columns = sum(column.nbytes for column in self._columns.values())
        return columns + self._codes.nbytes + self.postings.nbytes + len(self._masks) * self._capacity

    def append(self, rows: Iterable[Row], interned: dict[str, int]) -> None:
        """Adds passages behind the others."""
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
        in_order = bool((self.memory[max(first - 1, 0) : -1] <= self.memory[max(first, 1) :]).all())
        if self._ordered == first and in_order:
            self._ordered = self.size
        self._highest = max(self._highest, int(self.memory[first:].max()))

    def rows_of(self, memories: Ints) -> Ints:
        """Where the passages of some memories stand, each memory's in their order; `memories` ascending."""
        head, tail = self.memory[: self._ordered], self.memory[self._ordered :]
        low, high = head.searchsorted(memories), head.searchsorted(memories, "right")
        counts = high - low
        places = np.arange(counts.sum()) + np.repeat(low - np.cumsum(counts) + counts, counts)
        if len(tail):
            places = np.concatenate([places, np.flatnonzero(np.isin(tail, memories)) + self._ordered])
        alive: Ints = places[self.alive[places]]
        return alive

    def take_over(self, changed: Ints, rows: Mapping[int, Sequence[Row]], interned: dict[str, int]) -> None:
        """Takes over what some memories are now: those in `rows` by memory, the others are not here any more.

        Passages that are the same as before are changed in place, all others are taken out or added.
        """
        if changed[0] > self._highest:
            self.append([row for passages in rows.values() for row in passages], interned)
            return
        held: dict[int, list[int]] = {}
        places = self.rows_of(changed)
        for memory, place in zip(self.memory[places].tolist(), places.tolist(), strict=True):
            held.setdefault(memory, []).append(place)
        same, gone, fresh = [], [], dict(rows)
        kept: list[Row] = []
        for memory, where in held.items():
            now = rows.get(memory, ())
            if self.passage[where].tolist() == [row.passage for row in now]:
                same += where
                kept += fresh.pop(memory)
            else:
                gone += where
        if same:
            self._write(np.array(same), _columns(kept), interned)
        self._columns["alive"][np.array(gone, np.int64)] = False
        self.dead += len(gone)
        for mask in self._masks.values() if held else ():
            mask.renew(self, np.array(same + gone, np.int64))
        self.append([row for passages in fresh.values() for row in passages], interned)

    def mask(
        self,
        narrowing: Filter,
        hidden: frozenset[str],
        tagged: Ints | None,
        interned: Mapping[str, int],
        now: int,
    ) -> Mask:
        """The rows that a filter leaves over."""
        if tagged is not None:
            return Mask(self, narrowing, hidden, tagged, interned, now)
        key = narrowing, hidden
        mask = self._masks.pop(key, None)
        if mask is not None:
            mask.catch_up(self)  # first: what was added may have ended in between
        if mask is None or not mask.holds_at(now):
            mask = Mask(self, narrowing, hidden, None, interned, now)
        self._masks[key] = mask
        if len(self._masks) > MASKS_KEPT:
            self._masks.popitem(last=False)
        return mask

    def _reserve(self, size: int) -> None:
        if size <= self._capacity:
            return
        self._capacity = max(size, self._capacity * 3 // 2)

        def grown(array: NDArray[Any]) -> NDArray[Any]:
            new = np.zeros((self._capacity, *array.shape[1:]), array.dtype)
            new[: self.size] = array[: self.size]
            return new

        self._columns = {name: grown(column) for name, column in self._columns.items()}
        self._codes = grown(self._codes)

    def _write(self, where: slice | Ints, values: Any, interned: dict[str, int]) -> None:
        def number(text: str | None) -> int:
            return 0 if text is None else interned.setdefault(text, len(interned) + 1)

        numbers: dict[str, dict[Any, int]] = {"kind": KIND_NUMBERS, "status": STATUS_NUMBERS}
        for name in ("scope_type", "scope_id", "branch"):
            numbers[name] = {text: number(text) for text in set(getattr(values, name))}
        for name, known in numbers.items():
            self._columns[name][where] = [known[text] for text in getattr(values, name)]
        for name in _AS_STORED:
            self._columns[name][where] = getattr(values, name)
        codes = np.frombuffer(b"".join(values.code), np.int8)
        self._codes[where] = codes.reshape(len(values.code), self._dim)


def _columns(rows: Sequence[Row]) -> Any:
    """A row whose fields are columns."""
    return Row(*zip(*rows, strict=True))  # type: ignore[arg-type]


class Index:
    """The segments of one store, as many as fit into `limit` bytes, kept right by the change sequence."""

    def __init__(self, limit: int) -> None:
        self.lock = threading.RLock()
        self.change = 0
        self.pools = Pools({})
        """The committed pools as last read; any reader may put a later state here."""
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

    def drop(self, pools: Iterable[int]) -> None:
        """Forgets pools, such as those loaded by a transaction that was rolled back."""
        with self.lock:
            for pool in pools:
                self._segments.pop(pool, None)

    def load(self, pool: int, rows: Iterable[Row]) -> None:
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
        here: dict[int, dict[int, list[Row]]] = {}
        changed = set(erased)
        for memory, passages in groupby(rows, lambda row: row.memory):
            group = list(passages)
            here.setdefault(group[0].pool, {})[memory] = group
            changed.add(memory)
        if not changed:
            return
        numbers = np.array(sorted(changed), np.int64)
        for pool, segment in list(self._segments.items()):
            segment.take_over(numbers, here.get(pool, {}), self._interned)
            if segment.dead > 1_000 and segment.dead > segment.size // 4:
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
        masked = []
        for pool in pools:
            self._segments.move_to_end(pool)
            segment = self._segments[pool]
            mask = segment.mask(narrowing, hidden, tagged, self._interned, question.now)
            if mask.passages:
                masked.append((segment, mask))
        total = sum(mask.memories for _, mask in masked)
        if not masked:
            return Found(Signals.none(total), np.zeros(0, np.int64), np.zeros(0, np.int64))
        segments = [segment for segment, _ in masked]
        words = _words(masked, question.terms)
        cosine = [_cosines(segment, mask, question.vector) for segment, mask in masked]
        chosen = _best(segments, cosine, question.fetch, -1.5)
        if question.terms:
            by_words = _best(segments, words, question.fetch, 0.0)
            chosen = [_either(*places) for places in zip(by_words, chosen, strict=True)]
        return _gathered(segments, chosen, words, cosine, total)


def _words(masked: Sequence[tuple[Segment, Mask]], terms: Sequence[int]) -> list[Floats]:
    """BM25 of every row of each segment, 0 where no term stands or the mask shuts it out."""
    scores = [np.zeros(segment.size, np.float32) for segment, _ in masked]
    if not terms:
        return scores
    total = sum(mask.passages for _, mask in masked)
    average = sum(mask.words for _, mask in masked) / total
    found = [segment.postings.of(terms) for segment, _ in masked]
    for i, (_, mask) in enumerate(masked):
        if not mask.is_full:
            found[i] = found[i].where(mask.rows[found[i].rows])
    matching = sum(np.bincount(matches.terms, minlength=len(terms)) for matches in found)
    weights = np.array([idf(count, total) for count in np.asarray(matching).tolist()], np.float32)
    for matches, (segment, _), score in zip(found, masked, scores, strict=True):
        shares = saturated(matches.counts.astype(np.float32), segment.length[matches.rows], average)
        np.add.at(score, matches.rows, weights[matches.terms] * shares)
    return scores


def _cosines(segment: Segment, mask: Mask, vector: Floats | None) -> Floats:
    """Cosine of every row by its code, -2 where there is none or the mask shuts it out."""
    if vector is None:
        return np.full(segment.size, -2.0, np.float32)
    scale, code = quantise(vector[None, :])
    allowed = mask.rows & (segment.scale > 0)
    # a scattered gather pays only when little of the segment is wanted
    if mask.passages * 4 < segment.size:
        cosine = np.full(segment.size, -2.0, np.float32)
        wanted = np.flatnonzero(allowed)
        cosine[wanted] = dots(code[0], segment.codes[wanted]) * (segment.scale[wanted] * scale[0])
        return cosine
    products = dots(code[0], segment.codes)
    products *= segment.scale * scale[0]
    return np.where(allowed, products, -2.0).astype(np.float32)


def _best(segments: Sequence[Segment], scores: Sequence[Floats], count: int, above: float) -> list[Ints]:
    """For each segment the places of those scores that are among the `count` highest of all."""
    found = [
        _highest(score, segment.memory, count, above) for score, segment in zip(scores, segments, strict=True)
    ]
    if len(found) == 1:
        return found
    values = np.concatenate([score[places] for score, places in zip(scores, found, strict=True)])
    memory = np.concatenate([s.memory[places] for s, places in zip(segments, found, strict=True)])
    kept = np.sort(_highest(values, memory, count, above))
    bounds = np.cumsum([0, *map(len, found)])
    cuts = kept.searchsorted(bounds)
    return [
        places[kept[low:high] - first]
        for places, first, low, high in zip(found, bounds, cuts, cuts[1:], strict=False)
    ]


def _either(places: Ints, others: Ints) -> Ints:
    """Both in ascending order without repeats. (NumPy's `union1d` loads masked arrays: 20 ms at a start.)"""
    both = np.sort(np.concatenate([places, others]))
    return both[np.diff(both, prepend=-1) > 0]


def _highest(scores: Floats, memory: Ints, count: int, above: float) -> Ints:
    """Places of the `count` highest scores above a bound; ties go to the newer memory, so that the choice
    does not depend on where rows stand."""
    places = np.flatnonzero(scores > above)
    if len(places) <= count:
        return places
    values = scores[places]
    edge = np.partition(values, -count)[-count]
    sure, tied = places[values > edge], places[values == edge]
    if len(sure) + len(tied) > count:
        tied = tied[np.argsort(-memory[tied], kind="stable")][: count - len(sure)]
    return np.concatenate([sure, tied])


def _gathered(
    segments: Sequence[Segment],
    chosen: Sequence[Ints],
    words: Sequence[Floats],
    cosine: Sequence[Floats],
    total: int,
) -> Found:
    """Chosen passages by memory: each signal from the best passage, which words decide before vectors."""

    def joined(arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
        parts = [array[places] for array, places in zip(arrays, chosen, strict=True)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def column(name: str) -> NDArray[Any]:
        return joined(getattr(segment, name) for segment in segments)

    words_, cosine_ = joined(words), np.maximum(joined(cosine), -1)
    numbers, groups = np.unique(column("memory"), return_inverse=True)
    best_words = np.zeros(len(numbers), np.float32)
    best_cosine = np.full(len(numbers), -1.0, np.float32)
    np.maximum.at(best_words, groups, words_)
    np.maximum.at(best_cosine, groups, cosine_)
    fit = words_ / max(float(words_.max(initial=0)), 1e-9) + np.maximum(cosine_, 0)
    order = np.lexsort((-fit, groups))
    best = order[np.unique(groups[order], return_index=True)[1]]
    signals = Signals(
        number=numbers,
        words=best_words,
        cosine=best_cosine,
        passage=np.stack([column("start")[best], column("end")[best]], axis=1),
        kind=column("kind")[best],
        at=column("at")[best],
        last_used=column("last_used")[best],
        uses=column("uses")[best],
        pinned=column("pinned")[best],
        total=total,
    )
    return Found(signals, column("passage"), groups)
