"""Disks that fail: errors, no space, short writes at any act, and power loss (GATES: fault-injecting VFS)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.failing import (
    Outcome,
    count_acts,
    plan_of,
    power_losses,
    recorded,
    run_with_fault,
)
from tests.reliability.faulty import FAULTS, Trouble

OPS = 10
EVERY = 40
"""Of the acts of a disk, each so many is tried, and with each kind of fault half as many."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_disk_loses_nothing_and_is_told(tmp_path: Path, fault: str) -> None:
    plan = plan_of(5, OPS)
    (tmp_path / "sound").mkdir()
    acts = count_acts(tmp_path / "sound", plan)
    outcome = Outcome()
    for index in range(1 + FAULTS.index(fault) * 3, acts, 2 * EVERY):
        folder = tmp_path / str(index)
        folder.mkdir()
        run_with_fault(folder, plan, Trouble(index, fault, lasting=(1, 7)[index // (2 * EVERY) % 2]), outcome)
    assert outcome.problems == []
    assert outcome.runs >= acts // (2 * EVERY)
    assert outcome.errors > outcome.runs // 2, "most faults reach the caller"


def test_power_loss_drops_or_reorders_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    plan = plan_of(6, OPS)
    (tmp_path / "sound").mkdir()
    record, made = recorded(tmp_path / "sound", plan)
    outcome = Outcome()
    power_losses(tmp_path, plan, record, made, every=EVERY, seed=6, outcome=outcome)
    assert outcome.problems == []
    assert outcome.runs > 20
    assert sum(act.what == "sync" for act in record.acts) > OPS


def test_the_simulation_notices_writes_that_are_not_synced(tmp_path: Path) -> None:
    """The simulation itself: a store that does not sync loses what it acknowledged."""
    plan = plan_of(6, OPS)
    (tmp_path / "sound").mkdir()
    record, made = recorded(tmp_path / "sound", plan)
    record.acts = [act for act in record.acts if act.what != "sync" or not act.name.endswith("-wal")]
    outcome = Outcome()
    power_losses(tmp_path, plan, record, made, every=EVERY, seed=6, outcome=outcome)
    assert outcome.problems
