"""What is measured: each task runs one peer in fresh processes, mostly in turns with the yardstick."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.peers import workload
from benchmarks.peers.catalogue import PEERS, YARDSTICK, Peer
from benchmarks.peers.client import Failed, Worker
from benchmarks.peers.environments import footprint
from benchmarks.speed import PROJECTS, spread, tell

Result = dict[str, Any]

BATCH = 200
_ADDS_IN_TURN, _RECALLS_IN_TURN = 5, 10
_WARM = 5
_FRESH, _SYNCED = 300, 20
_TURN_BUDGET = 20.0
_KILL_AFTER = (60, 130, 200)
_KILL_BUDGET = 10.0
_WHOLE = 5_000
_SYNC = re.compile(r"\b(?:fsync|fdatasync|msync|sync_file_range)\(")


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured. `seconds` bounds one answer of a worker; a load may take four fifths of it."""

    sizes: tuple[int, ...]
    adds: int = 100
    recalls: int = 200
    colds: int = 7
    kills: int = 3
    seconds: float = 400.0

    @property
    def cold_size(self) -> int:
        """The size at which cold start and memory are measured."""
        return max((size for size in self.sizes if size <= 10_000), default=min(self.sizes))


class Bench:
    """One run: the environments of its peers, a scratch folder with the workload, and the plan."""

    def __init__(
        self, plan: Plan, scratch: Path, pythons: dict[str, Path], locomo: workload.Locomo | None
    ) -> None:
        self._plan = plan
        self._scratch = scratch
        self._pythons = pythons
        self._locomo = locomo
        self._rates: dict[int, float] = {}

    def measure(self, name: str) -> Result:
        """Every task of one peer. What fails is written down and hinders no other task."""
        peer = PEERS[name]
        result: Result = {
            "peer": name,
            "measured": time.strftime("%Y-%m-%d %H:%M"),
            "installed": footprint(self._pythons[name], peer.distribution),
            "sizes": {},
            "problems": [],
        }
        tasks: list[tuple[str, Callable[[], None]]] = [
            (f"{size:,}", partial(self._size, peer, size, result)) for size in self._plan.sizes
        ]
        tasks.append(("kill -9", partial(self._kills, peer, result)))
        tasks.append(("syncs", partial(self._syncs, peer, result)))
        if self._locomo:
            tasks.append(("LoCoMo", partial(self._evidence, peer, self._locomo, result)))
        for what, task in tasks:
            tell(f"{name}: {what}")
            try:
                task()
            except Failed as error:
                result["problems"].append(f"{what}: {error}")
                tell(f"{name}: {what} failed: {error}")
        if name != YARDSTICK:
            shutil.rmtree(self._scratch / name, ignore_errors=True)
        return result

    def _size(self, peer: Peer, size: int, result: Result) -> None:
        """Bulk load, adds one at a time, recall, and at one size memory and cold start."""
        figures: Result = result["sizes"].setdefault(str(size), {})
        before = [figure["batch"] for figure in result["sizes"].values() if "batch" in figure]
        if before and size / before[-1] > self._load_budget:
            raise Failed(f"left out: at {before[-1]:,.0f} a second the load takes {size / before[-1]:,.0f} s")
        figures["batch"] = self._load(peer, size)
        with self._pair(peer, size) as workers:
            for worker in workers:
                worker.ask("add", source="more", start=0, count=_WARM)
            figures["add"] = self._in_turns(workers, "add", "more", _WARM, self._plan.adds, _ADDS_IN_TURN)
            workers[0].ask("close")
        with self._pair(peer, size) as workers:
            for worker in workers:
                worker.ask("recall", source="questions", start=0, count=PROJECTS)
            figures["recall"] = self._in_turns(
                workers, "recall", "questions", PROJECTS, self._plan.recalls, _RECALLS_IN_TURN
            )
            if size == self._plan.cold_size:
                result["memory"] = workers[0].ask("memory").get("mb")
                workers[0].ask("close")
        if size == self._plan.cold_size:
            tell(f"{peer.name}: cold start")
            result["cold"] = self._cold(peer, size)

    @property
    def _load_budget(self) -> float:
        return 0.8 * self._plan.seconds

    def _load(self, peer: Peer, size: int) -> float:
        """Fills the peer's store, once in a run. Returns texts a second."""
        if peer.name == YARDSTICK and size in self._rates:
            return self._rates[size]
        store = self._store(peer, size)
        shutil.rmtree(store, ignore_errors=True)
        with self._worker(peer, store) as worker:
            did = worker.ask("load", source="memories", count=size, batch=BATCH, seconds=self._load_budget)
            rate = float(did["added"] / did["seconds"])
            if did["added"] < size:
                raise Failed(f"loaded {did['added']:,} in {did['seconds']:.0f} s, then stopped")
            held = len(worker.ask("held", source="memories")["held"])
            if held != size:
                raise Failed(f"took {size:,} texts and holds {held:,}")
            worker.ask("close")
        if peer.name == YARDSTICK:
            self._rates[size] = rate
        return rate

    def _in_turns(
        self, workers: Sequence[Worker], command: str, source: str, start: int, count: int, block: int
    ) -> Result:
        """Milliseconds of the first worker, and its p50 as a multiple of the second's (the yardstick's)."""
        taken: list[list[float]] = [[] for _ in workers]
        short = 0
        for first in range(start, start + count, block):
            for worker, times in zip(workers, taken, strict=True):
                answer = worker.ask(command, source=source, start=first, count=block)
                times.extend(answer["ms"])
                if worker is workers[0]:
                    short += sum(len(hits) < 10 for hits in answer.get("found", ()))
            if sum(taken[0]) > _TURN_BUDGET * 1_000:
                break
        return {**_compared(taken), "count": len(taken[0]), "short": short}

    def _cold(self, peer: Peer, size: int) -> Result:
        """Milliseconds from starting a process to its first hit, in turns with the yardstick."""
        pair = [peer] if peer.name == YARDSTICK else [peer, PEERS[YARDSTICK]]
        taken: list[list[float]] = [[] for _ in pair]
        for turn in range(self._plan.colds + 1):
            for one, times in zip(pair, taken, strict=True):
                begin = time.perf_counter()
                with self._worker(one, self._store(one, size)) as worker:
                    found = worker.ask("recall", source="questions", start=turn, count=1)["found"][0]
                    # The first start of all compiles and fills the page cache.
                    times.extend([1_000 * (time.perf_counter() - begin)] * (turn > 0))
                    if not found:
                        raise Failed("a new process found nothing")
        return _compared(taken)

    def _kills(self, peer: Peer, result: Result) -> None:
        """Writers killed in the middle: what they had acknowledged against what a new process finds."""
        rounds: list[Result] = []
        result["kills"] = rounds
        for after in _KILL_AFTER[: self._plan.kills]:
            store = self._scratch / peer.name / "killed"
            shutil.rmtree(store, ignore_errors=True)
            kept: set[int] = set()
            with self._worker(peer, store) as worker:
                worker.send("stream", source="more")
                begin = time.monotonic()
                while len(kept) < after and (time.monotonic() - begin < _KILL_BUDGET or not kept):
                    kept.add(worker.answer("stream")["kept"])
                worker.kill()
                kept.update(answer["kept"] for answer in worker.rest() if "kept" in answer)
            try:
                with self._worker(peer, store) as worker:
                    held = set(worker.ask("held", source="more")["held"])
                rounds.append({"acknowledged": len(kept), "lost": len(kept - held)})
            except Failed as error:
                rounds.append({"acknowledged": len(kept), "lost": len(kept), "error": str(error)})
                result["problems"].append(f"kill -9: after {len(kept)} adds: {error}")

    def _syncs(self, peer: Peer, result: Result) -> None:
        """How often one add asks the system to write to disk, counted where strace is installed."""
        if (strace := shutil.which("strace")) is None:
            return
        store = self._store(peer, min(self._plan.sizes))
        log = store.parent / "trace.txt"
        calls = "trace=fsync,fdatasync,msync,sync_file_range"
        before = (strace, "-f", "-q", "-o", str(log), "-e", calls)
        with self._worker(peer, store, before=before) as worker:
            worker.ask("add", source="more", start=_FRESH, count=_WARM)
            warm = len(_SYNC.findall(log.read_text("utf-8")))
            worker.ask("add", source="more", start=_FRESH + _WARM, count=_SYNCED)
            result["syncs"] = (len(_SYNC.findall(log.read_text("utf-8"))) - warm) / _SYNCED

    def _evidence(self, peer: Peer, locomo: workload.Locomo, result: Result) -> None:
        """Recall of LoCoMo's evidence among the first ten."""
        with self._worker(peer, self._scratch / peer.name / "locomo") as worker:
            did = worker.ask(
                "load", source="turns", count=locomo.turns, batch=_WHOLE, seconds=self._load_budget
            )
            if did["added"] < locomo.turns:
                raise Failed(f"loaded {did['added']:,} of {locomo.turns:,} turns in time")
            found = worker.ask("recall", source="asked", start=0, count=len(locomo.asked))["found"]
        result["locomo"] = {"questions": len(found), "recall": 100 * locomo.recall(found)}

    def _store(self, peer: Peer, size: int) -> Path:
        return self._scratch / peer.name / str(size)

    def _worker(self, peer: Peer, store: Path, *, before: tuple[str, ...] = ()) -> Worker:
        """A started worker with the store opened."""
        worker = Worker(
            peer, self._pythons[peer.name], self._scratch / "home" / peer.name, self._plan.seconds,
            before=before,
        )  # fmt: skip
        try:
            worker.open(store, self._scratch)
        except Failed:
            worker.__exit__(None, None, None)
            raise
        return worker

    @contextmanager
    def _pair(self, peer: Peer, size: int) -> Iterator[list[Worker]]:
        """The peer on its filled store and, beside it, the yardstick on its own."""
        pair = [peer]
        if peer.name != YARDSTICK:
            pair.append(PEERS[YARDSTICK])
            self._load(pair[1], size)
        with ExitStack() as stack:
            yield [stack.enter_context(self._worker(one, self._store(one, size))) for one in pair]


def _compared(times: Sequence[list[float]]) -> Result:
    """The spread of the first times; their p50 as a multiple of the second's, if there are any."""
    figures: Result = spread(sorted(times[0]))
    if len(times) > 1:
        figures["ratio"] = median(times[0]) / median(times[1])
    return figures
