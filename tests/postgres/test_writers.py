"""Several writers, broken connections, waiting: order is kept, and what was acknowledged is there."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from typing import Any

import psycopg
import pytest

from benchmarks.speed import sentences
from holdfast.core.errors import Conflict, StoreBusy, StoreError
from holdfast.core.places import Principal
from holdfast.core.projects import Project
from holdfast.core.views import personal_view
from holdfast.features.admission.draft import Draft
from holdfast.stores.base.ports import Reader
from holdfast.stores.postgres import tenant as tenants
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.store import PostgresStore
from tests.postgres.conftest import Open
from tests.postgres.counted import RoundTrips
from tests.postgres.server import as_superuser, fresh_tenant
from tests.support import PATIENCE, awaited, gate_of, memory_on

WRITERS = 4
WRITES = 25


def backend_of(store: PostgresStore) -> int:
    """The server's process behind the connection that the store would use next."""
    with store._tenant.transaction("begin_reading") as (connection, _):
        return _backend_id(connection)


def backend_in(snap: Reader) -> int:
    """The server's process behind a transaction."""
    assert isinstance(snap, PostgresReader)
    return _backend_id(snap.connection)


def _backend_id(connection: Any) -> int:
    """Asked in SQL: what a connection tells of itself is, behind a pooler, the pooler's."""
    return int(connection.execute("SELECT pg_backend_pid()").fetchone()[0])


def kill(pid: int) -> None:
    with as_superuser() as connection:
        connection.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_gates_concurrent_writers_lose_nothing_and_keep_one_chain(opened: Open) -> None:
    """Each writer has a store of its own, as processes on several machines have."""
    tenant = fresh_tenant()
    stores = [opened(tenant) for _ in range(WRITERS)]
    ready = threading.Barrier(WRITERS)

    def write(number: int) -> list[str]:
        memory = memory_on(stores[number])
        ready.wait()
        kept = [memory.remember(f"note {number} of {i}", kind="message").memory for i in range(WRITES)]
        return [one.id for one in kept if one is not None]

    with ThreadPoolExecutor(WRITERS) as pool:
        acknowledged = {id for ids in pool.map(write, range(WRITERS)) for id in ids}
    assert len(acknowledged) == WRITERS * WRITES
    for store in stores:
        memory = memory_on(store)
        assert {record.id for record in memory.list(limit=1000).memories} == acknowledged
        hits = memory.recall("note", limit=1000)
        assert {hit.memory.id for hit in hits} == acknowledged
        assert memory.audit.verify() == WRITERS * WRITES
        assert memory.doctor().problems == ()


def test_writers_of_two_tenants_do_not_wait_for_each_other(opened: Open) -> None:
    """The lock is on the row of the tenant."""
    first, second = opened(), opened()
    with first.write():
        assert memory_on(second).remember("Meanwhile").outcome == "created"


def test_a_writer_waits_for_the_other_and_then_sees_what_it_wrote(opened: Open) -> None:
    tenant = fresh_tenant()
    first, second = opened(tenant), opened(tenant)
    with ThreadPoolExecutor(1) as pool:
        with first.write() as tx:
            tx.put_project(Project("new", 0, 0, id="p"))
            tx.add_event(at=0, actor="user:ana", action="create_project", subject="p", detail={})
            waiting = pool.submit(memory_on(second).remember, "At the same time", kind="fact", project="new")
            _until_somebody_waits_for(backend_in(tx))
        kept = waiting.result(timeout=PATIENCE)
    assert kept.memory is not None
    assert (kept.memory.project, kept.memory.place.project) == ("new", 1)
    assert memory_on(second).audit.verify() == 2


def _until_somebody_waits_for(pid: int) -> None:
    text = "SELECT 1 FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
    with as_superuser() as connection:
        awaited(lambda: connection.execute(text, [pid]).fetchone())


def test_a_lock_that_is_held_too_long_is_busy_and_safe_to_try_again(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tenants, "BUSY_TIMEOUT", 100)
    tenant = fresh_tenant()
    first, second = opened(tenant), opened(tenant)
    with first.write(), pytest.raises(StoreBusy) as raised:
        memory_on(second).remember("Now?")
    assert raised.value.code == "store_busy"
    assert memory_on(second).remember("Now?").outcome == "created"


def test_gates_a_connection_killed_in_a_write_is_a_clear_error_and_nothing_is_kept(opened: Open) -> None:
    store = opened()
    memory = memory_on(store)
    memory.remember("Before")

    def write() -> None:
        with store.write() as tx:
            tx.add_event(at=0, actor="user:ana", action="remember", subject=None, detail={})
            kill(backend_in(tx))
            tx.put_project(Project("new", 0, 0, id="p"))

    with pytest.raises(StoreError) as raised:
        write()
    assert raised.value.code == "store_connection_lost"
    assert "nothing of this request was kept" in raised.value.message
    assert memory.remember("After").outcome == "created"
    assert memory.audit.verify() == 2
    assert memory.doctor().problems == ()


def test_gates_a_connection_killed_before_the_commit_says_that_nobody_knows(opened: Open) -> None:
    store = opened()
    with pytest.raises(StoreError) as raised, store.write() as tx:
        kill(backend_in(tx))
    assert raised.value.code == "store_connection_lost"
    assert "not known" in raised.value.message


def test_a_connection_killed_while_idle_is_replaced_without_a_word(opened: Open) -> None:
    store = opened()
    memory = memory_on(store)
    memory.remember("Before")
    kill(backend_of(store))
    assert memory.recall("before").items
    kill(backend_of(store))
    assert memory.remember("After").outcome == "created"


def test_a_connection_killed_while_reading_is_a_clear_error(opened: Open) -> None:
    store = opened()
    view = personal_view(Principal("ana"))

    def count() -> None:
        with store.read() as snap:
            kill(backend_in(snap))
            snap.count(view, now=0)

    with pytest.raises(StoreError) as raised:
        count()
    assert raised.value.code == "store_connection_lost"


def test_an_error_that_is_swallowed_does_not_pass_for_a_commit(opened: Open) -> None:
    """PostgreSQL answers COMMIT after a failed statement with a rollback and no error."""
    store = opened()

    def write() -> None:
        with store.write() as tx:
            assert isinstance(tx, PostgresReader)
            with pytest.raises(psycopg.Error):
                tx.connection.execute("SELECT 1 / 0")

    with pytest.raises(StoreError, match="nothing of it was kept"):
        write()


def test_a_snapshot_does_not_see_what_is_committed_meanwhile(opened: Open) -> None:
    tenant = fresh_tenant()
    first, second = opened(tenant), opened(tenant)
    view = personal_view(Principal("ana"))
    with first.read() as snap:
        assert snap.count(view, now=0) == 0
        memory_on(second).remember("Meanwhile")
        assert snap.count(view, now=0) == 0
        assert list(snap.events(view)) == []
    with first.read() as snap:
        assert snap.count(view, now=0) == 1


def test_an_index_of_another_process_follows(opened: Open) -> None:
    """What one adds, revises and erases, the other finds, finds anew and finds no more."""
    tenant = fresh_tenant()
    one, other = memory_on(opened(tenant)), memory_on(opened(tenant))
    first = one.remember("The lighthouse is white").memory
    assert first is not None
    assert [hit.memory.id for hit in other.recall("lighthouse")] == [first.id]
    one.revise(first.id, text="The windmill is white")
    assert [hit.memory.text for hit in other.recall("windmill")] == ["The windmill is white"]
    assert other.recall("lighthouse", mode="words").items == ()
    one.forget(first.id, hard=True)
    assert other.recall("windmill").items == ()


def test_the_end_of_the_chain_is_missed_when_events_are_cut_off(opened: Open) -> None:
    """The head stands in the row of the tenant, written with each event."""
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    memory.remember("One")
    memory.remember("Two")
    with as_superuser("holdfast") as connection:
        connection.execute("DELETE FROM holdfast.events WHERE tenant_id = %s AND sequence = 2", [tenant])
    store = opened(tenant)
    late = memory_on(store)
    with pytest.raises(StoreError) as raised:
        late.remember("Three")
    assert raised.value.code == "history_lost"
    assert late.count() == 2
    store.accept()
    assert late.remember("Three").outcome == "created"
    assert late.audit.verify() == 2


def test_a_closed_store_says_so(opened: Open) -> None:
    store = opened()
    store.close()
    store.close()
    for use in (store.read, store.write):
        with pytest.raises(StoreError) as raised, use():
            pass
        assert raised.value.code == "store_closed"


def test_a_conflict_leaves_the_transaction_usable(opened: Open) -> None:
    """An error of the unique key would end the transaction; here the row is only missing."""
    store, gate, view = opened(), gate_of("ana"), personal_view(Principal("ana"))
    with store.write() as tx:
        for id in ("m1", "m2", "m3"):
            admitted = gate.admit(Draft("Once", kind="fact" if id < "m3" else "message"), id=id, now=0)
            if id == "m2":
                with pytest.raises(Conflict) as raised:
                    tx.insert(admitted, None, "")
                assert raised.value.code == "duplicate_text"
            else:
                tx.insert(admitted, None, "")
    with store.read() as snap:
        page = snap.page(view, limit=10, cursor=None, now=0)
        numbered = snap.numbered(view, range(1, 10), now=0)
    assert [memory.id for memory in page.memories] == ["m3", "m1"]
    assert [number for number, _ in numbered] == [1, 2]  # a refused row takes no number


def test_a_part_that_is_undone_gives_its_numbers_back(opened: Open) -> None:
    """As in an embedded store, so that histories are the same."""
    store, gate, view = opened(), gate_of("ana"), personal_view(Principal("ana"))
    with store.write() as tx:
        with suppress(ZeroDivisionError), tx.attempt():
            tx.insert(gate.admit(Draft("Undone"), id="m1", now=0), None, "")
            tx.add_event(at=0, actor="user:ana", action="remember", subject="m1", detail={})
            raise ZeroDivisionError
        tx.insert(gate.admit(Draft("Kept"), id="m2", now=0), None, "")
        event = tx.add_event(at=0, actor="user:ana", action="remember", subject="m2", detail={})
    assert event.sequence == 1
    with store.read() as snap:
        assert [number for number, _ in snap.numbered(view, range(1, 10), now=0)] == [1]


def test_a_batch_takes_no_round_trip_for_each_memory(opened: Open) -> None:
    """Notes are compared with what is known, messages are asked for by their ids."""
    memory = memory_on(opened())
    memory.remember_many([{"text": text} for text in islice(sentences(1), 30)])
    memory.add_messages([{"content": "One", "id": "m"}, {"content": "Two", "id": "n"}], session="s")
    store = RoundTrips(memory._service.store)
    memory._service.store = store
    texts = list(islice(sentences(2), 200))
    result = memory.remember_many([{"text": text} for text in texts])
    assert {one.outcome for one in result} <= {"created", "redacted"}  # a number among words may be a secret
    notes, store.count = store.count, 0
    memory.add_messages([{"content": text, "id": text} for text in texts], session="s")
    assert 0 < notes < 20
    assert 0 < store.count < 20
