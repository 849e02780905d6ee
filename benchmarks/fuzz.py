"""Fuzzing the importers, the parser of facts, the router and the rules of extraction.

python -m benchmarks.fuzz                                 each target for 15 minutes, one after another
python -m benchmarks.fuzz --target facts --minutes 1      one of them (may be repeated)
python -m benchmarks.fuzz --target mem0 --seed 7 --case 42    one case again, in this process

A case is an input made by mutation from target, seed and number alone (`tests/fuzzing`). Cases run in a
child process. What is found: an error that is not Holdfast's own or is the store's, more than 5 s of
processor time, more than 512 MiB of memory, and whatever `tests/fuzzing/targets.py` says must not be. The
input of each is saved.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import select
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzzing.targets import TARGETS, input_of

CPU_SECONDS = 5.0
"""Processor time of one case. A busy machine makes it take longer; then SECONDS counts."""
SECONDS = 120.0
MEMORY = 512
"""MiB that a child may hold."""
FOUND_MAX = 20
"""Of one target; then the next begins."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Tally:
    """What one target came to: `items` is what was found in all inputs together."""

    cases: int = 0
    fruitful: int = 0
    items: int = 0
    longest: float = 0.0
    memory: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)


def fuzz(name: str, seed: int, seconds: float, cases: int | None = None, start: int = 0) -> Tally:
    """Runs cases of one target for so long, or so many of them; a child that dies or hangs is replaced."""
    tally = Tally()
    ends = time.monotonic() + seconds
    number = start
    while time.monotonic() < ends and len(tally.problems) < FOUND_MAX:
        left = -1 if cases is None else start + cases - number
        if left == 0:
            break
        number = _watched(name, seed, number, left, ends, tally)
    return tally


def _watched(name: str, seed: int, number: int, remaining: int, ends: float, tally: Tally) -> int:
    """One child from this case on; the number of the case with which the next begins."""
    command = [sys.executable, "-m", "benchmarks.fuzz", "--child", "--target", name, "--seed", str(seed)]
    command += ["--case", str(number), "--cases", str(remaining)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    begun, used, rest = time.monotonic(), _cpu(child.pid), b""
    try:
        while time.monotonic() < ends and len(tally.problems) < FOUND_MAX:
            if not select.select([child.stdout], [], [], 1.0)[0]:
                spent = _cpu(child.pid) - used
                if spent > CPU_SECONDS or time.monotonic() - begun > SECONDS:
                    tally.problems.append((number, f"hangs: {spent:.0f} s of processor time"))
                    return number + 1
                continue
            piece = os.read(child.stdout.fileno(), 1 << 16)
            if not piece:
                child.wait()
                if child.returncode or remaining < 0:
                    tail = child.stderr.read()[-2_000:].decode("utf-8", "replace")
                    tally.problems.append((number, f"the process ended with {child.returncode}: {tail}"))
                return number + 1 if child.returncode or remaining < 0 else number
            *told, rest = (rest + piece).split(b"\n")
            for line in told:
                _counted(json.loads(line), tally)
                number += 1
            begun, used = time.monotonic(), _cpu(child.pid)
        return number
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
        child.stderr.close()


def _counted(report: dict[str, Any], tally: Tally) -> None:
    tally.cases += 1
    tally.items += report["items"]
    tally.fruitful += report["items"] > 0
    tally.longest = max(tally.longest, report["cpu"])
    tally.memory = max(tally.memory, report["memory"])
    if report["problem"]:
        tally.problems.append((report["case"], report["problem"]))
    elif report["cpu"] > CPU_SECONDS:
        tally.problems.append((report["case"], f"takes {report['cpu']:.1f} s of processor time"))
    elif report["memory"] > MEMORY:
        tally.problems.append((report["case"], f"holds {report['memory']} MiB"))


def _cpu(pid: int) -> float:
    """Seconds of processor time of a process so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def run_cases(name: str, seed: int, start: int, cases: int) -> None:
    """The child: one line of JSON for each case. Memory that is not there ends it."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        number = start
        while number != start + cases:
            Path("/proc/self/clear_refs").write_text("5")  # the peak of memory is counted anew
            began = time.process_time()
            items, problem = run_case(name, seed, number, Path(folder))
            told = {
                "case": number, "items": items, "problem": problem, "cpu": time.process_time() - began,
                "memory": _peak(),
            }  # fmt: skip
            print(json.dumps(told), flush=True)
            number += 1


def run_case(name: str, seed: int, number: int, folder: Path) -> tuple[int, str]:
    """How much one case found, and what is wrong with it."""
    try:
        return TARGETS[name].check(input_of(name, seed, number), folder), ""
    except Exception:
        return 0, traceback.format_exc(limit=-6)


def _peak() -> int:
    """MiB that this process held at most."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) >> 10


def save(name: str, seed: int, number: int, problem: str, folder: Path) -> Path:
    """Writes what a case was given, and what was wrong."""
    place = folder / f"{name}-{seed}-{number}"
    for file, data in input_of(name, seed, number).files.items():
        (place / "given" / file).parent.mkdir(parents=True, exist_ok=True)
        (place / "given" / file).write_bytes(data)
    (place / "problem.txt").write_text(problem)
    return place


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", choices=[*TARGETS, "all"], action="append")
    parser.add_argument("--minutes", type=float, default=15.0, help="for each target")
    parser.add_argument("--seed", type=int, help="default: another one each time; it is printed")
    parser.add_argument("--cases", type=int, help="so many of each target, instead of by time")
    parser.add_argument("--case", type=int, help="only this one, in this process")
    parser.add_argument("--save", type=Path, default=Path("fuzz-found"), help="where to save what is found")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    wanted = options.target or ["all"]
    names = list(TARGETS) if "all" in wanted else wanted
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    if options.child:
        run_cases(names[0], seed, options.case, options.cases)
        return 0
    if options.case is not None:
        with tempfile.TemporaryDirectory() as folder:
            items, problem = run_case(names[0], seed, options.case, Path(folder))
        print(problem or f"{items} found, nothing wrong")
        return bool(problem)
    failed = False
    for name in names:
        seconds = 60 * options.minutes if options.cases is None else float("inf")
        began = time.monotonic()
        tally = fuzz(name, seed, seconds, options.cases)
        print(
            f"{name}: seed {seed}, {time.monotonic() - began:,.0f} s, {tally.cases:,} cases"
            f" ({tally.fruitful:,} with something in them, {tally.items:,} in all),"
            f" longest {tally.longest:.2f} s, {tally.memory} MiB at most, {len(tally.problems)} problems",
            flush=True,
        )
        seen: set[str] = set()
        for number, problem in tally.problems:
            failed = True
            place = save(name, seed, number, problem, options.save)
            told = problem.strip().rpartition("\n")[2]
            if (kind := re.sub(r"\d+", "0", told)) not in seen:
                seen.add(kind)
                print(f"  case {number}, saved in {place}: {told}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
