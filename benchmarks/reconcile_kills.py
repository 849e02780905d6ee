"""Kills reconciliations inside of a payload, and checks that nothing is lost, doubled or orphaned.

A process reconciles one payload after the other, each a random change of the one before, and says when it
begins a payload, when it enters one of its transactions, and when it has finished. It is killed a random time
after it entered a random transaction, the store is opened again, and the checks run: the chain verifies, each
entity has at most one live description, all are of a payload that was begun. Then the payload that was
interrupted is sent again, after which the descriptions are exactly those of the payload, and what a person
edited or pinned stands as it stood.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from holdfast import Memory
from holdfast.features.reconcile.reconcile import payload_of, reconcile

ENTITIES = 1_200
"""Of one payload, of which a third changes: some three transactions."""
ROUNDS = 25
"""Kills of one store; then a new one is begun: all events are verified after each kill."""
HELD = ("t3", "t400")
"""What a person edits and pins at the beginning."""
WORDS = "My own words"
REACH = 0.06
"""Most seconds between the beginning of a transaction and the kill."""


def payload(seed: int) -> dict[str, Any]:
    """Returns the payload of a number: nine in ten of all tables, one in three as in no other payload."""
    dice = random.Random(seed)
    entities = []
    for number in range(ENTITIES):
        id = f"t{number}"
        if id not in HELD and dice.random() < 0.1:
            continue
        rows = 1_000_000 * seed + number if dice.random() < 0.33 else number
        data = {"title": id, "summary": f"Table {id} of {rows} rows."}
        entities.append({"type": "TABLE", "id": id, "data": data})
    return {"name": "big", "platform": "test", "entities": entities}


def work(store: str, first: int) -> None:
    """Reconciles payloads until it is killed, and says where it is."""
    with Memory(store, user="ana") as memory:
        for seed in range(first, first + 1_000):
            print("begins", seed, flush=True)
            checked = payload_of("big", payload(seed), seed)
            reconcile(memory._service, checked, hold=lambda _: print("inside", flush=True))
            print("finished", flush=True)


def run(kills: int, seed: int) -> str:
    """Kills and checks, and returns a line of figures. Raises AssertionError for what is wrong."""
    dice, found = random.Random(seed), Counter[str]()
    moments = Counter[str]()
    while (done := sum(moments.values())) < kills:
        _one_store(min(ROUNDS, kills - done), dice, moments, found)
    places = ", ".join(f"{count} {moment}" for moment, count in sorted(moments.items()))
    payloads, events = found["payloads"], found["events"]
    return (
        f"{kills} kills: {places}; {found['incomplete']} left half of a payload;"
        f" {payloads} payloads, {events:,} events"
    )


def _one_store(kills: int, dice: random.Random, moments: Counter[str], problems: Counter[str]) -> None:
    """Kills and checks over one store."""
    last = 1
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "soak.db")
        with Memory(store, user="ana") as memory:
            memory.reconcile("big", payload(1), sequence=1)
            known = _live(memory)
            memory.revise(known[HELD[0]].id, text=WORDS)
            memory.pin(known[HELD[1]].id)
        for kill in range(kills):
            last, moment = _killed(store, last + 1, dice)
            moments[moment] += 1
            with Memory(store, user="ana") as memory:
                _live(memory)
                problems["incomplete"] += not memory.described.get("big").complete
                memory.audit.verify()
                memory.reconcile("big", payload(last), sequence=last)
                after = _live(memory)
                wanted = {one["id"]: one["data"]["summary"] for one in payload(last)["entities"]}
                wanted |= {HELD[0]: WORDS, HELD[1]: known[HELD[1]].text}
                assert {id: one.text for id, one in after.items()} == wanted, f"kill {kill}"
                assert len(memory.review.inbox().items) <= len(HELD), "news was doubled"
        with Memory(store, user="ana") as memory:
            assert memory.doctor().problems == (), memory.doctor().problems
            problems["events"] += sum(1 for _ in memory.audit)
    problems["payloads"] += last


def _killed(store: str, first: int, dice: random.Random) -> tuple[int, str]:
    """Runs the work and kills it inside of a random transaction. Returns the number of the payload that it
    had begun, and where the kill struck."""
    command = [sys.executable, "-m", "benchmarks.reconcile_kills", store, str(first)]
    paths = os.pathsep.join(filter(None, (".", os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": paths}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    lines, target = [process.stdout.readline()], dice.randint(1, 6)
    while sum(line.startswith("inside") for line in lines) < target:
        lines.append(process.stdout.readline())
    time.sleep(dice.random() * REACH)
    process.send_signal(signal.SIGKILL)
    lines += process.stdout.read().splitlines()
    process.wait()
    begun = max(at for at, line in enumerate(lines) if line.startswith("begins"))
    entered = sum(line.startswith("inside") for line in lines[begun:])
    is_over = any(line.startswith("finished") for line in lines[begun:])
    moment = "between two payloads" if is_over else f"in or after transaction {entered} of a payload"
    return int(lines[begun].split()[1]), moment if entered else "before the first transaction of a payload"


def _live(memory: Memory) -> dict[str, Any]:
    """Returns the live descriptions by entity. Raises AssertionError if two describe one entity."""
    found: dict[str, Any] = {}
    cursor = None
    while True:
        page = memory.list(limit=1_000, cursor=cursor)
        for one in page.memories:
            assert one.external_id not in found, f"{one.external_id} is described twice"
            found[str(one.external_id)] = one
        cursor = page.cursor
        if cursor is None:
            return found


if __name__ == "__main__":
    work(sys.argv[1], int(sys.argv[2]))
