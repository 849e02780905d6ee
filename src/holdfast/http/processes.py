"""Several processes of one service: a parent starts them on one socket, replaces and ends them.

A process gets what it needs as the first line of its standard input and reports on its standard output when
it accepts requests. Its input stays open as long as its parent lives, so that it ends with its parent.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

from holdfast.http.announcement import announced

READY_SECONDS = 300.0
"""Seconds in which a process has to accept requests: it opens the store first, on cores that may be busy."""
STEP_SECONDS = 0.2
"""Between two looks at the processes."""
LASTED_SECONDS = 60.0
"""After which a process counts as having worked, and its successor is not delayed."""
DELAY_MAX = 30.0
"""Seconds before another attempt to start a process that keeps dying."""

log = logging.getLogger("holdfast.http")


@dataclass(frozen=True, slots=True)
class Inherited:
    """Values from the parent, of all processes of a service: the descriptor of the bound socket and the
    credential of the user who started it; and whether this one does the background work, as one does."""

    listening: int
    owner: str = field(repr=False)
    does_jobs: bool

    def socket(self) -> socket.socket:
        """Returns the socket of all processes."""
        return socket.socket(fileno=self.listening)


def inherit() -> Inherited:
    """Returns what the parent hands over. From then on this process is asked to end when its parent ends."""
    inherited = Inherited(**json.loads(sys.stdin.readline()))

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1_024):  # not through its buffer, whose lock is needed at the end
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True, name="parent").start()
    return inherited


def report(facts: dict[str, Any]) -> None:
    """Tells the parent that requests are accepted, with what it shows to whoever started it."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


class _Process:
    """One process of the service."""

    def __init__(self, command: Sequence[str], inherited: Inherited, metrics: str) -> None:
        self.began = time.monotonic()
        self.successor_at: float | None = None
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            pass_fds=(inherited.listening,),
            env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": metrics},
            process_group=0,  # Ctrl-C of a terminal reaches the parent alone, which ends them all
        )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asdict(inherited)) + "\n")
        self.process.stdin.flush()

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def ready(self, is_ending: Callable[[], bool]) -> dict[str, Any] | None:
        """Waits for the report of the process; returns None if it ended, took too long, or all is to end."""
        until = time.monotonic() + READY_SECONDS
        assert self.process.stdout is not None
        while time.monotonic() < until and not is_ending():
            if select.select([self.process.stdout], [], [], STEP_SECONDS)[0]:
                line = self.process.stdout.readline()
                return json.loads(line) if line else None
        return None

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Processes:
    """The processes of one service, and the signals that end (SIGTERM, SIGINT) or replace them (SIGHUP)."""

    def __init__(self, command: Sequence[str], count: int, *, grace_seconds: float) -> None:
        self._command = command
        self._count = count
        self._grace = grace_seconds
        self._owner = secrets.token_urlsafe(32)
        self._running: list[_Process] = []
        self._failures = [0] * count
        self._is_ending = False
        self._is_stale = False

    def run(self, listening: socket.socket, host: str, started: Callable[[dict[str, Any]], None]) -> int:
        """Serves until asked to end; returns the exit status. `started` gets the report of the first process;
        if that one cannot start, the others are not tried."""
        self._listening = listening
        listening.set_inheritable(True)
        self._metrics = tempfile.mkdtemp(prefix="holdfast-metrics-")
        with ExitStack() as ending, self._signals():
            ending.callback(shutil.rmtree, self._metrics, ignore_errors=True)
            ending.callback(self._end)
            self._running.append(self._start(0))
            facts = self._running[0].ready(lambda: self._is_ending)
            if facts is None:
                return 0 if self._is_ending else self._running[0].process.wait() or 1
            announce = ending.enter_context(announced(facts["store"], facts["user"], self._owner, host))
            announce(listening.getsockname()[1])
            self._running += [self._start(slot) for slot in range(1, self._count)]
            started(facts)
            while not self._is_ending:
                time.sleep(STEP_SECONDS)
                if self._is_stale:
                    self._is_stale = False
                    self._replace()
                self._revive()
        return 0

    def _start(self, slot: int) -> _Process:
        inherited = Inherited(self._listening.fileno(), self._owner, does_jobs=slot == 0)
        return _Process(self._command, inherited, self._metrics)

    def _revive(self) -> None:
        """Starts another process for each that died, later and later where they die at once."""
        for slot, running in enumerate(self._running):
            if running.is_alive():
                continue
            now = time.monotonic()
            if running.successor_at is None:
                log.warning("a process of the service ended", extra={"status": running.process.returncode})
                self._bury(running)
                failures = 0 if now - running.began >= LASTED_SECONDS else self._failures[slot] + 1
                self._failures[slot] = failures
                running.successor_at = now + (min(DELAY_MAX, 2.0 ** (failures - 2)) if failures > 1 else 0.0)
            if now >= running.successor_at:
                self._running[slot] = self._start(slot)

    def _replace(self) -> None:
        """Replaces each process by a new one, which accepts requests before the old one is asked to end.
        Where a new one does not start, the old ones stay."""
        for slot, old in enumerate(self._running):
            new = self._start(slot)
            if new.ready(lambda: self._is_ending) is None:
                log.error("a new process of the service did not start: the old ones stay")
                self._stop([new])
                return
            self._running[slot] = new
            self._stop([old])
        log.info("all processes of the service were replaced")

    def _end(self) -> None:
        self._stop(self._running)

    def _stop(self, processes: Sequence[_Process]) -> None:
        """Asks processes to end, and kills those that have not after the time of grace."""
        for process in processes:
            if process.is_alive():
                process.process.terminate()
        until = time.monotonic() + self._grace
        for running in processes:
            try:
                running.process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                running.process.kill()
                running.process.wait()
            self._bury(running)

    def _bury(self, process: _Process) -> None:
        process.close()
        if Path(self._metrics).is_dir():
            multiprocess.mark_process_dead(process.process.pid, self._metrics)  # type: ignore[no-untyped-call]

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Handles signals in the parent process: TERM and INT end the service, HUP replaces its processes."""

        def end(*_: object) -> None:
            self._is_ending = True

        def replace(*_: object) -> None:
            self._is_stale = True

        before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, replace)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
