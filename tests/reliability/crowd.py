"""Many processes on one store at once: writers that then look for each other's memories, and readers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL
from typing import Any

from tests.reliability.ledger import Ledger
from tests.reliability.nursery import Nursery, kill
from tests.reliability.workload import KINDS, opened, text_of


@dataclass(slots=True)
class Crowd:
    """What came of it."""

    acknowledged: int = 0
    killed: bool = False
    problems: list[str] = field(default_factory=list)


def crowd(
    path: Path, *, writers: int, writes: int, readers: int, looks: int, seed: int = 1,
    doomed: dict[str, Any] | None = None,
) -> Crowd:  # fmt: skip
    """Lets processes write at once; when all have, each looks for `looks` memories of the others in the
    caches that it has. Then the store is opened here and everything compared. `doomed` is a point at which
    the first writer dies in the middle of the others."""
    rng = random.Random(seed)
    result = Crowd()
    ledger = Ledger(one_writer=False)
    signal = path.with_suffix(".all-written")
    plans = [_plan(number, writes) for number in range(writers)]
    texts = [op["texts"][0] for plan in plans[doomed is not None :] for op in plan]
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
                "point": doomed if number == 0 else None,
            }
            nursery.start(job)
        names: dict[int, int] = {}
        begun: dict[str, Any] | None = None
        left, writing = writers + readers, writers
        for report in nursery.reports():
            match report:
                case {"born": int(pid), "name": int(number)}:
                    names[pid] = number
                case {"begin": int(index), "pid": int(pid)} if doomed and names[pid] == 0:
                    begun = plans[0][index]
                case {"ack": int(index), "pid": int(pid), "ids": list(made)}:
                    ledger.acknowledge(plans[names[pid]][index], made)
                    begun = None if names[pid] == 0 else begun
                    result.acknowledged += len(made)
                case {"written": int(pid)}:
                    writing -= names[pid] < writers
                case {"failed": int(pid), "error": str(error)}:
                    result.problems.append(f"process {names[pid]}: {error}")
                    writing -= names[pid] < writers
                case {"unseen": int(pid), "text": str(text)}:
                    result.problems.append(f"process {names[pid]} does not find {text!r}")
                case {"exit": int(pid), "status": int(status)}:
                    left -= 1
                    if status == -SIGKILL and doomed and names[pid] == 0:
                        writing -= 1
                        result.killed = True
                    elif status:
                        result.problems.append(f"a process ended with {status}")
            if writing == 0:
                signal.touch()
            if left == 0:
                break
        for pid in names:
            kill(pid)
    with opened(path) as memory:
        ledger.pending = begun
        result.problems += ledger.compare(memory, rng, sample=50)
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
