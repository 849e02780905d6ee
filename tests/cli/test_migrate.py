"""`holdfast migrate` carries all of a store, or says what stays behind, and counts both sides at the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from holdfast.features.transfer import migrated_parts
from tests.cli.support import run, run_json

SCHEMAS = sorted((Path(migrated_parts.__file__).parents[2] / "stores").glob("*/migrations/*.sql"))


def test_s4_51_every_table_moves_is_made_anew_or_is_told_to_stay() -> None:
    """A new table fails here until it is decided what a migration does with it."""
    assert len(SCHEMAS) >= 2
    known = (migrated_parts.CARRIED, migrated_parts.DERIVED, migrated_parts.LEFT)
    tables = set()
    for schema in SCHEMAS:
        tables |= set(
            re.findall(r"^CREATE TABLE (?:holdfast\.)?(\w+)", schema.read_text("utf-8"), re.MULTILINE)
        )
    for table in tables:
        assert sum(table in one for one in known) == 1, table
    assert {*known[0], *known[1], *known[2]} == tables


@pytest.fixture
def code(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "till.py").write_text("def total(cart):\n    return sum(cart)\n")
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    return root


def _filled(code: Path) -> None:
    run("remember", "The till is red", "--project", "shop")
    run("folders", "add", str(code), "--project", "shop", "--exclude", "*.log")
    run("map", "scan", str(code), "--project", "shop")
    with Memory() as memory:
        memory.add_messages(
            [{"role": "user", "content": "Is the till red?"}], session="chat-1", project="shop"
        )


def test_s4_51_maps_and_folders_go_along_and_everything_is_counted(code: Path, tmp_path: Path) -> None:
    _filled(code)
    there = str(tmp_path / "there.db")
    before = run_json("migrate", "--to", there, "--dry-run")
    assert before["parts"]["module maps"] == {"here": 1, "there": 0}
    assert before["parts"]["folders"] == {"here": 1, "there": 0}
    assert (before["complete"], "keys" in before["left_behind"]) == (False, True)
    output = run_json("migrate", "--to", there, "--yes")
    assert output["complete"] is True
    assert {name: part["here"] - part["there"] for name, part in output["parts"].items()} == dict.fromkeys(
        output["parts"], 0
    )
    (folder,) = run_json("folders", "--store", there)["folders"]
    assert (folder["root"], folder["projects"], folder["exclude"]) == (str(code), ["shop"], ["*.log"])
    assert run_json("folders", "index", folder["slug"], "--store", there)["new"] == 2
    moved = run_json("map", "show", "--project", "shop", "--store", there)
    assert moved["modules"] == run_json("map", "show", "--project", "shop")["modules"]
    again = run_json("migrate", "--to", there, "--yes")
    assert (again["complete"], again["parts"]) == (True, output["parts"])


def test_s4_51_what_several_users_have_in_common_is_counted_once(tmp_path: Path) -> None:
    for user in ("ana", "ben", "cleo"):
        for project in ("shop", "till"):
            run("remember", f"The {project} of {user} is red", "--project", project, "--user", user)
    there = str(tmp_path / "there.db")
    output = run_json("migrate", "--to", there, "--all-users", "--yes")
    assert output["parts"]["projects"] == {"here": 2, "there": 2}


def test_s4_51_what_stays_behind_is_told_before_and_after(code: Path, tmp_path: Path) -> None:
    _filled(code)
    shown = run("migrate", "--to", str(tmp_path / "there.db"), "--yes")
    assert "1 module maps, 1 folders" in shown.stdout
    assert "stays behind: API keys" in shown.stdout
    assert "module maps: 1 of 1 there" in shown.stdout
    assert "Stays behind: the log of this store" in shown.stderr


def test_s4_51_an_incomplete_migration_does_not_say_that_the_other_store_is_used(
    code: Path, tmp_path: Path
) -> None:
    _filled(code)
    there = str(tmp_path / "there.db")
    with Memory(there) as memory:  # the same folder, seen by others: it cannot be taken as it is here
        memory.folders.add(code, project="shop", visibility="team")
    shown = run("migrate", "--to", there, "--yes", status=4)
    assert "refused: part folder shop-dir" in shown.stdout
    assert "this store stays in use" in shown.stderr
    assert "moved" not in run("list", "--project", "shop").stderr
