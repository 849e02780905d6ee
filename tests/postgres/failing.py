"""Rounds of killing a server while several writers use it, with a ledger of what was acknowledged."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from holdfast import Memory
from holdfast.core.errors import StoreError
from tests.postgres.server import APPLICATION, Server
from tests.support import PATIENCE, awaited

RETRYABLE = frozenset({"store_connection_lost", "store_unavailable", "store_busy"})
"""What a caller may see while the server is away. Each means: try again."""
TENANT = "killed"


@dataclass(slots=True)
class Ledger:
    """What the writers of a server were told."""

    acknowledged: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """When each of them was acknowledged, in seconds of `time.monotonic`."""
    errors: dict[str, int] = field(default_factory=dict)
    in_doubt: int = 0
    """Writes whose commit broke off: kept or not, nobody knows."""
    problems: list[str] = field(default_factory=list)
    writers: list[threading.Thread] = field(default_factory=list)

    def await_more(self, count: int) -> None:
        """Waits until so many more writes were acknowledged."""
        goal = len(self.acknowledged) + count
        awaited(
            lambda: len(self.acknowledged) >= goal or not any(writer.is_alive() for writer in self.writers)
        )

    def keep(self, memory: Memory, text: str) -> str | None:
        """Writes once; the code of the error if it was refused."""
        try:
            stored = memory.remember(text, kind="message").memory
            assert stored is not None
            self.acknowledged.append(stored.id)
            self.times.append(time.monotonic())
            return None
        except StoreError as error:
            self.errors[error.code] = self.errors.get(error.code, 0) + 1
            self.in_doubt += "not known" in error.message
            return error.code


def kill_rounds(server: Server, *, rounds: int, writers: int, seed: int, reach: float = 1.0) -> Ledger:
    """Kills the server that often, each time at another moment up to `reach` seconds of work, and starts it
    again under the same writers, who go on; then compares what is there with what they were told."""
    rng = random.Random(seed)
    with writing(server.url(APPLICATION, tenant=TENANT), writers) as ledger:
        for number in range(rounds):
            ledger.await_more(writers)
            time.sleep(rng.random() * reach)
            _kill(server, whole=number % 2 == 0)
    return ledger


@contextmanager
def writing(address: str, writers: int) -> Iterator[Ledger]:
    """Yields the ledger of writers that write to a tenant meanwhile; then compares what is there with it."""
    ledger, end = Ledger(), threading.Event()
    memories = [Memory(address, user="ana") for _ in range(writers)]
    ledger.writers = [threading.Thread(target=_write, args=(memory, ledger, end)) for memory in memories]
    for thread in ledger.writers:
        thread.start()
    try:
        yield ledger
    finally:
        end.set()
        for thread in ledger.writers:
            thread.join(PATIENCE)
        for memory in memories:
            with suppress(StoreError):
                memory.close()
    _compare(address, ledger)


def fill(folder: Path) -> Ledger:
    """Runs a server on a small file system, fills that up, and makes room again while a memory is open."""
    ledger, server = Ledger(), Server(folder / "data")
    server.start()
    address = server.url(APPLICATION, tenant=TENANT)
    ballast = folder / "ballast"
    with Memory(address, user="ana") as memory:
        ledger.keep(memory, "Before")
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(65_536))
        for number in range(1_000):
            ledger.keep(memory, f"{number} " + "more than there is room for " * 20)
            if sum(ledger.errors.values()) == 20:
                break
        ballast.unlink()
        server.wait()
        ledger.keep(memory, "There is room again")
    if set(ledger.errors) != {"store_full"}:
        ledger.problems.append(f"a full disk was told as {ledger.errors}")
    _compare(address, ledger)
    server.halt()
    server.stop()
    return ledger


def _kill(server: Server, *, whole: bool) -> None:
    """Kills the whole server, or one of the processes that serve, upon which all others start anew."""
    process = psutil.Process(server.pid)
    children = process.children()
    if whole:
        os.kill(server.pid, signal.SIGKILL)
    else:
        serving = [one for one in children if "holdfast_app" in " ".join(one.cmdline())]
        for one in serving[:1] or children[:1]:
            with suppress(psutil.NoSuchProcess):
                one.kill()
                psutil.wait_procs([one], timeout=PATIENCE)
    if whole:
        psutil.wait_procs(children, timeout=PATIENCE)  # they end when they notice
        server.resume()
    server.wait()


def _write(memory: Memory, ledger: Ledger, end: threading.Event) -> None:
    number = 0
    while not end.is_set():
        number += 1
        code = ledger.keep(memory, f"{threading.get_ident()} note {number}")
        if code is not None and code not in RETRYABLE | {"store_read_only"}:
            ledger.problems.append(f"a writer was told {code}")
            return


def _compare(address: str, ledger: Ledger) -> None:
    with Memory(address, user="ana") as memory:
        there: set[str] = set()
        cursor: str | None = None
        while True:
            page = memory.list(limit=1_000, cursor=cursor)
            there |= {record.id for record in page.memories}
            cursor = page.cursor
            if cursor is None:
                break
        lost = set(ledger.acknowledged) - there
        if lost:
            ledger.problems.append(f"{len(lost)} acknowledged memories are lost")
        if len(there) > len(ledger.acknowledged) + ledger.in_doubt:
            ledger.problems.append(f"{len(there)} memories, {len(ledger.acknowledged)} acknowledged")
        if memory.audit.verify() != len(there):
            ledger.problems.append("the chain has not one event for each memory")
        ledger.problems += memory.doctor().problems
        if memory.remember("And on").outcome != "created":
            ledger.problems.append("it cannot be written any more")
