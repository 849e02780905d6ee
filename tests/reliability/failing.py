"""Runs on a failing disk: every write and sync fails once, or the power does; then the ledger decides."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from holdfast.api.memory import Memory
from holdfast.core.errors import HoldfastError, StoreError
from holdfast.stores.sqlite import opening
from holdfast.stores.sqlite.head import HeadFile
from tests.reliability.faulty import Act, Disk, Record, Trouble, after_power_loss
from tests.reliability.ledger import Ledger
from tests.reliability.workload import Planner, World, open_memory, opened, perform

CHECKPOINT = 12
"""Pages of the log after which it is copied into the file: often, so that faults meet checkpoints."""
EXPECTED = {"store_io", "store_full"}


@dataclass(slots=True)
class Outcome:
    """What faults came to."""

    acts: int = 0
    """Writes, syncs and truncations of one run."""
    runs: int = 0
    errors: int = 0
    """Errors that reached the caller, as they should."""
    acknowledged: int = 0
    problems: list[str] = field(default_factory=list)


def plan_of(seed: int, count: int) -> list[dict[str, Any]]:
    """The operations of one seed: the same for every index at which the disk fails."""
    return Planner(World(), random.Random(seed), first_slot=1).plan(count, batch=5)


def run_with_fault(folder: Path, plan: list[dict[str, Any]], trouble: Trouble, outcome: Outcome) -> None:
    """Works on a disk that fails at one place; the memory must stay usable, and then open again."""
    disk = Disk("failing", trouble=trouble)
    path = folder / "a.db"
    where = f"{trouble.fault} at {trouble.at}, for {trouble.lasting}"
    ledger, rng = Ledger(), random.Random(trouble.at)
    with _often_checkpointed():
        memory = _opened_sooner_or_later(path, disk, outcome)
    try:
        for op in plan:
            _attempt(memory, op, ledger, where, outcome)
        outcome.problems += [f"{where}, live: {p}" for p in ledger.compare(memory, rng, sample=4)]
    finally:
        memory.close()
    with opened(path) as again:
        outcome.problems += [f"{where}, reopened: {p}" for p in ledger.compare(again, rng, sample=4)]
    outcome.runs += 1
    outcome.acts = max(outcome.acts, trouble.seen)
    outcome.acknowledged += ledger.acknowledged


def _attempt(memory: Memory, op: dict[str, Any], ledger: Ledger, where: str, outcome: Outcome) -> None:
    """One operation, tried until it goes through; each failure must be a clear one and change nothing, or
    all that was asked for."""
    for _ in range(200):
        if op.keys() & {"slot", "supersedes"} and not _makes_sense(op, ledger):
            return
        ledger.begin(op)
        try:
            ledger.acknowledge(op, perform(memory, op, ledger.ids))
            return
        except StoreError as error:
            outcome.errors += 1
            if error.code not in EXPECTED:
                outcome.problems.append(f"{where}, {op['do']}: {error.code} {error}")
        except Exception as error:
            outcome.problems.append(f"{where}, {op['do']}: {error!r}")
        before = ledger.world.copy()
        outcome.problems += [
            f"{where}, after {op['do']}: {p}" for p in ledger.compare(memory, random.Random(1), sample=1)
        ]
        if ledger.world != before:
            return  # it was done, only its acknowledgement failed
    outcome.problems.append(f"{where}: {op['do']} never succeeds")


def _makes_sense(op: dict[str, Any], ledger: Ledger) -> bool:
    known = ledger.world.slots.get(op["slot"] if "slot" in op else op["supersedes"])
    wanted = {"restore": ("forgotten",), "erase": ("live", "forgotten", "superseded")}
    return known is not None and known.state in wanted.get(op["do"], ("live",))


def _opened_sooner_or_later(path: Path, disk: Disk, outcome: Outcome) -> Memory:
    while True:
        try:
            return open_memory(path, vfs=disk.vfs_name)
        except HoldfastError as error:
            outcome.errors += 1
            if error.code not in EXPECTED or outcome.errors > 10_000:
                raise


def count_acts(folder: Path, plan: list[dict[str, Any]]) -> int:
    """How many writes, syncs and truncations the plan makes on a sound disk."""
    outcome = Outcome()
    run_with_fault(folder, plan, Trouble(10**9, "io"), outcome)
    if outcome.problems or outcome.errors:
        raise AssertionError(outcome.problems)
    return outcome.acts


def recorded(folder: Path, plan: list[dict[str, Any]]) -> tuple[Record, list[list[str]]]:
    """All acts of the plan on a sound disk, with marks for what was begun and acknowledged, and the ids that
    each operation made."""
    record = Record()
    disk = Disk("recording", record=record)
    ids: dict[int, str] = {}
    made: list[list[str]] = []
    note = HeadFile.write

    def noted(head: HeadFile, *args: Any, **options: Any) -> None:
        note(head, *args, **options)
        content = (folder / "a.db.head").read_bytes()
        record.acts.append(Act("write", "a.db.head", 0, content))

    with patch.object(HeadFile, "write", noted), _often_checkpointed():
        memory = open_memory(folder / "a.db", vfs=disk.vfs_name)
        for number, op in enumerate(plan):
            record.mark(f"begin {number}")
            made.append(perform(memory, op, ids))
            record.mark(f"ack {number}")
        memory.close()
    return record, made


def power_losses(
    folder: Path, plan: list[dict[str, Any]], record: Record, made: list[list[str]], *, every: int, seed: int,
    outcome: Outcome,
) -> None:  # fmt: skip
    """Lets the power fail behind every so-manieth act, and compares what a disk may hold with the ledger."""
    ledger = Ledger()
    rng = random.Random(seed)
    outcome.acts = len(record.acts)
    for index, act in enumerate(record.acts):
        word, _, number = act.what.partition(" ")
        if word == "begin":
            ledger.begin(plan[int(number)])
        elif word == "ack":
            ledger.acknowledge(plan[int(number)], made[int(number)])
        if index % every:
            continue
        image = folder / f"image-{index}"
        image.mkdir()
        (image / "a.db").touch()
        after_power_loss(record.acts[: index + 1], rng, image)
        outcome.runs += 1
        try:
            with opened(image / "a.db") as memory:
                found = deepcopy(ledger).compare(memory, rng, sample=2)
        except HoldfastError as error:
            found = [f"it cannot be opened: {error}"]
        outcome.problems += [f"power lost behind act {index} ({act.what} {act.name}): {p}" for p in found]
        if not found:
            shutil.rmtree(image)
    outcome.acknowledged += ledger.acknowledged


@contextmanager
def _often_checkpointed() -> Iterator[None]:
    connect = vars(opening)["connect"]

    def often(*args: Any, writable: bool, **options: Any) -> Any:
        connection = connect(*args, writable=writable, **options)
        if writable:
            connection.wal_autocheckpoint(CHECKPOINT)
        return connection

    with patch.object(opening, "connect", often):
        yield
