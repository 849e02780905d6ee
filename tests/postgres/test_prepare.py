"""`holdfast store prepare`: an owner makes the tables from the command line, and the team is served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from psycopg import sql

from holdfast.stores.postgres import migrate
from holdfast.stores.postgres.sql import migrations
from tests.cli.support import HOLDFAST, error_of, run, run_json
from tests.postgres.server import APPLICATION, OWNER, as_superuser, server, unique, url


@pytest.fixture
def empty() -> str:
    """A database of the owner with pgvector and nothing else."""
    server()
    name = unique("prepared")
    with as_superuser() as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0").format(
                sql.Identifier(name), sql.Identifier(OWNER)
            )
        )
    with as_superuser(name) as connection:
        connection.execute("CREATE EXTENSION vector")
    return name


def prepare(address: str, application: str = APPLICATION) -> tuple[str, ...]:
    return ("store", "prepare", address, "--application", application)


def test_a_prepared_database_serves_the_team(empty: str) -> None:
    """Again changes nothing, and a tenant in the address does no harm."""
    assert error_of("list", "--store", url(APPLICATION, empty, "team"), status=5)["hint"].count("prepare")
    done: list[dict[str, Any]] = [
        run_json(*prepare(url(OWNER, empty))), run_json(*prepare(url(OWNER, empty, "team"))),
    ]  # fmt: skip
    assert done == [{"schema": 1, "application": APPLICATION}] * 2
    run("remember", "We chose JWT", "--store", url(APPLICATION, empty, "team"))
    output = run_json("recall", "JWT", "--store", url(APPLICATION, empty, "team"))
    assert [hit["memory"]["text"] for hit in output["hits"]] == ["We chose JWT"]


@pytest.mark.parametrize(
    ("role", "why"),
    [("nobody_of_that_name", "does not exist"), (OWNER, "is the owner"), ("postgres", "no policy binds")],
)
def test_a_role_that_must_not_serve_is_refused_before_anything_is_made(
    empty: str, role: str, why: str
) -> None:
    error = error_of(*prepare(url(OWNER, empty), role), status=2)
    assert (error["code"], why in error["message"]) == ("argument_invalid", True)
    with as_superuser(empty) as connection:
        assert connection.execute("SELECT to_regnamespace('holdfast') IS NULL").fetchone() == (True,)


def test_what_is_no_database_or_not_ours_to_make_is_told(empty: str) -> None:
    assert error_of(*prepare("team.db"), status=2)["code"] == "argument_invalid"
    away = "postgresql://owner:geheim@127.0.0.1:1/holdfast"
    error = error_of(*prepare(away), status=5)
    assert error["code"] == "store_unavailable"
    assert "geheim" not in str(error)


def test_the_owner_lets_the_server_find_what_is_near_in_large_pools(empty: str) -> None:
    run(*prepare(url(OWNER, empty)))
    team = url(APPLICATION, empty, "team")
    run("remember", "We chose JWT", "--store", team)
    owner = url(OWNER, empty, "team")
    assert run_json("store", "index", owner) == {"made": 0, "kept": 0, "dropped": 0, "passages": 0}
    completed = run("store", "index", owner, "--above", "0")
    assert "1 made, 0 there already, 0 dropped; they hold 1 passage." in completed.stdout
    output = run_json("recall", "JWT", "--store", team)
    assert [hit["memory"]["text"] for hit in output["hits"]] == ["We chose JWT"]
    assert run_json("store", "index", owner)["dropped"] == 1
    assert error_of("store", "index", "team.db", status=2)["code"] == "argument_invalid"
    assert error_of("store", "index", url(OWNER, empty), status=2)["code"] == "config_invalid"


def test_self_check_says_what_a_database_lacks(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing prepared, prepared, older than this version, and a server that is away."""
    team = url(APPLICATION, empty, "team")
    monkeypatch.setenv("PATH", str(Path(HOLDFAST).parent))

    def store(address: str, status: int = 0) -> dict[str, Any]:
        checks = run_json("self", "check", "--store", address, status=status)["checks"]
        found: dict[str, Any] = next(check for check in checks if check["name"] == "configured store")
        return found

    bare = store(team, 7)
    assert (bare["state"], "no tables of Holdfast" in bare["found"]) == ("problem", True)
    assert bare["advice"] == "holdfast store prepare"
    run(*prepare(url(OWNER, empty)))
    sound = store(team)
    assert (sound["state"], sound["found"].endswith("schema 1")) == ("ok", True)
    more = [*migrations(), (migrate.schema_version() + 1, "SELECT 1;")]
    monkeypatch.setattr(migrate, "migrations", lambda: more)
    older = store(team)
    assert (older["state"], "schema 1, this is 2" in older["found"]) == ("note", True)
    assert "as the owner of the tables" in older["advice"]
    away = store("postgresql://app:geheim@127.0.0.1:1/holdfast?tenant=team", 7)
    assert (away["state"], "geheim" in str(away)) == ("problem", False)
