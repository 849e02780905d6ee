"""Migrations: forward only, safe for several servers at once, and never by the role that serves."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from psycopg import sql

from holdfast.core.errors import HoldfastError, StoreError
from holdfast.stores.postgres import migrate as migrating
from holdfast.stores.postgres.migrate import migrate, schema_version
from holdfast.stores.postgres.sql import migrations
from holdfast.stores.postgres.tenant import Tenant
from tests.postgres.server import APPLICATION, OWNER, as_superuser, server, unique, url


@pytest.fixture
def empty() -> Iterator[str]:
    """A database of the owner with pgvector and nothing else."""
    server()
    name = unique("empty")
    with as_superuser() as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0").format(
                sql.Identifier(name), sql.Identifier(OWNER)
            )
        )
    with as_superuser(name) as connection:
        connection.execute("CREATE EXTENSION vector")
    yield name
    with as_superuser() as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def versions(database: str) -> list[int]:
    with as_superuser(database) as connection:
        rows = connection.execute("SELECT version FROM holdfast.schema_versions ORDER BY version")
        return [int(str(row[0])) for row in rows]


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [version for version, _ in migrations()] == list(range(1, schema_version() + 1))


def test_several_servers_may_migrate_at_once(empty: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(migrate, url(OWNER, empty), application=APPLICATION) for _ in range(4)]
        assert {one.result() for one in done} == {schema_version()}
    assert versions(empty) == [version for version, _ in migrations()]
    Tenant(url(APPLICATION, empty, "team")).close()


def test_migrating_again_changes_nothing(empty: str) -> None:
    for _ in range(2):
        assert migrate(url(OWNER, empty), application=APPLICATION) == schema_version()
    assert versions(empty) == [version for version, _ in migrations()]


def test_an_interrupted_migration_leaves_the_last_whole_step(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [*migrations(), (schema_version() + 1, "CREATE TABLE holdfast.half (x int); SELECT 1 / 0;")]
    with monkeypatch.context() as patched:
        patched.setattr(migrating, "migrations", lambda: broken)
        with pytest.raises(StoreError):
            migrate(url(OWNER, empty), application=APPLICATION)
    assert versions(empty) == [version for version, _ in migrations()]
    with as_superuser(empty) as connection:
        found = connection.execute("SELECT to_regclass('holdfast.half') IS NULL").fetchone()
    assert found == (True,)
    assert migrate(url(OWNER, empty), application=APPLICATION) == schema_version()


def _say_version(database: str, version: int) -> None:
    with as_superuser(database) as connection:
        connection.execute("INSERT INTO holdfast.schema_versions (version) VALUES (%s)", [version])


def test_a_newer_database_is_refused_by_migration_and_service(empty: str) -> None:
    migrate(url(OWNER, empty), application=APPLICATION)
    _say_version(empty, schema_version() + 1)
    tried: list[Any] = [
        lambda: migrate(url(OWNER, empty), application=APPLICATION),
        lambda: Tenant(url(APPLICATION, empty, "team")),
    ]
    for refused in tried:
        with pytest.raises(StoreError) as raised:
            refused()
        assert raised.value.code == "store_newer"


@pytest.mark.parametrize("noted", [True, False], ids=["another script", "no script"])
def test_a_database_of_another_development_version_is_told_as_that(
    empty: str, monkeypatch: pytest.MonkeyPatch, noted: bool
) -> None:
    """Before anything is read or migrated; one that differs in comments is the same."""
    ((number, script),) = migrations()
    with monkeypatch.context() as patched:
        older = script.replace("digest_key ", "hash_key ", 1) if noted else f"-- Before.\n{script}"
        patched.setattr(migrating, "migrations", lambda: ((number, older),))
        migrate(url(OWNER, empty), application=APPLICATION)
    if not noted:
        migrate(url(OWNER, empty), application=APPLICATION)
        with as_superuser(empty) as connection:
            connection.execute("ALTER TABLE holdfast.schema_versions DROP COLUMN script")
    tried: list[Any] = [
        lambda: migrate(url(OWNER, empty), application=APPLICATION),
        lambda: Tenant(url(APPLICATION, empty, "team")),
    ]
    for refused in tried:
        with pytest.raises(StoreError, match="development version") as raised:
            refused()
        assert raised.value.code == "store_unreleased"


def test_a_database_that_was_not_migrated_says_who_must(empty: str) -> None:
    with pytest.raises(StoreError) as raised:
        Tenant(url(APPLICATION, empty, "team"))
    assert raised.value.code == "store_unavailable"
    assert "owner" in str(raised.value.hint)


def test_the_role_that_serves_cannot_migrate(empty: str) -> None:
    for serving, code in ((APPLICATION, "argument_invalid"), (OWNER, "store_unavailable")):
        with pytest.raises(HoldfastError) as raised:
            migrate(url(APPLICATION, empty), application=serving)
        assert raised.value.code == code
    with psycopg.connect(url(APPLICATION, empty)) as connection:
        found = connection.execute("SELECT to_regnamespace('holdfast') IS NULL").fetchone()
    assert found == (True,)
