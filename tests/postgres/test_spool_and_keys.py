"""The spool and the keys of a tenant as rows, and the choice of the store by its address."""

from __future__ import annotations

import sys

import pytest

from holdfast import HoldfastError, Memory, NotFound
from holdfast.bootstrap import open_service
from holdfast.config import Settings, load
from holdfast.core.errors import InvalidInput
from holdfast.core.extras import how_to_install
from holdfast.core.views import personal_view
from holdfast.features.access.keys import create_key, revoke_key
from holdfast.stores.postgres.spool_and_keys import PostgresKeys, PostgresSpool
from holdfast.stores.postgres.tenant import Tenant
from holdfast.workers import queue_import, worker_for
from tests.postgres.server import APPLICATION, fresh_tenant, fresh_url, server, url
from tests.support import texts


def test_what_is_laid_aside_is_found_by_every_server_of_the_tenant() -> None:
    server()
    name = fresh_tenant()
    one, other, foreign = (Tenant(url(APPLICATION, tenant=tenant)) for tenant in (name, name, fresh_tenant()))
    try:
        PostgresSpool(one).put("job", b"\0\xff bytes")
        assert PostgresSpool(other).read("job") == b"\0\xff bytes"
        assert [id for id, _ in PostgresSpool(other).entries()] == ["job"]
        assert PostgresSpool(foreign).entries() == []
        with pytest.raises(NotFound):
            PostgresSpool(foreign).read("job")
        PostgresSpool(foreign).drop("job")
        PostgresSpool(other).drop("job")
        PostgresSpool(other).drop("job")
        with pytest.raises(NotFound) as raised:
            PostgresSpool(one).read("job")
        assert raised.value.code == "job_payload_gone"
    finally:
        for tenant in (one, other, foreign):
            tenant.close()


def test_keys_are_the_tenants_own_and_end_everywhere_when_they_are_revoked() -> None:
    address = fresh_url()
    one, other = (open_service(Settings(address, "ana")) for _ in range(2))
    foreign = open_service(Settings(fresh_url(), "ana"))
    try:
        assert isinstance(one.keys, PostgresKeys)
        key, _ = create_key(one, user="ben", name="laptop", projects=("works",))
        assert list(other.keys.all()) == [key]
        assert list(foreign.keys.all()) == []
        revoke_key(other, key.id)
        assert [found.revoked_at is None for found in one.keys.all()] == [False]
    finally:
        for service in (one, other, foreign):
            service.store.close()


def test_s4_52_the_address_chooses_database_and_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    address = fresh_url()
    with Memory(address, user="ana") as memory:
        memory.remember("We chose JWT over sessions", kind="decision")
        assert "tenant=" in memory.path
    monkeypatch.setenv("HOLDFAST_STORE", address.replace("postgresql://", "postgres://", 1))
    with Memory(user="ana") as memory:
        assert texts(memory.recall("JWT")) == ["We chose JWT over sessions"]
    with Memory(fresh_url(), user="ana") as memory:
        assert memory.recall("JWT").items == ()


def test_an_address_is_not_taken_for_a_path() -> None:
    assert (
        load(store="postgresql://app@db/holdfast?tenant=a").store == "postgresql://app@db/holdfast?tenant=a"
    )


def test_an_import_queued_by_one_server_is_done_by_another() -> None:
    """The job, what it works on, and what it keeps are in the database."""
    address = fresh_url()
    export = b'[{"role": "user", "content": "The harbour is red"}]'
    queueing, working = (open_service(Settings(address, "ana")) for _ in range(2))
    try:
        job = queue_import(queueing, export, filename="chat.json")
        worker_for(working, threads=1).run_due()
        with queueing.store.read() as snap:
            done = snap.job(personal_view(queueing.principal), job.id)
        assert done is not None
        assert (done.state, done.error) == ("success", None)
        assert texts(Memory.over(queueing).recall("harbour")) == ["The harbour is red"]
        assert queueing.spool is not None
        assert queueing.spool.entries() == []
    finally:
        for service in (queueing, working):
            service.store.close()


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("holdfast.stores.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InvalidInput) as raised:
        Memory("postgresql://app@db/holdfast?tenant=a", user="ana")
    assert isinstance(raised.value, HoldfastError)
    assert (raised.value.code, raised.value.hint) == ("extra_missing", how_to_install("postgres"))
