"""Recall in a tenant on PostgreSQL beside SQLite, Chroma's server and mem0 on pgvector, in one run, in turns.

`make team` starts a PostgreSQL server, keeps the same memories in each store, asks each the same questions in
turns, inside one of fifty projects and over all of them, and prints the table of docs/peers.md. The machine
decides the milliseconds; the ratios to the first column are what travels.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.peers import environments, workload
from benchmarks.peers.catalogue import TEAM, Peer
from benchmarks.peers.client import Failed, Worker
from benchmarks.peers.drivers.driver import EVERYWHERE
from benchmarks.speed import PROJECTS, spread, tell
from tests.postgres.server import OWNER, as_superuser, fresh_url, unique, url

BATCH = 200
IN_TURN = 10
ADDS_IN_TURN = 5
FIRST = 1_000
"""After so many the server gathers statistics, as any server has after its first minutes."""
START_SECONDS = 120.0

Result = dict[str, Any]


class Run:
    """One run: its folder, and where each peer is found."""

    def __init__(self, folder: Path, pythons: dict[str, Path], seconds: float) -> None:
        self._folder = folder
        self._pythons = pythons
        self._seconds = seconds
        self._shared = fresh_url()
        with as_superuser() as connection:
            self._mem0 = unique("mem0")
            connection.execute(f'CREATE DATABASE "{self._mem0}" OWNER {OWNER} TEMPLATE template0'.encode())
        with as_superuser(self._mem0) as connection:
            connection.execute("CREATE EXTENSION vector")

    def served(self, stack: ExitStack, peer: Peer) -> None:
        """Starts what the peer needs and writes down where it is."""
        store = self._store(peer)
        store.mkdir(parents=True)
        where = ""
        if peer.driver == "holdfast:Postgres":
            where = self._shared
        elif peer.driver == "mem0_local:Pgvector":
            where = url(OWNER, self._mem0)
        elif peer.driver in ("holdfast:Service", "chroma:Server"):
            port = _free_port()
            where = f"http://127.0.0.1:{port}"
            if peer.driver == "chroma:Server":
                arguments = ["run", "--path", str(store / "data"), "--port", str(port)]
                command, ready = [self._beside(peer, "chroma"), *arguments], "/api/v2/heartbeat"
            else:
                arguments = ["--store", self._shared, "--user", "ana", "serve", "--no-mcp"]
                command, ready = (
                    [self._beside(peer, "holdfast"), *arguments, "--port", str(port)],
                    "/health/ready",
                )
            stack.enter_context(_running(command, where + ready, store))
        (store / "address").write_text(where, "utf-8")

    def fill(self, peer: Peer, size: int) -> None:
        """Keeps the memories, once for each store."""
        with self.worker(peer) as worker:
            load = {"source": "memories", "batch": BATCH, "seconds": 0.9 * self._seconds}
            worker.ask("load", count=FIRST, **load)
            for database in ("holdfast", self._mem0):
                with as_superuser(database) as connection:
                    connection.execute("ANALYZE")
            did = worker.ask("load", count=size - FIRST, start=FIRST, **load)
            if did["added"] < size - FIRST:
                raise Failed(f"kept {did['added'] + FIRST:,} in {did['seconds']:.0f} s, then stopped")
            worker.ask("close")

    @contextmanager
    def worker(self, peer: Peer) -> Iterator[Worker]:
        """A process that has the peer's store open."""
        home = self._folder / "home" / peer.name
        with Worker(peer, self._pythons[peer.name], home, self._seconds) as worker:
            worker.open(self._store(peer), self._folder)
            yield worker

    def _store(self, peer: Peer) -> Path:
        return self._folder / "stores" / peer.name

    def _beside(self, peer: Peer, command: str) -> str:
        return str(self._pythons[peer.name].with_name(command))


def main() -> None:
    """The command line."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers.team", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("--size", type=int, default=100_000, help="memories in each store")
    add("--recalls", type=int, default=200, help="questions of each kind")
    add("--adds", type=int, default=50)
    add("--quick", action="store_true", help="10,000 memories and 60 questions")
    add("--folder", default=f"{cache}/holdfast-peers", help="for environments and scratch files")
    add("--timeout", type=float, default=1_800.0, metavar="S", help="for one task of one peer")
    add("--install-timeout", type=float, default=600.0, metavar="S", help="for one pip")
    add("--json", type=Path, metavar="FILE", help="write the results there, too")
    options = parser.parse_args()
    if options.quick:
        options.size, options.recalls, options.adds = 10_000, 60, 20
    folder = Path(options.folder).expanduser().resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = environments.interpreter()
    pythons = {}
    for peer in TEAM:
        tell(f"{peer.name}: environment")
        place = folder / "environments"
        pythons[peer.name] = environments.install(peer, place, python, options.install_timeout)
    with TemporaryDirectory(dir=folder, prefix="team-") as scratch:
        tell("workload")
        workload.write(Path(scratch), options.size)
        results = _measure(Run(Path(scratch), pythons, options.timeout), options)
    for peer in TEAM:
        results[peer.name]["version"] = environments.footprint(pythons[peer.name], peer.distribution)[
            "version"
        ]
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", "utf-8")
    print(render(results, options.size))


def _measure(run: Run, options: argparse.Namespace) -> dict[str, Result]:
    results: dict[str, Result] = {peer.name: {} for peer in TEAM}
    with ExitStack() as stack:
        for peer in TEAM:
            run.served(stack, peer)
        tell(f"filling each with {options.size:,}")
        filled = [peer for peer in TEAM if peer.driver != "holdfast:Service"]  # that has another's tenant
        with ThreadPoolExecutor(len(filled)) as pool:
            list(pool.map(lambda peer: run.fill(peer, options.size), filled))
        workers = [stack.enter_context(run.worker(peer)) for peer in TEAM]
        for what, project in (("inside", None), ("all", EVERYWHERE)):
            tell(f"recall, {what}")
            asked = {"source": "questions", "project": project}
            for peer, worker in zip(TEAM, workers, strict=True):
                warm = PROJECTS if project is None else 5
                first = worker.ask("recall", start=0, count=warm, **asked)["ms"]
                results[peer.name][f"{what} first"] = first[0]
            turns = range(PROJECTS, PROJECTS + options.recalls, IN_TURN)
            _take(results, what, workers, "recall", turns, IN_TURN, asked)
        tell("adds")
        for worker in workers:
            worker.ask("add", source="more", start=0, count=ADDS_IN_TURN)
        turns = range(ADDS_IN_TURN, ADDS_IN_TURN + options.adds, ADDS_IN_TURN)
        _take(results, "add", workers[:2] + workers[3:], "add", turns, ADDS_IN_TURN, {"source": "more"})
    return results


def _take(
    results: dict[str, Result],
    label: str,
    workers: Sequence[Worker],
    command: str,
    turns: range,
    block: int,
    arguments: dict[str, Any],
) -> None:
    """Times of each worker, in turns; their p50 as a multiple of the first one's."""
    taken: dict[str, list[float]] = {worker.name: [] for worker in workers}
    found: dict[str, list[int]] = {worker.name: [] for worker in workers}
    for start in turns:
        for worker in workers:
            answer = worker.ask(command, start=start, count=block, **arguments)
            taken[worker.name] += answer["ms"]
            found[worker.name] += [len(hits) for hits in answer.get("found", ())]
    yardstick = median(taken[workers[0].name])
    for name, times in taken.items():
        ratio = median(times) / yardstick
        results[name][label] = {
            **spread(sorted(times)),
            "ratio": ratio,
            "found": mean(found[name]) if found[name] else 10.0,
        }


def render(results: dict[str, Result], size: int) -> str:
    """The table, one row a peer."""
    lines = [
        f"| {size:,} memories | version | inside one of 50 projects | over all | one add |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, result in results.items():
        cells = [_cell(result.get(what)) for what in ("inside", "all", "add")]
        lines.append(f"| {name} | {result['version']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(times: Result | None) -> str:
    if times is None:
        return "–"
    text = f"{times['p50']:,.2f} / {times['p95']:,.2f} (×{times['ratio']:.1f})"
    return text + (f", finds {times['found']:.1f} of 10" if times["found"] < 10 else "")


@contextmanager
def _running(command: list[str], ready: str, folder: Path) -> Iterator[None]:
    """A service in a process of its own, ended on leaving."""
    with open(folder / "output.txt", "wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environments.sandbox(folder), stdout=output, stderr=output
        )
    try:
        until = time.monotonic() + START_SECONDS
        while not _answers(ready):
            if process.poll() is not None or time.monotonic() > until:
                said = (folder / "output.txt").read_text("utf-8", "replace")
                raise SystemExit(f"{command[0]} did not start:\n{said[-2_000:]}")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(ready: str) -> bool:
    try:
        with urllib.request.urlopen(ready, timeout=5):
            return True
    except (OSError, urllib.error.URLError):
        return False


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


if __name__ == "__main__":
    main()
