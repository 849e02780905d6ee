"""The announcement of a running service to programs of the same user on this machine, such as hooks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address

from holdfast.integrations.agents.running import Running

log = logging.getLogger("holdfast.http")


@contextmanager
def announced(store: str, user: str, credential: str, host: str) -> Iterator[Callable[[int], None]]:
    """Yields what announces the service over a store at a port, until it ends. A service that cannot be
    reached on the loopback is not announced, and one whose file cannot be written runs all the same."""
    made: list[Running] = []
    address = _loopback(host)

    def announce(port: int) -> None:
        if address is None:
            return
        for name in (store, f"http://{address}:{port}"):
            running = Running(name, user, address, port, credential)
            try:
                running.announce()
                made.append(running)
            except OSError as error:
                log.warning("hooks will not find this service: %s", error.strerror)

    try:
        yield announce
    finally:
        for running in made:
            with suppress(OSError):
                running.withdraw()


def _loopback(host: str) -> str | None:
    """Returns the address of the loopback that reaches a service at `host`; None if none does."""
    if host == "localhost":
        return "127.0.0.1"
    try:
        address = ip_address(host)
    except ValueError:
        return None
    if address.is_unspecified:
        return "127.0.0.1"
    return host if address.is_loopback and address.version == 4 else None
