"""Child processes that carry operations out, report each one, and die where they are told to.

`python -m tests.reliability.nursery` is the parent of the children: it has everything imported, so that a
child costs a fork. `Nursery` talks to it. Children share one pipe; a line is written at once, so that what
a child reported before it died arrives.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support import PATIENCE

ROOT = Path(__file__).parents[2]
PIPE_ATOMIC = 4_096
"""Bytes that Linux writes to a pipe at once."""


class Nursery:
    """Starts children and receives their reports."""

    def __init__(self) -> None:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.nursery"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Nursery:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=PATIENCE)

    def start(self, job: dict[str, Any]) -> None:
        """Starts a child; its first report is `born` with its pid."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()

    def reports(self) -> Iterator[dict[str, Any]]:
        """What children report, in order; the last of each is `exit` with its status."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield json.loads(line)


def kill(pid: int) -> None:
    """SIGKILL, if the process still lives."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def main() -> None:
    """Forks a child for each job on standard input and tells when it ends."""
    from tests.reliability import workload

    workload.embedder()
    signal.signal(signal.SIGCHLD, lambda *_: _reap())
    for line in sys.stdin:
        job = json.loads(line)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            _child(job)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    while _reap(block=True):
        pass


def _reap(*, block: bool = False) -> bool:
    try:
        while True:
            pid, status = os.waitpid(-1, 0 if block else os.WNOHANG)
            if pid == 0:
                return True
            _tell({"exit": pid, "status": os.waitstatus_to_exitcode(status)})
            if block:
                return True
    except ChildProcessError:
        return False


def _child(job: dict[str, Any]) -> None:
    status = 1
    try:
        _tell({"born": os.getpid(), "name": job.get("name")})
        _work(job)
        status = 0
    except BaseException as error:
        _tell({"failed": os.getpid(), "error": repr(error)[:800]})
    finally:
        os._exit(status)


def _work(job: dict[str, Any]) -> None:
    from tests.reliability.points import arm
    from tests.reliability.workload import open_memory, perform

    pid = os.getpid()
    disk = arm(job.get("point"))
    memory = open_memory(Path(job["path"]), vfs=disk.vfs_name if disk else None)
    _tell({"open": pid})
    ids = {int(slot): id for slot, id in job["ids"].items()}
    for number, op in enumerate(job["ops"]):
        _tell({"begin": number, "pid": pid})
        made = perform(memory, op, ids)
        _tell({"ack": number, "pid": pid, "ids": made})
    _tell({"written": pid})
    while job.get("until") and not Path(job["until"]).exists():
        if job.get("reads"):
            memory.recall(job["expect"][0], project="*")
        time.sleep(0.02)  # the others need the processor
    for text in job.get("expect", ()):
        if text not in [hit.memory.text for hit in memory.recall(text, project="*", limit=3)]:
            _tell({"unseen": pid, "text": text[:60]})
    if job.get("wait"):
        time.sleep(600)
    memory.close()


def _tell(report: dict[str, Any]) -> None:
    line = json.dumps(report).encode() + b"\n"
    if len(line) > PIPE_ATOMIC:
        raise ValueError("a report must be written at once")
    os.write(1, line)


if __name__ == "__main__":
    main()
