"""`holdfast models` and `holdfast ask --answer`: what people read of models, and of their failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import error_of, run, run_json
from tests.models.providers import provider


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_STORE", str(tmp_path / "notes.db"))
    run("remember", "The harbour opens at six")


def test_a_model_is_added_tested_used_and_removed(
    store: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "model.key"
    key.write_text("sk-1")
    with provider("openai", lambda _, schema: '{"sum": 42}' if schema else "At six [M1], or [M9].") as server:
        monkeypatch.setenv("HOLDFAST_MODEL_KEY_FILES", f'{{"{server.url}": "{key}"}}')
        assert "None is needed" in run("models").stdout
        added = run("models", "add", "local", "some-model", "--url", server.url, "--tokens-per-day", "9000")
        assert "nothing leaves it" in added.stderr
        assert "9,000 tokens a day" in run("models").stdout
        assert "in the form asked for" in run("models", "test", "local").stdout
        shown = run("ask", "--answer", "When does the harbour open?")
        assert shown.stdout.startswith("At six [M1], or [M9].\n[M1] The harbour opens at six")
        assert "cites memories that it was not shown: [M9]" in shown.stderr
        output = run_json("ask", "--answer", "--model", "local", "When does the harbour open?")
        assert (output["text"], output["model"], output["unknown"]) == (
            "At six [M1], or [M9].",
            "local",
            ["[M9]"],
        )
        used = run_json("models", "usage")["usage"]
        assert [(one["operation"], one["calls"]) for one in used] == [("answer", 2), ("test", 1)]
        run("remember", "I live in Porto", "--kind", "message", "--session", "talk")
        assert "holdfast worker --once" in run("models", "propose", "talk").stderr
        assert run("models", "remove", "local", "--yes").stdout == "Removed: local\n"
    assert error_of("ask", "--answer", "When?", status=3)["code"] == "model_not_found"
    run("ask", "--model", "local", "When?", status=2)


def test_what_a_model_elsewhere_discloses_is_shown_and_accepted(store: None) -> None:
    added = run("models", "add", "far", "some-model", "--url", "https://model.invalid/v1")
    assert "leave this machine" in " ".join(added.stderr.split())
    assert "holdfast models accept far" in added.stderr
    refused = error_of("ask", "--answer", "When does the harbour open?", status=4)
    assert (refused["code"], "holdfast models accept far" in str(refused["hint"])) == (
        "model_not_accepted",
        True,
    )
    error = error_of("models", "accept", "far", status=2)
    assert "leave this machine" in str(error["message"])
    accepted = run("models", "accept", "far", "--yes")
    assert "model.invalid" in accepted.stderr
    assert run_json("models", "list")["models"][0]["accepted_by"].startswith("user:")
    assert error_of("models", "test", "far", status=1)["code"] == "model_unreachable"
    assert error_of("models", "add", "x", "y", "--url", "http://model.example", status=2)["code"] == (
        "model_address_invalid"
    )
