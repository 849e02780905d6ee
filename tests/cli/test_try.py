"""`holdfast try` shows the whole of Holdfast on real input and leaves nothing behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from holdfast.cli import trial_sources
from holdfast.cli.trial import EXCERPT, excerpt
from tests.cli.support import run, run_json


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_try_keeps_asks_and_leaves_nothing(tmp_path: Path, temporary: Path) -> None:
    told = run_json("try")
    assert (told["chat"]["conversations"], told["chat"]["messages"]) == (7, 110)
    assert sum(told["chat"]["outcomes"].values()) == 110
    assert told["chat"]["outcomes"]["redacted"] == 3
    assert len(told["questions"]) >= 12
    assert sum(one["rank"] is not None for one in told["questions"][:12]) >= 11
    assert told["audit"]["verified"] is True
    assert list(temporary.iterdir()) == []
    assert not (tmp_path / "home" / "data").exists()


def test_try_shows_people_what_was_kept_redacted_and_skipped(temporary: Path) -> None:
    shown = run("try").stdout
    for part in ("110 messages", "kept", "redacted", "[REDACTED", "skipped", "When are my cello lessons?",
                 "Thursdays at 18:30", "the chain of", "Try next:", "holdfast remember"):  # fmt: skip
        assert part.lower() in shown.lower(), part
    assert list(temporary.iterdir()) == []


def test_try_keeps_its_memory_when_told_to(tmp_path: Path, temporary: Path) -> None:
    store = tmp_path / "kept.db"
    assert f"--store {store}" in run("try", "--keep", str(store)).stdout
    assert len(run_json("recall", "cello", "--store", str(store))["hits"]) > 0
    assert "exists already" in run("try", "--keep", str(store), status=2).stderr


def test_try_works_where_there_is_no_checkout(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_sources, "checkout", lambda: None)
    assert run_json("try")["repository"] is None
    assert "not a checkout" in run("try").stdout


def test_documents_are_cut_at_their_headings(tmp_path: Path) -> None:
    text = "opening\n\n# One\n\nfirst\n\n```sh\n# no heading\n```\n\n## Two ##\n\nsecond\n\n### Empty\n"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(text)
    found = trial_sources.documents(tmp_path)
    assert [(one.id, one.heading) for one in found] == [
        ("docs/a.md#1", "a"), ("docs/a.md#2", "One"), ("docs/a.md#3", "Two"),
    ]  # fmt: skip
    assert "# no heading" in found[1].text
    assert trial_sources.commits(tmp_path) == []


def test_an_excerpt_shows_the_part_that_answers() -> None:
    text = (
        "Nothing of interest stands here at all. " * 20
        + "The cello lessons are on Thursdays. "
        + "More. " * 50
    )
    shown = excerpt(text, "When are the cello lessons?")
    assert "Thursdays" in shown
    assert len(shown) <= EXCERPT + 6
    assert excerpt("short", "q") == "short"
