"""The server killed while it is written to: what was acknowledged is there, and the chain is whole."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from holdfast import Memory
from holdfast.domain.errors import StoreError
from tests.postgres.server import APPLICATION, Server

ENOUGH = 20
"""Writes that are acknowledged before the server dies."""


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this test alone."""
    server = Server(Path(tmp_path_factory.mktemp("crash")) / "data")
    server.start()
    yield server
    server.stop()


def test_gates_what_was_acknowledged_survives_a_killed_server(own: Server) -> None:
    address = own.url(APPLICATION, tenant="team")
    acknowledged: list[str] = []
    enough = threading.Event()
    failed: list[StoreError] = []

    def write() -> None:
        with Memory(address, user="ana") as memory:
            try:
                while True:
                    kept = memory.remember(f"note {len(acknowledged)}", kind="message").memory
                    assert kept is not None
                    acknowledged.append(kept.id)
                    if len(acknowledged) == ENOUGH:
                        enough.set()
            except StoreError as error:
                failed.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    assert enough.wait(60)
    children = psutil.Process(own.pid).children()
    os.kill(own.pid, signal.SIGKILL)
    writer.join(90)
    psutil.wait_procs(children, timeout=30)  # they end when they notice
    assert [error.code for error in failed] in (["store_connection_lost"], ["store_busy"])
    own.resume()
    with Memory(address, user="ana") as memory:
        there = {one.id for one in memory.list(limit=1000).memories}
        assert set(acknowledged) <= there
        assert len(there) <= len(acknowledged) + 1  # the one nobody knows of
        assert memory.audit.verify() == len(there)
        assert memory.doctor().problems == ()
        assert memory.remember("And on").outcome == "created"
