"""Helpers of the tests: services over any store, with a clock and ids that repeat."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.places import Principal, Role
from holdfast.features.admission.admission import Admission
from holdfast.features.service import Service
from holdfast.language.facts.topics import BUILT_IN
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD
from holdfast.stores.base.ports import Embedder, Store
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.store import SqliteStore
from tests.cold import ColdStore
from tests.fakes import HashEmbedder, ManualClock, seeded_bytes
from tests.oracle import OracleStore

PATIENCE = 600.0
"""Seconds that a test waits for another process or thread: only one that hangs takes as long."""
STORES = ("oracle", "sqlite", "postgres")
KEY = StoreKey(bytes(range(32)), "the tests")
"""The key of every `encrypted` store."""


def open_store(kind: str, folder: Path) -> Store:
    """A fresh store of a kind."""
    if kind == "postgres":
        from holdfast.stores.postgres.store import PostgresStore
        from holdfast.stores.postgres.tenant import Tenant
        from tests.postgres.server import fresh_url

        return PostgresStore(Tenant(fresh_url()))
    if kind == "encrypted":
        return SqliteStore(folder / "store.db", key=KEY)
    if kind == "cold":
        return ColdStore(folder / "store.db")
    return OracleStore() if kind == "oracle" else SqliteStore(folder / "store.db")


def service_on(
    store: Store,
    *,
    user: str = "ana",
    agent: str | None = None,
    role: Role = Role.OWNER,
    clock: ManualClock | None = None,
    embedder: Embedder | None = None,
    seed: int | None = None,
    expiry_days: int = 0,
) -> Service:
    """A service for one principal; with a seed its ids repeat."""
    return Service(
        store,
        embedder or HashEmbedder(),
        Principal(user, role, agent),
        clock or ManualClock(),
        os.urandom if seed is None else seeded_bytes(seed).randbytes,
        expiry_days=expiry_days,
    )


def gate_of(user: str) -> Admission:
    """What the texts of a person pass, by the settings that hold unless others are given."""
    return Admission(Principal(user), ENTROPY_THRESHOLD, BUILT_IN)


def memory_on(store: Store, *, user: str = "ana", agent: str | None = None, **options: Any) -> Memory:
    """Returns a user's memory over any store, opened by somebody else: what is tested with several users is
    tested for users who share one opened store."""
    if "role" in options:
        return Memory.over(service_on(store, user=user, agent=agent, **options))
    return Memory.over(service_on(store, user="opener", **options)).as_user(user, agent=agent)


def texts(hits: Any) -> list[str]:
    """The texts of hits or of a page."""
    found = hits.memories if hasattr(hits, "memories") else [hit.memory for hit in hits]
    return [memory.text for memory in found]


@contextmanager
def without_privileges() -> Iterator[None]:
    """As somebody for whom permissions count, even where the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def children(pid: int) -> set[int]:
    """Returns the processes that a process has started."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                status = (folder / "status").read_text()
            except OSError:
                continue
            if f"\nPPid:\t{pid}\n" in status and "\nState:\tZ" not in status:
                found.add(int(folder.name))
    return found


def free_port() -> int:
    """Returns a port that nobody uses, for a service that has to know its address before it starts. It is
    below those that the system gives to who asks for any, so what starts meanwhile does not take it."""
    while True:
        port = secrets.choice(range(20_000, 32_000))
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def awaited(holds: Callable[[], object]) -> None:
    """Waits until something holds; fails if it does not in time."""
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
