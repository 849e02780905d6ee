"""Backups of one tenant: stores in files that say the same, and tenants that are made of them or replaced."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from holdfast.api.backing_up import back_up, drill, list_backups, read_backup
from holdfast.api.memory import Memory
from holdfast.api.restoring import Outlasting, preview_restore, restore
from holdfast.bootstrap import open_service
from holdfast.cli.main import cli
from holdfast.config import Settings
from holdfast.core.errors import InvalidInput, Refusal, StoreBusy, StoreError
from holdfast.core.times import DAY
from holdfast.stores.base.backup_files import Backup
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.registry import backend_of
from holdfast.stores.postgres.tenant_rows import TenantRows
from holdfast.workers import worker_for
from tests.fakes import ManualClock
from tests.object_store import object_store
from tests.postgres.server import APPLICATION, OWNER, as_superuser, fresh_tenant, server, url
from tests.reliability.tampering import populate
from tests.support import awaited

FIRST, SECOND = "The lamp room is locked at night", "The boat is blue and leaks a little"


@pytest.fixture
def tenant(tmp_path: Path) -> tuple[Settings, Settings]:
    """A new tenant: settings of the role that serves, and of the owner of the tables."""
    server()
    name, folder = fresh_tenant(), str(tmp_path / "backups")
    serving, owner = (url(role, tenant=name) for role in (APPLICATION, OWNER))
    return Settings(serving, "ana", backup_folder=folder), Settings(owner, "ana", backup_folder=folder)


def remembered(memory: Memory, text: str) -> str:
    stored = memory.remember(text, project="shop").memory
    assert stored is not None
    return stored.id


def texts(store: str) -> set[str]:
    with Memory(store, user="ana") as memory:
        assert memory.doctor().problems == ()
        return {record.text for record in memory.list(project="shop").memories}


def rows(settings: Settings) -> dict[str, list[Any]]:
    """All rows of a tenant, but for the change at which a memory is read anew."""
    with TenantRows().reading(settings) as contents:
        return {
            table.name: sorted(
                (
                    dict(zip(table.columns, row, strict=True))
                    | ({"change": 0} if table.name == "memories" else {})
                    for row in table.rows
                ),
                key=repr,
            )
            for table in contents.tables
        }


def test_s4_56_a_tenant_goes_into_a_file_and_back_with_every_row(
    tenant: tuple[Settings, Settings], tmp_path: Path
) -> None:
    """Every table is filled; the file opens as a store, and the tenant that is made of it says the same."""
    own, _ = tenant
    with Memory(own.store, user="ana") as memory:
        populate(memory, tmp_path)
        found = memory.recall("lanterns", project="shop", limit=5)
    made, _ = back_up(own)  # an event of the store, too
    with Memory(own.store, user="ana") as memory:
        report = memory.doctor()
    before = rows(own)
    empty = {name for name, found in before.items() if not found}
    assert not empty, "a table without rows shows nothing"
    assert made.problems == ()
    assert (made.memories, made.own, made.events) == (report.stored, report.memories, report.events)
    assert drill(own).is_sound
    copy = fresh_tenant()
    into = url(APPLICATION, tenant=copy)
    done = restore(own, made, into=into)
    assert done.store.endswith(f"?tenant={copy}")
    after = rows(Settings(into, "ana"))
    event = after["events"].pop(
        max(range(len(after["events"])), key=lambda one: after["events"][one]["sequence"])
    )
    assert event["action"] == "restore_backup"
    assert after == before
    restore(own, made, into=tmp_path / "copy.db")
    for store in (into, str(tmp_path / "copy.db")):
        with Memory(store, user="ana") as memory:
            assert memory.doctor().problems == ()
            assert memory.audit.verify() == report.events + 1
            again = memory.recall("lanterns", project="shop", limit=5)
            assert [hit.memory.id for hit in again] == [hit.memory.id for hit in found]
            assert remembered(memory, "Written into what was restored")
    with pytest.raises(InvalidInput):
        restore(own, made, into=into)


def test_s4_56_a_file_becomes_a_tenant_by_its_backup(tmp_path: Path) -> None:
    own = Settings(str(tmp_path / "a.db"), "ana")
    with Memory(own.store, user="ana") as memory:
        remembered(memory, FIRST)
    into = url(APPLICATION, tenant=fresh_tenant())
    restore(own, back_up(own)[0], into=into)
    assert texts(into) == {FIRST}


def test_s4_56_a_tenant_is_put_back_by_the_owner_alone(tenant: tuple[Settings, Settings]) -> None:
    """With what was there saved before, and what was erased since erased; processes that have it open see
    what is restored, and neighbours are as they were."""
    own, owner = tenant
    neighbour = url(APPLICATION, tenant=fresh_tenant())
    with Memory(neighbour, user="ana") as memory:
        remembered(memory, FIRST)
    untouched = rows(Settings(neighbour, "ana"))
    with Memory(own.store, user="ana") as memory:
        secret, lamp = remembered(memory, "The safe stands in the seventh room"), remembered(memory, FIRST)
        made, _ = back_up(own)
        remembered(memory, SECOND)
        memory.forget(secret, hard=True)
        memory.revise(lamp, text="The lamp room is open")
        with pytest.raises(StoreError) as refused:
            restore(own, made)
        assert refused.value.code == "store_unsafe"
        assert preview_restore(owner, made) == Outlasting(erased=1)
        done = restore(owner, made)
        assert done.erased
        matches = memory.recall("where is the lamp room?", project="shop")
        assert [match.memory.text for match in matches] == [FIRST], "by a process that had it open"
    assert texts(own.store) == {FIRST}
    assert done.saved is not None
    with Memory(own.store, user="ana") as memory:
        assert [one.action for one in memory.audit.list(limit=None)[-2:]] == ["restore_backup", "use"]
    restore(owner, read_backup(done.saved))
    assert texts(own.store) == {"The lamp room is open", SECOND}
    restore(owner, made, with_erased=True)
    assert texts(own.store) == {FIRST, "The safe stands in the seventh room"}
    assert rows(Settings(neighbour, "ana")) == untouched
    assert len(list_backups(own)) == 4


def test_a_restore_of_a_tenant_lifts_no_hold(tenant: tuple[Settings, Settings]) -> None:
    own, owner = tenant
    with Memory(own.store, user="ana") as memory:
        lamp = remembered(memory, FIRST)
        memory.members.add("ana", "owner")
        made, _ = back_up(own)
        memory.retention.hold("case", project="shop")
        memory.consents.withdraw("models")
        memory.members.add("bob")
        holds, consents = memory.retention.holds(), memory.consents.list()
    done = restore(owner, made)
    assert done.kept == Outlasting(holds=("case",), consents=1, members=1)
    with Memory(own.store, user="ana") as memory:
        assert (memory.retention.holds(), memory.consents.list()) == (holds, consents)
        assert {member.user for member in memory.members.list()} == {"ana", "bob"}
        with pytest.raises(Refusal):
            memory.forget(lamp, hard=True)


def test_a_tenant_is_backed_up_while_others_write(tenant: tuple[Settings, Settings]) -> None:
    """It holds what was acknowledged before it, and nothing in halves."""
    own, _ = tenant
    done = threading.Event()
    acknowledged: list[int] = []

    def write() -> None:
        with Memory(own.store, user="ana") as memory:
            while not done.is_set():
                number = len(acknowledged)
                remembered(memory, f"The crate {number} holds {number * 7} lamps of glass")
                acknowledged.append(number)

    def await_five_more() -> None:
        goal = len(acknowledged) + 5
        awaited(lambda: len(acknowledged) >= goal)

    writer = threading.Thread(target=write)
    writer.start()
    made: list[Backup] = []
    try:
        for _ in range(3):
            await_five_more()
            before = len(acknowledged)
            made.append(back_up(own)[0])
            assert made[-1].problems == ()
            assert made[-1].memories >= before
    finally:
        done.set()
        writer.join()
    assert made[0].memories < made[-1].memories <= len(acknowledged)


def test_what_is_written_while_a_tenant_is_restored_is_not_lost(
    tenant: tuple[Settings, Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The restore is refused instead, as a whole."""
    own, owner = tenant
    with Memory(own.store, user="ana") as memory:
        remembered(memory, FIRST)
        made, _ = back_up(own)
        fill = TenantRows.fill

        def late(*given: Any, **more: Any) -> None:
            remembered(memory, SECOND)
            fill(*given, **more)

        monkeypatch.setattr(TenantRows, "fill", late)
        with pytest.raises(StoreBusy):
            restore(owner, made)
    assert texts(own.store) == {FIRST, SECOND}


def test_a_restore_that_breaks_off_changes_nothing(
    tenant: tuple[Settings, Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends the connection when half of the rows are there."""
    own, owner = tenant
    with Memory(own.store, user="ana") as memory:
        remembered(memory, FIRST)
        made, _ = back_up(own)
        remembered(memory, SECOND)
    before = rows(own)

    def break_off(connection: psycopg.Connection[Any], *_: object) -> None:
        with as_superuser() as superuser:
            superuser.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
        connection.execute("SELECT 1")

    with monkeypatch.context() as patch:
        patch.setattr("holdfast.stores.postgres.tenant_rows._add_vectors", break_off)
        with pytest.raises(StoreError) as error:
            restore(owner, made)
    assert error.value.code == "store_connection_lost"
    assert rows(own) == before
    restore(owner, made)
    assert texts(own.store) == {FIRST}


def test_a_backup_of_a_tenant_is_encrypted_under_its_own_key(
    tenant: tuple[Settings, Settings], tmp_path: Path
) -> None:
    own, _ = tenant
    with Memory(own.store, user="ana") as memory:
        remembered(memory, FIRST)
    sealed = Settings(
        own.store, "ana", backup_folder=own.backup_folder, backup_key_file=str(tmp_path / "backup.key")
    )
    made, _ = back_up(sealed)
    assert made.encryption == "ChaCha20-Poly1305"
    assert FIRST.encode() not in Path(made.path).read_bytes()
    assert drill(sealed).is_sound
    into = url(APPLICATION, tenant=fresh_tenant())
    restore(sealed, made, into=into)
    assert texts(into) == {FIRST}
    with pytest.raises(StoreError) as refused:
        restore(own, made, into=url(APPLICATION, tenant=fresh_tenant()))
    assert refused.value.code == "key_missing"


@pytest.mark.process
def test_s4_56_a_tenant_is_backed_up_to_a_bucket_and_back(
    tenant: tuple[Settings, Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    with object_store() as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        own, owner = (replace(one, backup_folder="s3://backups/tenants") for one in tenant)
        with Memory(own.store, user="ana") as memory:
            remembered(memory, FIRST)
        made, _ = back_up(own)
        assert list_backups(own) == [made]
        assert drill(own).is_sound
        with Memory(own.store, user="ana") as memory:
            remembered(memory, SECOND)
        restore(owner, made)
        assert texts(own.store) == {FIRST}
        into = url(APPLICATION, tenant=fresh_tenant())
        restore(own, made, into=into)
        assert texts(into) == {FIRST}


def test_whom_no_policy_binds_makes_no_backup(tenant: tuple[Settings, Settings]) -> None:
    """A superuser would copy the rows of every tenant."""
    own, _ = tenant
    with Memory(own.store, user="ana") as memory:
        remembered(memory, FIRST)
    given = Settings(own.store.replace(APPLICATION, "postgres"), "ana", backup_folder=own.backup_folder)
    with pytest.raises(StoreError) as refused:
        back_up(given)
    assert refused.value.code == "store_unsafe"
    assert not list(Path(own.backup_folder or "").glob("*.db"))


def test_a_folder_has_to_be_named(tenant: tuple[Settings, Settings]) -> None:
    own, _ = tenant
    with pytest.raises(InvalidInput):
        back_up(Settings(own.store, "ana"))
    copies = backend_of(own.store).copies
    assert copies is not None
    assert "@" not in copies.home(own).name


def test_s4_56_the_commands_back_up_try_and_restore_a_tenant(
    tenant: tuple[Settings, Settings], tmp_path: Path
) -> None:
    own, owner = tenant
    with Memory(own.store, user="ana") as memory:
        remembered(memory, FIRST)

    def run(settings: Settings, *words: str, status: int = 0) -> str:
        found = CliRunner().invoke(
            cli, ["--store", settings.store, "--user", "ana", *words],
            env={"HOLDFAST_BACKUP_FOLDER": own.backup_folder}, catch_exceptions=False,
        )  # fmt: skip
        assert found.exit_code == status, found.output
        return found.output

    assert "Backed up" in run(own, "backup")
    assert "It works" in run(own, "drill")
    (backup,) = json.loads(run(own, "backup", "--list", "--json"))["backups"]
    with Memory(own.store, user="ana") as memory:
        remembered(memory, SECOND)
    refused = run(own, "restore", "--latest", "--yes", status=StoreError.exit_status)
    assert "as the owner of the tables" in refused
    assert "Restored" in run(owner, "restore", "--latest", "--yes")
    assert texts(own.store) == {FIRST}
    into = url(APPLICATION, tenant=fresh_tenant())
    assert "Restored" in run(own, "restore", backup["path"], "--into", into)
    assert texts(into) == {FIRST}


def test_s4_56_workers_back_a_tenant_up_where_a_folder_is_named(tenant: tuple[Settings, Settings]) -> None:
    own, _ = tenant
    with Memory(own.store, user="ana") as memory:
        remembered(memory, FIRST)
    clock = ManualClock(wall_clock())
    for settings, expected in ((replace(own, backup_folder=None), set()), (own, {"backup success"})):
        with Memory.over(open_service(settings, clock=clock)) as memory:
            worker_for(memory._service, settings, threads=1).run_due()
            clock.now += DAY
            worker_for(memory._service, settings, threads=1).run_due()
            done = {f"{job.kind} {job.state}" for job in memory.jobs.list(limit=100) if not job.is_open}
            assert {one for one in done if "backup" in one} == expected
    assert {backup.problems for backup in list_backups(own)} == {()}
