"""Reads files in a separate process that can be killed, since formats are many and complex.

The process starts on first use, reads one file after another, and ends when idle or when the process that
started it has ended.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from holdfast.features.reading.skip_reasons import Unreadable

TIMEOUT = 300.0
"""Seconds by the clock for one document, for a disk that does not answer. What computes is ended by its
processor time, which takes long to pass on a busy machine."""
RETIRED_AFTER = 200
"""Files after which a process is replaced, which bounds leaks of libraries."""
RESPONSE_MAX = 64 << 20
"""Most bytes of an answer."""
KILL_TIMEOUT = 10.0
"""Seconds for which a killed process is waited for: it may hang in a disk that does not answer."""
OUT_OF_MEMORY = 12
"""The status with which a worker ends that took more memory than its limit."""
_MEMORY = "needs more memory than the limit for a file"


@dataclass(frozen=True, slots=True)
class SandboxResult:
    """The text of a document; or a `code` (of `skip_reasons.REASONS`) and a `reason` why there is none."""

    text: str = ""
    notes: tuple[str, ...] = ()
    code: str | None = None
    reason: str | None = None


def read(descriptor: int, form: str, *, timeout: float = TIMEOUT) -> SandboxResult:
    """Reads an open document of a form (`types.FileType.form`). Never raises for its content."""
    try:
        payload = _SANDBOX.ask({"form": form}, timeout, descriptor)
    except Unreadable as error:
        return SandboxResult(code=error.code, reason=error.reason)
    return SandboxResult(payload["text"], tuple(payload["notes"]), payload["code"], payload["reason"])


class Sandbox:
    """A process that runs a worker module, which calls `sandbox_worker.run`."""

    def __init__(self, worker: str) -> None:
        self._worker = worker
        self._process: subprocess.Popen[bytes] | None = None
        self._forget()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """Forgets the reader and makes a new lock. In a forked process the reader belongs to the parent, and
        another thread of the parent may have held the lock."""
        self._lock = threading.Lock()
        if self._process is not None:
            self._process.returncode = 0  # it is no child of ours
        self._process = None
        self._connection: socket.socket | None = None
        self._read = 0

    def ask(self, request: dict[str, Any], timeout: float, *descriptors: int) -> dict[str, Any]:
        """Returns the answer of the worker. Raises Unreadable where there is none: `timeout`, `too_large`
        for one that ran out of memory, `broken` for one that crashed."""
        with self._lock:
            for is_last in (False, True):
                is_fresh = self._connection is None
                try:
                    answer = self._ask(request, timeout, descriptors)
                except TimeoutError:
                    self.close()
                    raise Unreadable("timeout", f"took longer than {timeout:g} seconds to read") from None
                except OSError:
                    # it was exiting after idling, or the file ended it
                    code = self.close()
                    if code == -signal.SIGXCPU:
                        raise Unreadable("timeout", "took too long to read") from None
                    if code in (OUT_OF_MEMORY, -signal.SIGABRT):  # or a library got no memory
                        raise Unreadable("too_large", _MEMORY) from None
                    if is_last or is_fresh:
                        if code == -signal.SIGKILL:  # the machine had none
                            raise Unreadable("too_large", _MEMORY) from None
                        raise Unreadable("broken", "the reader process crashed on it") from None
                    continue
                except BaseException:  # such as Ctrl-C: the answer that comes later is to no question
                    self.close()
                    raise
                self._read += 1
                if self._read >= RETIRED_AFTER:
                    self.close()
                return answer
        raise AssertionError("unreachable")

    def close(self) -> int | None:
        """Kills the process, whatever it is doing. Returns its exit code, if it has one."""
        code: int | None = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            with suppress(OSError, subprocess.TimeoutExpired):
                self._process.kill()
                code = self._process.wait(KILL_TIMEOUT)
        self._process = None
        self._read = 0
        return code

    def _ask(self, request: dict[str, Any], timeout: float, descriptors: tuple[int, ...]) -> dict[str, Any]:
        """Sends a request to the process of the sandbox and returns its response."""
        connection = self._connect()
        connection.settimeout(timeout)
        body = json.dumps(request).encode()
        head = len(body).to_bytes(8, "big")
        if descriptors:  # a list of none is no message to some systems
            socket.send_fds(connection, [head], descriptors)
            head = b""
        connection.sendall(head + body)
        size = int.from_bytes(received(connection, 8), "big")
        if size > RESPONSE_MAX:
            self.close()
            raise Unreadable("too_large", _MEMORY)
        answer: dict[str, Any] = json.loads(received(connection, size))
        return answer

    def _connect(self) -> socket.socket:
        """Returns the connection to the process, which is started if there is none."""
        if self._connection is not None:
            return self._connection
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                # -P: no module is imported from the working directory
                [sys.executable, "-P", "-m", self._worker, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
            )
        self._connection = ours
        return ours


def received(connection: socket.socket, count: int) -> bytes:
    """Returns so many bytes of a connection. Raises ConnectionError where it ends before."""
    pieces = bytearray()
    while len(pieces) < count:
        piece = connection.recv(min(count - len(pieces), 1 << 20))
        if not piece:
            raise ConnectionError("the reader has gone")
        pieces += piece
    return bytes(pieces)


_SANDBOX = Sandbox("holdfast.features.reading.sandbox_worker")
