"""S4.71: a bug in the auth system brings up the module authentication, all of it, and its memories only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from holdfast import Memory
from holdfast.api.folder_trust import trust_folder
from holdfast.cli.main import cli
from tests.scenarios.repository import branch, checked_out

TASK = "bug in the auth system - logged out after 5 minutes"
OURS = {
    "gotcha": ("The refresh token is not checked against Redis", "shop/authentication/middleware.py"),
    "decision": ("JWT over cookies, because the API is public: 1 h refresh", "shop/authentication/config.py"),
    "error_pattern": (
        "Two tabs refresh at once and one is out; use a mutex",
        "shop/authentication/tokens.py",
    ),
}
OTHERS = (
    ("gotcha", "Webhooks arrive twice, some of them after 5 minutes", "shop/payments/webhooks.py"),
    ("decision", "Refunds are made by hand above 500", "shop/payments/refunds.py"),
    ("error_pattern", "The mail system logs a bug as a warning", "shop/mail/sending.py"),
    ("gotcha", "Products without a price break the search", "shop/catalogue/products.py"),
    ("note", "The kettle takes 5 minutes", None),
)


@pytest.fixture
def told(tmp_path: Path) -> Iterator[tuple[Memory, Path, dict[str, str]]]:
    """The shop's memory, its repository, and the ids of what is about authentication, by kind."""
    repository = checked_out(tmp_path)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        memory.maps.scan(repository, project="shop")
        ids = {}
        for kind, (text, file) in OURS.items():
            stored = memory.remember(text, kind=kind, metadata={"file": file}, project="shop").memory
            assert stored is not None
            ids[kind] = stored.id
        for kind, text, other in OTHERS:
            metadata = {"file": other} if other else None
            memory.remember(text, kind=kind, metadata=metadata, project="shop")
        yield memory, repository, ids


def test_s4_71_the_module_and_its_memories_only(told: tuple[Memory, Path, dict[str, str]]) -> None:
    memory, _, ids = told
    match = memory.maps.match(TASK, project="shop")[0].module
    assert match.name == "authentication"
    made = memory.context(TASK, project="shop")
    assert made.modules == ("authentication",)
    section = made.text.partition("## Project Memory: authentication\n")[2].partition("\n## ")[0]
    assert "shop/authentication/" in section
    for name in ("config", "middleware", "tokens"):
        assert name in section.partition("Files: ")[2].partition("\n")[0]
    assert "shop/authentication/main.py" in section.partition("Entry: ")[2].partition("\n")[0]
    assert "login-form.tsx" in section.partition("Frontend: ")[2].partition("\n")[0]
    assert "tests/authentication/test_tokens.py" in section.partition("Tests: ")[2]
    for name in ("jwt", "users"):
        assert name in section.partition("Deps: ")[2].partition("\n")[0]
    assert set(made.ids) == set(ids.values())
    for label in ("GOTCHA", "DECISION", "ERROR"):
        assert made.text.count(f"[{label}] shop/authentication/") == 1


def test_s4_39_a_terminal_reads_it_from_a_file(
    told: tuple[Memory, Path, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`holdfast context --write` puts it beside a terminal session; project and branch are those of the
    checkout (S4.31)."""
    memory, repository, ids = told
    other = memory.remember(
        "On this branch tokens are opaque", kind="decision", branch="opaque", project="shop",
        metadata={"file": "shop/authentication/tokens.py"},
    ).memory  # fmt: skip
    assert other is not None
    memory.close()
    branch(repository, "fix/logout")
    monkeypatch.chdir(repository / "shop" / "authentication")
    trust_folder(repository, "shop")
    file = tmp_path / "context.md"
    start = ["--store", str(tmp_path / "team.db"), "--user", "ana", "context"]
    ran = CliRunner().invoke(cli, [*start, TASK, "--write", str(file), "--quiet"])
    assert (ran.exit_code, ran.output) == (0, "")
    text = file.read_text("utf-8")
    assert text.startswith("## PROJECT MEMORY\n")
    assert text.count("  ! ") == 3
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".context")] == []
    ran = CliRunner().invoke(cli, [*start, TASK, "--branch", "*", "--json"])
    assert {record["id"] for record in json.loads(ran.stdout)["memories"]} == {*ids.values(), other.id}


def test_s4_41_a_hook_goes_on_without_memory(tmp_path: Path) -> None:
    """A store that cannot be opened is one line on the error output, whatever else was asked for."""
    broken = tmp_path / "no store.db"
    broken.write_text("this is no database", "utf-8")
    start = ["--store", str(broken), "context", TASK]
    ran = CliRunner().invoke(cli, [*start, "--quiet"])
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert ran.stderr.count("\n") == 1
    assert CliRunner().invoke(cli, start).exit_code != 0
    (tmp_path / "folder").mkdir()
    fresh = ["--store", str(tmp_path / "fresh.db"), "--user", "ana"]
    CliRunner().invoke(cli, [*fresh, "remember", "Tokens are short"])
    ran = CliRunner().invoke(cli, [*fresh, "context", TASK, "--write", str(tmp_path / "folder")])
    assert ran.exit_code == 2
    assert "is not a regular file" in ran.stderr
