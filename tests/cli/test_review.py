"""`holdfast review`: the inbox one by one on a terminal, and its commands for scripts."""

from __future__ import annotations

import hashlib
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.core.ids import short_id
from holdfast.core.times import DAY
from tests.cli.support import error_of, remembered, run, run_json
from tests.cli.terminal import Terminal


def doubted(text: str, *options: str) -> str:
    """The id of something that waits."""
    return remembered(text, "--confidence", "0.3", *options)


def status_of(id: str) -> str:
    return str(run_json("show", id)["status"])


# one by one


def test_what_was_changed_since_it_was_listed_is_not_approved() -> None:
    """An agent may change what it wrote while it waits."""
    id = doubted("Deploys wait for green tests", "--agent", "bot")
    assert id in str(run_json("review", "list"))
    run("revise", id, "Deploys wait for nobody", "--agent", "bot")
    refused = run_json("review", "approve", id, status=4)
    assert refused["results"][0]["code"] == "version_mismatch"
    assert status_of(id) == "pending"
    run("review", "list")
    run("review", "approve", id)
    assert status_of(id) == "approved"


def test_s2_35_the_inbox_is_worked_through_one_by_one() -> None:
    ids = [doubted(f"Sensor {n} may be in room {n + 100}") for n in range(4)]
    terminal = Terminal("review")
    screen = terminal.until("[q] quit")
    assert "Sensor 0 may be in room 100" in screen
    assert "confidence 0.30 is below 0.60" in screen
    terminal.press("a")
    assert "Sensor 1" in terminal.until("[q] quit")
    terminal.press("r")
    assert "Sensor 2" in terminal.until("[q] quit")
    terminal.press("x")  # no key of these: asked again
    terminal.until("[q] quit")
    terminal.press("s")
    assert "Sensor 3" in terminal.until("[q] quit")
    terminal.press("q")
    assert terminal.end() == 0
    assert "1 approved, 1 rejected, 1 skipped." in terminal.shown
    assert [status_of(id) for id in ids] == ["approved", "rejected", "pending", "pending"]
    assert run_json("show", ids[1])["status_reason"] == "rejected in review"


def test_s2_35_the_inbox_says_where_rules_found_something(tmp_path: Path) -> None:
    run("extract", "-", input="I love hiking")
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 110\n")
    run("map", "scan", str(tmp_path), "--project", "shop")
    remembered("Asked for", "--status", "pending")
    why = {item["memory"]["origin"]: item["why"] for item in run_json("review", "list")["items"]}
    assert why["extraction"] == "found in what you said"
    assert why["user"] == "kept for review as asked"
    if "file" in why:
        assert why["file"] == "read from pyproject.toml"


def test_s2_17_an_item_is_edited_in_the_editor_of_the_person(tmp_path: Path) -> None:
    id = doubted("Standup may be at nine")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "Standup is at ten" > "$1"\n', encoding="utf-8")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    terminal = Terminal("review", EDITOR=str(editor), VISUAL=str(editor))
    terminal.until("[q] quit")
    terminal.press("e")
    assert terminal.end() == 0
    output = run_json("show", id)
    assert (output["text"], output["status"], output["version"]) == ("Standup is at ten", "approved", 2)
    assert "1 approved." in terminal.shown


def test_an_editor_that_changes_nothing_or_fails_leaves_the_item_as_it_is() -> None:
    id = doubted("Standup may be at nine")
    terminal = Terminal("review", EDITOR="true", VISUAL="true")
    terminal.until("[q] quit")
    terminal.press("e")
    assert "not changed" in terminal.until("[q] quit")
    terminal.press("\x04")
    assert terminal.end() == 0
    assert "Nothing was decided." in terminal.shown
    assert run_json("show", id)["version"] == 1
    failing = Terminal("review", EDITOR="false", VISUAL="false")
    failing.until("[q] quit")
    failing.press("e")
    failing.until("[q] quit")
    failing.press("q")
    assert failing.end() == 0
    assert status_of(id) == "pending"


@pytest.mark.parametrize(("key", "old"), [("a", "superseded"), ("b", "approved")])
def test_s2_37_what_an_item_contradicts_is_shown_beside_it(key: str, old: str) -> None:
    tabs = remembered("Use tabs for indentation", "--kind", "convention")
    spaces = doubted("Use spaces for indentation", "--kind", "convention")
    terminal = Terminal("review")
    screen = terminal.until("[q] quit")
    assert "instead of" in screen
    assert "Use tabs for indentation" in screen
    terminal.press(key)
    assert terminal.end() == 0
    assert (status_of(tabs), status_of(spaces)) == (old, "approved")


def test_s4_45_an_agent_on_a_terminal_decides_nothing() -> None:
    """It is shown what it proposed itself, and nothing else that waits."""
    doubted("surely")
    id = doubted("perhaps", "--agent", "coder")
    terminal = Terminal("review", "--agent", "coder")
    shown = terminal.until("[q] quit")
    assert "perhaps" in shown
    assert "surely" not in shown
    terminal.press("a")
    assert "only a person may decide" in terminal.until("[q] quit")
    terminal.press("\x03")
    assert terminal.end() == 130
    assert status_of(id) == "pending"


def test_a_text_does_not_steer_the_terminal() -> None:
    doubted("first\x1b]0;title\x07 line")
    terminal = Terminal("review")
    assert "\x1b]" not in terminal.until("[q] quit")
    terminal.press("q")
    assert terminal.end() == 0


def test_an_empty_inbox_says_so() -> None:
    remembered("Boats need paint")
    terminal = Terminal("review")
    assert terminal.end() == 0
    assert "No memories are waiting for review." in terminal.shown
    assert "No memories are waiting" in run("review").stdout


# by commands


@pytest.mark.parametrize(
    "command",
    [
        ("review", "approve"), ("review", "reject"), ("review", "undo"), ("review", "confirm"),
        ("review", "wrong"), ("forget",), ("show",),
    ],
)  # fmt: skip
@pytest.mark.parametrize("id", ["", " "])
def test_an_empty_id_as_of_an_unset_variable_is_named(command: tuple[str, ...], id: str) -> None:
    """Its memory was not forgotten: there is none to restore."""
    error = error_of(*command, id, status=2)
    assert error["message"] == "the id is empty"
    assert "review list" in error["hint"]


def test_s2_35_without_a_terminal_it_lists() -> None:
    ids = [doubted("Standup may be at nine"), doubted("perhaps", "--project", "shop", "--scope", "paper:1")]
    assert [item["memory"]["id"] for item in run_json("review")["items"]] == ids
    assert run_json("review") == run_json("review", "list")
    assert short_id(ids[0]) in run("review").stdout
    assert "paper:1" in run("review").stdout
    assert "shop" in next(line for line in run("review").stdout.splitlines() if short_id(ids[1]) in line)
    page = run_json("review", "list", "-n", "1")
    rest = run_json("review", "list", "--cursor", page["cursor"])
    assert [item["memory"]["id"] for item in rest["items"]] == ids[1:]
    assert len(run_json("review", "list", "--scope", "paper:1")["items"]) == 1
    assert "go after the command" in error_of("review", "--project", "shop", "list", status=2)["message"]


def test_s2_35_many_are_decided_at_once_and_a_refusal_stops_none() -> None:
    ids = [doubted(f"Sensor {n} may be in room {n + 100}") for n in range(3)]
    results = run_json("review", "approve", ids[0][:23], "0" * 36, ids[1], status=4)["results"]
    assert [(result["result"], result["code"]) for result in results] == [
        ("approved", None), ("refused", "memory_not_found"), ("approved", None),
    ]  # fmt: skip
    assert run("review", "reject", ids[2], "--reason", "no such room").exit_code == 0
    assert [status_of(id) for id in ids] == ["approved", "approved", "rejected"]
    assert "Refused" in run("review", "reject", ids[2], status=4).stdout


def test_s2_17_edit_move_and_feedback() -> None:
    id = doubted("Standup may be at nine")
    seen = doubted("Standup may be at ten", "--visibility", "team")
    assert run_json("review", "edit", seen, "Write", "to", "ben@example.org")["result"] == "pending"
    assert "Approved" in run("review", "edit", id, "Standup is at nine", "--tag", "daily").stdout
    (moved,) = run_json("review", "move", id, "--project", "shop", "--scope", "paper:1")["results"]
    assert (moved["memory"]["project"], moved["memory"]["scope"]["id"]) == ("shop", "1")
    (back,) = run_json("review", "move", id, "--out-of", "project", "--out-of", "scope")["results"]
    assert (back["memory"]["project"], back["memory"]["scope"]["type"]) == (None, "global")
    assert "no target" in error_of("review", "move", id, status=2)["message"]
    assert "0.75" in run("review", "feedback", id, "helpful").stdout
    assert run_json("review", "feedback", id, "wrong", "--note", "never was")["status"] == "pending"


def test_s4_59_wrong_lists_what_hangs_on_it() -> None:
    old = remembered("Use tabs for indentation", "--kind", "convention")
    new = remembered("Use spaces for indentation", "--kind", "convention")
    shown = run("review", "wrong", new, "--note", "nobody decided so")
    assert short_id(old) in shown.stdout
    assert "gave way" in shown.stdout
    assert run_json("show", new)["status_reason"] == "user_flagged: nobody decided so"
    run("review", "approve", old)
    assert status_of(old) == "approved"


def test_s2_35_a_scope_is_cleared_with_consent_and_a_proof() -> None:
    id = remembered("zebra quagga okapi", "--scope", "paper:1")
    assert "confirmation" in error_of("review", "clear", "paper:1", status=2)["message"]
    shown = run("review", "clear", "paper:1", "--yes")
    assert "Forgotten: 1 memory" in shown.stdout
    assert "nothing is left" in shown.stderr
    run("restore", id)
    output = run_json("review", "clear", "paper:1", "--hard", "-y")
    assert (output["memories"], output["hard"], output["proof"]["holds"]) == (1, True, True)
    run("show", id, status=3)


def test_s2_35_an_import_is_reverted_with_a_proof() -> None:
    with Memory() as memory:
        source = memory.sources.add("chatgpt", hashlib.sha256(b"export").hexdigest()).id
        memory.add_messages([{"role": "user", "content": "zebra okapi"}], session="s", source=source)
        edited: Any = memory.remember("There are okapis", source=source).memory
        memory.revise(edited.id, title="Okapis")
    shown = run("review", "revert", source, "-y")
    assert "Forgotten: 1 memory" in shown.stdout
    assert f"Stays, pinned or edited by a person: {short_id(edited.id)}" in shown.stdout
    assert run_json("recall", "zebra")["hits"] == []
    assert status_of(edited.id) == "approved"
    run("review", "revert", source, "-y", status=3)


def test_s3_36_what_tidying_did_is_undone_a_month_later_by_the_command_it_names() -> None:
    now = [int(time.time() * 1_000) - 130 * DAY]
    with Memory(clock=lambda: now[0]) as memory:
        for number in range(2):
            memory.remember("The mole is lit at night", kind="convention", external_id=str(number))
        memory.reconcile("old.db", {"entities": [{"type": "T", "id": "t", "data": {"summary": "Old table"}}]})
        now[0] += 100 * DAY
        acts = memory.review.tidy(dry_run=False).acts
        assert [act.action for act in acts] == ["merge", "prune"]
        assert [record.kind for record in memory.list().memories] == ["convention"]
    for act in acts:
        run(*act.undo.split()[1:])
    assert len(run_json("list")["memories"]) == 3
    assert run_json("review", "tidy")["acts"] == [], "what a person undid is not done again"
