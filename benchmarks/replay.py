"""A day of work replayed: does what follows a folder keep its memory, its files and its store in bounds?

python -m benchmarks.replay                        8,640 bursts, one for every 10 seconds of a day
python -m benchmarks.replay --minutes 20           those that fit into 20 minutes
python -m benchmarks.replay --files 2000           a larger repository

A process like `holdfast folders watch` follows a git repository, with a shorter debounce; beside it, it
recalls and packs contexts. Saves, renames, deletes, new files and folders, branch checkouts and changes of
`.gitignore` are made as fast as they are taken up. Every tenth minute a branch is checked out and what is not
in it is thrown away, so that the repository does not grow, and what grows is not its own. What the process
holds is sampled after every burst: the figures are medians of an hour of the day, at its start, after each
quarter and at its end. At the end the store must agree with the disk. Linux only (`/proc`).
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from holdfast import Memory
from holdfast.core.jobs import Job

DAY = 8_640
WORDS = "token refresh session order invoice basket header parser socket retry timeout queue ledger".split()
PATIENCE = 60.0
"""Seconds after which a burst that is not taken up is a failure."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bursts", type=int, default=DAY)
    parser.add_argument("--minutes", type=float, default=0.0, help="end after so long, whatever is left")
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--debounce", type=int, default=40, help="milliseconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--follow", nargs=2, metavar=("STORE", "ROOT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.follow:
        store, root = options.follow
        follow(store, root, options.debounce)
        return
    with TemporaryDirectory() as place:
        sys.exit(replay(Path(place), options))


# the process that follows


def follow(store: str, root: str, debounce: int) -> None:
    """Watches and indexes a folder, and does what its input says, until that ends."""
    from holdfast.features.files.folder_watcher import Watcher
    from holdfast.workers import indexer_for

    def told(job: Job) -> None:
        print("done", job.error or "-", sum(job.result.get(one, 0) for one in ("new", "changed")), flush=True)

    with Memory(store, user="bench") as memory:
        memory.folders.add(root, project="shop")
        watcher = Watcher(memory._service, debounce=debounce)
        worker = indexer_for(memory._service, on_finished=told)
        watcher.start()
        worker.start()
        for line in sys.stdin:
            what, _, words = line.strip().partition(" ")
            if what == "recall":
                memory.recall(words, project="shop", limit=5)
            else:
                memory.context(words, project="shop")
            print("answer", flush=True)
        watcher.stop()
        worker.stop()


# the work


@dataclass(slots=True)
class Work:
    """A repository in which somebody works."""

    root: Path
    chance: random.Random
    made: int = 0

    def git(self, *words: str) -> None:
        told = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0")
        subprocess.run(["git", *told, *words], cwd=self.root, check=True, capture_output=True, timeout=120)

    def begin(self, files: int) -> None:
        """The repository with two branches that differ in a quarter of the files."""
        self.root.mkdir()
        self.git("init", "-q", "-b", "main")
        for _ in range(files):
            self.create()
        self.git("add", ".")
        self.git("commit", "-qm", "all")
        self.git("checkout", "-qb", "other")
        for path in self.files()[::4]:
            self.write(path)
        self.git("commit", "-qam", "a quarter")
        self.git("checkout", "-q", "main")

    def files(self) -> list[Path]:
        return sorted(self.root.rglob("*.py"))

    def write(self, path: Path) -> None:
        words = [self.chance.choice(WORDS) for _ in range(60)]
        parts = (
            f'def {words[n]}_{words[n + 1]}_{n}(value):\n    """The {" ".join(words[n : n + 8])}."""\n'
            f"    return value + {self.chance.randrange(1_000)}\n"
            for n in range(0, 48, 4)
        )
        path.write_text("\n\n".join(parts))

    def create(self) -> None:
        self.made += 1
        words = self.chance.sample(WORDS, 2)
        path = (
            self.root
            / f"{self.made % 20:02}_{WORDS[self.made % 12]}"
            / f"{words[0]}_{words[1]}_{self.made}.py"
        )
        path.parent.mkdir(exist_ok=True)
        self.write(path)

    def burst(self, number: int) -> str:
        """Does the next thing that a person or a tool would do. Returns what."""
        if number % 60 == 59:
            self.git("checkout", "-qf", "other" if number % 120 == 59 else "main")
            self.git("clean", "-fdqx")
            return "checkout"
        if number % 97 == 96:
            # the index is rebuilt by what it says: one file more or less is left out
            (self.root / ".gitignore").write_text(f"*_{self.made}.py\n" if number % 2 else "")
            return "ignore"
        files = self.files()
        what = self.chance.choices(
            ("save", "several", "rename", "delete", "new", "folder"), (60, 15, 8, 7, 7, 3)
        )[0]
        one = self.chance.choice(files)
        if what == "save":  # as editors do: a new file takes the place of the old one
            self.write(other := one.with_suffix(".tmp"))
            other.replace(one)
        elif what == "several":
            for path in self.chance.sample(files, min(12, len(files))):
                self.write(path)
        elif what == "rename":
            self.made += 1
            one.rename(one.with_name(f"renamed_{self.made}.py"))
        elif what == "delete":
            one.unlink()
        elif what == "new":
            self.create()
        else:
            self.made += 1
            one.parent.rename(
                one.parent.with_name(f"{self.made % 20:02}_{WORDS[self.made % 12]}_{self.made}")
            )
        return what


# the measure


@dataclass(frozen=True, slots=True)
class Sample:
    memory: int
    """Bytes that stand in memory."""
    own: int
    """Those of them that are no part of a file, as the store is."""
    files: int
    """Open files and the like."""
    threads: int
    store: int
    """Bytes of the store and its log."""
    repository: int
    """Files that are followed."""


def sampled(process: int, store: Path, work: Work) -> Sample:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    size = sum(one.stat().st_size for one in store.parent.glob(store.name + "*"))
    return Sample(
        int(status["VmRSS"].split()[0]) * 1024,
        int(status["RssAnon"].split()[0]) * 1024,
        len(os.listdir(f"/proc/{process}/fd")),
        int(status["Threads"]),
        size,
        len(work.files()),
    )


def replay(place: Path, options: argparse.Namespace) -> int:
    work = Work(place / "work", random.Random(options.seed))
    work.begin(options.files)
    store = place / "store" / "store.db"
    store.parent.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.replay", "--debounce", str(options.debounce),
         "--follow", str(store), str(work.root)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    output = process.stdout

    def listen() -> None:
        for line in output:
            said.put(line.strip())

    threading.Thread(target=listen, daemon=True).start()
    errors: list[str] = []
    updates = 0

    def heard(word: str, seconds: float = PATIENCE) -> bool:
        nonlocal updates
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                line = said.get(timeout=left)
            except queue.Empty:
                break
            if line.startswith("done"):
                updates += 1
                if " - " not in line:
                    errors.append(line)
            if line.startswith(word):
                return True
        return False

    heard("done", 600)
    began = time.monotonic()
    samples: list[Sample] = []
    missed: list[str] = []
    slowest = 0.0
    for number in range(options.bursts):
        if options.minutes and time.monotonic() - began > options.minutes * 60:
            break
        what = work.burst(number)
        made = time.monotonic()
        if not heard("done"):
            missed.append(f"burst {number} ({what}) was not taken up")
        slowest = max(slowest, time.monotonic() - made)
        if number % 4 == 0:
            question = " ".join(work.chance.sample(WORDS, 3))
            process.stdin.write(f"{'context' if number % 8 == 0 else 'recall'} {question}\n")
            process.stdin.flush()
            if not heard("answer"):
                missed.append(f"no answer after burst {number}")
        samples.append(sampled(process.pid, store, work))
        if number % 500 == 499:
            last = samples[-1]
            print(f"... {number + 1:,} bursts, {last.memory / 1e6:.0f} MB", file=sys.stderr, flush=True)
    seconds = time.monotonic() - began
    while heard("done", 3):
        pass
    process.stdin.close()
    process.wait(60)
    report(samples, seconds, updates, slowest, [*missed, *errors])
    wrong = differing(store)
    print(f"{len(wrong)} files wrong at the end", *wrong[:10], sep="\n")
    return 1 if missed or errors or wrong else 0


def differing(store: Path) -> list[str]:
    """The files that the index does not know as they are now, or knows although they are gone."""
    with Memory(store, user="bench") as memory:
        name = memory.folders.list()[0].folder.id

        def rows_now() -> set[tuple[str, str | None, str | None]]:
            found = memory.folders.files(name, limit=1_000)
            return {(one.path, one.digest, one.reason) for one in found}

        before = rows_now()
        memory.folders.index(name, anew=True)
        return sorted({path for path, *_ in before ^ rows_now()})


def report(
    samples: list[Sample],
    seconds: float,
    updates: int,
    slowest: float,
    failures: list[str],
) -> None:
    hour = max(1, len(samples) // 24)
    spots = [round(share * (len(samples) - hour)) for share in (0, 0.25, 0.5, 0.75, 1)]
    print(
        f"{len(samples):,} bursts ({len(samples) / DAY * 24:.1f} h at one in 10 s) in"
        f" {seconds / 60:.1f} minutes,"
        f" {updates:,} updates, the slowest after {slowest:.1f} s, {len(failures)} not taken up or failed"
    )
    heads = ("start", "1/4", "1/2", "3/4", "end", "highest")
    print(f"{'':12}" + "".join(f"{head:>10}" for head in heads))
    sizes = (("memory", 1e6), ("own", 1e6), ("store", 1e6), ("files", 1), ("threads", 1), ("repository", 1))
    for name, factor in sizes:
        values = [getattr(one, name) / factor for one in samples]
        shown = [*(median(values[at : at + hour]) for at in spots), max(values)]
        unit = " MB" if factor > 1 else ""
        print(f"{name:12}" + "".join(f"{value:>10.1f}" for value in shown) + unit)
    for line in failures[:10]:
        print(line)


if __name__ == "__main__":
    main()
