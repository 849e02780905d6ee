"""`holdfast import transcripts`: sessions of coding agents are found, learned from once, and counted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.support import run, run_json

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
CHATS = ".gemini/tmp/shop/chats/session-1.jsonl"
PLACES = {
    ".claude/projects/-home-ana-shop/0b1c.jsonl": "claude-code.jsonl",
    ".codex/sessions/2026/11/23/rollout-2026-11-23.jsonl": "codex.jsonl",
    CHATS: "gemini.jsonl",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a session of each client, which all worked in its folder `work/shop`."""
    home, shop = tmp_path / "home", tmp_path / "home/work/shop"
    shop.mkdir(parents=True)
    for place, name in PLACES.items():
        path = home / place
        path.parent.mkdir(parents=True)
        text = (TRANSCRIPTS / name).read_text("utf-8")
        path.write_text(text.replace("/home/ana/shop", shop.as_posix()), "utf-8")
    (home / CHATS).parents[1].joinpath(".project_root").write_text(shop.as_posix(), "utf-8")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(shop)
    return home


def test_sessions_are_found_and_learned_from_once_by_project(home: Path) -> None:
    store = ("--store", str(home / "a.db"))
    tried = run_json("import", "transcripts", "--dry-run", *store)
    assert tried["projects"][0]["sessions"] == {"Claude Code": 1, "Codex": 1, "Gemini CLI": 1}
    assert run_json("projects", "list", *store)["projects"] == []
    first = run("import", "transcripts", *store)
    assert "Claude Code 1, Codex 1, Gemini CLI 1" in first.stdout
    assert "Review what is pending: holdfast review" in first.stderr
    assert run("sources", "list", *store).stdout.count(" lesson") == 3  # logs have no messages of their own
    memories = run_json("list", "--project", "shop", *store)["memories"]
    texts = [memory["text"] for memory in memories]
    assert len(texts) == len(set(texts)) == 2, "the three sessions taught the same"
    (again,) = run_json("import", "transcripts", *store)["projects"]
    assert (again["unchanged"], again["lessons"]) == (3, {})
    assert "Nothing new in 3 sessions." in run("import", "transcripts", *store).stdout


def test_what_is_new_in_a_session_is_all_that_is_read(home: Path) -> None:
    store = ("--store", str(home / "a.db"))
    run("import", "transcripts", *store)
    path = home / next(iter(PLACES))
    secret = "ghp_" + "a1B2c3D4e5" * 4
    text = f"No, never put the token {secret} into the config, it belongs into the keychain"
    lines = path.read_text("utf-8").splitlines()
    value = json.loads(next(line for line in lines if '"type": "user"' in line))
    value["message"]["content"] = text
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(value) + "\n")
    (account,) = run_json("import", "transcripts", *store)["projects"]
    assert (account["unchanged"], account["lessons"]) == (2, {"created": 1})
    listed = run("list", "--project", "shop", "--json", *store).stdout
    assert "keychain" in listed
    assert "REDACTED" in listed
    assert secret not in listed


def test_sessions_without_a_project_are_told_and_can_be_given_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ("--store", str(home / "a.db"))
    monkeypatch.chdir(home)
    run("projects", "create", "shop", *store)
    monkeypatch.chdir(home / "work/shop")  # only called like it
    completed = run("import", "transcripts", *store)
    assert "3 sessions in" in completed.stderr
    assert "holdfast import transcripts --project NAME" in completed.stderr
    assert run_json("list", "--project", "shop", *store)["memories"] == []
    run("import", "transcripts", "--project", "shop", *store)
    assert len(run_json("list", "--project", "shop", *store)["memories"]) == 2
    shutil.rmtree(home / ".claude")
    shutil.rmtree(home / ".codex")
    shutil.rmtree(home / ".gemini")
    assert "No sessions" in run("import", "transcripts", *store).stdout


def test_a_session_of_copilot_is_read_as_its_client_wrote_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, home = tmp_path / "shop", tmp_path / "copilot"
    path = home / "session-state/e27dbd43/events.jsonl"
    for folder in (shop, path.parent):
        folder.mkdir(parents=True)
    text = (TRANSCRIPTS / "copilot.jsonl").read_text("utf-8")
    path.write_text(text.replace("/home/ana/shop", shop.as_posix()), "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COPILOT_HOME", str(home))
    store = ("--store", str(tmp_path / "a.db"))
    assert "Copilot CLI 1" in run("import", "transcripts", *store).stdout
    listed = run_json("list", "--project", "shop", "--include", "pending", *store)["memories"]
    assert {(one["kind"], one["text"], one["metadata"].get("file")) for one in listed} == {
        ("human_feedback", "Never raise EXP: the auditors allow 300 seconds.", "src/token.py"),
        ("convention", "The tests run with `make -s test`; `make tests` fails:"
         " make: *** No rule to make target 'tests'. Stop.", None),
        ("session_insight", "Found it: the clock of the gateway is ahead, hence tokens of 300 seconds ran out"
         " early.", "src/token.py"),
    }  # fmt: skip
