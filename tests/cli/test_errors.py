"""Errors: a code, a message, what to do next, and an exit status of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from holdfast.api.memory import Memory
from holdfast.cli.main import SECTIONS, cli
from holdfast.cli.other_names import ELSEWHERE
from holdfast.core.errors import Conflict, StoreBusy, StoreError
from tests.cli.support import EXAMPLES, error_of, remembered, run, run_json
from tests.support import PATIENCE

UNKNOWN = "01890000-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("remember", "x", "--kind", "desicion"), "kind_unknown"),
        (("remember", "x", "--confidence", "nan"), "confidence_invalid"),
        (("remember", "x", "--confidence", "inf"), "confidence_invalid"),
        (("remember", "x", "--confidence", "2"), "confidence_invalid"),
        (("remember", "x", "--at", "soon"), "time_invalid"),
        (("remember", "x", "--valid-from", "2026-02-01", "--valid-until", "2026-01-01"), "time_invalid"),
        (("remember", "x", "--visibility", "world"), "visibility_unknown"),
        (("remember", "x", "--visibility", "project"), "place_invalid"),
        (("remember", "x", "--status", "maybe"), "status_unknown"),
        (("remember", "x", "--origin", "dream"), "origin_unknown"),
        (("remember", "x", "--project", ""), "place_invalid"),
        (("remember", "x", "--scope", ":1"), "place_invalid"),
        (("remember", "x", *(["--tag", "t" * 100] * 2)), "tags_invalid"),
        (("recall", " "), "query_empty"),
        (("recall", "x", "--mode", "telepathy"), "mode_unknown"),
        (("recall", "x", "--limit", "0"), "limit_invalid"),
        (("recall", "x", "--kind", "zzz"), "kind_unknown"),
        (("recall", "x", "--since", "never"), "time_invalid"),
        (("list", "--limit", "1001"), "limit_invalid"),
        (("list", "--cursor", "zzz"), "cursor_invalid"),
        (("list", "--include", "all"), "status_unknown"),
        (("remember", "x", "--user", " "), "config_invalid"),
        (("recall", "x", "--limit", "9" * 30), "limit_invalid"),
        (("recall", "x", "--threshold", "1e400"), "argument_invalid"),
        (("sessions", "list", "--cursor", "9" * 30), "cursor_invalid"),
        (("audit", "list", "--after", "9" * 30), "argument_invalid"),
        (("recall", "x", "--limit", "many"), "argument_invalid"),
        (("recall",), "argument_invalid"),
        (("recall", "x", "--colour"), "argument_invalid"),
        (("rember", "x"), "argument_invalid"),
        (("completion", "csh"), "argument_invalid"),
        (("import",), "argument_invalid"),
    ],
)
def test_what_cannot_be_used_has_status_2(args: tuple[str, ...], code: str) -> None:
    error = error_of(*args, status=2)
    assert error["code"] == code
    assert error["message"]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("show", UNKNOWN), "memory_not_found"),
        (("history", UNKNOWN), "memory_not_found"),
        (("revise", UNKNOWN, "x"), "memory_not_found"),
        (("pin", UNKNOWN), "memory_not_found"),
        (("forget", UNKNOWN), "memory_not_found"),
        (("forget", UNKNOWN, "--hard", "--yes"), "memory_not_found"),
        (("restore", UNKNOWN), "memory_not_found"),
        (("sources", "delete", "zzz", "--yes"), "source_not_found"),
        (("projects", "show", "zzz"), "project_not_found"),
        (("projects", "update", "zzz"), "project_not_found"),
        (("projects", "delete", "zzz", "--yes"), "project_not_found"),
        (("projects", "retag", "zzz", "y"), "project_not_found"),
        (("sessions", "show", "zzz"), "session_not_found"),
        (("sessions", "move", "zzz", "--no-project"), "session_not_found"),
        (("sessions", "rename", "zzz", "y"), "session_not_found"),
        (("sessions", "delete", "zzz", "--yes"), "session_not_found"),
    ],
)
def test_s2_7_what_is_not_there_has_status_3(args: tuple[str, ...], code: str) -> None:
    assert error_of(*args, status=3)["code"] == code


def test_s2_7_what_belongs_to_another_looks_like_nothing() -> None:
    id = remembered("Ana's own", "--user", "ana")
    foreign = error_of("show", id, "--user", "bob", status=3)
    missing = error_of("show", UNKNOWN, "--user", "bob", status=3)
    assert foreign["message"].replace(id, UNKNOWN) == missing["message"]
    assert foreign["code"] == missing["code"]


def test_conflicts_have_status_4() -> None:
    id = remembered("tea", "--session", "s", "--project", "p")
    assert (
        error_of("sessions", "create", "s", "--project", "q", status=4)["code"] == "session_in_other_project"
    )
    assert error_of("restore", id, status=4)["code"] == "not_deleted"
    other = remembered("coffee", "--session", "s")
    assert error_of("revise", other, "tea", status=4)["code"] == "duplicate_text"


def test_a_refusal_is_an_outcome_with_status_4() -> None:
    result = run("remember", "all tests passed", "--agent", "coder", "--json", status=4)
    assert '"outcome": "refused"' in result.stdout
    assert '"code": "text_low_value"' in result.stdout
    completed = run("remember", "all tests passed", "--agent", "coder", status=4)
    assert completed.stderr.startswith("Refused: ")


def test_s2_40_what_is_private_is_refused() -> None:
    assert run_json("remember", input="<private>all of it</private>", status=4)["code"] == "text_empty"
    assert run_json("list")["memories"] == []


def test_the_store_that_cannot_be_used_has_status_5(tmp_path: Path) -> None:
    (tmp_path / "plain.db").write_text("this is not a database, whatever its name says\n" * 50)
    assert error_of("list", "--store", str(tmp_path), status=5)["code"] == "store_unavailable"
    assert error_of("list", "--store", f"{tmp_path}/no/s.db", status=5)["code"] == "store_unavailable"
    assert error_of("list", "--store", f"{tmp_path}/plain.db", status=5)["code"] == "store_not_a_database"


READING = [
    ("recall", "x"), ("list",), ("show", UNKNOWN), ("history", UNKNOWN), ("doctor",), ("maintain",),
    ("audit",), ("audit", "list"), ("projects",), ("projects", "show", "p"), ("sessions",),
    ("sessions", "show", "s"), ("sources",),
]  # fmt: skip
CHANGING = [
    ("revise", UNKNOWN, "x"), ("pin", UNKNOWN), ("forget", UNKNOWN), ("forget", UNKNOWN, "--hard", "--yes"),
    ("restore", UNKNOWN), ("doctor", "--accept-loss"), ("projects", "update", "p"),
    ("projects", "delete", "p", "--yes"), ("projects", "retag", "p", "q"), ("sessions", "rename", "s", "x"),
    ("sessions", "move", "s", "--no-project"), ("sessions", "delete", "s", "--yes"),
    ("sources", "delete", "x", "--yes"),
]  # fmt: skip


@pytest.mark.parametrize("args", READING + CHANGING, ids=" ".join)
def test_a_mistyped_store_is_told_and_not_made(args: tuple[str, ...], tmp_path: Path) -> None:
    """Neither when it was given with --store nor with HOLDFAST_STORE."""
    store = tmp_path / "typo.db"
    error = error_of(*args, "--store", str(store), status=5)
    assert error["code"] == "store_unavailable"
    assert error["message"] == f"there is no store at {store}"
    assert "`holdfast remember` creates one" in str(error["hint"])
    result = run(*args, status=5, HOLDFAST_STORE=str(store))
    assert result.stderr.startswith(f"holdfast: there is no store at {store}\n")
    assert list(tmp_path.glob("typo*")) == []


def test_a_mistyped_store_is_not_made_through_a_folder_that_is_not_there(tmp_path: Path) -> None:
    store = f"{tmp_path}/nowhere/../typo.db"
    error = error_of("recall", "tea", "--store", store, status=5)
    assert (error["code"], error["message"]) == ("store_unavailable", f"there is no store at {store}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "args",
    [
        ("remember", "tea"),
        ("projects", "create", "p"),
        ("sessions", "create", "s"),
        ("import", str(EXAMPLES / "chatgpt-export.json")),
    ],
    ids=" ".join,
)
def test_what_keeps_something_makes_the_store(args: tuple[str, ...], tmp_path: Path) -> None:
    store = tmp_path / "new.db"
    run(*args, "--store", str(store))
    assert run_json("doctor", "--store", str(store))["healthy"] is True


def test_ones_own_store_may_be_asked_before_anything_is_kept() -> None:
    assert run_json("recall", "anything")["hits"] == []
    assert run_json("list")["memories"] == []
    assert run_json("sources")["sources"] == []


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Conflict("no", code="duplicate_text", hint="do this"), 4),
        (StoreError("full", code="store_full", hint="do this"), 5),
        (StoreBusy("busy", code="store_busy", hint="do this"), 6),
    ],
)
def test_people_get_one_line_and_a_hint(monkeypatch: pytest.MonkeyPatch, error: Any, status: int) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(Memory, "recall", fail)
    result = run("recall", "x", status=status)
    assert result.stdout == ""
    assert result.stderr == f"holdfast: {error.message}\nhint: do this\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("search", "recall"), ("Add", "remember"), ("index", "folders add"), ("rm", "forget")],
)
def test_a_command_by_its_name_in_other_programs_is_known(typed: str, meant: str) -> None:
    assert f"did you mean `holdfast {meant}`?" in run(typed, "x", status=2).stderr


def test_every_command_that_is_suggested_exists() -> None:
    commands = {name for section in SECTIONS.values() for name in section}
    assert not set(" ".join(ELSEWHERE.values()).split()) & commands
    for command in ELSEWHERE:
        name, _, more = command.partition(" ")
        listed = run(name, "--help").stdout
        assert not more or f" {more} " in listed, command


def test_a_misspelt_command_is_guessed() -> None:
    assert "did you mean remember" in run("rember", "x", status=2).stderr
    assert "--help" in run("zzzzzz", status=2).stderr


def test_no_command_shows_the_help() -> None:
    assert "Usage: holdfast" in run(status=2).stderr


def test_the_unexpected_is_short_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(Memory, "recall", fail)
    result = run("recall", "x", status=1)
    assert result.stderr.startswith("holdfast: unexpected ZeroDivisionError: oh\nhint: ")
    assert error_of("recall", "x", status=1)["code"] == "internal_error"
    assert isinstance(run("recall", "x", "--debug", status=1).exception, ZeroDivisionError)
    assert isinstance(run("recall", "x", status=1, HOLDFAST_DEBUG="1").exception, ZeroDivisionError)


def test_an_interrupt_has_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "recall", interrupt)
    assert "interrupted" in run("recall", "x", status=130).stderr


def test_a_read_only_folder_is_told(tmp_path: Path) -> None:
    """Root may write anywhere, so the command gives up its rights before it runs; what it needs is loaded."""
    code = """
import os, sys
from holdfast.cli.main import cli
def run(*args):
    try:
        cli.main(args)
    except SystemExit as end:
        return end.code
folder, spare = sys.argv[1:]
assert run("remember", "x", "--store", spare) == 0
assert run("list", "--limit", "0", "--json", "--store", spare) == 2
os.chmod(folder, 0o555)
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
sys.exit(run("remember", "x", "--json", "--store", folder + "/s.db"))
"""
    with tempfile.TemporaryDirectory() as folder:
        completed = subprocess.run(
            [sys.executable, "-c", code, folder, str(tmp_path / "spare.db")],
            stdin=subprocess.DEVNULL,
            env={**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert completed.returncode == 5, completed.stderr
    assert '"code": "store_read_only"' in completed.stderr


def test_recall_in_a_store_whose_file_was_deleted_says_so(tmp_path: Path) -> None:
    store = tmp_path / "gone.db"
    run("remember", "The ferry leaves at nine", "--store", str(store))
    store.unlink()
    assert error_of("remember", "again", "--store", str(store), status=7)["code"] == "history_lost"
    plain = run("remember", "again", "--store", str(store), status=7).stderr
    assert "warning" not in plain, "the error says it"
    assert error_of("show", "zzz", "--store", str(store), status=3)["code"] == "memory_not_found"
    assert "warning" in run("show", "zzz", "--store", str(store), status=3).stderr
    assert "holdfast doctor" in run("recall", "ferry", "--store", str(store)).stderr
    fresh = tmp_path / "fresh.db"
    run("remember", "The ferry leaves at nine", "--project", "p", "--store", str(fresh))
    assert "missing" not in run("recall", "ferry", "--project", "p", "--store", str(fresh)).stderr


def test_without_a_terminal_it_is_said_what_needs_consent() -> None:
    run("members", "add", "ana", "--role", "owner")
    run("members", "add", "ben")
    error = error_of("members", "remove", "ben", status=2)
    assert error["message"] == "confirmation needed: Remove ben from the team?"


TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    "args",
    [
        ("recall", "boat", "--user", TOKEN),
        ("recall", "boat", "--agent", TOKEN),
        ("show", TOKEN),
        ("forget", TOKEN),
        ("revise", TOKEN, "--text", "x"),
        ("remember", "x", "--project", TOKEN),
        ("remember", "x", "--kind", TOKEN),
        ("remember", "x", "--at", TOKEN),
        ("remember", "x", f"--{TOKEN}"),
        ("remember", "x", "--metadata", TOKEN),
        ("list", "--cursor", TOKEN),
        ("sessions", "messages", TOKEN),
        ("projects", "show", TOKEN),
        ("import", f"/nowhere/{TOKEN}.json"),
        (TOKEN,),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_s4_22_no_error_repeats_a_secret(args: tuple[str, ...], form: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli, [*args, *form])
    assert result.exit_code
    assert result.stderr
    assert TOKEN[4:24] not in result.stdout + result.stderr


@pytest.mark.parametrize("option", ["--user", "--agent"])
def test_s4_22_who_acts_is_not_called_by_a_secret(option: str) -> None:
    assert error_of("remember", "The boat is red", option, TOKEN, status=2)["code"] == "secret_in_name"
