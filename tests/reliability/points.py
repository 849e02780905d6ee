"""Where a process kills itself: at the n-th statement, step, write or sync, or between two named acts."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import apsw

from holdfast.stores.sqlite import blocks, opening
from holdfast.stores.sqlite.head import HeadFile
from holdfast.stores.sqlite.store import SqliteStore
from tests.reliability.faulty import Disk, Trouble

STEPS = 40
"""Virtual-machine instructions of SQLite between two counts of `step`."""

POINTS = (
    "statement", "step", "commit", "disk", "main_file", "before_head", "in_head", "scrub", "blocks", "random",
)  # fmt: skip
"""`commit` is the moment before a COMMIT, `disk` any write, sync or truncation, `main_file` a write to the
database file itself, which in WAL mode only creation and checkpoints do, `before_head` lies between COMMIT
and the note of its event, `in_head` before it is written, with its lock held, `scrub` between an erasure and
the emptying of the log, `blocks` while blocks of the index are written, `random` a moment chosen by another
process."""


class Countdown:
    """Calls that are counted; the last one kills the process."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    def __call__(self, *_: Any) -> bool:
        self._left -= 1
        if self._left <= 0:
            die()
        return False


def die() -> None:
    """Ends this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: dict[str, Any] | None) -> Disk | None:
    """Prepares this process to die at a point `{"at": name, "n": count}`. Returns the disk to use, which must
    be held as long as the store is open."""
    # so that a few operations write some
    vars(blocks).update(DUE=3, BLOCK_ROWS=5)
    at = point["at"] if point else "random"
    if point is None or at == "random":
        return None
    count = Countdown(point["n"])
    match at:
        case "statement":
            _on_writer(lambda writer: setattr(writer, "exec_trace", lambda *_: not count()))
        case "commit":
            _on_writer(lambda writer: setattr(writer, "exec_trace", lambda _, sql, __: _passes(sql, count)))
        case "step":
            _on_writer(lambda writer: writer.set_progress_handler(count, STEPS))
        case "before_head":
            _before(HeadFile, "write", count)
        case "in_head":
            _before(os, "pwrite", count)
        case "scrub":
            _before(SqliteStore, "scrub", count)
        case "blocks":
            _before(blocks._BlockWriter, "run", count)
        case "disk" | "main_file":
            return Disk("killing", trouble=Trouble(point["n"], "kill", only_main=at == "main_file"))
        case _:
            raise ValueError(at)
    return None


def _passes(sql: str, count: Countdown) -> bool:
    """Returns whether a statement may run; counts those that commit."""
    return sql != "COMMIT" or not count()


def _on_writer(prepare: Callable[[apsw.Connection], object]) -> None:
    connect: Callable[..., apsw.Connection] = vars(opening)["connect"]

    def prepared(*args: Any, writable: bool, **options: Any) -> apsw.Connection:
        connection = connect(*args, writable=writable, **options)
        if writable:
            prepare(connection)
        return connection

    vars(opening)["connect"] = prepared


def _before(owner: Any, name: str, count: Countdown) -> None:
    original = getattr(owner, name)

    def counted(*args: Any, **options: Any) -> Any:
        count()
        return original(*args, **options)

    setattr(owner, name, counted)
