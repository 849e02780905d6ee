"""The service that runs on this machine for a store: where it is, and a question to it. Small, for hooks."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from holdfast.config import scheme_of, state_folder
from holdfast.core.value_classes import value_class
from holdfast.stores.base.whole_file import write_whole

FILE_MAX = 4_096
ANSWER_MAX = 1 << 20


@value_class
class Running:
    """A service that runs on this machine, with the credential of the user who started it."""

    store: str
    user: str
    host: str
    port: int
    credential: str

    def announce(self) -> None:
        """Writes the file by which hooks of the same user find the service; nobody else can read it."""
        path = _path(self.store)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, json.dumps(asdict(self)).encode())

    def withdraw(self) -> None:
        """Removes the file, unless another service has taken its place."""
        if running_for(self.store) == self:
            _path(self.store).unlink(missing_ok=True)

    def ask(self, agent: str, request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """Returns the answer to an event, empty if it does not come in time; None if no service is there."""
        import socket

        body = json.dumps(request).encode()
        head = (
            f"POST /v1/agents/events HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\n"
            f"Authorization: Bearer {self.credential}\r\nHoldfast-Agent: {agent}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        answer = b""
        try:
            with socket.create_connection((self.host, self.port), seconds) as connection:
                connection.settimeout(seconds)
                connection.sendall(head.encode() + body)
                while len(answer) < ANSWER_MAX and (part := connection.recv(1 << 16)):
                    answer += part
            status, _, content = answer.partition(b"\r\n\r\n")
            made = json.loads(content) if status.startswith(b"HTTP/1.1 200 ") else None
        except TimeoutError:  # it may have noted what it would have given: nobody else answers
            return {}
        except (OSError, ValueError):
            return None
        return made if isinstance(made, dict) else None


def running_for(store: str) -> Running | None:
    """Returns the service that says it runs over a store; None unless its file is of this user alone."""
    try:
        descriptor = os.open(_path(store), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_uid != os.geteuid() or info.st_mode & 0o077:
            return None
        try:
            service = Running(**json.loads(file.read(FILE_MAX)))
        except (ValueError, TypeError):
            return None
    return service if _name(service.store) == _name(store) else None


def _path(store: str) -> Path:
    digest = sha256(_name(store).encode("utf-8", "surrogatepass")).hexdigest()
    return state_folder() / "serving" / f"{digest[:32]}.json"


def _name(store: str) -> str:
    """Returns a store as every process names it: the real path of a file, an address without a password."""
    if not scheme_of(store):
        return os.path.realpath(store)
    head, at, host = store.rstrip("/").rpartition("@")
    scheme, slashes, user = head.partition("://")
    return f"{scheme}{slashes}{user.partition(':')[0]}{at}{host}"
