"""Reading from replicas: a real standby that follows, stops to replay, and dies."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import pytest

from holdfast import Memory
from holdfast.core.errors import StoreError
from holdfast.core.places import Role
from holdfast.core.record import Memory as Record
from holdfast.features.access.places import Selection, view_of
from holdfast.stores.base.ports import Store
from holdfast.stores.postgres.replicas import ReplicaReader
from tests.http.support import site
from tests.postgres.server import APPLICATION, Server
from tests.support import PATIENCE, awaited, texts

pytestmark = pytest.mark.direct("each server is reached by an address of its own")


@pytest.fixture(scope="module")
def standby(own: Server) -> Iterator[Server]:
    copy = own.standby(own.folder.with_name("standby"))
    yield copy
    copy.halt()
    copy.stop()
    shutil.rmtree(copy.folder, ignore_errors=True)


def address(own: Server, *replicas: Server, tenant: str) -> str:
    """Returns the address of a tenant that is read from these servers."""
    folders = ",".join(str(one.folder) for one in replicas)
    return f"{own.url(APPLICATION, tenant=tenant)}&read_from={quote(folders, safe='')}"


def counts(memory: Memory) -> Counter[str]:
    """Returns how many readings went where."""
    return counted(memory._service.store)


def counted(store: Store) -> Counter[str]:
    """Returns how many readings of a store went where."""
    assert store.reads is not None
    return Counter(replica=store.reads.by_standbys, primary=store.reads.by_primary)


def share(memory: Memory, before: Counter[str]) -> tuple[int, int]:
    """Returns how many readings went to a replica and to the primary since."""
    now = counts(memory)
    return now["replica"] - before["replica"], now["primary"] - before["primary"]


def remembered(memory: Memory, text: str, **more: Any) -> Record:
    """Remembers a text and returns the memory."""
    stored = memory.remember(text, **more).memory
    assert stored is not None
    return stored


@contextmanager
def paused(standby: Server) -> Iterator[None]:
    """Keeps a standby from replaying what it receives."""
    with standby.as_superuser() as connection:
        connection.execute("SELECT pg_wal_replay_pause()")
        text = "SELECT pg_get_wal_replay_pause_state()"
        awaited(lambda: connection.execute(text).fetchone() == ("paused",))
        yield
        connection.execute("SELECT pg_wal_replay_resume()")


@contextmanager
def suspended(standby: Server) -> Iterator[None]:
    """Stops all processes of a standby with SIGSTOP: it accepts connections and answers nothing."""
    postmaster = psutil.Process(standby.pid)
    processes = [postmaster, *postmaster.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def test_what_is_written_is_read_at_once_from_a_replica_by_every_process(
    own: Server, standby: Server
) -> None:
    where = address(own, standby, tenant="team")
    with Memory(where, user="ana") as writer, Memory(where, user="ana") as other:
        for number in range(10):
            id = remembered(writer, f"Parcel {number} is at the harbour", kind="message").id
            assert texts(other.recall(f"parcel {number}", limit=1)) == [f"Parcel {number} is at the harbour"]
            assert writer.get(id).id == id
        assert counts(other)["replica"] + counts(writer)["replica"] > 0
        before = counts(other)
        with Memory(address(own, standby, tenant="others"), user="ana") as outsider:
            assert texts(outsider.recall("parcel")) == []
        assert len(other.recall("parcel harbour")) == 10
        assert share(other, before)[1] == 0


def test_a_replica_that_does_not_replay_is_never_stale(own: Server, standby: Server, tmp_path: Path) -> None:
    """Not to the writer and not to others: what was erased is not found, who was removed is refused."""
    where = address(own, standby, tenant="paused")
    with Memory(where, user="ana") as ana, site(tmp_path, store=where) as here:
        erased = remembered(ana, "The vault opens with a brass key", visibility="team")
        for user, role in (("ana", "owner"), ("bob", "member"), ("eve", "member")):
            ana.members.add(user, role)
        bob, eve = here.key("bob"), here.key("eve")

        def found(key: str) -> list[str]:
            response = here.call("POST", "/v1/recall", {"query": "vault"}, key=key)
            assert response.status_code == 200
            return [hit["memory"]["text"] for hit in response.json()["hits"]]

        assert found(bob) == found(eve) == ["The vault opens with a brass key"]
        store = here.service.store
        with paused(standby):
            before = counted(store)
            ana.forget(erased.id, hard=True)
            ana.remember("The vault was moved", visibility="team")
            ana.members.remove("bob")
            assert texts(ana.recall("vault")) == found(eve) == ["The vault was moved"]
            assert here.call("POST", "/v1/recall", {"query": "vault"}, key=bob).status_code == 403
            assert counted(store)["replica"] == before["replica"]
            assert counted(store)["primary"] > before["primary"]
        _read_again(standby, ana)
        assert texts(ana.recall("vault")) == found(eve) == ["The vault was moved"]


def test_readings_go_on_at_the_primary_when_a_replica_dies(own: Server, standby: Server) -> None:
    """Neither between two readings nor in the middle of one; once it is back, it is read from again."""
    where = address(own, standby, tenant="killed")
    with Memory(where, user="ana") as memory:
        ferry = remembered(memory, "The ferry leaves at nine", kind="message")
        _read_again(standby, memory)
        service = memory._service
        with service.store.read() as snap:
            assert isinstance(snap, ReplicaReader)
            view = view_of(snap, service.principal, Selection())
            assert snap.get(view, ferry.id) is not None
            standby.halt()
            assert snap.count(view, now=ferry.recorded_at) == 1
        before = counts(memory)
        for _ in range(3):
            assert texts(memory.recall("ferry")) == ["The ferry leaves at nine"]
        assert share(memory, before)[0] == 0
        standby.resume()
        _read_again(standby, memory)
        assert texts(memory.recall("ferry")) == ["The ferry leaves at nine"]


def test_a_replica_that_is_suspended_holds_no_reading(own: Server, standby: Server, tmp_path: Path) -> None:
    """Neither one that begins nor one under way; it is left alone for a while, the metrics say so, and once
    it goes on it is read again."""
    where = address(own, standby, tenant="suspended")
    with Memory(where, user="ana") as memory, site(tmp_path, store=where) as here:
        ferry = remembered(memory, "The ferry leaves at nine", kind="message")
        _read_again(standby, memory)
        key = here.key("ana", role=Role.OWNER)
        service = memory._service
        with service.store.read() as snap:
            assert isinstance(snap, ReplicaReader)
            view = view_of(snap, service.principal, Selection())
            assert snap.get(view, ferry.id) is not None
            with suspended(standby):
                assert snap.count(view, now=ferry.recorded_at) == 1  # under way: it goes on at the primary
                before = counts(memory)
                for _ in range(20):  # none of these waits, or the test runs into its limit of time
                    assert texts(memory.recall("ferry")) == ["The ferry leaves at nine"]
                assert share(memory, before)[0] == 0
                body = {"query": "ferry"}
                for _ in range(2):  # of a process of its own, which begins a reading
                    assert here.call("POST", "/v1/recall", body, key=key).status_code == 200
                shown = here.call("GET", "/metrics", key=key).text
        assert memory._service.store.reads is not None
        assert memory._service.store.reads.served["primary", "broken"] == 1
        assert 'holdfast_reads_total{reason="failed",server="primary"}' in shown
        _read_again(standby, memory)


def test_a_replica_that_is_away_or_has_another_history_is_not_read(own: Server, standby: Server) -> None:
    """One that was promoted and written has later changes than the primary, and other ones."""
    tenant = "parted"
    with Memory(own.url(APPLICATION, tenant=tenant), user="ana") as memory:
        memory.remember("Kept by both", kind="message")
    with Memory(address(own, standby, tenant=tenant), user="ana") as memory:
        _read_again(standby, memory)
        standby.promote()
        with Memory(standby.url(APPLICATION, tenant=tenant), user="ana") as other:
            for number in range(3):
                other.remember(f"Kept by the other alone, {number}", kind="message")
        before = counts(memory)
        memory.remember("Kept by the primary", kind="message")
        assert texts(memory.list()) == ["Kept by the primary", "Kept by both"]
        assert share(memory, before)[0] == 0
    nowhere = f"{own.url(APPLICATION, tenant=tenant)}&read_from=127.0.0.1:1"
    with Memory(nowhere, user="ana") as memory:
        assert texts(memory.list()) == ["Kept by the primary", "Kept by both"]


def test_a_replica_without_the_wall_is_refused_at_the_start(own: Server, standby: Server) -> None:
    with standby.as_superuser() as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
        try:
            with pytest.raises(StoreError) as raised:
                _until(lambda: Memory(address(own, standby, tenant="walls"), user="ana").close())
            assert raised.value.code == "store_unsafe"
        finally:
            connection.execute("ALTER SYSTEM RESET fsync")
            connection.execute("SELECT pg_reload_conf()")


def _read_again(standby: Server, memory: Memory) -> None:
    """Waits until readings go to the replica again."""
    before = counts(memory)

    def read() -> bool:
        memory.list(limit=1)
        return share(memory, before)[0] > 0

    _until(read)


def _until(done: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until
        time.sleep(0.05)
