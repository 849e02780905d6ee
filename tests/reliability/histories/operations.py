"""Operations as clients note them: when each began, when it ended, and what came of it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a client. `outcome` is `ok`, `fail` where the store said that nothing was done, or
    `info` where nobody knows: it may take effect at any time after it began, or never, so it has no end."""

    process: int
    kind: str
    key: str
    given: Any
    start: float
    end: float
    outcome: str
    result: Any = None


class Log:
    """A file in which a client notes its operations. A line is written at once, so that the death of the
    process loses none."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._number = 0

    def begin(self, kind: str, key: str, given: Any) -> None:
        """Notes that an operation begins."""
        self._number += 1
        self._note([self._number, "begin", time.monotonic(), kind, key, given])

    def end(self, outcome: str, result: Any = None, code: str | None = None) -> None:
        """Notes what came of it."""
        self._note([self._number, outcome, time.monotonic(), result, code])

    def _note(self, values: list[Any]) -> None:
        os.write(self._file, json.dumps(values).encode() + b"\n")


def read(paths: Iterable[Path]) -> tuple[list[Operation], dict[str, int]]:
    """Returns the operations of some logs, each of one process, in the order in which they began, and how
    often each error was given."""
    operations: list[Operation] = []
    codes: dict[str, int] = {}
    for process, path in enumerate(sorted(paths)):
        begun: dict[int, list[Any]] = {}
        for line in path.read_bytes().split(b"\n")[:-1]:
            number, what, at, *more = json.loads(line)
            if what == "begin":
                begun[number] = [*more, at]
                continue
            kind, key, given, start = begun.pop(number)
            result, code = more
            if code is not None:
                codes[code] = codes.get(code, 0) + 1
            end = NEVER if what == "info" else at
            operations.append(Operation(process, kind, key, given, start, end, what, result))
        for kind, key, given, start in begun.values():  # killed meanwhile
            operations.append(Operation(process, kind, key, given, start, NEVER, "info"))
    return sorted(operations, key=lambda one: one.start), codes
