"""A service under a steady load for hours: memory, descriptors, files and latencies over time.

`holdfast serve` runs over a store of its own, and clients ask it at a fixed rate: recalls, contexts, notes,
messages, revisions, and erasures of the oldest notes, so that only the messages add to the store. A row is
printed for each period; the first and the last quarter are compared at the end.
`make soak SOAK="service --minutes 360"`.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import psutil

from benchmarks.workers import served
from holdfast import Memory
from holdfast.core.errors import HoldfastError, NotFound
from tests.reliability.workload import text_of

FILLED = 5_000
KEPT = 200
"""Notes of each client that are there at a time: the oldest is erased when a new one comes."""
MORE_DESCRIPTORS = 4
"""Descriptors that the last quarter may hold beyond the first: connections of the clients come and go."""
ACTS = {"recall": 8, "context": 1, "remember": 2, "revise": 1, "message": 1}


@dataclass(slots=True)
class Period:
    """What the requests of one period took, by act, in milliseconds, and what failed."""

    taken: dict[str, list[float]] = field(default_factory=lambda: {act: [] for act in (*ACTS, "erase")})
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Row:
    """The state of the service at the end of a period."""

    minutes: float
    resident: float
    descriptors: int
    threads: int
    stored: float
    recall: tuple[float, float]
    remember: tuple[float, float]

    def __str__(self) -> str:
        recall, remember = ("/".join(f"{one:.1f}" for one in pair) for pair in (self.recall, self.remember))
        return (
            f"{self.minutes:6.1f} min  {self.resident:7.1f} MiB  {self.descriptors:3} descriptors "
            f" {self.threads:3} threads  {self.stored:7.1f} MiB stored"
            f"  recall {recall} ms  remember {remember} ms"
        )


FIGURES: dict[str, Callable[[Row], float]] = {
    "MiB resident": lambda row: row.resident,
    "descriptors": lambda row: row.descriptors,
    "threads": lambda row: row.threads,
    "MiB stored": lambda row: row.stored,
    "recall p50": lambda row: row.recall[0],
    "recall p95": lambda row: row.recall[1],
    "remember p50": lambda row: row.remember[0],
    "remember p95": lambda row: row.remember[1],
}
"""What is compared of the first and the last quarter."""


class Load:
    """Clients that each send a request as often as they are meant to, however long the last one took."""

    def __init__(self, url: str, clients: int, rate: float, seed: int) -> None:
        self._url, self._pause, self._seed = url, clients / rate, seed
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._period = Period()
        self.sent = 0
        self.kept: dict[str, str] = {}
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(clients)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()

    def take(self) -> Period:
        """Returns what was sent since the last time."""
        with self._lock:
            period, self._period = self._period, Period()
        return period

    def _work(self, number: int) -> None:
        rng = random.Random(f"{self._seed}/{number}")
        own: deque[str] = deque()
        with Memory(self._url) as memory:
            for turn in range(1_000_000_000):
                slot = 1_000_000 * (number + 1) + turn
                act = rng.choices(list(ACTS), list(ACTS.values()))[0] if own else "remember"
                self._timed(act, self._one, memory, act, slot, own, rng)
                if len(own) > KEPT:
                    self._timed("erase", self._erase, memory, own.popleft())
                if self._end.wait(self._pause * rng.uniform(0.5, 1.5)):
                    return

    def _timed(self, act: str, run: Any, *args: Any) -> None:
        began = time.perf_counter()
        try:
            run(*args)
        except HoldfastError as error:
            with self._lock:
                self._period.failed.append(f"{act}: {error.code}: {error}")
            return
        with self._lock:
            self._period.taken[act].append((time.perf_counter() - began) * 1_000)
            self.sent += 1

    def _one(self, memory: Memory, act: str, slot: int, own: deque[str], rng: random.Random) -> None:
        match act:
            case "recall":
                memory.recall(text_of(rng.randrange(FILLED)), project="harbour")
            case "context":
                memory.context(text_of(rng.randrange(FILLED)), project="harbour")
            case "remember":
                made = memory.remember(text_of(slot), project="harbour").memory
                assert made is not None
                own.append(made.id)
                with self._lock:
                    self.kept[made.id] = made.text
            case "revise":
                chosen, text = rng.choice(own), text_of(slot, 2)
                with self._lock:
                    self.kept.pop(chosen, None)  # before: where no answer comes, either text may be there
                memory.revise(chosen, text=text)
                with self._lock:
                    self.kept[chosen] = text
            case "message":
                turn = {"role": "user", "content": text_of(slot)}
                memory.add_messages([turn], session=f"s{slot // 200}", project="harbour")

    def _erase(self, memory: Memory, id: str) -> None:
        with self._lock:
            self.kept.pop(id, None)  # before: where no answer comes, nobody knows whether it is gone
        memory.forget(id, hard=True)


def run(*, minutes: float, every: float, clients: int, rate: float, seed: int) -> tuple[str, list[str]]:
    """Runs it and returns the last line of figures with the problems found."""
    rows: list[Row] = []
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="holdfast-endurance-") as folder:
        store = Path(folder) / "a.db"
        with Memory(store, user="ana") as memory:
            for first in range(0, FILLED, 500):
                texts = [{"text": text_of(slot), "project": "harbour"} for slot in range(first, first + 500)]
                memory.remember_many(texts)
        with served(store, 1) as (url, process):
            began = time.monotonic()
            with Load(url, clients, rate, seed) as load:
                while (passed := time.monotonic() - began) < minutes * 60:
                    time.sleep(min(every * 60, minutes * 60 - passed))
                    period = load.take()
                    problems += period.failed
                    rows.append(_row(period, process, Path(folder), began))
                    print(rows[-1], flush=True)
            problems += load.take().failed
        with Memory(store, user="ana") as memory:
            for id, text in load.kept.items():
                try:
                    found = memory.get(id).text
                except NotFound:
                    problems.append(f"memory {id} is not there")
                    continue
                if found != text:
                    problems.append(f"memory {id} is not what was acknowledged")
            problems += memory.doctor().problems
    figures, more = _compared(rows)
    return (
        f"{load.sent:,} requests in {(time.monotonic() - began) / 60:.0f} minutes; {figures}",
        problems + more,
    )


def _row(period: Period, process: psutil.Process, folder: Path, began: float) -> Row:
    family = [process, *process.children(recursive=True)]
    return Row(
        (time.monotonic() - began) / 60,
        sum(one.memory_info().rss for one in family) / 2**20,
        sum(one.num_fds() for one in family),
        sum(one.num_threads() for one in family),
        sum(file.stat().st_size for file in folder.iterdir()) / 2**20,
        _points(period.taken["recall"]),
        _points(period.taken["remember"]),
    )


def _points(times: list[float]) -> tuple[float, float]:
    """Returns the 50th and the 95th percentile."""
    if len(times) < 2:
        return (float("nan"), float("nan"))
    points = quantiles(times, n=20)
    return points[9], points[18]


def _compared(rows: list[Row]) -> tuple[str, list[str]]:
    quarter = max(len(rows) // 4, 1)
    first, last = rows[:quarter], rows[-quarter:]
    figures = {
        name: (median(value(row) for row in first), median(value(row) for row in last))
        for name, value in FIGURES.items()
    }
    before, after = figures["descriptors"]
    grew = [f"descriptors grew from {before} to {after}"] if after > before + MORE_DESCRIPTORS else []
    return ", ".join(f"{name} {one:.1f} -> {two:.1f}" for name, (one, two) in figures.items()), grew
