"""`holdfast extract` and `holdfast import --extract` (S2.23)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import error_of, run, run_json

TALK = [{"role": "user", "content": "Hi, I love hiking. Remind me to water the plants."}]


def imported(tmp_path: Path, *options: str) -> list[str]:
    """Options that name a store into which a conversation was imported."""
    file = tmp_path / "talk.json"
    file.write_text(json.dumps(TALK), "utf-8")
    store = ["--store", str(tmp_path / "a.db")]
    run("import", str(file), *options, *store)
    return store


def test_s2_23_candidates_of_a_session_are_shown(tmp_path: Path) -> None:
    store = imported(tmp_path)
    session = run_json("sessions", "list", *store)["sessions"][0]["id"]
    looked = run("extract", "--session", session, "--dry-run", *store)
    assert "2 candidates in 1 message of the user." in looked.stdout
    lines = [line.split() for line in run("extract", "--session", session, *store).stdout.splitlines()]
    assert lines[1] == ["kept", "preference", "0.72", "I", "love", "hiking", "en.likes"]
    assert lines[2][:4] == ["for", "review", "todo", "0.58"]
    output = run_json("extract", "--session", session, *store)
    assert (output["read_before"], output["found"]) == (1, [])


def test_s2_23_an_import_may_extract(tmp_path: Path) -> None:
    store = imported(tmp_path, "--extract")
    memories = run_json("list", "--kind", "preference", "--project", "*", *store)["memories"]
    assert [memory["text"] for memory in memories] == ["I love hiking"]


def test_s2_35_a_text_may_be_piped_in_and_waits(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "a.db")]
    output = run_json("extract", "-", *store, input="我叫李雷")
    assert [(one["text"], one["outcome"]) for one in output["found"]] == [("我叫李雷", "pending")]


def test_what_is_to_be_read_has_to_be_said(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "a.db")]
    assert error_of("extract", "--session", "a", "I love tea", *store, status=2)["code"] == "argument_invalid"
    none = error_of("extract", *store, status=2)
    assert none["hint"] == "give a text, --session ID or --source ID"
    assert (
        error_of("extract", "--session", "a", "--source", "b", *store, status=2)["code"] == "argument_invalid"
    )
