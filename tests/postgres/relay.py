"""A relay before the server that tells another process number than the server's, as poolers do."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres.server import Server

SOCKET = ".s.PGSQL.5432"
KEY = b"K"
"""The message in which a server tells a client its process number."""


@contextmanager
def relay(server: Server) -> Iterator[Path]:
    """Passes everything on as it is but that number; the folder of its socket. Names of prepared statements
    are passed on, too, as by a pooler that does not know them."""
    with TemporaryDirectory(prefix="holdfast-relay-") as folder, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{folder}/{SOCKET}")
        listening.listen()
        threading.Thread(target=_accept, args=(listening, server.folder / SOCKET), daemon=True).start()
        yield Path(folder)
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)


def _accept(listening: socket.socket, there: Path) -> None:
    with suppress(OSError):
        while True:
            threading.Thread(target=_serve, args=(listening.accept()[0], there), daemon=True).start()


def _serve(client: socket.socket, there: Path) -> None:
    with client, socket.socket(socket.AF_UNIX) as server:
        server.connect(str(there))
        back = threading.Thread(target=_tell, args=(server, client), daemon=True)
        back.start()
        _pass(client, server)
        back.join()


def _pass(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while some := source.recv(65_536):
            target.sendall(some)
    _end(source, target)


def _tell(server: socket.socket, client: socket.socket) -> None:
    """Message by message until the number has come, then as it is."""
    with suppress(OSError), server.makefile("rb", buffering=0) as coming:
        while head := _whole(coming, 5):
            body = _whole(coming, int.from_bytes(head[1:5], "big") - 4)
            if head[:1] == KEY:
                client.sendall(head + (1).to_bytes(4, "big") + body[4:])
                break
            client.sendall(head + body)
    _pass(server, client)


def _whole(coming: object, size: int) -> bytes:
    taken = b""
    while len(taken) < size and (more := coming.read(size - len(taken))):  # type: ignore[attr-defined]
        taken += more
    return taken


def _end(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
