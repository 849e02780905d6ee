"""The long forms of the reliability suites: kills, failing disks, properties, a service and more.

python -m benchmarks.soak all
python -m benchmarks.soak kills --kills 5000
python -m benchmarks.soak crowd --writers 8 --writes 1000 --rounds 5
python -m benchmarks.soak faults --every 12 --first 7
python -m benchmarks.soak power --every 1 --seeds 10
python -m benchmarks.soak erasure --rounds 50
python -m benchmarks.soak backups --cycles 500
python -m benchmarks.soak reconcile --kills 200
python -m benchmarks.soak models --documents 1000
python -m benchmarks.soak --seed 5 noninterference --examples 50000 --seconds 1500
python -m benchmarks.soak service --minutes 360

Each prints one line of figures and the problems it found, and ends with status 1 if there are any.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks import backup_cycles, endurance, hostile_models, reconcile_kills
from tests.reliability.canaries import Canaries, plant
from tests.reliability.crowd import crowd
from tests.reliability.failing import (
    Outcome,
    count_acts,
    plan_of,
    power_losses,
    recorded,
    run_with_fault,
)
from tests.reliability.faulty import FAULTS, Trouble
from tests.reliability.killing import Tally, kill_rounds
from tests.reliability.nursery import Nursery
from tests.reliability.workload import opened, text_of

ROUNDS = 25
"""Kills of one store; then a new one is begun, so that comparing stays quick."""
GOALS = {"sharing": 10_000, "noninterference": 50_000, "congruence": 100_000}
"""Histories, pairs of worlds, and steps of their full form."""
SUITES = (
    "kills", "crowd", "faults", "power", "erasure", "backups", "reconcile", "postgres", "models",
    *GOALS, "service",
)  # fmt: skip


def kills(options: argparse.Namespace) -> list[str]:
    """Kills writers at every kind of point, with batches large enough for a million acknowledgements."""
    tally = Tally()
    seed = options.seed
    with Nursery() as nursery:
        while tally.kills < options.kills and not tally.problems:
            rounds = min(ROUNDS, options.kills - tally.kills)
            with tempfile.TemporaryDirectory() as folder:
                kill_rounds(
                    nursery, Path(folder) / "a.db", rounds=rounds, seed=seed, tally=tally, ops=options.ops,
                    batch=options.batch, sample=4,
                )  # fmt: skip
            seed += 1
            if seed % 20 == 0:
                print(
                    f"... {tally.kills} kills, {tally.acknowledged:,} acknowledged",
                    file=sys.stderr,
                    flush=True,
                )
    print(
        f"{tally.kills:,} kills ({tally.between:,} between two operations), {tally.acknowledged:,}"
        f" acknowledged memories and changes, {tally.memories:,} memories,"
        f" {len(tally.problems)} problems; {tally.by_point}"
    )
    return tally.problems


def crowds(options: argparse.Namespace) -> list[str]:
    """Many processes on one file."""
    problems: list[str] = []
    acknowledged = 0
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            result = crowd(
                Path(folder) / "a.db", writers=options.writers, writes=options.writes, readers=2, looks=200,
                seed=options.seed + number,
            )  # fmt: skip
        problems += result.problems
        acknowledged += result.acknowledged
    print(
        f"{options.rounds} x {options.writers} processes, {acknowledged:,} acknowledged,"
        f" {len(problems)} problems"
    )
    return problems


def faults(options: argparse.Namespace) -> list[str]:
    """Runs every fault at every n-th write, sync and truncation, from the first one on."""
    total = Outcome()
    plan = plan_of(options.seed, options.ops)
    with tempfile.TemporaryDirectory() as folder:
        acts = count_acts(Path(folder), plan)
    for fault in FAULTS:
        for lasting in (1, 7):
            for index in range(options.first, acts + 1, options.every):
                with tempfile.TemporaryDirectory() as folder:
                    run_with_fault(Path(folder), plan, Trouble(index, fault, lasting=lasting), total)
    print(
        f"{total.runs:,} runs, each with a fault at one of {acts:,} writes, syncs and truncations;"
        f" {total.errors:,} errors reached the caller; {total.acknowledged:,} acknowledged,"
        f" {len(total.problems)} problems"
    )
    return total.problems


def power(options: argparse.Namespace) -> list[str]:
    """Loses power behind every n-th act."""
    total = Outcome()
    for seed in range(options.seed, options.seed + options.seeds):
        plan = plan_of(seed, options.ops)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "sound").mkdir()
            record, made = recorded(Path(folder) / "sound", plan)
            power_losses(Path(folder), plan, record, made, every=options.every, seed=seed, outcome=total)
    print(f"{total.runs:,} losses of power, {len(total.problems)} problems")
    return total.problems


def erasure(options: argparse.Namespace) -> list[str]:
    """Canaries among many memories of all sizes, erased in any order."""
    problems: list[str] = []
    planted = 0
    for number in range(options.rounds):
        rng = random.Random(options.seed + number)
        flocks = [Canaries((options.seed + number) * 1_000 + n) for n in range(30)]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            with opened(folder / "a.db") as memory:
                ids = []
                for n, birds in enumerate(flocks):
                    kind = rng.choice(("note", "message", "passage"))
                    ids.append(
                        plant(memory, birds, slot=n, kind=kind, long=kind != "note" and rng.random() < 0.2)
                    )
                    around = [
                        {"text": text_of(1_000 + n * 50 + i, words=rng.choice((3, 12, 60, 300))),
                         "external_id": f"x-{rng.getrandbits(64):x}"}
                        for i in range(rng.randrange(12))
                    ]  # fmt: skip
                    memory.remember_many(around)
                for n in rng.sample(range(30), 30):
                    memory.forget(ids[n], hard=True)
                    problems += [f"round {number}, open: {place}" for place in flocks[n].found(folder)]
                    planted += 1
            problems += [f"round {number}, closed: {p}" for birds in flocks for p in birds.found(folder)]
    print(f"{planted:,} memories with canaries in 13 fields erased, {len(problems)} problems")
    return problems


def backups(options: argparse.Namespace) -> list[str]:
    """Backups made under load, each restored and compared."""
    figures, problems = backup_cycles.run(options.cycles, options.seed)
    print(f"{figures}, {len(problems)} problems")
    return problems


def reconcile(options: argparse.Namespace) -> list[str]:
    """Reconciliations that are killed: nothing may be lost, doubled or orphaned."""
    try:
        print(reconcile_kills.run(options.kills, options.seed))
    except AssertionError as error:
        return [str(error)]
    return []


def postgres(options: argparse.Namespace) -> list[str]:
    """A PostgreSQL server killed under its writers, and with `--small` one whose disk is full."""
    from tests.postgres.failing import fill, kill_rounds
    from tests.postgres.server import Server

    with tempfile.TemporaryDirectory(prefix="holdfast-soak-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder) / "data")
        server.start()
        ledger = kill_rounds(server, rounds=options.kills, writers=options.writers, seed=options.seed)
        server.halt()
        server.stop()
    print(
        f"{options.kills} kills under {options.writers} writers, {len(ledger.acknowledged):,} acknowledged,"
        f" {ledger.in_doubt} in doubt, told {ledger.errors}, {len(ledger.problems)} problems"
    )
    if options.small is None:
        return ledger.problems
    full = fill(Path(options.small))
    print(
        f"a full disk: {len(full.acknowledged)} acknowledged, told {full.errors},"
        f" {len(full.problems)} problems"
    )
    return ledger.problems + full.problems


def models(options: argparse.Namespace) -> list[str]:
    """Lets hostile models read documents: nothing may be lost, nothing proposed that they do not say."""
    figures, problems = hostile_models.run(options.documents, options.seed)
    print(f"{figures}, {len(problems)} problems")
    return problems


def examples(options: argparse.Namespace) -> list[str]:
    """Draws examples of a property until there are enough or the time is over."""
    from benchmarks import properties

    figures, problems = properties.run(options.suite, options.examples, options.seconds, options.seed)
    print(f"{figures}, {len(problems)} problems")
    return problems


def service(options: argparse.Namespace) -> list[str]:
    """A service under a steady load, with its memory, descriptors and latencies over time."""
    figures, problems = endurance.run(
        minutes=options.minutes, every=options.every, clients=options.clients, rate=options.rate,
        seed=options.seed,
    )  # fmt: skip
    print(f"{figures}, {len(problems)} problems")
    return problems


def main() -> None:
    """Runs one suite as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1_000)
    suites = parser.add_subparsers(dest="suite", required=True)
    one = suites.add_parser("kills")
    one.add_argument("--kills", type=int, default=5_000)
    one.add_argument("--ops", type=int, default=60)
    one.add_argument("--batch", type=int, default=90)
    one.set_defaults(run=kills)
    one = suites.add_parser("crowd")
    one.add_argument("--writers", type=int, default=8)
    one.add_argument("--writes", type=int, default=1_000)
    one.add_argument("--rounds", type=int, default=3)
    one.set_defaults(run=crowds)
    one = suites.add_parser("faults")
    one.add_argument("--every", type=int, default=1)
    one.add_argument("--first", type=int, default=1, help="so that runs with the same --every add up")
    one.add_argument("--ops", type=int, default=16)
    one.set_defaults(run=faults)
    one = suites.add_parser("power")
    one.add_argument("--every", type=int, default=1)
    one.add_argument("--ops", type=int, default=16)
    one.add_argument("--seeds", type=int, default=5)
    one.set_defaults(run=power)
    one = suites.add_parser("erasure")
    one.add_argument("--rounds", type=int, default=20)
    one.set_defaults(run=erasure)
    one = suites.add_parser("backups")
    one.add_argument("--cycles", type=int, default=500)
    one.set_defaults(run=backups)
    one = suites.add_parser("reconcile")
    one.add_argument("--kills", type=int, default=200)
    one.set_defaults(run=reconcile)
    one = suites.add_parser("postgres")
    one.add_argument("--kills", type=int, default=100)
    one.add_argument("--writers", type=int, default=4)
    one.add_argument("--small", metavar="FOLDER", help="on an empty file system of about 100 MB of its own")
    one.set_defaults(run=postgres)
    one = suites.add_parser("models")
    one.add_argument("--documents", type=int, default=1_000)
    one.set_defaults(run=models)
    for name, goal in GOALS.items():
        one = suites.add_parser(name)
        one.add_argument("--examples", type=int, default=goal)
        one.add_argument("--seconds", type=float, default=math.inf, help="end after so long; go on by --seed")
        one.set_defaults(run=examples)
    one = suites.add_parser("service")
    one.add_argument("--minutes", type=float, default=360)
    one.add_argument("--every", type=float, default=5, help="minutes of a row")
    one.add_argument("--clients", type=int, default=3)
    one.add_argument("--rate", type=float, default=6, help="requests a second of all clients together")
    one.set_defaults(run=service)
    suites.add_parser("all", help="every suite in its full form, one after another")
    options = parser.parse_args()
    if options.suite == "all":
        chosen = [parser.parse_args(["--seed", str(options.seed), name]) for name in SUITES]
    else:
        chosen = [options]
    failed = [one.suite for one in chosen if not _passes(one)]
    sys.exit(bool(failed))


def _passes(options: argparse.Namespace) -> bool:
    started = time.monotonic()
    problems: list[str] = options.run(options)
    for problem, times in Counter(problems).items():
        print(f"  {problem}" + (f" ({times} times)" if times > 1 else ""))
    print(f"{options.suite}: seed {options.seed}, {time.monotonic() - started:,.0f} s", flush=True)
    return not problems


if __name__ == "__main__":
    main()
