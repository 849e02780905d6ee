"""Measures that a project does not feel its tenant: recall in one of 50 projects of a large tenant beside
recall in a tenant that holds only that project, in turns. Prints the table of docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.speed import PROJECTS, fill, milliseconds, questions, spread
from holdfast import Memory

SEED = 1


def ask(memory: Memory, queries: Iterator[str]) -> None:
    """One recall in the first project."""
    memory.recall(next(queries), project="p0")


def main() -> None:
    """Fills both tenants and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000_000, help="in the large tenant")
    parser.add_argument("--repeat", type=int, default=200, help="recalls of each")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="holdfast-tenant-"))
    try:
        with Memory(folder / "large.db") as large, Memory(folder / "alone.db") as alone:
            began = time.perf_counter()
            # texts depend on the seed and on those before: the first project is the same in both
            fill(large, options.memories, PROJECTS, SEED)
            filled = time.perf_counter() - began
            fill(alone, options.memories // PROJECTS, 1, SEED)
            print(f"filled in {filled:.0f} s", file=sys.stderr)
            tasks = [partial(ask, memory, questions(5)) for memory in (large, alone)]
            for task in tasks:
                task()
            in_large, by_itself = (spread(taken) for taken in milliseconds(options.repeat, *tasks))
        ratio = in_large["p50"] / by_itself["p50"]
        result = {
            "memories": options.memories,
            "projects": PROJECTS,
            "large": in_large,
            "alone": by_itself,
            "ratio": ratio,
            "rate": options.memories / filled,
            "bytes": (folder / "large.db").stat().st_size,
        }
        if options.json:
            print(json.dumps(result, indent=2))
        else:
            print(f"{'recall, ms':24} {'p50':>7} {'p95':>7}")
            for name, taken in (("one of 50 projects", in_large), ("that project alone", by_itself)):
                print(f"{name:24} {taken['p50']:7.2f} {taken['p95']:7.2f}")
            print(f"ratio {ratio:.2f}; {options.memories:,} memories, {result['rate']:,.0f}/s, ", end="")
            print(f"{result['bytes'] / 2**20:,.0f} MiB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
