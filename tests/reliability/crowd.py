"""Many processes on one store at once: writers that then look for each other's memories, and readers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.reliability.ledger import Ledger
from tests.reliability.nursery import Nursery, kill
from tests.reliability.workload import KINDS, opened, text_of


@dataclass(slots=True)
class Crowd:
    """What came of it."""

    acknowledged: int = 0
    problems: list[str] = field(default_factory=list)


def crowd(path: Path, *, writers: int, writes: int, readers: int, looks: int, seed: int = 1) -> Crowd:
    """Lets processes write at once; when all have, each looks for `looks` memories of the others in the
    caches that it has. Then the store is opened here and everything compared."""
    rng = random.Random(seed)
    result = Crowd()
    ledger = Ledger()
    signal = path.with_suffix(".all-written")
    plans = [_plan(number, writes) for number in range(writers)]
    texts = [op["texts"][0] for plan in plans for op in plan]
    with Nursery() as nursery:
        for number in range(writers + readers):
            is_writer = number < writers
            others = [text for text in texts if not is_writer or text not in _texts(plans[number])]
            job = {
                "name": number,
                "path": str(path),
                "ids": {},
                "ops": plans[number] if is_writer else [],
                "reads": not is_writer,
                "until": str(signal),
                "expect": rng.sample(others, min(looks, len(others))),
            }
            nursery.start(job)
        names: dict[int, int] = {}
        left, writing = writers + readers, writers
        for report in nursery.reports():
            match report:
                case {"born": int(pid), "name": int(number)}:
                    names[pid] = number
                case {"ack": int(index), "pid": int(pid), "ids": list(made)}:
                    ledger.acknowledge(plans[names[pid]][index], made)
                    result.acknowledged += len(made)
                case {"written": int(pid)}:
                    writing -= names[pid] < writers
                case {"failed": int(pid), "error": str(error)}:
                    result.problems.append(f"process {names[pid]}: {error}")
                    writing -= names[pid] < writers
                case {"unseen": int(pid), "text": str(text)}:
                    result.problems.append(f"process {names[pid]} does not find {text!r}")
                case {"exit": _, "status": int(status)}:
                    left -= 1
                    if status:
                        result.problems.append(f"a process ended with {status}")
            if writing == 0:
                signal.touch()
            if left == 0:
                break
        for pid in names:
            kill(pid)
    with opened(path) as memory:
        # sessions were begun by several processes at once: which of them made one is not known
        ledger.world.events = {}
        found = ledger.compare(memory, rng, sample=50)
        result.problems += [problem for problem in found if not problem.startswith("events ")]
    return result


def _plan(number: int, writes: int) -> list[dict[str, Any]]:
    plan: list[dict[str, Any]] = []
    for i in range(writes):
        slot = 1 + number * 100_000 + i
        op: dict[str, Any] = {"slots": [slot], "texts": [text_of(slot)]}
        if i % 2:
            place = {"do": "messages", "kind": "message", "session": f"s{number}", "project": "harbour"}
        else:
            place = {"do": "remember", "kind": KINDS[slot % len(KINDS)], "project": "harbour"}
        plan.append(op | place)
    return plan


def _texts(plan: list[dict[str, Any]]) -> set[str]:
    return {text for op in plan for text in op["texts"]}
