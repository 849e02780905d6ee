"""Texts come as words, through a pipe or from a file; what is no text is told with a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import error_of, remembered, run, run_json


def test_words_stand_for_one_text() -> None:
    assert run_json("remember", "Ana", "likes", "tea")["memory"]["text"] == "Ana likes tea"


@pytest.mark.parametrize("args", [(), ("-",)])
def test_a_pipe_is_read(args: tuple[str, ...]) -> None:
    assert run_json("remember", *args, input="Grüße aus 東京\n")["memory"]["text"] == "Grüße aus 東京"


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    file.write_bytes(b"\xef\xbb\xbfA text with a mark of its order\n")
    assert run_json("remember", "--file", str(file))["memory"]["text"] == "A text with a mark of its order"
    id = remembered("old", "--project", "p")
    assert run_json("revise", id, "--file", str(file))["memory"]["text"].startswith("A text")
    assert run_json("revise", id, "-", input="piped")["memory"]["text"] == "piped"


def test_a_revision_without_text_reads_no_pipe() -> None:
    id = remembered("the text stays")
    assert run_json("revise", id, "--title", "T", input="not this")["memory"]["text"] == "the text stays"


def test_text_that_begins_with_a_dash_stands_behind_two() -> None:
    data = json.loads(run("remember", "--json", "--", "--force", "is dangerous").stdout)
    assert data["memory"]["text"] == "--force is dangerous"


def test_recall_reads_its_question_from_a_pipe() -> None:
    remembered("tea at four")
    assert len(run_json("recall", "-", input="tea?")["hits"]) == 1


def test_s2_20_lines_are_kept_one_by_one_and_a_bad_one_stops_none() -> None:
    lines = "Berlin is in Germany\n\nParis is in France\n" + "x" * 20_000 + "\nBerlin is in Germany\n"
    output = run_json("remember", "--lines", "--kind", "fact", input=lines, status=4)
    assert output["outcomes"] == {"created": 2, "duplicate": 1, "refused": 1}
    assert [result["code"] for result in output["results"]] == [None, None, "text_too_long", None]
    shown = run("remember", "--lines", "--kind", "fact", input=lines, status=4).stdout
    assert "4 lines: 3 duplicate, 1 refused" in shown
    assert "line 3 of text" in shown
    assert run("remember", "--lines", input="only this\n").exit_code == 0


def test_lines_have_no_id_of_their_own() -> None:
    assert error_of("remember", "--lines", "--id", "a", input="x", status=2)["code"] == "argument_invalid"


@pytest.mark.parametrize(
    ("name", "code"),
    [("missing.txt", "file_not_found"), ("folder", "not_a_file"), ("file.txt/below", "file_not_found"),
     ("binary", "file_unreadable"), ("latin1.txt", "file_unreadable"), ("a\0b", "file_unreadable")],
)  # fmt: skip
def test_a_wrong_file_is_told_with_its_code(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "latin1.txt").write_bytes("Grüße".encode("latin-1"))
    error = error_of("remember", "--file", f"{tmp_path}/{name}", status=2)
    assert error["code"] == code
    assert run_json("list")["memories"] == []


def test_text_and_file_together_are_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    assert error_of("remember", "text", "--file", str(tmp_path / "f"), status=2)["code"] == "argument_invalid"


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "text_empty"), (b" \n\t", "text_empty"), (b"x" * 10_000_000, "text_too_long"),
     (b"a\0b", "file_unreadable"), (b"\xff\xfe", "file_unreadable"), (b"\xed\xa0\x80", "file_unreadable")],
)  # fmt: skip
def test_a_pipe_that_holds_no_text_is_told_with_its_code(data: bytes, code: str) -> None:
    assert error_of("remember", input=data, status=2)["code"] == code
    assert run_json("list")["memories"] == []


def test_more_than_the_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.cli.inputs.BYTES_MAX", 10)
    assert error_of("remember", input="x" * 11, status=2)["code"] == "file_too_large"
    assert run_json("remember", input="x" * 10)["outcome"] == "created"


@pytest.mark.parametrize("value", ["{", "[1]", "1", "nul", '{"a": NaN}', "[" * 100_000])
def test_metadata_is_a_json_object(value: str) -> None:
    assert error_of("remember", "x", "--metadata", value, status=2)["code"] == "metadata_invalid"


def test_an_example_of_parts_is_valid() -> None:
    hint = error_of("context", "tea", "--role", "chat", "--parts", "{bad}", status=2)["hint"]
    parts = hint.partition("'")[2].rpartition("'")[0]
    run("context", "tea", "--role", "chat", "--parts", parts)
    assert "summary" in run("context", "--help").stdout


@pytest.mark.parametrize("scope", ["", "team:"])
def test_a_scope_without_a_name_is_refused(scope: str) -> None:
    assert error_of("recall", "tea", "--any-scope", scope, status=2)["code"] == "place_invalid"
