"""Rounds of clients at work while processes are killed and connections cut, each checked at its end."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import psutil

from holdfast import Memory
from holdfast.core.errors import StoreError
from tests import temporary
from tests.reliability.histories.appends import check, of_operations
from tests.reliability.histories.clients import Client, Plan, names, opened, work
from tests.reliability.histories.operations import Log, Operation, read
from tests.reliability.histories.partition import Partition
from tests.reliability.histories.registers import is_linearizable, of_reads
from tests.support import PATIENCE

if TYPE_CHECKING:
    from tests.postgres.server import Server

REGISTERS, LISTS = 4, 4
SLOWER, LONGER = (1.5, 5.0), 30.0
"""The same where a server has to start again, which takes seconds."""
TENANT = "histories"
FORKS = multiprocessing.get_context("forkserver")


@dataclass(slots=True)
class Tally:
    """What was done, and what was found."""

    rounds: int = 0
    seconds: float = 0.0
    operations: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    anomalies: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.rounds} rounds, {self.seconds:,.0f} s, {self.operations.total():,} operations"
            f" {dict(self.operations)}, {dict(self.acts)}, errors {dict(self.errors)},"
            f" {len(self.anomalies)} anomalies"
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """A store that clients use: its address for them, that for the checker, and what can be done to it, with
    the seconds between two such acts and those of a round."""

    address: str
    direct: str
    quiet: tuple[float, float] = (0.3, 1.5)
    length: float = 8.0
    acts: dict[str, Callable[[], None]] = field(default_factory=dict)
    heal: Callable[[], None] = lambda: None


def run(
    scene: Scene, *, seconds: float, clients: int, seed: int, folder: Path,
    fault: str | None = None, said: Callable[[str], None] = lambda _: None,
) -> Tally:  # fmt: skip
    """Runs rounds of so many clients until the seconds are over; `fault` is a defect that all clients
    have."""
    FORKS.set_forkserver_preload(["tests.reliability.histories.preloaded"])
    first = FORKS.Process(target=time.sleep, args=(0,))
    first.start()
    first.join()  # by now everything is imported
    tally, rng, began = Tally(), random.Random(seed), time.monotonic()
    while not tally.rounds or time.monotonic() - began < seconds:
        tally.rounds += 1
        logs = folder / f"round-{tally.rounds}"
        logs.mkdir()
        _one_round(scene, tally, rng, logs, clients, min(scene.length, seconds), fault)
        operations, errors = read(logs.iterdir())
        tally.operations.update(f"{op.kind} {op.outcome}" for op in operations)
        tally.errors.update(errors)
        found = problems(operations) + [f"{code}" for code in errors if code.startswith("unexpected")]
        tally.anomalies += [f"round {tally.rounds}: {one}" for one in found]
        if not found:
            shutil.rmtree(logs)
        said(f"round {tally.rounds}: {len(operations):,} operations, {len(found)} anomalies")
    with _opened_again(scene) as memory:
        tally.anomalies += memory.doctor().problems
        memory.audit.verify()
    tally.seconds = time.monotonic() - began
    return tally


def _opened_again(scene: Scene) -> Memory:
    """Opens the store itself; a server that was killed may still be recovering."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return opened(scene.direct)
        except StoreError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def problems(operations: Sequence[Operation]) -> list[str]:
    """Returns what no order of the operations explains."""
    found = [f"{name}: {example}"[:2_000] for name, example in check(of_operations(operations)).items()]
    for key in sorted({op.key for op in operations if op.key}):
        own = [op for op in operations if op.key == key]
        made = {op.result[1] for op in own if op.kind == "put" and op.outcome == "ok"}
        most = max((len(op.result) for op in own if op.kind == "read" and op.outcome == "ok"), default=0)
        if len(made) > 1 or most > 1:
            found.append(f"{key}: an external id names {max(len(made), most)} memories")
        elif not is_linearizable(of_reads(own)):
            found.append(f"{key}: not linearizable")
    return found


def _one_round(
    scene: Scene, tally: Tally, rng: random.Random, logs: Path, clients: int, length: float, fault: str | None
) -> None:
    until = time.monotonic() + length
    registers, lists = names(tally.rounds, REGISTERS, LISTS)
    plans = (
        Plan(scene.address, logs / f"{number:03}", number, tally.rounds, until, registers, lists, fault)
        for number in range(1, 1_000)
    )

    def born() -> Any:
        process = FORKS.Process(target=work, args=(next(plans),))
        process.start()
        return process

    working = [born() for _ in range(clients)]
    acts = {"client killed": 2, **dict.fromkeys(scene.acts, 1)}
    while not fault and (rest := until - time.monotonic()) > 0:
        time.sleep(min(rest, rng.uniform(*scene.quiet)))
        act = rng.choices(list(acts), list(acts.values()))[0]
        if act == "client killed":
            number = rng.randrange(clients)
            working[number].kill()
            working[number].join(PATIENCE)
            working[number] = born()
        else:
            scene.acts[act]()
        tally.acts[act] += 1
    scene.heal()
    for process in working:
        process.join(PATIENCE)
        if process.exitcode != 0:
            process.kill()
            tally.anomalies.append(f"round {tally.rounds}: a client ended with {process.exitcode}")
    with _opened_again(scene) as memory:
        last = Plan(scene.direct, logs / "last", 0, tally.rounds, 0, registers, lists)
        Client(last, memory, Log(last.log)).read_all()


@contextmanager
def files(folder: Path) -> Iterator[Scene]:
    """A file that the clients open themselves."""
    path = str(folder / "a.db")
    Memory(path, user="ana").close()
    yield Scene(path, path)


@contextmanager
def service(folder: Path, *, workers: int = 1) -> Iterator[Scene]:
    """A service on a file, killed and started again, behind a relay that cuts, holds and loses."""
    path, (port, relayed) = str(folder / "a.db"), _free_ports(2)
    Memory(path, user="ana").close()
    words = ["--store", path, "--user", "ana", "serve", "--port", str(port), "--no-mcp"]
    running: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        command = [sys.executable, "-m", "holdfast", *words, "--workers", str(workers)]
        with (folder / "service.log").open("ab") as log:
            running.append(subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True))
        _await_ready(port)

    def kill() -> None:
        with suppress(ProcessLookupError):
            os.killpg(running[-1].pid, signal.SIGKILL)
        running[-1].wait()

    def restart() -> None:
        kill()
        start()

    start()
    try:
        with Partition(relayed, port) as partition:
            acts = {"service killed": restart, **_cuts(partition)}
            yield Scene(f"http://127.0.0.1:{relayed}", path, SLOWER, LONGER, acts=acts, heal=partition.heal)
    finally:
        kill()


@contextmanager
def postgres(server: Server, folder: Path) -> Iterator[Scene]:
    """A tenant of a server that is killed, wholly or a process of it, behind a relay."""
    from tests.postgres.server import APPLICATION

    direct = server.url(APPLICATION, tenant=TENANT)
    Memory(direct, user="ana").close()
    with (
        tempfile.TemporaryDirectory(prefix="holdfast-relay-") as between,
        Partition(f"{between}/.s.PGSQL.5432", str(server.folder / ".s.PGSQL.5432")) as partition,
    ):
        address = f"postgresql://{APPLICATION}@/holdfast?host={between}&tenant={TENANT}"
        acts = {
            "server killed": lambda: _kill(server),
            "backend killed": lambda: _kill_backend(server),
            **_cuts(partition),
        }
        yield Scene(address, direct, SLOWER, LONGER, acts=acts, heal=partition.heal)


def _cuts(partition: Partition) -> dict[str, Callable[[], None]]:
    """Returns what a relay can do for a moment."""

    def during(act: Callable[[], None], seconds: float) -> Callable[[], None]:
        def run() -> None:
            act()
            time.sleep(seconds)
            partition.heal()

        return run

    return {
        "cut": during(partition.cut, 0.3),
        "held": during(partition.hold, 0.8),
        "answers lost": during(partition.mute, 0.3),
    }


def _kill(server: Server) -> None:
    children = psutil.Process(server.pid).children()
    os.kill(server.pid, signal.SIGKILL)
    psutil.wait_procs(children, timeout=PATIENCE)
    server.resume()
    server.wait()


def _kill_backend(server: Server) -> None:
    """Kills a process that serves a client, upon which the server starts all of them anew."""
    serving = [
        one for one in psutil.Process(server.pid).children() if "holdfast_app" in " ".join(one.cmdline())
    ]
    for one in serving[:1]:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    server.wait()


def _await_ready(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=2):
            return
        if time.monotonic() > until:
            raise TimeoutError("the service does not start")
        time.sleep(0.05)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@contextmanager
def own_server() -> Iterator[Server]:
    """A PostgreSQL server of its own."""
    from tests.postgres.server import Server

    with tempfile.TemporaryDirectory(
        prefix="holdfast-histories-", dir=temporary.folder(), ignore_cleanup_errors=True
    ) as folder:
        server = Server(Path(folder) / "data")
        server.start()
        try:
            yield server
        finally:
            server.halt()
            server.stop()


SCENES = ("files", "service", "postgres")


@contextmanager
def scene_of(name: str, folder: Path) -> Iterator[Scene]:
    """A scene by its name, with a server of its own where it needs one."""
    with ExitStack() as stack:
        made: AbstractContextManager[Scene]
        if name == "postgres":
            made = postgres(stack.enter_context(own_server()), folder)
        else:
            made = files(folder) if name == "files" else service(folder)
        yield stack.enter_context(made)
