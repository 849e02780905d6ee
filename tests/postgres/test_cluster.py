"""More than one server: fail-overs to a synchronous standby, and a return to a moment between two backups.

`python -m benchmarks.failover` does the former under Patroni, which decides by itself.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote

import psutil
import pytest
from psycopg import sql

from holdfast import Memory
from tests.postgres.failing import TENANT, writing
from tests.postgres.server import APPLICATION, Server
from tests.support import PATIENCE, texts

pytestmark = pytest.mark.direct("an address with several servers is the pooler's to have")


def test_gates_fail_overs_under_load_lose_nothing_that_was_acknowledged(own: Server) -> None:
    """The primary is killed twice while three writers go on, and the synchronous standby takes over."""
    folders = [own.folder, own.folder.with_name("second"), own.folder.with_name("third")]
    address = own.url(APPLICATION, tenant=TENANT).replace(
        quote(str(own.folder), safe=""), ",".join(quote(str(folder), safe="") for folder in folders)
    )
    servers = [own]
    try:
        with writing(f"{address}&target_session_attrs=read-write", writers=3) as ledger:
            for folder in folders[1:]:
                primary = servers[-1]
                ledger.await_more(5)
                servers.append(primary.standby(folder))
                set_up(primary, synchronous_standby_names="*")
                until(primary, "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
                ledger.await_more(10)
                kill(primary)
                set_up(servers[-1], synchronous_standby_names="")
                servers[-1].promote()
            ledger.await_more(5)
        assert ledger.problems == []
        assert sum(ledger.errors.values()) >= 2
        assert len(ledger.acknowledged) >= 35
    finally:
        own.resume()
        set_up(own, synchronous_standby_names="")
        for standby in servers[1:]:
            with suppress(subprocess.CalledProcessError):  # one that was killed
                standby.halt()
            standby.stop()
            shutil.rmtree(standby.folder, ignore_errors=True)


def test_a_server_goes_back_to_a_moment_between_two_backups(own: Server) -> None:
    """`pg_basebackup` and the archived log bring back what was erased by mistake, and nothing of what came
    after the moment."""
    archive = own.folder.with_name("archive")
    archive.mkdir()
    if own.user is not None:
        shutil.chown(archive, own.user)
    set_up(own, archive_mode="on", archive_command=f"cp %p {archive}/%f")
    own.halt()
    own.resume()
    copy = own.folder.with_name("copy")
    address = own.url(APPLICATION, tenant="returned")
    with Memory(address, user="ana") as memory:
        memory.remember("Before the backup", kind="message")
        own.base_backup(copy)
        lost = memory.remember("After the backup", kind="message").memory
        assert lost is not None
        with own.as_superuser() as superuser:
            superuser.execute("SELECT pg_create_restore_point('before the mistake')")
        memory.forget(lost.id, hard=True)
        memory.remember("After the mistake", kind="message")
    with own.as_superuser() as superuser:
        (last,) = superuser.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone() or ("",)
    until(own, "SELECT last_archived_wal >= %s FROM pg_stat_archiver", last)
    with (copy / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
        settings.write(
            f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_name = 'before the mistake'\n"
            "recovery_target_action = 'promote'\narchive_mode = 'off'\n"
        )
    (copy / "recovery.signal").touch()
    returned = Server(copy)
    returned.run()
    try:
        until(returned, "SELECT NOT pg_is_in_recovery()")
        with Memory(returned.url(APPLICATION, tenant="returned"), user="ana") as memory:
            assert texts(memory.list()) == ["After the backup", "Before the backup"]
            assert memory.doctor().problems == ()
            assert memory.audit.verify() == 2
            assert memory.remember("And on", kind="message").outcome == "created"
        with Memory(address, user="ana") as memory:
            assert texts(memory.list()) == ["After the mistake", "Before the backup"]
    finally:
        returned.halt()
        returned.stop()
        for folder in (copy, archive):
            shutil.rmtree(folder, ignore_errors=True)


def set_up(server: Server, **settings: str) -> None:
    """Changes settings of a server, which may be a standby."""
    with server.as_superuser() as superuser:
        for name, value in settings.items():
            superuser.execute(
                sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), sql.Literal(value))
            )
        superuser.execute("SELECT pg_reload_conf()")


def until(server: Server, asked: str, *values: object) -> None:
    """Waits until a server says so."""
    with server.as_superuser() as superuser:
        _wait(lambda: superuser.execute(asked.encode(), values or None).fetchone() == (True,))


def kill(server: Server) -> None:
    """Kills a server with all its processes, as a loss of power would."""
    children = psutil.Process(server.pid).children()
    os.kill(server.pid, signal.SIGKILL)
    psutil.wait_procs(children, timeout=PATIENCE)


def _wait(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
