"""Serves one driver over standard input and output: a JSON command a line, a JSON answer a line.

Times are taken here, around the peer's own calls, with texts and vectors already in memory.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from benchmarks.peers.drivers.driver import DIM, Driver, Text

_ROW = DIM * 4


class Worker:
    """A driver and the workload's folder; each public method but `run` is one command."""

    def __init__(self, answers: TextIO) -> None:
        self._answers = answers
        self._workload = Path()
        self._driver = Driver(self._vector_of)
        self._known: dict[str, bytes] = {}

    def run(self, commands: Iterable[str]) -> None:
        """Answers commands until there are no more. A failure is answered, too, and ends nothing."""
        for line in commands:
            command = json.loads(line)
            try:
                answer = getattr(self, command.pop("do"))(**command)
            except Exception as error:
                text = " ".join(str(error).split())
                answer = {"error": f"{type(error).__name__}: {text}"[:300]}
            self._say(answer or {})

    def open(self, driver: str, folder: str, workload: str) -> None:
        """Imports the driver (module:class), and the peer with it, and opens the store."""
        module, _, name = driver.partition(":")
        self._workload = Path(workload)
        self._driver = getattr(importlib.import_module(module), name)(self._vector_of)
        Path(folder).mkdir(parents=True, exist_ok=True)
        self._driver.open(Path(folder))

    def load(self, source: str, count: int, batch: int, seconds: float, start: int = 0) -> dict[str, Any]:
        """Adds `count` texts, in batches of one project; gives up when the time is spent."""
        projects: dict[str, list[Text]] = {}
        for item in self._read(source, start, count):
            projects.setdefault(item.project, []).append(item)
        added, spent = 0, 0.0
        for project, items in projects.items():
            for first in range(0, len(items), batch):
                some = items[first : first + batch]
                begin = time.perf_counter()
                self._driver.add(project, some)
                spent += time.perf_counter() - begin
                added += len(some)
                if spent > seconds:
                    return {"added": added, "seconds": spent}
        begin = time.perf_counter()
        self._driver.settle()
        return {"added": added, "seconds": spent, "settling": time.perf_counter() - begin}

    def add(self, source: str, start: int, count: int) -> dict[str, Any]:
        """Adds texts one at a time. Answers with the milliseconds each took."""
        taken = []
        for item in self._read(source, start, count):
            begin = time.perf_counter()
            self._driver.add(item.project, [item])
            taken.append(1_000 * (time.perf_counter() - begin))
        return {"ms": taken}

    def recall(
        self, source: str, start: int, count: int, limit: int = 10, project: str | None = None
    ) -> dict[str, Any]:
        """Asks questions, each within its project unless one is named. Answers with milliseconds and what
        was found."""
        taken, found = [], []
        for query in self._read(source, start, count):
            begin = time.perf_counter()
            hits = self._driver.recall(project or query.project, query, limit)
            taken.append(1_000 * (time.perf_counter() - begin))
            found.append(hits)
        return {"ms": taken, "found": found}

    def stream(self, source: str) -> None:
        """Adds texts one at a time and says the number of each as soon as it is kept, until killed."""
        for number, item in enumerate(self._read(source, 0, None)):
            self._driver.add(item.project, [item])
            self._say({"kept": number})

    def held(self, source: str) -> dict[str, Any]:
        """The numbers of the texts of this source that the store holds."""
        held = self._driver.texts()
        texts = self._read(source, 0, None)
        return {"held": [number for number, item in enumerate(texts) if item.text in held]}

    def memory(self) -> dict[str, Any]:
        """Resident memory of this process in MB; nothing where the system does not tell."""
        try:
            status = Path("/proc/self/status").read_text("ascii")
        except OSError:
            return {}
        kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        return {"mb": int(kilobytes) / 1_000}

    def close(self) -> None:
        """Gives up the store."""
        self._driver.close()

    def _read(self, source: str, start: int, count: int | None) -> Iterator[Text]:
        """Texts of a file of the workload with their vectors; they become what `vector_of` knows."""
        with (
            open(self._workload / f"{source}.jsonl", encoding="utf-8") as lines,
            open(self._workload / f"{source}.f32", "rb") as rows,
        ):
            stop = None if count is None else start + count
            fields = [json.loads(line) for line in itertools.islice(lines, start, stop)]
            rows.seek(start * _ROW)
            items = [Text(**field, vector=rows.read(_ROW)) for field in fields]
        self._known = {item.text: item.vector for item in items}
        return iter(items)

    def _vector_of(self, text: str) -> bytes:
        return self._known[text]

    def _say(self, answer: dict[str, Any]) -> None:
        self._answers.write(json.dumps(answer) + "\n")
        self._answers.flush()


def main() -> None:
    """Keeps standard output for answers: what peers print goes to the error stream."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    Worker(answers).run(sys.stdin)
    # Threads that a peer left behind must not hold the process.
    os._exit(0)


if __name__ == "__main__":
    main()
