"""Measures speed: durable writes, batches, recall at several sizes, and recall as a cold process.

Every figure stands beside something simpler measured in the same run, because the machine decides the
milliseconds: a bare synced insert, a memory made by hand (`by_hand.py`), the bare vector kernel, and Python
importing NumPy. `make bench` prints the tables of docs/performance.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import apsw
import numpy as np

from benchmarks.by_hand import ByHand
from holdfast import Memory
from holdfast.core.views import Filter
from holdfast.language.terms import terms_of
from holdfast.stores.base.ports import Question
from holdfast.stores.index.quantised import dots, quantise
from holdfast.stores.index.row_filter import NEVER
from holdfast.stores.index.segment import Row
from holdfast.stores.index.segments import Index

SIZES = (1_000, 10_000, 100_000)
PROJECTS = 50
BATCH = 5_000
DIM = 256

_THINGS = (
    "api server token session database migration index query cache latency deploy cluster budget invoice"
    " payment customer meeting review branch merge release test fixture schema column vector memory agent"
    " prompt model search ranking filter tenant project workspace policy rotation backup restore snapshot"
    " disk network proxy gateway timeout retry queue worker job schedule alert metric dashboard log trace"
    " user profile avatar settings theme editor plugin parser grammar compiler runtime thread lock channel"
    " socket stream buffer window garden kitchen holiday train flight hotel recipe coffee dinner birthday"
    " concert piano guitar football marathon bicycle mountain river lake forest winter summer autumn weather"
    " doctor dentist school teacher lesson language novel chapter library museum painting camera album lens"
    " colour paper pencil desk chair lamp door carpet"
).split()
_DEEDS = "uses prefers moved needs keeps drops returns wants chose reads owns plans sells fixes".split()
_NAMES = "Ada Grace Linus Ken Barbara Edsger Donald Frances Margaret Alan Radia Vint Leslie Adele".split()

Row_ = dict[str, Any]


def sentences(seed: int) -> Iterator[str]:
    """Distinct sentences of about 130 characters without end, the same for the same seed."""
    random = Random(seed)
    while True:
        a = random.choices(_THINGS, k=10)
        yield (
            f"{random.choice(_NAMES)} {random.choice(_DEEDS)} the {a[0]} {a[1]} for the {a[2]} {a[3]} because"
            f" the {a[4]} {a[5]} {random.choice(_DEEDS)} {a[6]} {a[7]} on {a[8]} {random.randrange(10_000)};"
            f" {a[9]} is next."
        )


def questions(seed: int) -> Iterator[str]:
    """Questions of about eight words without end."""
    random = Random(seed)
    while True:
        a = random.choices(_THINGS, k=4)
        yield f"why did {random.choice(_NAMES)} want the {a[0]} {a[1]} with {a[2]} {a[3]}?"


def milliseconds(repeat: int, *tasks: Callable[[], object]) -> list[list[float]]:
    """How long each task takes, taken in turns so that a loaded machine hits all of them alike; sorted."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(repeat):
        for task, taken in zip(tasks, times, strict=True):
            start = time.perf_counter()
            task()
            taken.append((time.perf_counter() - start) * 1_000)
    return [sorted(taken) for taken in times]


def spread(times: list[float]) -> Row_:
    """Minimum, median and 95th percentile of sorted times."""
    last = len(times) - 1
    return {"min": times[0], "p50": times[last // 2], "p95": times[round(last * 0.95)]}


def fill(memory: Memory, count: int, projects: int, seed: int) -> None:
    """Keeps `count` messages, spread evenly over projects."""
    texts = sentences(seed)
    for number in range(projects):
        share = count // projects
        for start in range(0, share, BATCH):
            messages = [
                {"role": "user", "content": text}
                for text in itertools.islice(texts, min(BATCH, share - start))
            ]
            memory.add_messages(messages, session=f"s{number}", project=f"p{number}")


def measure_writes(folder: Path, stored: int, repeat: int) -> list[Row_]:
    """One durable write at a time, in turns: a bare insert, by hand, Holdfast."""
    bare = apsw.Connection(str(folder / "bare.db"))
    bare.pragma("journal_mode", "wal")
    bare.pragma("synchronous", "full")
    bare.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
    hand = ByHand(folder / "hand.db")
    hand.add(list(itertools.islice(sentences(1), stored)), "p0")
    texts = sentences(2)
    head = os.open(folder / "head", os.O_CREAT | os.O_RDWR)

    def note() -> None:
        os.pwrite(head, f"{time.time_ns():085d}\n".encode(), 0)
        os.fdatasync(head)

    with Memory(folder / "writes.db") as memory:
        fill(memory, stored, 1, seed=1)
        for _ in range(20):
            memory.remember(next(texts), project="p0")
        taken = milliseconds(
            repeat,
            lambda: bare.execute("INSERT INTO t (text) VALUES (?)", (next(texts),)),
            note,
            lambda: hand.add([next(texts)], "p0"),
            lambda: memory.remember(next(texts), project="p0"),
            lambda: memory.add_messages([{"role": "user", "content": next(texts)}], session="s0"),
        )
    hand.close()
    bare.close()
    os.close(head)
    names = (
        "bare insert, synced", "bare 86-byte file, synced", "by hand: FTS5 + vector, synced",
        "remember a note", "add one message",
    )  # fmt: skip
    return [
        {"what": name, **spread(times), "of by hand": times[len(times) // 2] / taken[2][repeat // 2]}
        for name, times in zip(names, taken, strict=True)
    ]


def measure_batches(folder: Path, count: int, stored: int, repeat: int) -> list[Row_]:
    """Texts a second when many come at once, also beside what is held; the best of some runs."""
    hand = ByHand(folder / "hand-batch.db")
    texts = sentences(3)

    def some(number: int = count) -> list[str]:
        return list(itertools.islice(texts, number))

    def notes(project: str, batch: list[str]) -> None:
        memory.remember_many([{"text": text, "project": project} for text in batch])

    with Memory(folder / "batch.db") as memory:
        for start in range(0, stored, BATCH):
            notes("p2", some(min(BATCH, stored - start)))
        tasks: dict[str, Callable[[list[str]], object]] = {
            "by hand": lambda batch: hand.add(batch, "p0"),
            "add_messages": lambda batch: memory.add_messages(
                [{"role": "user", "content": text} for text in batch], session="s", project="p0"
            ),
            "remember_many, notes": lambda batch: notes("p1", batch),
            f"remember_many, beside {stored:,} notes": lambda batch: notes("p2", batch),
        }
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in tasks}
        for _, (name, task) in itertools.product(range(repeat), tasks.items()):
            batch = some()
            begun, used = time.perf_counter(), time.process_time()
            task(batch)
            taken[name].append((time.perf_counter() - begun, time.process_time() - used))
    hand.close()
    return [
        {
            "what": name,
            "texts": count,
            "per second": count / min(wall for wall, _ in times),
            "per second of processor time": count / min(used for _, used in times),
        }
        for name, times in taken.items()
    ]


def measure_recall(folder: Path, size: int, projects: int, repeat: int) -> Row_:
    """Recall inside one project of a store that holds `size` messages in `projects` projects."""
    asked = questions(5)
    with Memory(folder / f"recall-{size}-{projects}.db") as memory:
        fill(memory, size, projects, seed=4)
        hand = ByHand(folder / f"hand-{size}-{projects}.db")
        texts = sentences(4)
        for number in range(projects):
            hand.add(list(itertools.islice(texts, size // projects)), f"p{number}")
        where = f"p{projects - 1}"
        start = time.perf_counter()
        memory.recall(next(asked), project=where)
        first = (time.perf_counter() - start) * 1_000
        for _ in range(3):
            memory.recall(next(asked), project=where)
            hand.recall(next(asked), where)
        taken = milliseconds(
            repeat,
            lambda: memory.recall(next(asked), project=where),
            lambda: memory.recall(next(asked), project=where, mode="words"),
            lambda: memory.recall(next(asked), project=where, mode="vectors"),
            lambda: hand.recall(next(asked), where),
        )
        hand.close()
    both, words, vectors, by_hand = map(spread, taken)
    return {
        "memories": size,
        "projects": projects,
        **both,
        "words p50": words["p50"],
        "vectors p50": vectors["p50"],
        "first": first,
        "by hand p50": by_hand["p50"],
        "of by hand": both["p50"] / by_hand["p50"],
    }


def measure_kernel(size: int, repeat: int) -> Row_:
    """The search by vector in one loaded segment against the bare kernel on the same rows."""
    random = np.random.default_rng(size)
    vectors = random.standard_normal((size, DIM)).astype(np.float32)
    scale, codes = quantise(vectors)
    terms = terms_of("one").to_bytes()
    rows = [
        Row(
            number, number, 1, "note", "approved", 1, 0, 0, 0, 0, 0, 0, None, "global", None, None, "u", 1, 1,
            NEVER, NEVER, 0, 0, 0, 1, terms, float(step), code.tobytes(),
        )
        for number, (step, code) in enumerate(zip(scale, codes, strict=True), 1)
    ]  # fmt: skip
    index = Index(1 << 40)
    index.use_model("m", DIM)
    index.load(1, rows)
    del rows
    query = vectors[0] / np.linalg.norm(vectors[0])
    question = Question((), query, "m", DIM, 40, 1)
    whole = np.ascontiguousarray(codes)
    kernel, search = milliseconds(
        repeat,
        lambda: dots(whole[0], whole),
        lambda: index.candidates([1], Filter(), frozenset(), None, question),
    )
    return {
        "rows": size,
        "kernel p50": kernel[repeat // 2],
        "search p50": search[repeat // 2],
        "ratio of minima": search[0] / kernel[0],
        "ratio of p50": search[repeat // 2] / kernel[repeat // 2],
    }


def measure_cold(folder: Path, sizes: Sequence[int], repeat: int) -> list[Row_]:
    """Whole processes, in turns, each store with all its memories in one project."""
    # as installed: compiled once, not at each start
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["HOLDFAST_HOOK_SECONDS"] = "60"  # on a busy machine a hook would end before its answer
    commands = {
        "python -c pass": ["-c", "pass"],
        'python -c "import numpy, apsw"': ["-c", "import numpy, apsw"],
    }
    query = next(questions(7))
    prompt = json.dumps({"session_id": "", "cwd": str(folder), "prompt": query}).encode()
    for size in sizes:
        path = folder / f"cold-{size}.db"
        if not path.exists():
            with Memory(path) as memory:
                fill(memory, size, 1, seed=6)
        where = [f"--store={path}", "--project=p0"]
        commands[f"recall, {size:,} memories"] = ["-m", "holdfast", "recall", query, *where, "--json"]
        hook = ["-m", "holdfast", "hook", "claude-code", "UserPromptSubmit", *where]
        commands[f"hook at a prompt, {size:,} memories"] = hook

    def run(arguments: list[str]) -> bytes:
        return subprocess.run(
            [sys.executable, *arguments], env=environment, check=True, capture_output=True, input=prompt
        ).stdout

    processor: dict[str, list[float]] = {name: [] for name in commands}

    def task(name: str) -> Callable[[], object]:
        def timed() -> None:
            before = os.times()
            run(commands[name])
            after = os.times()
            used = after.children_user + after.children_system
            processor[name].append((used - before.children_user - before.children_system) * 1_000)

        return timed

    for name, arguments in commands.items():
        answer = run(arguments)
        if name.startswith("recall") and len(json.loads(answer)["hits"]) != 10:
            raise SystemExit("the cold process found nothing")
    taken = milliseconds(repeat, *map(task, commands))
    plain = sorted(processor['python -c "import numpy, apsw"'])
    return [
        {
            "process": name,
            **spread(times),
            "p50 to imports": times[repeat // 2] / taken[1][repeat // 2],
            "processor p50": sorted(processor[name])[repeat // 2],
            "processor to imports": sorted(processor[name])[repeat // 2] / plain[repeat // 2],
        }
        for name, times in zip(commands, taken, strict=True)
    ]


def tell(message: str) -> None:
    """Says on the error stream what is going on."""
    print(f"measuring {message} ...", file=sys.stderr, flush=True)


def measure(folder: Path, *, quick: bool) -> Row_:
    """All tables by name."""
    sizes = SIZES[:2] if quick else SIZES
    repeat = 30 if quick else 200
    tell("writes")
    results: Row_ = {"machine": machine()}
    results["one durable write (ms, 10,000 kept)"] = measure_writes(folder, 10_000, repeat)
    tell("batches")
    results["batches"] = measure_batches(folder, 1_000 if quick else 5_000, 10_000, 3)
    recalls = []
    for size, projects in itertools.product(sizes, (1, PROJECTS)):
        tell(f"recall of {size:,} in {projects}")
        recalls.append(measure_recall(folder, size, projects, repeat))
    results["recall (ms)"] = recalls
    tell("vectors")
    results["search by vector in memory (ms)"] = [measure_kernel(size, repeat) for size in sizes]
    tell("cold processes")
    results["cold process (ms)"] = measure_cold(folder, sizes, 5 if quick else 15)
    return results


def machine() -> Row_:
    """What the figures were taken on."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sqlite": apsw.sqlite_lib_version(),
        "load": round(os.getloadavg()[0], 1),
    }


def table(rows: list[Row_]) -> str:
    """Rows as a Markdown table."""

    def cell(value: object) -> str:
        if isinstance(value, float):
            return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
        return f"{value:,}" if isinstance(value, int) else str(value)

    names = list(rows[0])
    lines = [names, ["---"] * len(names), *([cell(row[name]) for name in names] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Prints the tables, or all of it as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, no 100,000: about a minute")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--folder", help="where to write (default: a temporary folder)")
    parser.add_argument(
        "--cold", type=int, nargs="+", metavar="SIZE", help="cold processes alone, at SIZE memories"
    )
    parser.add_argument("--repeat", type=int, default=15, help="runs of each cold process")
    parser.add_argument("--batches", action="store_true", help="batches alone")
    options = parser.parse_args()
    if options.cold:
        with nullcontext(options.folder) if options.folder else tempfile.TemporaryDirectory() as folder:
            print(table(measure_cold(Path(folder), options.cold, options.repeat)))
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        if options.batches:
            print(table(measure_batches(Path(folder), 1_000 if options.quick else 5_000, 10_000, 3)))
            return
        results = measure(Path(folder), quick=options.quick)
    if options.json:
        print(json.dumps(results, indent=2))
        return
    print(", ".join(f"{name} {value}" for name, value in results.pop("machine").items()))
    for name, rows in results.items():
        print(f"\n{name}\n\n{table(rows)}")


if __name__ == "__main__":
    main()
