"""Rounds of killing: a child writes and dies, the store is opened again and compared with the ledger."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.reliability.ledger import Ledger
from tests.reliability.nursery import Nursery, kill
from tests.reliability.points import POINTS
from tests.reliability.workload import Planner, opened

REACH = {"statement": 900, "step": 4_000, "commit": 30, "disk": 500, "main_file": 40, "before_head": 30,
         "in_head": 30, "scrub": 3, "blocks": 60}  # fmt: skip
"""How far into a child's work a point may lie; beyond its end the child is killed when it is done."""


@dataclass(slots=True)
class Tally:
    """What the rounds came to."""

    kills: int = 0
    acknowledged: int = 0
    memories: int = 0
    by_point: dict[str, int] = field(default_factory=dict)
    between: int = 0
    """Kills that fell between two operations: at opening, or after the last one."""
    problems: list[str] = field(default_factory=list)


def kill_rounds(
    nursery: Nursery, path: Path, *, rounds: int, seed: int, tally: Tally, ops: int = 40, batch: int = 12,
    sample: int | None = 8, points: tuple[str, ...] = POINTS,
) -> None:  # fmt: skip
    """Kills that many writers of one store, one after another, each at another point of its work."""
    rng = random.Random(seed)
    ledger = Ledger()
    for number in range(rounds):
        at = points[(seed + number) % len(points)]
        point = {"at": at, "n": 1 + int(rng.random() ** 2 * REACH.get(at, 1))}
        plan = Planner(ledger.world, rng, first_slot=ledger.next_slot).plan(ops, batch=batch)
        failed = one_round(nursery, path, ledger, plan, point, rng)
        tally.between += ledger.pending is None
        tally.kills += 1
        tally.by_point[at] = tally.by_point.get(at, 0) + 1
        where = f"seed {seed}, round {number}, {point}"
        if failed:
            tally.problems.append(f"{where}: {failed}")
        last = number == rounds - 1
        with opened(path) as memory:
            found = ledger.compare(memory, rng, sample=None if last and sample is None else sample)
        tally.problems += [f"{where}: {problem}" for problem in found]
        if found:
            break
    tally.acknowledged += ledger.acknowledged
    tally.memories += len(ledger.world.slots)


def one_round(
    nursery: Nursery, path: Path, ledger: Ledger, plan: list[dict[str, Any]], point: dict[str, Any],
    rng: random.Random,
) -> str | None:  # fmt: skip
    """One child from birth to death; returns the error it failed with, if it did not simply die."""
    job = {"path": str(path), "ids": ledger.ids, "ops": plan, "point": point, "wait": True}
    until = rng.randrange(len(plan)) if point["at"] == "random" else len(plan)
    failed: str | None = None
    pid = 0
    nursery.start(job)
    for report in nursery.reports():
        match report:
            case {"born": int(pid)} if point["at"] == "random" and until == 0:
                time.sleep(rng.random() * 0.02)
                kill(pid)
            case {"begin": number}:
                ledger.begin(plan[number])
                if number >= until:
                    time.sleep(rng.random() * 0.004)
                    kill(pid)
            case {"ack": number, "ids": made}:
                ledger.acknowledge(plan[number], made)
            case {"failed": _, "error": error}:
                failed = str(error)
            case {"written": _}:
                kill(pid)
            case {"exit": _}:
                break
    return failed
