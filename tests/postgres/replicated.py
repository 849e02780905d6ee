"""A plugin that gives each server a standby to be read from, so that any test can run with replicas.

`pytest -n 0 -p tests.postgres.replicated tests/contract`. A commit waits until the standby has replayed it,
so that nearly every reading goes there; at the end it says how many did.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from holdfast.stores.postgres.replicas import Replicas
from tests.postgres.server import APPLICATION, Server

COUNTS: Counter[str] = Counter()


@pytest.fixture(scope="session", autouse=True)
def _read_from_standbys() -> Iterator[None]:
    """One for each server, started when its address is first asked for."""
    direct, closing = Server.url, Replicas.close
    standbys: dict[Path, Server] = {}

    def url(self: Server, role: str, database: str = "holdfast", tenant: str | None = None) -> str:
        address = direct(self, role, database, tenant)
        if role != APPLICATION or tenant is None:
            return address
        if self.folder not in standbys:
            standbys[self.folder] = self.standby(self.folder.with_name(f"{self.folder.name}-standby"))
            with self.as_superuser() as connection:
                for setting in ("synchronous_standby_names = '*'", "synchronous_commit = remote_apply"):
                    connection.execute(f"ALTER SYSTEM SET {setting}")
                connection.execute("SELECT pg_reload_conf()")
        return f"{address}&read_from={quote(str(standbys[self.folder].folder), safe='')}"

    def close(self: Replicas) -> None:
        COUNTS.update(standbys=self.counts.by_standbys, primary=self.counts.by_primary)
        closing(self)

    Server.url, Replicas.close = url, close  # type: ignore[method-assign]
    yield
    Server.url, Replicas.close = direct, closing  # type: ignore[method-assign]
    for standby in standbys.values():
        standby.halt()
        standby.stop()
        shutil.rmtree(standby.folder, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how many readings went where."""
    terminalreporter.write_line(f"readings: {dict(COUNTS)}")
