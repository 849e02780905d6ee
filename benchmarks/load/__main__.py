"""Puts load on each service at several sizes and numbers of connections; prints one line a step."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from benchmarks.load.servers import SERVERS, Server
from benchmarks.load.wire import load

SIZES = (10_000, 100_000)
CONNECTIONS = (1, 8, 32, 128)
SAMPLE_SECONDS = 5.0


def measure(server: Server, size: int, seconds: float) -> list[dict[str, Any]]:
    """Rows for one service that runs and is filled."""
    rows = []
    recalls = server.recalls()
    load(server.port, recalls, connections=1, seconds=min(seconds, 3))
    for seed, connections in enumerate(CONNECTIONS, 100):
        for what, requests in (("recall", recalls), ("remember", server.writes(seed))):
            server.waits()
            taken = load(server.port, requests, connections=connections, seconds=seconds)
            rows.append(
                {
                    "service": server.name, "memories": size, "what": what, "connections": connections,
                    **taken.row(), "rss": server.rss(), "waits": server.waits(),
                }
            )  # fmt: skip
            show(rows[-1], taken.failures[:1])
    return rows


def steady(server: Server, seconds: float) -> dict[str, Any]:
    """Resident memory over a long load of recalls and writes together."""
    samples: list[float] = []
    over = threading.Event()

    def sample() -> None:
        while not over.wait(SAMPLE_SECONDS):
            samples.append(server.rss())

    def mixed() -> Any:
        recalls, writes = server.recalls(), server.writes(7)
        while True:
            for _ in range(9):
                yield next(recalls)
            yield next(writes)

    watching = threading.Thread(target=sample)
    watching.start()
    taken = load(server.port, mixed(), connections=8, seconds=seconds)
    over.set()
    watching.join()
    third = max(len(samples) // 3, 1)
    first, last = statistics.median(samples[:third]), statistics.median(samples[-third:])
    print(
        f"{server.name}: {seconds:.0f} s, {len(taken.seconds):,} requests, {len(taken.failures)} failed;"
        f" RSS {first:.0f} MiB in the first third, {last:.0f} in the last, {max(samples):.0f} at most"
    )
    return {"seconds": seconds, "requests": len(taken.seconds), "failed": len(taken.failures), "rss": samples}


def show(row: dict[str, Any], failures: list[str]) -> None:
    """One line of the table."""
    print(
        f"{row['service']:20} {row['memories']:8,} {row['what']:9} {row['connections']:4}"
        f" {row['rate']:8.0f}/s {row['p50']:8.1f} {row['p95']:8.1f} {row['p99']:8.1f} ms"
        f" {row['failed']:5} failed {row['rss']:6.0f} MiB {row['waits']} {' '.join(failures)}",
        flush=True,
    )


def main() -> None:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--services", nargs="+", choices=SERVERS, default=list(SERVERS))
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="memories held")
    parser.add_argument("--seconds", type=float, default=10, help="of each step")
    parser.add_argument("--steady", type=float, default=0, help="seconds of one long load at the last size")
    parser.add_argument("--environments", type=Path, default=Path(".peers/environments"))
    parser.add_argument("--output", type=Path, help="write the rows as JSON")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    lasting: dict[str, Any] = {}
    for size in options.sizes:
        for name in options.services:
            with tempfile.TemporaryDirectory(prefix="holdfast-load-") as home:
                server = SERVERS[name](Path(home), options.environments.resolve())
                print(f"filling {name} with {size:,}", file=sys.stderr, flush=True)
                server.prepare(size)
                with server:
                    server.settle(size)
                    rows += measure(server, size, options.seconds)
                    if options.steady and size == options.sizes[-1]:
                        lasting[name] = steady(server, options.steady)
    if options.output:
        options.output.write_text(json.dumps({"rows": rows, "steady": lasting}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
