"""Clocks that jump a day forward or back: the order is that of writing, and nothing vanishes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from holdfast.core.times import DAY
from tests.reliability.ledger import Ledger
from tests.reliability.workload import Planner, opened, perform, text_of

START = 1_750_000_000_000


class JumpingClock:
    """A clock that runs a little with each look, and jumps when told to, or at random."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self.now = START
        self._rng = rng

    def __call__(self) -> int:
        self.now += 7
        if self._rng is not None and self._rng.random() < 0.2:
            self.now += self._rng.choice((-DAY, DAY))
        return self.now


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_vanishes_and_nothing_changes_places(tmp_path: Path, seed: int) -> None:
    """The ledger's whole comparison, order of messages and versions included, under a jumping clock."""
    rng = random.Random(seed)
    clock = JumpingClock(random.Random(seed))
    ledger = Ledger()
    for _ in range(2):
        with opened(tmp_path / "a.db", clock=clock) as memory:
            ids = ledger.ids
            for op in Planner(ledger.world, rng, first_slot=ledger.next_slot).plan(40, batch=4):
                ledger.begin(op)
                ledger.acknowledge(op, perform(memory, op, ids))
            assert ledger.compare(memory, rng, sample=15) == []


@pytest.mark.parametrize("jump", [-DAY, DAY, -3 * DAY])
def test_lists_and_histories_stand_in_the_order_of_writing(tmp_path: Path, jump: int) -> None:
    clock = JumpingClock()
    with opened(tmp_path / "a.db", clock=clock) as memory:
        kept = []
        for slot in range(6):
            stored = memory.remember(text_of(slot)).memory
            assert stored is not None
            kept.append(stored.id)
            clock.now += jump
        assert [record.id for record in memory.list().memories] == kept[::-1]
        for version in (2, 3, 4):
            clock.now += jump
            memory.revise(kept[0], text=text_of(0, version))
        memory.forget(kept[0])
        clock.now += jump
        memory.restore(kept[0])
        history = memory.history(kept[0])
        assert [change.action for change in history] == [
            "remember", "revise", "revise", "revise", "forget", "restore"
        ]  # fmt: skip
        assert [c.text for c in history if c.text] == [text_of(0, version) for version in (1, 2, 3, 4)]
        assert memory.get(kept[0]).text == text_of(0, 4)
        for mode in ("words", "vectors", "hybrid"):
            assert memory.recall(text_of(0, 4), mode=mode)[0].memory.version == 4
        assert [event.sequence for event in memory.audit.list(limit=None)] == list(
            range(1, memory.audit.verify() + 1)
        )


@pytest.mark.parametrize("jump", [-DAY, DAY])
def test_the_later_statement_supersedes_whatever_the_clock_says(tmp_path: Path, jump: int) -> None:
    clock = JumpingClock()
    with opened(tmp_path / "a.db", clock=clock) as memory:
        first = memory.remember("The API of the shop listens on port 8080", kind="fact")
        clock.now += jump
        second = memory.remember("The API of the shop listens on port 9090", kind="fact")
        assert first.memory is not None
        assert second.memory is not None
        assert second.outcome.value == "superseded"
        assert memory.get(first.memory.id).superseded_by == second.memory.id
        for mode in ("words", "vectors", "hybrid"):
            texts = [hit.memory.text for hit in memory.recall("port of the shop API", mode=mode)]
            assert texts == ["The API of the shop listens on port 9090"]
        clock.now += jump
        third = memory.remember("The API of the shop listens on port 7070", kind="fact")
        assert third.outcome.value == "superseded"
        assert [record.text[-4:] for record in memory.list().memories] == ["7070"]


def test_what_was_written_under_a_fast_clock_is_found_under_a_right_one(tmp_path: Path) -> None:
    clock = JumpingClock()
    clock.now += DAY
    with opened(tmp_path / "a.db", clock=clock) as memory:
        memory.remember(text_of(1))
        memory.add_messages([{"role": "user", "content": text_of(2)}], session="s")
    clock.now -= DAY
    with opened(tmp_path / "a.db", clock=clock) as memory:
        for slot in (1, 2):
            for mode in ("words", "vectors", "hybrid"):
                assert memory.recall(text_of(slot), mode=mode)[0].memory.text == text_of(slot)
        assert len(memory.list().memories) == 2
