"""Runs Holdfast and its peers on one workload in one process tree and prints one table.

Each peer gets a virtual environment of its own, made on first use in `--folder`. Times are taken inside the
peers' processes; adds, recalls and cold starts are taken in turns with a store made by hand, because the
machine decides the milliseconds and only ratios travel. What each figure means: docs/peers.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.peers import environments, table, workload
from benchmarks.peers.catalogue import PEERS, YARDSTICK
from benchmarks.peers.tasks import Bench, Plan
from benchmarks.speed import tell

_QUICK = {"adds": 30, "recalls": 60, "colds": 3, "kills": 1}


def main() -> None:
    """The command line."""
    options = _options()
    folder = Path(options.folder).expanduser().resolve()
    kept = folder / "results"
    if not options.table:
        kept.mkdir(parents=True, exist_ok=True)
        _run(options, folder, kept)
    results = [
        json.loads(path.read_text("utf-8"))
        for name in options.peers
        if (path := kept / f"{name}.json").exists()
    ]
    if not results:
        raise SystemExit(f"no results in {kept}")
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=2) + "\n", "utf-8")
    print(table.render(results))


def _run(options: argparse.Namespace, folder: Path, results_file: Path) -> None:
    plan = Plan(options.sizes, seconds=options.timeout, **(_QUICK if options.quick else {}))
    pythons: dict[str, Path] = {}
    python = options.python or environments.interpreter()
    for name in dict.fromkeys([YARDSTICK, *options.peers]):
        tell(f"{name}: environment")
        try:
            pythons[name] = environments.install(
                PEERS[name], folder / "environments", python, options.install_timeout
            )
        except environments.NotInstalled as error:
            if name == YARDSTICK:
                raise SystemExit(f"{name}, which every ratio needs, is {error}") from None
            _keep(results_file, {"peer": name, "problems": [str(error)]})
    with tempfile.TemporaryDirectory(dir=folder, prefix="run-") as scratch:
        tell("workload")
        workload.write(Path(scratch), max(plan.sizes))
        locomo = workload.write_locomo(Path(scratch), Path(options.locomo)) if options.locomo else None
        bench = Bench(plan, Path(scratch), pythons, locomo)
        machine = _machine(python)
        for name in options.peers:
            if name in pythons:
                _keep(
                    results_file, {**bench.measure(name), "machine": {**machine, "load": os.getloadavg()[0]}}
                )


def _keep(results_file: Path, result: dict[str, Any]) -> None:
    (results_file / f"{result['peer']}.json").write_text(json.dumps(result, indent=2) + "\n", "utf-8")


def _machine(python: str) -> dict[str, Any]:
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout.split()[-1]
    return {"cores": len(os.sched_getaffinity(0)), "python": version, "system": platform.platform()}


def _options() -> argparse.Namespace:
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--peers", type=_names, default=list(PEERS), metavar="A,B", help=f"of {', '.join(PEERS)}")
    add("--sizes", type=_sizes, metavar="N,N", help="memories in the store (default 1000,10000,100000)")
    add(
        "--quick", action="store_true", help="fewer repeats, and only 1,000 memories where no sizes are given"
    )
    add("--locomo", metavar="PATH", help="a LoCoMo file: measures recall of its evidence, too")
    add("--folder", default=f"{cache}/holdfast-peers", help="for environments, results and scratch files")
    add("--python", help="interpreter of the environments (its sqlite3 must load extensions)")
    add("--timeout", type=float, default=400.0, metavar="S", help="for one task of one peer (default 400)")
    add("--install-timeout", type=float, default=600.0, metavar="S", help="for one pip (default 600)")
    add("--json", metavar="FILE", help="write the results there, too")
    add("--table", action="store_true", help="measure nothing: print the stored results")
    options = parser.parse_args()
    options.sizes = options.sizes or ((1_000,) if options.quick else (1_000, 10_000, 100_000))
    return options


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in PEERS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(PEERS)}")
    return names


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(sorted({int(size.replace("_", "")) for size in text.split(",")}))
    if not sizes or sizes[0] < 1_000:
        raise argparse.ArgumentTypeError("a size is 1000 or more: ten hits in each of fifty projects")
    return sizes


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
