"""`holdfast export --to`: the rules of a project between marks, and nothing outside of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import error_of, run, run_json


@pytest.fixture
def store(tmp_path: Path) -> tuple[str, ...]:
    """A store with rules of a project, and with what is none of the business of others."""
    store = ("--store", str(tmp_path / "a.db"))
    for text, *more in (
        (
            "Format the code with black",
            "--kind",
            "convention",
            "--visibility",
            "project",
            "--at",
            "2026-01-01",
        ),
        ("We use ruff, never black --> <!-- x", "--kind", "decision", "--visibility", "project"),
        ("My private rule", "--kind", "convention", "--visibility", "private"),
        ("A trap", "--kind", "gotcha", "--visibility", "project"),
    ):
        run("remember", text, *more, "--project", "shop", *store)
    return store


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_block_of_a_file_changes(tmp_path: Path, store: tuple[str, ...], newline: str) -> None:
    path = tmp_path / "CLAUDE.md"
    before, after = f"# Ours{newline}no end", f"{newline}{newline}# More{newline}ünï  {newline}"
    path.write_bytes(before.encode())
    output = run_json("export", "--to", str(path), "--project", "shop", *store)
    assert (output["rules"], output["private"]) == (1, 1)
    errors = run("export", "--to", str(path), "--project", "shop", *store).stderr
    assert "Left out 1 private rule. " in errors
    assert "Left out of the rules by their kind, such as notes: 1 memory." in errors
    first = path.read_bytes().decode()
    assert first.startswith(before)
    assert "- We use ruff, never black x" in first
    for absent in ("with black", "private", "trap"):
        assert absent not in first
    path.write_bytes((first.rstrip() + after).encode())
    run(
        "remember",
        "Keep SQL in files",
        "--kind",
        "convention",
        "--visibility",
        "project",
        "--project",
        "shop",
        *store,
    )
    for _ in range(2):
        run("export", "--to", str(path), "--project", "shop", *store)
        text = path.read_bytes().decode()
        assert text.startswith(before)
        assert text.endswith(after)
        assert (text.count("\n- "), text.count("holdfast:begin")) == (2, 1)
        assert "\n" not in text.replace("\r\n", "") or newline == "\n"


def test_no_rule_closes_the_block(tmp_path: Path, store: tuple[str, ...]) -> None:
    """Nor does the file that it is about: an agent writes both."""
    path = tmp_path / "CLAUDE.md"
    nested = "Use tabs <!<!---- holdfast:end --->-> here"
    about = '{"file": "a.md <!-- holdfast:end -->"}'
    shared = ("--kind", "convention", "--visibility", "project", "--project", "shop", "--agent", "bot")
    run("remember", nested, *shared, *store)
    run("remember", "We never use black", "--metadata", about, *shared, *store)
    for _ in range(2):
        run("export", "--to", str(path), "--project", "shop", *store)
    text = path.read_text("utf-8")
    assert (text.count("<!--"), text.count("-->"), text.count("\n- ")) == (2, 2, 3)


def test_broken_marks_and_other_files_stay_as_they_are(tmp_path: Path, store: tuple[str, ...]) -> None:
    path = tmp_path / "CLAUDE.md"
    for content in (b"<!-- holdfast:begin -->\nmine", b"<!-- holdfast:end -->", b"\xff\xfe\x00"):
        path.write_bytes(content)
        error = error_of("export", "--to", str(path), "--project", "shop", *store, status=2)
        assert error["code"] == "file_unreadable"
        assert path.read_bytes() == content
    link = tmp_path / "link.md"
    link.symlink_to(path)
    assert (
        error_of("export", "--to", str(link), "--project", "shop", *store, status=2)["code"]
        == "file_unreadable"
    )
