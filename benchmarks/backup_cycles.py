"""Backups of a store that is written meanwhile, each restored into another store and compared.

The restored store has the same chain of events as the store had when the backup was made, hash by hash, so
the same decisions in the same order; the doctor compares its texts, words and vectors with them, and what was
acknowledged before the backup began is there. Now and then the drill is run as well. Figures are counts.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from holdfast import Memory
from holdfast.api.backing_up import back_up, drill
from holdfast.api.restoring import restore
from holdfast.config import Settings
from tests.reliability.workload import text_of

CYCLES = 25
"""Cycles of one store; then a new one is begun, so that comparing stays quick."""
PAUSE = 0.02
"""Seconds between two writes."""


def run(cycles: int, seed: int) -> tuple[str, list[str]]:
    """Runs cycles of backup, restore and comparison; returns what was counted, and what was wrong."""
    problems: list[str] = []
    made = written = drills = 0
    while made < cycles:
        with tempfile.TemporaryDirectory() as name:
            load = Load(Path(name) / "a.db", random.Random(seed + made))
            with load:
                for _ in range(min(CYCLES, cycles - made)):
                    problems += [
                        f"cycle {made}: {problem}" for problem in load.cycle(Path(name) / f"{made}.db")
                    ]
                    made += 1
                drills += 1
                if not drill(load.settings).is_sound:
                    problems.append(f"cycle {made}: the drill failed")
            written += load.written
        print(f"... {made} backups restored, {len(problems)} problems", file=sys.stderr, flush=True)
    return f"{made:,} backups restored, {drills} drills, {written:,} writes acknowledged", problems


class Load:
    """A thread that remembers, revises and forgets, while the store is backed up."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        self.settings = Settings(str(path), "ana")
        self.written = 0
        self._rng, self._end = rng, threading.Event()
        self._memory = Memory(path, user="ana")
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._memory.close()

    def cycle(self, target: Path) -> list[str]:
        """Backs the store up, restores that, and returns what differs."""
        more = self.written + 3
        while self.written < more:
            time.sleep(PAUSE)
        before = self._chain()
        backup, _ = back_up(self.settings)
        after = self._chain()
        restore(self.settings, backup, into=target)
        with Memory(target, user="ana") as restored:
            chain = [event.hash for event in restored.audit.list(limit=None)][:-1]  # the restore is the last
            problems = [*backup.problems, *restored.doctor().problems]
            restored.audit.verify()
        if not len(before) <= len(chain) <= len(after) or chain != after[: len(chain)]:
            problems.append(f"{len(before)}, {len(chain)} and {len(after)} events, not one history")
        return problems

    def _chain(self) -> list[str]:
        return [event.hash for event in self._memory.audit.list(limit=None)]

    def _write(self) -> None:
        ids: list[str] = []
        with Memory(self.settings.store, user="ana") as memory:
            while not self._end.wait(PAUSE):
                act = self._rng.random()
                if act < 0.6 or not ids:
                    kept = memory.remember(text_of(self.written)).memory
                    assert kept is not None
                    ids.append(kept.id)
                elif act < 0.85:
                    memory.revise(self._rng.choice(ids), text=text_of(self.written, 2))
                else:
                    memory.forget(ids.pop(self._rng.randrange(len(ids))))
                self.written += 1
