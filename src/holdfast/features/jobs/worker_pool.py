"""A pool of worker processes that run a task on batches; a process that dies is replaced."""

from __future__ import annotations

import gc
import os
import pickle
import queue
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar, cast

Batch = TypeVar("Batch", contravariant=True)
Answer = TypeVar("Answer", covariant=True)
_Batch = TypeVar("_Batch")
_Answer = TypeVar("_Answer")

GC_THRESHOLD = 100_000
"""New objects after which a worker process searches for reference cycles; 700 is usual."""


class Task(Protocol[Batch, Answer]):
    """The work of the processes; it is pickled for them."""

    def start(self) -> Callable[[Batch], Answer]:
        """Loads what the work needs and returns the function that does it."""

    def pack(self, result: Any) -> bytes:
        """Returns a result as bytes for `pickle.loads`."""


class WorkerDied(Exception):
    """A process ended without a result."""


class CannotStart(WorkerDied):
    """No process can be started here, as in a program that is packed into one file."""


def cores() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerPool(Generic[_Batch, _Answer]):
    """A fixed number of processes, each started when it is first needed, with one batch at a time."""

    def __init__(self, task: Task[_Batch, _Answer], number: int) -> None:
        self._task = pickle.dumps(task)
        self._free: queue.SimpleQueue[WorkerProcess | None] = queue.SimpleQueue()
        self._all: list[WorkerProcess] = []
        self.is_closed = False
        """Whether they were closed."""
        for _ in range(number):
            self._free.put(None)

    def run(self, batch: _Batch) -> _Answer:
        """Runs a batch in a free process, waiting for one, and returns its result. Raises WorkerDied if the
        process dies or the pool is closed, CannotStart if no process can be started."""
        process = self._free.get()
        try:
            process = process or self._start_process()
            return cast(_Answer, process.run(batch))
        except WorkerDied:
            process = None
            raise
        finally:
            self._free.put(process)

    def _start_process(self) -> WorkerProcess:
        """Starts a process that `close` will kill. Raises WorkerDied if the pool is closed."""
        if self.is_closed:
            raise WorkerDied
        process = WorkerProcess(self._task)
        self._all.append(process)
        return process

    def close(self) -> None:
        """Kills all processes, whatever they do."""
        self.is_closed = True
        for process in self._all:
            process.close()


class WorkerProcess:
    """One process that runs a task on batches until it is closed."""

    def __init__(self, task: bytes) -> None:
        self._process = subprocess.Popen(
            # -P: no module is imported from the current folder
            [sys.executable, "-P", "-m", "holdfast.features.jobs.worker_pool"], cwd="/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._task: bytes | None = task

    def run(self, batch: Any) -> Any:
        """Runs a batch and returns its result. Raises WorkerDied or CannotStart."""
        try:
            if self._task is not None:
                self._send_task(self._task)
                self._task = None
            requests, responses = self._pipes
            pickle.dump(batch, requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            return pickle.load(responses)
        except CannotStart:
            raise
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise WorkerDied from None

    def _send_task(self, task: bytes) -> None:
        """Sends a task to the process."""
        requests, responses = self._pipes
        try:
            requests.write(task)
            requests.flush()
            pickle.load(responses)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise CannotStart from None

    @property
    def _pipes(self) -> tuple[Any, Any]:
        return self._process.stdin, self._process.stdout

    def close(self) -> None:
        """Kills the process."""
        self._process.kill()
        for pipe in self._pipes:
            with suppress(OSError, ValueError):
                pipe.close()
        self._process.wait()


def serve(requests: Any, responses: Any) -> None:
    """Runs the task in a worker process until its input is closed."""
    task: Task[Any, Any] = pickle.load(requests)
    work = task.start()
    # loaded modules stay, and batches leave no reference cycles: searching for some takes time
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    pickle.dump("ready", responses)
    responses.flush()
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            responses.write(task.pack(work(pickle.load(requests))))
            responses.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
