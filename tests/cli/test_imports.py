"""`holdfast import` keeps an export and accounts for every message of it."""

from __future__ import annotations

import json
from pathlib import Path

from holdfast.api.memory import Memory
from tests.cli.support import EXAMPLES, error_of, run, run_json

EXPORT = str(EXAMPLES / "chatgpt-export.json")


def test_s2_21_every_message_of_an_export_is_accounted_for() -> None:
    output = run_json("import", EXPORT, "--project", "chats")
    assert (output["format"], output["items"]) == (
        "chatgpt",
        {"conversation": 7, "message": 110, "instruction": 1},
    )
    assert sum(output["outcomes"].values()) == 111
    assert output["outcomes"]["redacted"] == 3
    assert sum(skipped["count"] for skipped in output["skipped"]) == 14
    sessions = run_json("sessions", "list", "--project", "chats")["sessions"]
    assert sum(session["messages"] for session in sessions) == 110
    assert {"Four days in Lisbon", "Starting the cello at 38"} <= {session["name"] for session in sessions}
    (first, *_) = run_json("recall", "When are my cello lessons?", "--project", "chats")["hits"]
    assert "Thursdays at 18:30" in first["memory"]["text"]
    shown = ("recall", "When are my cello lessons?", "--project", "chats", "-n", "1")
    assert first["memory"]["external_id"] not in run(*shown).stdout
    assert first["memory"]["external_id"] in run(*shown, "--why").stdout
    assert "sessions given memory   0\n" in run("stats").stdout


def test_s2_4_messages_name_the_export_they_came_from() -> None:
    output = run_json("import", EXPORT)
    run("import", EXPORT)
    with Memory() as memory:
        (source,) = memory.sources.list()
        assert {record.source for record in memory.list(limit=200).memories} == {source.id}
        assert [one.id for one in memory.sources.list(sha256=output["sha256"])] == [source.id]
        assert memory.sources.list(sha256="0" * 64) == []
    assert source.platform == "chatgpt"
    assert (source.message_count, source.conversation_count) == (110, 7)


def test_s1_41_importing_again_keeps_nothing_twice() -> None:
    run("import", EXPORT)
    run("sessions", "rename", run_json("sessions")["sessions"][0]["id"], "My own name")
    again = run_json("import", EXPORT)
    assert again["outcomes"] == {"duplicate": 111}
    assert "My own name" in {session["name"] for session in run_json("sessions")["sessions"]}


def test_the_account_is_told_to_people() -> None:
    completed = run("import", EXPORT)
    assert "See what it says about you: holdfast about" in completed.stderr
    shown = completed.stdout
    assert "chatgpt, 7 conversations, 110 messages" in shown
    lines = {line.split()[0]: line for line in shown.splitlines() if line.startswith("  ")}
    assert lines["kept"].split()[1] == "108"
    assert lines["redacted"].split()[1] == "3"
    assert "  skipped         14   messages: an empty system message (7)" in shown
    assert "  instructions       1 seen: 1 kept" in shown
    assert "132 items accounted for" in shown


def test_s2_20_a_message_that_is_refused_is_named_and_stops_none(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    messages = [
        {"role": "user", "content": "The ferry leaves at nine"},
        {"role": "user", "content": "<private>x</private>" + "y" * 1_200_000},
        {"role": "assistant", "content": "Noted."},
    ]
    file.write_text(json.dumps({"messages": messages}))
    output = run_json("import", str(file), status=4)
    assert output["outcomes"] == {"created": 2, "refused": 1}
    assert output["refused"][0]["code"] == "text_too_long"
    shown = run("import", str(file), status=4).stdout
    assert "refused" in shown
    assert output["refused"][0]["item"] in shown


def test_s2_21_other_formats_and_files_that_are_no_chat(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text("user: The ferry leaves at nine\nassistant: Noted.\n")
    assert run_json("import", str(tmp_path / "chat.txt"))["outcomes"] == {"created": 2}
    (tmp_path / "list.json").write_text("[1, 2]")
    assert error_of("import", str(tmp_path / "list.json"), status=2)["code"] == "format_unknown"
    (tmp_path / "empty").mkdir()
    assert error_of("import", str(tmp_path / "empty"), status=2)["code"] == "format_unknown"
    assert error_of("import", str(tmp_path / "no.json"), status=2)["code"] == "file_not_found"
    assert error_of("import", EXPORT, "--format", "icq", status=2)["code"] == "format_unknown"


def test_a_conversation_that_lives_in_another_project_is_known_and_told() -> None:
    run("import", EXPORT, "--project", "one")
    output = run_json("import", EXPORT, "--project", "two")
    assert output["outcomes"] == {"duplicate": 110, "created": 1}
    assert output["elsewhere"] == [{"project": "one", "count": 110}]


def test_what_an_own_export_leaves_behind_is_said(tmp_path: Path) -> None:
    file = str(tmp_path / "all.jsonl")
    run("remember", "The till is red", "--project", "shop")
    run("export", "-o", file)
    text = "Folders and maps are not part of an export: holdfast folders add, holdfast map scan"
    there = ("--store", str(tmp_path / "there.db"))
    assert text in run("import", file, *there).stderr
    assert text not in run("import", EXPORT, *there).stderr


def test_messages_without_a_time_are_told(tmp_path: Path) -> None:
    """One line, for what was kept: the same again is known already, and has the time of the first."""
    file = tmp_path / "chat.json"
    messages = [
        {"role": "user", "content": "The ferry leaves at nine", "at": "2026-05-07T13:56:00Z"},
        {"role": "user", "content": "It was late", "when": "2026-05-07"},
        {"role": "assistant", "content": "Noted.", "time": "last week"},
    ]
    file.write_text(json.dumps(messages))
    shown = run("import", str(file), "--dry-run").stdout
    assert "2 messages without a time: taken as said now" in shown
    assert run_json("import", str(file))["untimed"] == 2
    again = run("import", str(file)).stdout
    assert "without a time" not in again
    (first, *_) = run_json("recall", "When does the ferry leave?")["hits"]
    assert first["memory"]["at"].startswith("2026-05-07T13:56:00")


def test_what_is_kept_with_personal_data_is_told(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    iban = "My IBAN is DE89 3704 0044 0532 0130 00"
    file.write_text(json.dumps([{"role": "user", "content": iban, "at": "2026-05-07"}]))
    assert "1 item with personal data" in run("import", str(file), "--dry-run").stdout
    assert run_json("import", str(file))["personal"] == 1
    assert run_json("import", str(file))["personal"] == 0


def test_the_hint_names_the_option_that_there_is(tmp_path: Path) -> None:
    file = tmp_path / "chat.log"
    file.write_text("Nobody speaks here.\n")
    assert "`--format text`" in error_of("import", str(file), status=2)["hint"]
    assert run_json("import", str(file), "--format", "text")["outcomes"] == {"created": 1}


def test_each_user_of_an_export_of_mem0_gets_what_is_theirs(tmp_path: Path) -> None:
    file = tmp_path / "mem0.jsonl"
    rows = [
        {"id": "1", "payload": {"data": "Likes olives", "user_id": "ana"}},
        {"id": "2", "payload": {"data": "Likes tea", "user_id": "lucia"}},
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert error_of("import", str(file), "--each-user", "--project", "x", status=2)
    assert "ana: mem0, 1 note" in run("import", str(file), "--each-user").output
    users = run_json("import", str(file), "--each-user")["users"]
    assert [(user, one["outcomes"]) for user, one in users.items()] == [
        ("ana", {"duplicate": 1}), ("lucia", {"duplicate": 1}),
    ]  # fmt: skip
    (memory,) = run_json("list", "--user", "lucia")["memories"]
    assert memory["text"] == "Likes tea"
