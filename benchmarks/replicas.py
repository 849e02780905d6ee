"""What reading from a replica takes off the primary: processor time of each server, and who answers.

`python -m benchmarks.replicas` starts a server and a standby that streams from it, fills a tenant, and asks
it with and without `read_from`, in turns, while a writer in a process of its own adds notes at a steady rate.
It prints what docs/scale.md tells.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable
from itertools import islice
from statistics import median
from typing import Any
from urllib.parse import quote

import psutil

from benchmarks.speed import questions, sentences
from holdfast import Memory
from holdfast.stores.postgres.store import PostgresStore
from tests.postgres.server import APPLICATION, Server, followed

BATCH = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=300)
    parser.add_argument("--rates", type=float, nargs="+", default=[0, 5, 20])
    options = parser.parse_args()
    with followed("replicas") as (primary, standby):
        address = primary.url(APPLICATION, tenant="team")
        _fill(address, options.size)
        with primary.as_superuser("holdfast") as connection:
            connection.execute("ANALYZE")
        _measure(address, primary, standby, options)


def _fill(address: str, size: int) -> None:
    texts = sentences(1)
    with Memory(address, user="ana") as memory:
        for number in range(0, size, BATCH):
            batch = [{"role": "user", "content": text} for text in islice(texts, min(BATCH, size - number))]
            memory.add_messages(batch, session=f"s{number}")


def _measure(address: str, primary: Server, standby: Server, options: argparse.Namespace) -> None:
    replicated = f"{address}&read_from={quote(str(standby.folder), safe='')}"
    print("| notes a second | from | what | primary, ms | standby, ms | client, ms | p50, ms | replica |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for rate in options.rates:
        end = multiprocessing.Event()
        writer = multiprocessing.Process(target=_write, args=(address, rate, end))
        if rate:
            writer.start()
        for name, where in (("primary", address), ("replica", replicated)):
            with Memory(where, user="ana") as memory:
                id, asked = memory.list(limit=1).memories[0].id, questions(2)
                for what, run in (
                    ("recall", lambda m=memory, q=asked: m.recall(next(q))),
                    ("get", lambda m=memory, i=id: m.get(i)),
                ):
                    _row(f"{rate:g} | {name} | {what}", memory, run, primary, standby, options.repeat)
        end.set()
        if rate:
            writer.join()


def _row(
    label: str, memory: Memory, run: Callable[[], object], primary: Server, standby: Server, repeat: int
) -> None:
    for _ in range(30):
        run()
    store = memory._service.store
    assert isinstance(store, PostgresStore)
    reads, before = _reads(store), (used_by(primary), used_by(standby), time.process_time())
    times = []
    for _ in range(repeat):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    after = (used_by(primary), used_by(standby), time.process_time())
    figures = [f"{(b - a) * 1e3 / repeat:.2f}" for a, b in zip(before, after, strict=True)]
    here, there = (now - then for now, then in zip(_reads(store), reads, strict=True))
    share = f"{100 * here / (here + there):.1f}%" if here + there else ""
    print(f"| {label} | {' | '.join(figures)} | {median(times) * 1e3:.1f} | {share} |", flush=True)


def used_by(server: Server) -> Any:
    """Returns the processor time of all processes of a server in seconds, of those that ended too."""
    first = psutil.Process(server.pid)
    family = [first, *first.children(recursive=True)]
    mine = sum(sum(one.cpu_times()[:2]) for one in family if one.is_running())
    return mine + sum(first.cpu_times()[2:4])


def _write(address: str, rate: float, end: object) -> None:
    with Memory(address, user="ana") as memory:
        for text in sentences(7):
            memory.remember(text, kind="note")
            if end.wait(1 / rate):  # type: ignore[attr-defined]
                return


def _reads(store: PostgresStore) -> tuple[int, int]:
    """Returns how many readings standbys and the primary served."""
    return (0, 0) if store.reads is None else (store.reads.by_standbys, store.reads.by_primary)


if __name__ == "__main__":
    main()
