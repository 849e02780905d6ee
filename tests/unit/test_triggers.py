"""Triggers of clients: debounce, cooldown, trailing runs, release on failure; on a clock of the test."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from holdfast.integrations.triggers import COOLDOWN, DELAYS, OTHER, Triggers


class Desk:
    """Triggers on a clock that the test moves, and the times of all runs."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.runs: list[tuple[str, float]] = []
        self.fails: set[str] = set()
        self.during: list[tuple[str, str]] = []
        self.triggers = Triggers(self.run, clock=lambda: self.now)

    def run(self, file: str) -> None:
        self.runs.append((file, self.now))
        for noted in self.during:
            self.triggers.note(*noted)
        self.during = []
        if file in self.fails:
            raise OSError("no network")

    def until(self, time: float) -> None:
        """Lets the time pass, and runs what is due at its time."""
        while (at := self.triggers.next_at()) is not None and at <= time:
            self.now = max(self.now, at)
            self.triggers.run_due()
        self.now = time


def test_s3_23_events_of_a_kind_wait_for_each_other() -> None:
    desk = Desk()
    for moment in (0, 3, 6):
        desk.now = 1_000 + moment
        desk.triggers.note("a", "code_cell")
    desk.until(2_000)
    assert desk.runs == [("a", 1_011.0)]


def test_s3_23_a_longer_delay_never_puts_off_a_shorter_one() -> None:
    desk = Desk()
    desk.triggers.note("a", "code_cell")
    desk.now += 1
    desk.triggers.note("a", "paste")
    desk.until(2_000)
    assert desk.runs == [("a", 1_005.0)]


def test_s3_23_what_happens_in_the_cooldown_runs_at_its_end_and_for_each_file() -> None:
    desk = Desk()
    desk.triggers.note("a", "import")
    desk.until(1_010)
    for moment in (0, 10, 20):
        desk.now = 1_010 + moment
        desk.triggers.note("a", "set_cells")
    desk.triggers.note("b", "import")
    desk.until(2_000)
    assert desk.runs == [("a", 1_005.0), ("b", 1_035.0), ("a", 1_005 + COOLDOWN)]
    assert desk.triggers.next_at() is None


def test_s3_23_a_failed_run_releases_the_cooldown_and_a_person_waits_for_nothing() -> None:
    desk = Desk()
    desk.fails = {"a"}
    desk.triggers.note("a", "import")
    desk.until(1_010)
    desk.fails = set()
    desk.triggers.note("a", "import")
    desk.until(1_020)
    desk.triggers.note("a", "regenerate")
    desk.until(1_021)
    assert desk.runs == [("a", 1_005.0), ("a", 1_015.0), ("a", 1_020.0)]


def test_s3_23_a_run_that_failed_is_planned_again_until_it_succeeds() -> None:
    desk = Desk()
    desk.fails = {"a"}
    desk.triggers.note("a", "import")
    desk.until(1_100)
    desk.fails = set()
    desk.until(2_000)
    assert desk.runs == [("a", 1_005 + n * COOLDOWN) for n in range(3)]
    assert desk.triggers.next_at() is None


def test_s3_23_what_happens_during_a_run_leads_to_one_more() -> None:
    desk = Desk()
    desk.during = [("a", "paste"), ("a", "cut")]
    desk.triggers.note("a", "import")
    desk.until(2_000)
    assert desk.runs == [("a", 1_005.0), ("a", 1_065.0)]


def test_s3_23_an_opened_file_is_run_only_if_it_needs_it() -> None:
    desk = Desk()
    desk.triggers.note_opened("empty", has_content=False, is_described=False)
    desk.triggers.note_opened("known", has_content=True, is_described=True)
    desk.triggers.note_opened("old", has_content=True, is_described=False)
    desk.until(2_000)
    assert desk.runs == [("old", 1_002.5)]


def test_s3_23_no_event_is_ever_lost_and_no_file_runs_too_often() -> None:
    random = Random(7)
    for _ in range(200):
        desk = Desk()
        last: dict[str, float] = {}
        for _ in range(random.randint(1, 60)):
            desk.until(desk.now + random.random() * random.choice((1, 20, 90)))
            file = random.choice("ab")
            event = random.choice([one for one in DELAYS if one != "regenerate"] + ["unknown"])
            desk.triggers.note(file, event)
            last[file] = desk.now
        desk.until(desk.now + 1_000)
        for file, noted in last.items():
            times = [at for one, at in desk.runs if one == file]
            assert noted <= times[-1] <= noted + COOLDOWN + OTHER
            assert all(after - before > COOLDOWN - 1e-6 for before, after in pairwise(times))
        assert desk.triggers.next_at() is None
