"""Measures the same memories in PostgreSQL and in SQLite, in turns, on one machine and one real server.

`python -m benchmarks.postgres` starts the server that the tests use, and lets it gather statistics after the
first 1,000 memories, as any server has after its first minutes; `--fresh` leaves that out. `--address` names
another server, as `postgresql://user@host/database?tenant=new-name`. It prints what docs/postgres.md tells.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from benchmarks.speed import milliseconds, questions, sentences
from holdfast import Memory
from tests.postgres.counted import RoundTrips
from tests.postgres.server import as_superuser, fresh_url

BATCH = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", help="a tenant that does not exist yet; default: a server of its own")
    parser.add_argument("--sizes", type=int, nargs="+", default=[2_000, 10_000])
    parser.add_argument("--repeat", type=int, default=200)
    parser.add_argument("--fresh", action="store_true", help="measure a server without statistics")
    given = parser.parse_args()
    address = given.address or fresh_url()
    with tempfile.TemporaryDirectory() as folder:
        stores = {"SQLite": str(Path(folder) / "speed.db"), "PostgreSQL": address}
        with Memory(stores["SQLite"], user="ana") as one, Memory(stores["PostgreSQL"], user="ana") as other:
            memories = {"SQLite": one, "PostgreSQL": other}
            texts = sentences(1)
            for memory in memories.values():
                memory.add_messages(_batch(islice(texts, BATCH)), session="first")
            if not (given.address or given.fresh):
                with as_superuser("holdfast") as connection:
                    connection.execute("ANALYZE")
            _measure(memories, stores, given.sizes, given.repeat)


def _batch(texts: Iterable[str]) -> list[dict[str, str]]:
    return [{"role": "user", "content": text} for text in texts]


def _measure(memories: dict[str, Memory], stores: dict[str, str], sizes: list[int], repeat: int) -> None:
    texts, kept = sentences(4), BATCH
    for size in sizes:
        batches = []
        while kept < size:
            batches.append(_batch(islice(texts, BATCH)))
            kept += BATCH
        per_second = {}
        for name, memory in memories.items():
            begun = time.perf_counter()
            for number, batch in enumerate(batches):
                memory.add_messages(batch, session=f"s{size}-{number}")
            per_second[name] = len(batches) * BATCH / (time.perf_counter() - begun)
        print(f"## {kept:,} memories in view\n")
        print("| what | SQLite | PostgreSQL | ratio of p50 |\n| --- | --- | --- | --- |")
        one, other = (f"{value:,.0f}" for value in per_second.values())
        print(f"| `add_messages`, texts per second | {one} | {other} | |")
        _tell_notes(memories, texts)
        _tell("first recall of a process (ms)", *(_cold(store) for store in stores.values()))
        for mode in ("hybrid", "words", "vectors"):
            asked = {name: questions(2) for name in memories}
            tasks = [
                lambda memory=memory, ask=asked[name], mode=mode: memory.recall(next(ask), mode=mode)
                for name, memory in memories.items()
            ]
            _tell(f"recall, {mode} (ms, p50 / p95)", *milliseconds(repeat, *tasks))
        ids = {name: memory.list(limit=1).memories[0].id for name, memory in memories.items()}
        _tell(
            "get by id (ms, p50 / p95)",
            *milliseconds(repeat, *(lambda m=m, id=ids[name]: m.get(id) for name, m in memories.items())),
        )
        fresh = {name: sentences(3 + size) for name in memories}
        writes = [
            lambda memory=memory, more=fresh[name]: memory.remember(next(more), kind="note")
            for name, memory in memories.items()
        ]
        _tell("remember a note (ms, p50 / p95)", *milliseconds(max(repeat // 4, 10), *writes))
        print()


def _tell_notes(memories: dict[str, Memory], texts: Iterator[str]) -> None:
    """Tells what a batch of notes costs here, in time and in round trips."""
    per_second, used = [], []
    for memory in memories.values():
        batch: list[str | dict[str, object]] = [{"text": text} for text in islice(texts, BATCH)]
        begun, before = time.perf_counter(), time.process_time()
        memory.remember_many(batch)
        per_second.append(f"{BATCH / (time.perf_counter() - begun):,.0f}")
        used.append(f"{BATCH / (time.process_time() - before):,.0f}")
    print(f"| `remember_many`, notes per second | {' | '.join(per_second)} | |")
    print(f"| the same, per second of our processor time | {' | '.join(used)} | |")
    memory = memories["PostgreSQL"]
    store, counted = memory._service.store, RoundTrips(memory._service.store)
    memory._service.store = counted
    memory.remember_many([{"text": text} for text in islice(texts, BATCH)])
    memory._service.store = store
    print(f"| round trips of {BATCH:,} notes | | {counted.count} | |")


def _cold(store: str) -> list[float]:
    """Opening a store anew and the first recall on it, which reads what is in view into memory."""
    begun = time.perf_counter()
    with Memory(store, user="ana") as memory:
        opened = time.perf_counter()
        memory.recall(next(questions(9)))
        return [(opened - begun) * 1e3, (time.perf_counter() - opened) * 1e3]


def _tell(label: str, first: list[float], second: list[float]) -> None:
    if len(first) == 2:
        print(f"| {label}; opening | {first[1]:.1f}; {first[0]:.1f} | {second[1]:.1f}; {second[0]:.1f} | |")
        return
    (a, b), (c, d) = ((times[len(times) // 2], times[len(times) * 95 // 100]) for times in (first, second))
    print(f"| {label} | {a:.2f} / {b:.2f} | {c:.2f} / {d:.2f} | {c / a:.2f} |")


if __name__ == "__main__":
    main()
