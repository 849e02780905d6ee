"""Segments: the index in memory is the same however it came to be, and sees nothing behind a filter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from itertools import count
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.places import Scope, scope_list
from holdfast.core.record import Status
from holdfast.core.views import ANY_STATE, Filter
from holdfast.language.terms import terms_of
from holdfast.stores.base.ports import Question
from holdfast.stores.base.signals import Signals
from holdfast.stores.index.blocks import BadBlock, Block
from holdfast.stores.index.candidates import Candidates
from holdfast.stores.index.postings import ROWS_MAX, Postings
from holdfast.stores.index.quantised import quantise
from holdfast.stores.index.row_filter import NEVER
from holdfast.stores.index.segment import EXACT_ROWS, FILTERS_KEPT, Row
from holdfast.stores.index.segments import Index
from tests.profiles import examples

DIM = 8
POOLS = (1, 2)
WORDS = ("alpha", "beta", "gamma", "delta", "tick", "東京")
FILTERS = (
    Filter(),
    ANY_STATE,
    Filter(kinds=frozenset({"note", "fact"})),
    Filter(statuses=frozenset({Status.PENDING, Status.APPROVED}), deleted=None),
    Filter(as_of=50),
    Filter(since=20, until=80),
    Filter(session=7),
    Filter(scopes=scope_list([Scope("paper", "a")])),
    Filter(scopes=scope_list([Scope("paper"), Scope("global", "a")])),
    Filter(branches=frozenset({None, "main"})),
    Filter(owner="ana"),
    Filter(pinned=True),
)
Rows = dict[int, tuple[Row, ...]]
"""What a store holds: the passages of each memory."""

_ends = st.sampled_from([NEVER, NEVER, 40, 60, 100])
_states = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["note", "fact", "message", "entity"]),
        "status": st.sampled_from(["approved", "approved", "approved", "pending", "superseded"]),
        "current": st.sampled_from([1, 1, 1, 0]),
        "deleted": st.sampled_from([0, 0, 0, 1]),
        "pinned": st.integers(0, 1),
        "session": st.sampled_from([0, 7, 7, 8]),
        "assistant": st.integers(0, 1),
        "manner": st.integers(0, 7),
        "speaker": st.sampled_from([None, "Ann", "Bo Alpha"]),
        "scope_type": st.sampled_from(["global", "paper"]),
        "scope_id": st.sampled_from([None, "a"]),
        "branch": st.sampled_from([None, "main", "dev"]),
        "owner": st.sampled_from(["ana", "ben"]),
        "at": st.integers(0, 100),
        "holds_from": st.integers(0, 100),
        "valid_until": _ends,
        "expires_at": _ends,
        "uses": st.integers(0, 5),
        "last_used": st.integers(0, 100),
    }
)
_texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=3)
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(POOLS), _states, _texts),
        st.tuples(st.just("change"), st.integers(0, 30), _states),
        st.tuples(st.just("move"), st.integers(0, 30), st.sampled_from(POOLS)),
        st.tuples(st.just("rewrite"), st.integers(0, 30), _texts),
        st.tuples(st.just("erase"), st.integers(0, 30)),
        st.tuples(st.just("ask"), st.integers(0, 120)),
    ),
    min_size=3,
    max_size=25,
)
_numbers = count(1)


def passages(memory: int, pool: int, state: Mapping[str, object], texts: Iterable[str]) -> tuple[Row, ...]:
    rows = []
    for part, text in enumerate(texts):
        number = next(_numbers)
        vector = np.random.default_rng(number).standard_normal((1, DIM)).astype(np.float32)
        scale, code = quantise(vector)
        has_vector = number % 5 > 0
        row = Row(
            memory=memory, passage=number, pool=pool, start=part * 100, end=part * 100 + 100,
            terms=terms_of(text).to_bytes(), scale=float(scale[0]) if has_vector else 0.0,
            code=code.tobytes() if has_vector else bytes(DIM), **{"spot": memory, **state},  # type: ignore[arg-type]
        )  # fmt: skip
        rows.append(row)
    return tuple(rows)


def loaded(world: Rows, pools: Iterable[int] = POOLS) -> Index:
    index = Index(1 << 30)
    index.use_model("m", DIM)
    for pool in pools:
        index.load(pool, [row for _, rows in sorted(world.items()) for row in rows if row.pool == pool])
    return index


def from_blocks(index: Index) -> Index:
    """An index that opens the segments of another one from blocks, with names numbered in another order."""
    opened = Index(1 << 30)
    opened.use_model("m", DIM)
    opened._interned = {"someone else": 1}
    for pool in POOLS:
        segment, interned = opened.blank(pool)
        held = index._segments[pool]
        block, last = held.packed(index._interned), held.memory[held.alive].max(initial=0)
        segment.adopt(block, interned, after=-1, last=int(last))
        assert segment.packed(interned) == block
        opened.put(segment)
    return opened


def question(text: str = "alpha tick 東京", *, now: int = 50, fetch: int = 4) -> Question:
    vector = np.random.default_rng(len(text)).standard_normal(DIM).astype(np.float32)
    ids = tuple(int(i) for i in terms_of(text).ids)
    unit = vector / np.linalg.norm(vector)
    boosts = {"paper": 1.5}
    return Question(ids, unit, "m", DIM, fetch, now, names=frozenset({"alpha"}), boosts=boosts, context=True)


def answer(index: Index, narrowing: Filter, asked: Question, pools: Iterable[int] = POOLS) -> list[object]:
    found = index.candidates(list(pools), narrowing, frozenset({"entity"}), None, asked)
    return comparable(found)


def comparable(found: Candidates) -> list[object]:
    """What was found, whatever the order of the rows it was found in."""
    signals = found.signals
    numbers = [*signals.number.tolist(), None]
    told = replace(
        signals,
        previous=np.array([numbers[place] for place in signals.previous]),
        following=np.array([numbers[place] for place in signals.following]),
    )
    columns = [
        getattr(told, field.name).tolist() for field in fields(Signals) if field.name not in ("total", "most")
    ]
    groups = [numbers[group] for group in found.groups.tolist()]
    return [
        (signals.total, signals.most),
        sorted(zip(*columns, strict=True), key=itemgetter(0)),
        sorted(zip(found.passages.tolist(), groups, strict=True)),
    ]


@settings(max_examples=examples(150))
@given(
    _steps,
    st.lists(st.sampled_from(FILTERS), min_size=1, max_size=FILTERS_KEPT, unique=True),
    st.sampled_from(["", "alpha tick", "東京 beta"]),
)
def test_an_index_that_followed_every_change_equals_one_freshly_loaded(
    steps: list[Any], filters: list[Filter], text: str
) -> None:
    world: Rows = {}
    index = loaded(world)
    memories = count(1)
    for step in steps:
        changed: Rows = {}
        erased: list[int] = []
        known = sorted(world)
        if step[0] == "ask":
            asked = question(text, now=step[1])
            for narrowing in filters:
                expected = answer(loaded(world), narrowing, asked)
                assert answer(index, narrowing, asked) == expected
                assert answer(from_blocks(index), narrowing, asked) == expected
        elif step[0] == "add":
            number = next(memories)
            changed[number] = passages(number, *step[1:])
        elif known:
            number = known[step[1] % len(known)]
            rows = world[number]
            if step[0] == "change":
                changed[number] = tuple(row._replace(**step[2]) for row in rows)
            elif step[0] == "move":
                changed[number] = tuple(row._replace(pool=step[2]) for row in rows)
            elif step[0] == "rewrite":
                state = {name: getattr(rows[0], name) for name in _STATE}
                changed[number] = passages(number, rows[0].pool, state, step[2])
            else:
                del world[number]
                erased.append(number)
        world |= changed
        index.apply([row for _, rows in sorted(changed.items()) for row in rows], erased)
    for narrowing in filters:
        for now in (30, 50, 70, 110, 10):
            asked = question(text, now=now)
            assert answer(index, narrowing, asked) == answer(loaded(world), narrowing, asked)


_STATE = tuple(
    name for name in Row._fields
    if name not in ("memory", "passage", "pool", "start", "end", "terms", "scale", "code")
)  # fmt: skip


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(st.sampled_from(POOLS), _states, _texts), max_size=20), st.sampled_from(FILTERS))
def test_all_statistics_come_from_the_rows_that_a_filter_leaves_over(
    drafts: list[Any], narrowing: Filter
) -> None:
    """The same answer as from an index that holds nothing else: word weights, lengths, counts."""
    world = {number: passages(number, *draft) for number, draft in enumerate(drafts, 1)}
    index = loaded(world)
    everything = replace(question(fetch=1_000), terms=())
    seen = index.candidates(list(POOLS), narrowing, frozenset({"entity"}), None, everything).signals.total
    admitted = {number: rows for number, rows in world.items() if _passes(rows[0], narrowing, now=50)}
    assert seen == len(admitted)
    assert answer(index, narrowing, question()) == answer(loaded(admitted), narrowing, question())


def _passes(row: Row, f: Filter, *, now: int) -> bool:
    """The rule of a filter, told once more for a single row."""
    status = Status(row.status)
    if f.as_of is not None:
        alive = status in (Status.APPROVED, Status.SUPERSEDED) and row.holds_from <= f.as_of < row.valid_until
        alive = alive and (row.expires_at > f.as_of or bool(row.pinned))
    elif f.statuses is not None:
        alive = bool(row.current) and status in f.statuses
    else:
        alive = bool(row.current) and status is Status.APPROVED and row.valid_until > now
        alive = alive and (row.expires_at > now or bool(row.pinned))
    return (
        alive
        and row.kind != "entity"
        and (f.deleted is None or bool(row.deleted) == f.deleted)
        and (f.kinds is None or row.kind in f.kinds)
        and (
            f.scopes is None
            or any(row.scope_type == t and i in (None, row.scope_id) for t, i in json.loads(f.scopes))
        )
        and (f.branches is None or row.branch in f.branches)
        and (f.owner is None or row.owner == f.owner)
        and (f.session is None or row.session == f.session)
        and (f.since is None or row.at >= f.since)
        and (f.until is None or row.at < f.until)
        and (f.pinned is None or bool(row.pinned) == f.pinned)
    )


LIVE: dict[str, object] = {
    "kind": "note", "status": "approved", "current": 1, "deleted": 0, "pinned": 0, "session": 0,
    "assistant": 0, "manner": 0, "speaker": None,
    "scope_type": "global", "scope_id": None, "branch": None, "owner": "ana", "at": 5, "holds_from": 5,
    "valid_until": NEVER, "expires_at": NEVER, "uses": 0, "last_used": 0,
}  # fmt: skip


def test_one_pool_does_not_weigh_in_another() -> None:
    here = {1: passages(1, 1, LIVE, ["alpha beta"]), 2: passages(2, 1, LIVE, ["beta gamma"])}
    there = {n: passages(n, 2, LIVE, ["alpha " * n]) for n in range(3, 30)}
    alone, beside = loaded(here), loaded(here | there)
    assert answer(alone, Filter(), question(), [1]) == answer(beside, Filter(), question(), [1])


def test_ties_go_to_the_newer_memory_wherever_its_row_stands() -> None:
    rows = [passages(n, 1, LIVE, ["alpha"])[0]._replace(scale=0.0, code=bytes(DIM)) for n in range(1, 10)]
    asked = replace(question("alpha", fetch=3), vector=None)
    for order in (rows, rows[::-1]):
        index = Index(1 << 30)
        index.use_model("m", DIM)
        index.load(1, order)
        found = index.candidates([1], Filter(), frozenset(), None, asked)
        assert sorted(found.signals.number.tolist()) == [7, 8, 9]


def test_a_memory_that_moved_in_behind_newer_ones_is_still_changed_in_place() -> None:
    world = {n: passages(n, 1 if n > 2 else 2, LIVE, ["alpha"]) for n in range(1, 8)}
    index = loaded(world)
    for memory, change in (
        (2, {"pool": 1}),
        (2, {"pinned": 1}),
        (1, {"pool": 1}),
        (2, {"status": "pending"}),
    ):
        world[memory] = tuple(row._replace(**change) for row in world[memory])
        index.apply(world[memory], [])
        for narrowing in (Filter(), Filter(pinned=True), ANY_STATE):
            assert answer(index, narrowing, question()) == answer(loaded(world), narrowing, question())


def test_a_clock_that_was_set_back_sees_what_has_ended_since() -> None:
    index = loaded({})
    answer(index, Filter(), question(now=40))
    row = passages(1, 1, {**LIVE, "expires_at": 40}, ["alpha"])
    index.apply(row, [])
    for now in (39, 40, 39):
        assert answer(index, Filter(), question(now=now)) == answer(
            loaded({1: row}), Filter(), question(now=now)
        )


def test_the_best_passage_speaks_for_its_memory() -> None:
    world = {1: passages(1, 1, LIVE, ["beta", "alpha alpha", "gamma"]), 2: passages(2, 1, LIVE, ["delta"])}
    asked = replace(question("alpha"), vector=None)
    signals = loaded(world, [1]).candidates([1], Filter(), frozenset(), None, asked).signals
    assert (signals.number.tolist(), signals.passage.tolist()) == ([1], [[100, 200]])
    assert signals.total == 2


def test_what_was_not_asked_for_longest_makes_room() -> None:
    index = Index(limit=60_000)
    index.use_model("m", DIM)
    for pool in range(1, 6):
        index.load(pool, [passages(n, pool, LIVE, ["alpha"])[0] for n in range(pool * 100, pool * 100 + 99)])
    assert len(answer(index, Filter(), question(), range(1, 6))) == 3, (
        "all that is asked for at once is there"
    )
    assert not index.has(1)
    assert index.has(5)


def test_a_segment_of_mostly_dead_rows_is_let_go() -> None:
    world = {n: passages(n, 1, LIVE, ["alpha"]) for n in range(1, 1_301)}
    index = loaded(world)
    index.apply([], range(1, 1_002))
    assert not index.has(1)
    assert index.has(2)


def test_another_model_starts_afresh() -> None:
    index = loaded({1: passages(1, 1, LIVE, ["alpha"])})
    index.use_model("m", DIM)
    assert index.has(1)
    index.use_model("other", DIM)
    assert index.is_empty


def group_words(found: Candidates) -> np.ndarray:
    return np.repeat(found.passages[:, None] % 1_000, DIM, axis=1).astype(np.float16)


def read_exactly(index: Index, found: Candidates, change: int) -> np.ndarray:
    """What a reader does that finds no exact vectors: each is told apart by the number of its passage."""
    vectors, known = index.exact(found)
    vectors[~known] = group_words(found)[~known]
    index.keep_exact(found, vectors, ~known, change=change)
    return vectors


def test_exact_vectors_stay_those_of_their_passages_while_rows_come_go_and_change() -> None:
    world = {n: passages(n, 1 + n % 2, LIVE, ["alpha", "alpha beta"]) for n in range(1, 9)}
    index = loaded(world)
    asked = question("alpha", fetch=40)

    def find() -> Candidates:
        return index.candidates(list(POOLS), Filter(), frozenset(), None, asked)

    def expect(known: int) -> None:
        found = find()
        assert np.count_nonzero(index.exact(found)[1]) == known
        assert (read_exactly(index, found, index.change) == group_words(found)).all()

    expect(0)
    expect(16)
    world[20] = passages(20, 1, LIVE, ["alpha"])
    index.apply(world[20], [])
    expect(16)
    world[3] = tuple(row._replace(pinned=1) for row in world[3])
    index.apply(world[3], [])  # the same passages, but it is not known that their vectors are
    expect(15)
    index.apply([], [4])
    expect(15)


def test_exact_vectors_that_were_read_before_a_change_are_not_kept() -> None:
    index = loaded({1: passages(1, 1, LIVE, ["alpha"])})
    found = index.candidates([1], Filter(), frozenset(), None, question())
    read_exactly(index, found, index.change - 1)
    assert not index.exact(found)[1].any()


def test_a_large_segment_keeps_no_exact_vectors() -> None:
    index = loaded({1: passages(1, 1, LIVE, ["alpha"])})
    found = index.candidates([1], Filter(), frozenset(), None, question())
    read_exactly(index, found, index.change)
    before = index.exact(found)[1].all()
    rows = [passages(n, 1, LIVE, ["beta"])[0] for n in range(2, EXACT_ROWS + 2)]
    index.apply(rows, [])
    found = index.candidates([1], Filter(), frozenset(), None, question())
    read_exactly(index, found, index.change)
    assert before
    assert not index.exact(found)[1].any()


@pytest.mark.parametrize("size", [300, 1_400, 5_000])
def test_the_best_of_many_rows_are_those_of_brute_force(size: int) -> None:
    """By words too, of which many tie: then the newer counts."""
    random = np.random.default_rng(size)
    repeats = [["alpha " * int(n)] for n in random.integers(1, 9, size)]
    rows = [passages(n, 1, LIVE, text)[0] for n, text in enumerate(repeats, 1)]
    index = loaded({n: (row,) for n, row in enumerate(rows, 1)})
    asked = replace(question("alpha", fetch=20), context=False)
    found = index.candidates([1], Filter(), frozenset(), None, asked).signals
    assert asked.vector is not None
    _, code = quantise(asked.vector[None, :])
    codes = np.stack([np.frombuffer(row.code, np.int8) for row in rows]).astype(np.int64)
    near = codes @ code[0].astype(np.int64) * np.array([row.scale for row in rows])
    near[[row.scale == 0 for row in rows]] = -np.inf
    counts = np.array([min(len(text[0].split()), 255) for text in repeats])
    best = set(np.lexsort((-np.arange(size), -near))[:20]) | set(
        np.lexsort((-np.arange(size), -_shares(counts)))[:20]
    )
    assert {int(number) - 1 for number in found.number} == best


def _shares(counts: np.ndarray) -> np.ndarray:
    """BM25 of one term that is all that each text holds, rounded as far as ties go."""
    shares = counts * 2.2 / (counts + 1.2 * (0.25 + 0.75 * counts / counts.mean()))
    return np.asarray(np.round(shares, 4))


def test_what_is_too_far_to_be_wanted_is_left_out() -> None:
    row = next(row for row in passages(1, 1, LIVE, ["alpha", "beta"]) if row.scale)
    row = row._replace(start=0)
    code = np.frombuffer(row.code, np.int8).astype(np.float32) * row.scale
    unit = code / np.linalg.norm(code)
    index = loaded({1: (row._replace(scale=row.scale / float(np.linalg.norm(code))),)})
    for vector, expected in ((unit, [1]), (-unit, [])):
        asked = replace(question(), terms=(), vector=vector, least=0.6)
        found = index.candidates([1], Filter(), frozenset(), None, asked).signals
        assert (found.number.tolist(), found.total) == (expected, 1)


def test_more_rows_than_a_posting_can_name_are_refused() -> None:
    with pytest.raises(OverflowError, match="at most"):
        Postings().append(ROWS_MAX, [b""])


@settings(max_examples=examples(100))
@given(st.lists(st.tuples(st.just(1), _states, _texts), min_size=1, max_size=4), st.data())
def test_a_damaged_block_is_refused_or_harmless(drafts: list[Any], data: st.DataObject) -> None:
    """Whatever bytes it has: it never makes a segment that fails otherwise than by `BadBlock`."""
    world = {number: passages(number, *draft) for number, draft in enumerate(drafts, 1)}
    whole = loaded(world)._segments[1].packed(loaded(world)._interned)
    place = data.draw(st.integers(0, len(whole.content) - 1))
    content = data.draw(
        st.sampled_from([
            whole.content[:place],
            whole.content[:place] + bytes([data.draw(st.integers(0, 255))]) + whole.content[place + 1 :],
            b"",
            b"\xff" * 40,
        ])
    )  # fmt: skip
    index = Index(1 << 30)
    index.use_model("m", DIM)
    segment, interned = index.blank(1)
    with suppress(BadBlock):
        segment.adopt(Block(content, whole.codes), interned, after=0, last=len(world))
    assert segment.size in (0, sum(map(len, world.values())))
