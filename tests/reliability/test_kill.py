"""Processes killed at any point of their work: every acknowledged write is there (GATES: kill -9)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.killing import Tally, kill_rounds, one_round
from tests.reliability.ledger import Ledger
from tests.reliability.nursery import Nursery
from tests.reliability.points import POINTS
from tests.reliability.workload import Planner, opened, text_of

ROUNDS = 2 * len(POINTS)
"""Each round takes longer than the one before it, since the store grows."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as running:
        yield running


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 8))])
def test_nothing_acknowledged_is_lost_when_a_writer_is_killed(
    nursery: Nursery, tmp_path: Path, seed: int
) -> None:
    tally = Tally()
    kill_rounds(nursery, tmp_path / "a.db", rounds=ROUNDS, seed=seed, tally=tally, ops=30)
    assert tally.problems == []
    assert tally.kills == ROUNDS
    assert set(tally.by_point) == set(POINTS)
    assert tally.acknowledged > 150
    assert tally.between < ROUNDS * 0.8, "most kills fall within an operation"


@pytest.mark.parametrize("at", ["statement", "disk"])
def test_a_creation_that_is_killed_is_done_again(nursery: Nursery, tmp_path: Path, at: str) -> None:
    rng = random.Random(3)
    for n in [*range(1, 12), *range(12, 100, 8)]:
        ledger = Ledger()
        path = tmp_path / f"{n}.db"
        plan = [{"do": "remember", "slots": [1], "texts": [text_of(1)], "kind": "note", "project": None}]
        failed = one_round(nursery, path, ledger, plan, {"at": at, "n": n}, rng)
        assert failed is None
        with opened(path) as memory:
            assert ledger.compare(memory, rng) == []
            later = text_of(2)
            memory.remember(later)
            assert memory.recall(later)[0].memory.text == later


def test_the_ledger_notices_what_is_lost(tmp_path: Path) -> None:
    """The comparison itself: it must fail where a write is missing, torn or out of order."""
    from tests.reliability.workload import perform

    rng = random.Random(4)
    ledger = Ledger()
    with opened(tmp_path / "a.db") as memory:
        ids: dict[int, str] = {}
        for op in Planner(ledger.world, rng, first_slot=1).plan(40):
            ledger.begin(op)
            ledger.acknowledge(op, perform(memory, op, ids))
        assert ledger.compare(memory, rng, sample=5) == []
        live = next(n for n, slot in ledger.world.slots.items() if slot.is_live and slot.kind != "message")
        memory.forget(ids[live])
        assert any(f"slot {live}" in problem for problem in ledger.compare(memory, rng, sample=5))
        memory.restore(ids[live])
        memory.remember(text_of(9_999))
        assert any("should not be there" in problem for problem in ledger.compare(memory, rng, sample=5))
