"""`holdfast try` shows the whole of Holdfast on real input and leaves nothing behind."""

from __future__ import annotations

import re
import shlex
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
    output = run_json("try")
    assert output["chat"]["items"] == {"conversation": 7, "message": 110, "instruction": 1}
    assert sum(output["chat"]["outcomes"].values()) == 111
    assert output["chat"]["outcomes"]["redacted"] == 3
    assert len(output["questions"]) >= 12
    assert sum(question["rank"] is not None for question in output["questions"][:12]) >= 11
    assert output["audit"]["verified"] is True
    assert list(temporary.iterdir()) == []
    assert not (tmp_path / "home" / "data").exists()


def test_try_shows_people_what_was_kept_redacted_and_skipped(temporary: Path) -> None:
    """And what the README shows of it: each line of the sample that tells of the chat, but for its times; the
    questions with their marks."""
    shown = run("try").stdout
    for part in ("110 messages", "kept", "redacted", "[REDACTED", "skipped", "When are my cello lessons?",
                 "Thursdays at 18:30", "the chain of", "Try next:", "holdfast remember"):  # fmt: skip
        assert part.lower() in shown.lower(), part
    assert list(temporary.iterdir()) == []
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    sample = readme.split("Part of the output:")[1].split("```")[1].removeprefix("text")
    printed = re.sub(r"\(\d.*? s\)", "", shown)
    lines = [re.sub(r"\(\d.*? s\)", "", line) for line in sample.splitlines() if line.strip(" …")]
    told = [line for line in lines if not line.strip().startswith("Of ")]
    assert len(told) > 5
    assert [line for line in told if line.strip() not in printed] == []


def test_try_keeps_its_memory_when_told_to(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "kept.db"
    shown = run("try", "--keep", str(store)).stdout
    (hint,) = [line for line in shown.splitlines() if f"--store {store}" in line]
    named_alike = tmp_path / "holdfast"  # the project of the trial: a folder of this name selects it
    named_alike.mkdir()
    for folder in (tmp_path, named_alike):
        monkeypatch.chdir(folder)
        name, *args = shlex.split(hint)
        assert name == "holdfast"
        (first, *_) = run_json(*args)["hits"]
        assert "flat" in first["memory"]["text"].lower()
        assert first["memory"]["kind"] == "message"
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


def test_a_private_block_that_is_never_closed_is_told(tmp_path: Path) -> None:
    """It reaches to the end of its paragraph, as in a folder."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# One\n\nfirst\n\n<private>\nhidden\n\n# Two\n\nsecond\n")
    told: dict[str, str] = {}
    found = trial_sources.documents(tmp_path, told.__setitem__)
    assert [(one.heading, one.text) for one in found] == [("One", "first"), ("Two", "second")]
    assert list(told) == ["docs/a.md"]
    assert "is never closed" in told["docs/a.md"]
    added = run("folders", "add", str(tmp_path / "docs"), "--project", "p").stdout
    assert "a.md: a <private> is never closed" in " ".join(added.split())


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


def test_what_a_program_printed_is_no_document(tmp_path: Path) -> None:
    """A trial that read its own output in the README would find its questions there, not their answers."""
    (tmp_path / "a.md").write_text(
        "# One\n\nfirst\n\n```text\nprinted\n```\n\nlast\n\n```sh\nmake run\n```\n"
    )
    (section,) = trial_sources.documents(tmp_path)
    assert "printed" not in section.text
    assert all(part in section.text for part in ("first", "last", "make run"))
