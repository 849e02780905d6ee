"""The runner's side of a worker: starts it in the peer's interpreter, sends commands, waits for answers."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.peers.catalogue import Peer
from benchmarks.peers.environments import sandbox

Answer = dict[str, Any]


class Failed(Exception):
    """A peer raised, died or took too long; the message is for the table."""


class Worker:
    """A process that serves one peer. Use it as a context manager: leaving it kills the process."""

    def __init__(
        self, peer: Peer, python: Path, home: Path, seconds: float, *, before: tuple[str, ...] = ()
    ) -> None:
        """`seconds` bounds each answer; `before` is a command to run the interpreter under."""
        self._peer = peer
        self._home = home
        self._seconds = seconds
        home.mkdir(parents=True, exist_ok=True)
        self._errors = open(home / "stderr.txt", "ab")  # noqa: SIM115  # closed with the worker
        self._process = subprocess.Popen(
            [*before, str(python), "-m", "benchmarks.peers.drivers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=home,
            env=sandbox(home),
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, os.dup(self._process.stdout.fileno())
        self._process.stdout.close()
        self._read = b""

    @property
    def name(self) -> str:
        """The peer's."""
        return self._peer.name

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        os.close(self._from)
        self._to.close()
        self._errors.close()

    def open(self, store: Path, workload: Path) -> None:
        """Opens the peer's store."""
        driver = f"benchmarks.peers.drivers.{self._peer.driver}"
        self.ask("open", driver=driver, folder=str(store), workload=str(workload))

    def ask(self, command: str, **arguments: Any) -> Answer:
        """Sends a command and waits for its answer. Raises Failed."""
        self.send(command, **arguments)
        return self.answer(command)

    def send(self, command: str, **arguments: Any) -> None:
        """Sends a command. Raises Failed when the worker is dead."""
        try:
            self._to.write(json.dumps({"do": command, **arguments}).encode() + b"\n")
        except OSError:
            raise self._died(command) from None

    def answer(self, command: str) -> Answer:
        """The next answer. Raises Failed."""
        line = self._line(time.monotonic() + self._seconds, command)
        if not line:
            raise self._died(command)
        answer: Answer = json.loads(line)
        if "error" in answer:
            raise Failed(f"{command}: {answer['error']}")
        return answer

    def kill(self) -> None:
        """Kills the process outright (SIGKILL); what it had answered can still be read."""
        self._process.kill()
        self._process.wait()

    def rest(self) -> list[Answer]:
        """The whole answers that were still in the pipe when the process was killed."""
        while more := os.read(self._from, 1 << 16):
            self._read += more
        lines, _, _ = self._read.rpartition(b"\n")
        return [json.loads(line) for line in lines.splitlines()]

    def _line(self, deadline: float, command: str) -> bytes:
        while b"\n" not in self._read:
            ready, _, _ = select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                self.kill()
                raise Failed(f"no answer to {command!r} within {self._seconds:.0f} s")
            if not (more := os.read(self._from, 1 << 16)):
                return b""
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _died(self, command: str) -> Failed:
        said = (self._home / "stderr.txt").read_text("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "without a word")
        return Failed(f"died at {command!r}: {last[:200]}")
