"""What a server may do to a transaction, and what is made of it: stopped statements, idle writers, plans that
no longer fit, settings that others left, a take-over that has lost the last commits."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random

import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from holdfast import Memory
from holdfast.core.errors import StoreBusy, StoreError
from holdfast.core.places import NAME_MAX
from holdfast.stores.postgres import tenant as tenants
from holdfast.stores.postgres.connection import address
from holdfast.stores.postgres.migrate import migrate
from holdfast.stores.postgres.tenant import CONNECTIONS, Tenant
from tests.postgres.conftest import Open
from tests.postgres.server import (
    APPLICATION,
    OWNER,
    as_superuser,
    fresh_tenant,
    fresh_url,
    make_database,
    server,
    unique,
    url,
)
from tests.postgres.test_writers import backend_in
from tests.support import PATIENCE, awaited, memory_on, texts


def is_there(pid: int) -> bool:
    """Whether a process of the server lives."""
    with as_superuser() as connection:
        return bool(connection.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone())


@pytest.mark.direct("a setting in the address is not the pooler's to pass on")
def test_a_statement_that_the_server_stops_is_busy_and_not_a_broken_connection(opened: Open) -> None:
    tenant = fresh_tenant()
    hurried = Memory(url(APPLICATION, tenant=tenant) + "&options=-c%20statement_timeout%3D200", user="ana")
    with hurried, opened(tenant).write(), pytest.raises(StoreBusy) as raised:
        hurried.remember("Now?")
    assert raised.value.code == "store_busy"
    assert "statement timeout" in raised.value.message
    assert "nothing of it was kept" in raised.value.message


def test_a_writer_that_stopped_loses_the_row_of_its_tenant(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its machine was suspended, say: the others do not wait for it for ever, and it is told."""
    tenant = fresh_tenant()
    first = opened(tenant)

    def write() -> None:
        with ExitStack() as stack:
            with monkeypatch.context() as patched:
                patched.setattr(tenants, "IDLE_TIMEOUT", 1_000)  # for this one alone
                tx = stack.enter_context(first.write())
            pid = backend_in(tx)
            tx.add_event(at=0, actor="user:ana", action="remember", subject=None, detail={})
            awaited(lambda: not is_there(pid))
            assert memory_on(opened(tenant)).remember("Meanwhile").outcome == "created"

    with pytest.raises(StoreError) as raised:
        write()
    assert raised.value.code == "store_connection_lost"
    assert memory_on(first).remember("And on").outcome == "created"
    assert memory_on(first).audit.verify() == 2


def test_a_reader_may_be_idle_as_long_as_the_server_allows(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tenants, "IDLE_TIMEOUT", 50)
    with opened().read() as snap:
        row = snap.connection.execute("SHOW idle_in_transaction_session_timeout").fetchone()  # type: ignore[attr-defined]
    assert row == ("0",)


def test_writers_that_wait_leave_connections_to_readers(opened: Open) -> None:
    """Threads of one process wait for each other before they take a connection."""
    tenant = fresh_tenant()
    store = opened(tenant)
    memory = memory_on(store)
    memory.remember("Before", kind="message")
    begun = threading.Barrier(CONNECTIONS + 3)

    def write(number: int) -> str:
        begun.wait(PATIENCE)
        return memory.remember(f"Waiting {number}", kind="message").outcome

    with ThreadPoolExecutor(CONNECTIONS + 2) as pool:
        with opened(tenant).write():  # another process
            waiting = [pool.submit(write, number) for number in range(CONNECTIONS + 2)]
            begun.wait(PATIENCE)
            for _ in range(20):
                assert texts(memory.recall("before")) == ["Before"]
        assert {one.result(PATIENCE) for one in waiting} == {"created"}


def test_a_plan_that_no_longer_fits_is_not_told_as_a_standby() -> None:
    """The owner adds a column while a statement with `*` is prepared."""
    database = make_database(unique("altered"))
    with Memory(url(APPLICATION, database, "team"), user="ana") as memory:
        memory.projects.create("works")
        for _ in range(8):
            assert [project.name for project in memory.projects.list()] == ["works"]
        with as_superuser(database) as connection:
            connection.execute("ALTER TABLE holdfast.projects ADD COLUMN more text")
        codes = []
        for _ in range(2):
            try:
                memory.projects.list()
            except StoreError as error:
                codes.append(error.code)
        assert codes in (["store_io"], [])  # by a pooler or a new connection it may be planned anew
        assert [project.name for project in memory.projects.list()] == ["works"]


def test_any_text_can_be_sent_whatever_the_client_is_set_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "latin1")
    for given in ("", "&client_encoding=latin1"):
        with Memory(fresh_url() + given, user="ana") as memory:
            memory.remember("港は赤い 🚢")
            assert texts(memory.list()) == ["港は赤い 🚢"]


def test_a_database_that_cannot_hold_every_text_is_not_served() -> None:
    server()
    name = unique("latin")
    with as_superuser() as connection:
        text = "CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'"
        connection.execute(sql.SQL(text).format(sql.Identifier(name), sql.Identifier(OWNER)))
    with as_superuser(name) as connection:
        connection.execute("CREATE EXTENSION vector")
    migrate(url(OWNER, name), application=APPLICATION)
    with pytest.raises(StoreError) as raised:
        Tenant(url(APPLICATION, name, "team"))
    assert raised.value.code == "store_unsafe"
    assert "LATIN1" in raised.value.message


@pytest.mark.direct("it leaves a setting behind, which another test would find")
def test_row_security_that_another_left_off_keeps_nobody_from_working(opened: Open) -> None:
    """Behind a pooler a session goes from one program to the next with all that was set in it."""
    store = opened()
    memory = memory_on(store)
    memory.remember("Before", kind="message")
    with store._tenant._pool.connection() as connection:
        connection.execute("SET row_security = off")
    try:
        assert texts(memory.recall("before")) == ["Before"]
        assert memory.remember("After", kind="message").outcome == "created"
    finally:
        with store._tenant._pool.connection() as connection:
            connection.execute("RESET row_security")


def test_a_silent_server_is_given_up_within_a_minute_unless_the_address_says_otherwise() -> None:
    given = conninfo_to_dict(address("postgresql://app@db/holdfast?tenant=a").conninfo)
    assert (given["tcp_user_timeout"], given["keepalives_idle"]) == ("60000", "30")
    given = conninfo_to_dict(address("postgresql://app@db/holdfast?tenant=a&tcp_user_timeout=5").conninfo)
    assert (given["tcp_user_timeout"], given["keepalives_idle"]) == ("5", "30")
    assert (given["host"], given["user"], given["dbname"]) == ("db", "app", "holdfast")


def wide(seed: int, size: int) -> str:
    """So many letters of four bytes each, which no server can store in less."""
    random = Random(seed)
    return "".join(chr(random.randrange(0x20000, 0x2A000)) for _ in range(size))


def test_the_longest_names_and_values_fit_into_every_key() -> None:
    """A key of the server holds 2,704 bytes; what is longer stands in it as a hash."""
    who, project, session, workspace, other = (wide(seed, NAME_MAX) for seed in range(5))
    with Memory(url(APPLICATION, tenant=who), user=other) as memory:
        text = f"My favourite colour is {wide(9, 1_000)}"
        result = memory.remember(
            text, kind="message", role="user", external_id=wide(8, NAME_MAX), project=project,
            session=session, workspace=workspace,
        )  # fmt: skip
        assert result.outcome == "created"
        assert [len(fact.value) for fact in memory.facts.list(project=project, workspace=workspace)] == [
            1_000
        ]
        memory.entities.create(wide(7, NAME_MAX), "person", project=project)
        assert memory.recall(wide(9, 10), project="*").searched >= 1


UNDONE = """
DELETE FROM holdfast.vectors v USING holdfast.passages x, holdfast.memories m
    WHERE v.tenant_id = {0} AND x.tenant_id = {0} AND m.tenant_id = {0} AND v.passage = x.number
    AND x.memory = m.number AND m.number > {1};
DELETE FROM holdfast.passages WHERE tenant_id = {0} AND memory > {1};
DELETE FROM holdfast.facts WHERE tenant_id = {0} AND memory > {1};
DELETE FROM holdfast.memories WHERE tenant_id = {0} AND number > {1};
DELETE FROM holdfast.events WHERE tenant_id = {0} AND sequence > {2};
DELETE FROM holdfast.pools WHERE tenant_id = {0} AND number > {3};
UPDATE holdfast.tenants SET (change, memory, passage, session, head_sequence, head_hash) = ({4})
    WHERE tenant_id = {0};
"""


@pytest.mark.parametrize("more", [0, 3])
def test_after_a_take_over_without_the_last_commits_nobody_is_taken_for_somebody_else(
    opened: Open, more: int
) -> None:
    """A server that follows another may lack its last commits when it takes over. The numbers of these are
    given out again: a process that remembers the first must not see by them what others keep now."""
    tenant = fresh_tenant()
    store, other = opened(tenant), opened(tenant)
    ana, ben = memory_on(store, user="ana"), memory_on(other, user="ben")
    ana.remember("Of the team", kind="message", visibility="team")
    with as_superuser("holdfast") as connection:
        row = connection.execute(
            "SELECT change, memory, passage, session, head_sequence, head_hash, (SELECT max(number)"
            " FROM holdfast.pools WHERE tenant_id = %(t)s) FROM holdfast.tenants WHERE tenant_id = %(t)s",
            {"t": tenant},
        ).fetchone()
        assert row is not None
        for number in range(3):
            ana.remember(f"The harbour of ana {number}", kind="message")
        assert len(texts(ana.recall("harbour"))) == 3
        values = sql.SQL(", ").join(map(sql.Literal, row[:6]))
        connection.execute(
            sql.SQL(UNDONE).format(*map(sql.Literal, (tenant, row[1], row[4], row[6])), values)
        )
    for number in range(1 + more):
        ben.remember(f"The harbour of ben {number}", kind="message")
    assert texts(ana.list()) == ["Of the team"]
    assert texts(ana.recall("harbour")) == []
    ana.remember("The harbour again", kind="message")
    assert texts(ana.recall("harbour")) == ["The harbour again"]
    assert len(texts(ben.recall("harbour"))) == 1 + more
    assert memory_on(opened(tenant)).audit.verify() == ana.audit.verify()
