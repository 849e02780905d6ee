"""The sandboxed process that reads files: one at a time, with bounded memory and processor time."""

from __future__ import annotations

import json
import logging
import os
import resource
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from holdfast.core.errors import HoldfastError
from holdfast.features.reading.documents import text_of
from holdfast.features.reading.sandbox import OUT_OF_MEMORY, received
from holdfast.features.reading.skip_reasons import Unreadable

IDLE = 60.0
"""Seconds without a file after which the process exits."""
SECONDS = 20
"""Seconds of processor time for one document; the longest measured takes a few."""
MEMORY = 2 << 30
"""Bytes of address space: a document that needs more is not read."""
_MAX_REQUEST = 1 << 20
_WATCH_INTERVAL = 0.5
"""Seconds between two looks at the memory of this process, and at its parent."""

Respond = Callable[[dict[str, Any], list[int]], dict[str, Any]]
"""Answers a request, with the open files that came with it."""


def run(respond: Respond, *, memory: int, written: int) -> None:
    """Serves the socket whose descriptor is the first argument, within the limits of `limit`."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    limit(memory, written)
    threading.Thread(target=watch, args=(memory,), daemon=True).start()
    with socket.socket(fileno=int(sys.argv[1])) as line:
        try:
            _serve(line, respond)
        except MemoryError:  # outside of `respond`, while the answer is written
            os._exit(OUT_OF_MEMORY)


def limit(memory: int, written: int) -> None:
    """Limits this process to so many bytes of address space, and of a file that it writes. Where the system
    refuses the first, as macOS does, `watch` is left."""
    for resource_id, maximum in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, written),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(resource_id)
        if hard == resource.RLIM_INFINITY or maximum < hard:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource_id, (maximum, hard))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where the machine runs out of memory, this process is to end and no other


def watch(memory: int) -> None:
    """Ends this process when its parent has gone, which may be in the middle of a file, and when it has taken
    more memory than its limit, which not every system enforces."""
    parent = os.getppid()
    while os.getppid() == parent:
        if _resident() > memory:
            os._exit(OUT_OF_MEMORY)
        time.sleep(_WATCH_INTERVAL)
    os._exit(1)


def _resident() -> int:
    """Returns the bytes of memory that this process has; where there is no /proc, the most that it had."""
    try:
        with open("/proc/self/statm", "rb") as file:  # the peak of Linux begins with that of the parent
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS


def limit_cpu(seconds: int) -> None:
    """Ends this process when the next file takes longer, whatever it is doing."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = int(time.process_time()) + 1 + seconds
    resource.setrlimit(
        resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
    )


def _serve(connection: socket.socket, respond: Respond) -> None:
    """Reads files until the socket is closed or idle for `IDLE` seconds."""
    connection.settimeout(IDLE)
    while True:
        try:
            head, descriptors, _, _ = socket.recv_fds(connection, 8, 1)
        except TimeoutError:
            return
        if not head:
            return
        size = int.from_bytes(head + received(connection, 8 - len(head)), "big")
        if size > _MAX_REQUEST:
            return
        request = json.loads(received(connection, size))
        response = json.dumps(respond(request, descriptors)).encode()
        connection.settimeout(None)
        connection.sendall(len(response).to_bytes(8, "big"))
        connection.sendall(response)
        connection.settimeout(IDLE)


def _respond(request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
    """Returns the text of a document."""
    limit_cpu(SECONDS)
    code: str | None = None
    reason: str | None = None
    text, notes = "", list[str]()
    try:
        with os.fdopen(descriptors[0], "rb") as stream:
            text, notes = text_of(stream, request["form"])
    except Unreadable as error:
        code, reason = error.code, error.reason
    except HoldfastError as error:
        code, reason = "extra_missing", error.in_full
    except MemoryError:
        code, reason = "too_large", "needs more memory than the limit for a document"
    except RecursionError:
        code, reason = "broken", "is nested too deeply"
    except Exception as error:  # libraries raise any exception for damaged files
        code, reason = "broken", f"is damaged, or not the type that its name says ({type(error).__name__})"
    return {"text": text, "notes": notes, "code": code, "reason": reason}


if __name__ == "__main__":
    run(_respond, memory=MEMORY, written=0)
