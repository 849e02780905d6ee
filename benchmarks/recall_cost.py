"""Processor time of a recall in the process over a file, by a service over that file, and over PostgreSQL.

`python -m benchmarks.recall_cost` asks each the same questions in turns. The figure of the service is that
of its process; over PostgreSQL, the time of this process is printed, and that with what the server adds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import httpx

from benchmarks.replicas import used_by
from benchmarks.speed import questions, sentences
from benchmarks.workers import served, spent
from holdfast import Memory
from tests.postgres.server import as_superuser, fresh_url, server

WARM = 50
"""Questions before it is measured: each process loads the index once."""
Ways = dict[str, tuple[Callable[[str], object], Callable[[], float]]]
"""What asks a question, and the clock of what that costs, by the name that is printed."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store, tenant = Path(folder) / "a.db", fresh_url()
        for one in (store, tenant):
            _fill(one, options.memories)
        with as_superuser("holdfast") as connection:
            connection.execute("ANALYZE")
        with (
            Memory(store, user="ana") as file,
            Memory(tenant, user="ana") as rows,
            served(store, 1) as (url, service),
            httpx.Client(base_url=url, timeout=60) as http,
        ):
            ways: Ways = {
                "in the process": (file.recall, time.process_time),
                "by the service": (
                    lambda query: http.post("/v1/recall", json={"query": query}).raise_for_status(),
                    lambda: spent(service),
                ),
                "over PostgreSQL": (rows.recall, time.process_time),
                "over PostgreSQL, with the server": (
                    rows.recall,
                    lambda: time.process_time() + used_by(server()),
                ),
            }
            _measure(ways, options.questions, options.rounds)


def _fill(store: Path | str, count: int) -> None:
    texts = sentences(1)
    with Memory(store, user="ana") as memory:
        for _ in range(0, count, 1_000):
            memory.add_messages(
                [{"role": "user", "content": next(texts)} for _ in range(1_000)], session="first"
            )


def _measure(ways: Ways, count: int, rounds: int) -> None:
    found: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 1):
        for name, (ask, clock) in ways.items():
            asked, before = questions(turn), clock()
            for _ in range(count if turn else WARM):
                ask(next(asked))
            if turn:
                found[name].append((clock() - before) / count * 1_000)
    base = found["in the process"]
    for name, times in found.items():
        print(
            f"{name}: {median(times):.2f} ms, {median(times) / median(base):.2f} times; at the least "
            f"{min(times):.2f} ms, {min(times) / min(base):.2f} times"
        )


if __name__ == "__main__":
    main()
