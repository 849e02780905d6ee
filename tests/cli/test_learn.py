"""`holdfast learn`: from the log of a session to candidates in review, and what is printed (S4.42, S4.43)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import error_of, run, run_json
from tests.unit.work_samples import EVENTS, TRANSCRIPT, as_lines


@pytest.fixture
def log(tmp_path: Path) -> str:
    """The log of a session."""
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(EVENTS), "utf-8")
    return str(path)


def test_s4_43_what_was_learned_is_printed_in_a_few_lines(log: str, tmp_path: Path) -> None:
    options = ("--project", "shop", "--store", str(tmp_path / "a.db"))
    completed = run("learn", log, *options)
    lines = completed.stdout.splitlines()
    assert lines[0] == "Lessons:"
    assert lines[1] == "  • You said: Use the settings object instead of reading os.environ."
    assert [line[:3] for line in lines[1:6]] == ["  •"] * 5
    assert lines[-1] == "9 candidates from 23 steps with 3 files."
    assert "Review what is pending: holdfast review" in completed.stderr
    again = run("learn", log, *options)
    assert again.stdout.count("known ") == 9
    assert "holdfast review" not in again.stderr
    assert len(run_json("review", "list", *options)["items"]) == 8


def test_s4_73_a_type_and_a_failure_are_given_as_options(log: str, tmp_path: Path) -> None:
    options = ("--project", "shop", "--store", str(tmp_path / "a.db"), "--dry-run")
    short = run("learn", log, "--session-type", "terminal", *options)
    assert "6 more lessons than a session of type terminal may have." in short.stderr
    assert "Nothing was stored" in short.stderr
    output = run_json("learn", log, "--failed", *options)
    assert [lesson["rule"] for lesson in output["lessons"]] == ["dead_end"]
    assert error_of("list", *options[:4], status=3)["code"] == "project_not_found", "a dry run makes none"
    wrong = error_of("learn", log, "--session-type", "weekend", *options, status=2)
    assert "no session type 'weekend'" in wrong["message"]


def test_a_transcript_may_be_piped_in(tmp_path: Path) -> None:
    text = as_lines([*TRANSCRIPT, {"type": "note"}])
    options = ("--project", "shop", "--store", str(tmp_path / "a.db"))
    completed = run("learn", "-", *options, input=text)
    assert "2 candidates from 11 steps with 2 files." in completed.stdout
    assert "1 entry of the log could not be used." in completed.stderr


def test_what_is_missing_is_said(log: str, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "a.db"))
    assert error_of("learn", log, *store, status=2)["hint"].startswith("give --project NAME")
    nowhere = error_of("learn", str(tmp_path / "none"), "--project", "shop", *store, status=2)
    assert nowhere["code"] == "file_not_found"
    empty = error_of("learn", "-", "--project", "shop", *store, status=2, input="")
    assert empty["code"] == "format_unknown"
