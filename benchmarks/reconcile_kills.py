"""Kills reconciliations with SIGKILL at random moments, and checks that nothing is lost, doubled or orphaned.

A process reconciles one payload after the other, each a random change of the one before. It is killed, the
store is opened again, and the checks run: the chain verifies, each entity has at most one live description,
all are of a payload that was begun. Then the payload that was interrupted is sent again, after which the
descriptions are exactly those of the payload, and what a person edited or pinned stands as it stood.
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

ENTITIES = 700
"""Of one payload: three transactions."""
HELD = ("t3", "t400")
"""What a person edits and pins at the beginning."""
WORDS = "My own words"


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
    """Reconciles payloads until it is killed, and says which one it begins."""
    with Memory(store, user="ana") as memory:
        for seed in range(first, first + 1_000):
            print(seed, flush=True)
            memory.reconcile("big", payload(seed), sequence=seed)


def run(kills: int, seed: int) -> str:
    """Kills and checks, and returns a line of figures. Raises AssertionError for what is wrong."""
    dice, moments, last = random.Random(seed), Counter[str](), 1
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "soak.db")
        with Memory(store, user="ana") as memory:
            memory.reconcile("big", payload(1), sequence=1)
            known = _live(memory)
            memory.revise(known[HELD[0]].id, text=WORDS)
            memory.pin(known[HELD[1]].id)
        for kill in range(kills):
            last = _killed(store, last + 1, dice)
            with Memory(store, user="ana") as memory:
                _live(memory)
                complete = memory.described.get("big").complete
                moments["between two payloads" if complete else "within a payload"] += 1
                memory.audit.verify()
                memory.reconcile("big", payload(last), sequence=last)
                after = _live(memory)
                wanted = {one["id"]: one["data"]["summary"] for one in payload(last)["entities"]}
                wanted |= {HELD[0]: WORDS, HELD[1]: known[HELD[1]].text}
                assert {id: one.text for id, one in after.items()} == wanted, f"kill {kill}"
                assert len(memory.review.inbox().items) <= len(HELD), "news was doubled"
                if kill % 50 == 49 or kill == kills - 1:
                    assert memory.doctor().problems == (), memory.doctor().problems
                    events = sum(1 for _ in memory.audit)
    return f"{kills} kills: {dict(moments)}; {last} payloads, {events:,} events"


def _killed(store: str, first: int, dice: random.Random) -> int:
    """Runs the work, kills it after a random time, and returns the number of the payload it had begun."""
    command = [sys.executable, "-m", "benchmarks.reconcile_kills", store, str(first)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."}
    )
    assert process.stdout is not None
    begun = [int(process.stdout.readline())]
    time.sleep(dice.random() * 1.2)
    process.send_signal(signal.SIGKILL)
    begun += [int(line) for line in process.stdout.read().split("\n") if line.strip()]
    process.wait()
    return begun[-1]


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
