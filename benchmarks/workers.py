"""Processor time of a request with one process of a service and with several.

`python -m benchmarks.workers` serves one store with `--workers 1` and `--workers 2` in turns and sends each
recalls and notes over connections that stay open. Processor time is that of all processes of the service.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count as counting
from pathlib import Path
from statistics import median

import httpx
import psutil

from holdfast import Memory

CLIENTS = 8
WARM = 200
"""Requests before it is measured: each process loads the index once."""
_NOTES = counting()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found: dict[tuple[str, int], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "a.db"
        with Memory(store, user="ana") as memory:
            turns = [
                {"role": "user", "content": f"Crate {number} holds {number * 7} lamps for pier {number % 97}"}
                for number in range(options.memories)
            ]
            memory.add_messages(turns, session="crates")
        for _ in range(options.rounds):
            for workers in (1, 2):
                with served(store, workers) as (url, process):
                    for name in ("recall", "remember"):
                        _send(url, name, WARM)
                        before = spent(process)
                        _send(url, name, options.requests)
                        each = (spent(process) - before) / options.requests * 1_000
                        found.setdefault((name, workers), []).append(each)
                        print(f"{name}, workers {workers}: {each:.2f} ms of processor a request", flush=True)
    for name in ("recall", "remember"):
        one, two = (median(found[name, workers]) for workers in (1, 2))
        print(
            f"{name}: {one:.2f} ms with one process, {two:.2f} ms with two, ratio {two / one:.2f} (medians)"
        )


@contextmanager
def served(store: Path, workers: int) -> Iterator[tuple[str, psutil.Process]]:
    """Serves a store with so many processes; yields its address and its first process."""
    words = ["--store", str(store), "--user", "ana", "serve", "--port", "0", "--no-mcp", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", *words, "--workers", str(workers)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline()]
        while lines[-1].strip() not in ("}", ""):
            lines.append(process.stdout.readline())
        yield json.loads("".join(lines))["url"], psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _send(url: str, name: str, count: int) -> None:
    def client(number: int) -> None:
        with httpx.Client(base_url=url, timeout=60) as http:
            for turn in range(count // CLIENTS):
                text = f"lamps in crate {number * 1_000 + turn} for the pier"
                path, body = "/v1/recall", {"query": text}
                if name == "remember":
                    path, body = "/v1/memories", {"text": f"{text}, as note {next(_NOTES)} says"}
                http.post(path, json=body).raise_for_status()

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(client, range(CLIENTS)))


def spent(process: psutil.Process) -> float:
    times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
    return float(sum(one.user + one.system for one in times))


if __name__ == "__main__":
    main()
