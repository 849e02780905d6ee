"""Each tenant is backed up before the tables of a database are migrated, and goes back by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from holdfast.api.backing_up import list_backups, read_backup
from holdfast.api.memory import Memory
from holdfast.api.restoring import restore
from holdfast.bootstrap import prepare_database
from holdfast.config import Settings
from holdfast.core.errors import StoreError
from holdfast.stores.postgres import migrate as of_server
from holdfast.stores.postgres.sql import migrations as server_migrations
from holdfast.stores.sqlite import migrate as of_file
from holdfast.stores.sqlite.sql import migrations as file_migrations
from tests.postgres.server import APPLICATION, OWNER, as_superuser, make_database, server, unique, url

TEXT = {"red": "The lamp room is locked at night", "blue": "The boat leaks a little"}
MOODS = "CREATE TABLE {}moods (memory bigint); {}"
ENOUGH = "ALTER TABLE holdfast.moods ADD tenant_id text;"


@pytest.fixture
def database() -> str:
    """A database with two tenants, of the schema of today."""
    server()
    name = unique("before")
    make_database(name)
    for tenant, text in TEXT.items():
        with Memory(url(APPLICATION, name, tenant), user="ana") as memory:
            memory.remember(text)
    return name


def a_newer_holdfast(patch: pytest.MonkeyPatch) -> None:
    """The next version of Holdfast, with one more migration of both kinds of store."""
    for module, steps, script in (
        (of_server, server_migrations(), MOODS.format("holdfast.", ENOUGH)),
        (of_file, file_migrations(), "CREATE TABLE moods (memory INTEGER);"),
    ):
        more = [*steps, (len(steps) + 1, script)]
        patch.setattr(module, "migrations", lambda more=more: more)


def prepare(database: str, folder: Path, *, role: str = OWNER, switch: str = "on") -> int:
    settings = Settings(url(role, database), "ana", backup_folder=str(folder), backup_before_changes=switch)
    return prepare_database(settings, application=APPLICATION)


def tables(database: str) -> set[str]:
    with as_superuser(database) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace"
        )
        return {str(row[0]) for row in found}


def texts(address: str) -> list[str]:
    with Memory(address, user="ana") as memory:
        assert memory.doctor().problems == ()
        return [record.text for record in memory.list().memories]


@pytest.mark.parametrize("role", [OWNER, "postgres"])
def test_every_tenant_is_kept_before_a_migration_and_goes_back_to_the_version_before(
    database: str, tmp_path: Path, role: str
) -> None:
    assert prepare(database, tmp_path, role=role) == 1
    assert not list(tmp_path.iterdir()), "nothing was changed"
    with pytest.MonkeyPatch.context() as patch:
        a_newer_holdfast(patch)
        assert prepare(database, tmp_path, role=role) == 2
        assert prepare(database, tmp_path, role=role) == 2
    own = {
        tenant: Settings(url(APPLICATION, database, tenant), "ana", backup_folder=str(tmp_path))
        for tenant in TEXT
    }
    with pytest.raises(StoreError) as refused:  # the version before does not read what the newer one made
        texts(own["red"].store)
    assert refused.value.code == "store_newer"
    again = unique("again")
    make_database(again)
    for tenant, text in TEXT.items():
        (backup,) = list_backups(own[tenant])
        assert (backup.before, backup.memories, backup.problems) == ("migration", 1, ())
        there = replace(own[tenant], store=url(OWNER, again, tenant))
        restore(there, read_backup(backup.path))
        assert texts(url(APPLICATION, again, tenant)) == [text]
    with as_superuser(database) as connection:
        forced = connection.execute(
            "SELECT relforcerowsecurity FROM pg_class WHERE oid = 'holdfast.tenants'::regclass"
        ).fetchone()
    assert forced == (True,), "the wall stands as before"


@pytest.mark.parametrize("role", [OWNER, "postgres"])
def test_a_migration_that_changes_rows_leaves_every_tenant_sealed(
    database: str, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    """The version before goes on serving, and the doctor of neither takes the change for one by others."""
    serving = Memory(url(APPLICATION, database, "red"), user="ana")
    script = (
        "ALTER TABLE holdfast.memories ADD COLUMN mood text;"
        "ALTER TABLE holdfast.projects ADD COLUMN size bigint DEFAULT 3"
    )
    more = [*server_migrations(), (len(server_migrations()) + 1, script)]
    serving.remember("Deploys run on Tuesdays", project="shop")
    with monkeypatch.context() as patch:
        patch.setattr(of_server, "migrations", lambda: more)
        assert of_server.migrate(url(role, database), application=APPLICATION) == len(more)
        for tenant in TEXT:
            with Memory(url(APPLICATION, database, tenant), user="ana") as memory:
                assert memory.doctor().problems == ()
                memory.remember("The boat was mended", project="shop")
                assert memory.doctor().problems == ()
    serving.remember("The lamp is new", project="shop")
    assert serving.doctor().problems == ()
    with as_superuser(database) as connection:
        connection.execute("UPDATE holdfast.memories SET mood = 'calm' WHERE tenant_id = 'blue'")
    with monkeypatch.context() as patch:
        patch.setattr(of_server, "migrations", lambda: more)
        with Memory(url(APPLICATION, database, "blue"), user="ana") as memory:
            assert any("rows of memories were changed" in problem for problem in memory.doctor().problems)
    serving.close()


def test_what_others_changed_before_a_migration_stays_noticed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with as_superuser(database) as connection:
        connection.execute("UPDATE holdfast.memories SET title = 'another' WHERE tenant_id = 'blue'")
    more = [
        *server_migrations(),
        (len(server_migrations()) + 1, "ALTER TABLE holdfast.memories ADD COLUMN mood text"),
    ]
    monkeypatch.setattr(of_server, "migrations", lambda: more)
    of_server.migrate(url(OWNER, database), application=APPLICATION)
    with Memory(url(APPLICATION, database, "blue"), user="ana") as memory:
        assert any("rows of memories were changed" in problem for problem in memory.doctor().problems)
    with Memory(url(APPLICATION, database, "red"), user="ana") as memory:
        assert not any("were changed" in problem for problem in memory.doctor().problems)


def test_a_failed_backup_stops_a_migration(database: str, tmp_path: Path) -> None:
    """And one who wants to goes on without it."""
    file = tmp_path / "no folder"
    file.touch()
    with pytest.MonkeyPatch.context() as patch:
        a_newer_holdfast(patch)
        for folder in (str(file), None):
            settings = Settings(url(OWNER, database), "ana", backup_folder=folder)
            with pytest.raises(StoreError) as failed:
                prepare_database(settings, application=APPLICATION)
            assert failed.value.code == "backup_failed"
        assert "moods" not in tables(database)
        assert prepare(database, file, switch="off") == 2
        assert "moods" in tables(database)
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".db"]


def test_both_kinds_of_store_have_the_same_migrations() -> None:
    """A backup of a tenant is a file with the tables of the same version."""
    assert [one for one, _ in server_migrations()] == [one for one, _ in file_migrations()]


def test_a_role_that_owns_nothing_sees_no_names_of_tenants(database: str) -> None:
    with psycopg.connect(url(APPLICATION, database), autocommit=True) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("ALTER TABLE holdfast.tenants NO FORCE ROW LEVEL SECURITY")
        assert connection.execute("SELECT count(*) FROM holdfast.tenants").fetchone() == (0,)
