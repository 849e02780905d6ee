"""Sessions as their hooks see them: one that was cut off is learned from later, one in a pause is not."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from tests.cli.support import HOLDFAST, error_of, run, run_json
from tests.support import PATIENCE

pytestmark = pytest.mark.process
WORK = {"type": "edit", "path": "src/totals.ts"}


class Sessions:
    """Sessions of Claude Code in one repository, with a store that has no project yet."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder / "shop"
        (self.repository / ".git").mkdir(parents=True)
        (self.repository / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.transcripts = folder / "transcripts"
        self.transcripts.mkdir()

    def say(self, session: str, text: str) -> None:
        """Writes what the user says after some work into the transcript."""
        path = self.transcripts / f"{session}.jsonl"
        events: list[dict[str, Any]] = [WORK, {"type": "user", "text": text}, WORK]
        if not path.exists():
            events.insert(0, {"type": "session", "id": session, "cwd": str(self.repository)})
        with path.open("a") as file:
            file.writelines(json.dumps(event) + "\n" for event in events)

    def hook(self, session: str, event: str) -> str:
        """Runs a hook and returns what it shows the user or the model."""
        payload = {
            "session_id": session, "cwd": str(self.repository), "source": "startup",
            "transcript_path": str(self.transcripts / f"{session}.jsonl"),
        }  # fmt: skip
        completed = subprocess.run(
            [HOLDFAST, "hook", "claude-code", event], input=json.dumps(payload).encode(), capture_output=True,
            env={**os.environ, "HOLDFAST_HOOK_SECONDS": "60"}, cwd=self.repository, timeout=PATIENCE,
            check=True,
        )  # fmt: skip
        return completed.stdout.decode()


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sessions:
    monkeypatch.setenv("HOLDFAST_STORE", str(tmp_path / "hooks.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("HOLDFAST_AGENT", raising=False)
    run("agents", "install", "claude-code")
    made = Sessions(tmp_path)
    monkeypatch.chdir(made.repository)
    return made


def test_a_session_that_was_cut_off_is_learned_from_once_by_the_next_one(sessions: Sessions) -> None:
    """Not one from before hooks were set up, which only a person has learned from."""
    sessions.say("old", "from now on we use tabs")
    os.utime(sessions.transcripts / "old.jsonl", (1, 1))
    sessions.say("first", "no, never cache totals in memory, we run four replicas")
    shown = json.loads(sessions.hook("second", "SessionStart"))
    assert shown["systemMessage"] == "Holdfast learned: Never cache totals in memory, we run four replicas"
    assert "Never cache totals" in sessions.hook("third", "SessionStart")  # now the agent has it
    sessions.say("third", "no, prices are in cents")
    assert "Never cache" not in sessions.hook("third", "Stop")
    with Memory(os.environ["HOLDFAST_STORE"]) as memory:
        texts = {record.text for record in memory.list(project="shop").memories}
    assert texts == {"Never cache totals in memory, we run four replicas", "Prices are in cents"}


def test_nothing_is_given_or_learned_in_a_pause_and_nothing_said_in_it_later(sessions: Sessions) -> None:
    sessions.say("s1", "no, prices are in cents")
    assert "Prices are in cents" in sessions.hook("s1", "Stop")
    assert "in cents" in sessions.hook("s2", "SessionStart")
    assert "until" in run("agents", "pause", "--for", "2h", "--here").stdout
    assert run_json("agents", "list")["pauses"][0]["folder"] == str(sessions.repository)
    assert sessions.hook("s3", "SessionStart") == ""
    for session in ("s1", "cut off"):
        sessions.say(session, "no, never cache totals in memory")
    assert sessions.hook("s1", "Stop") == ""
    assert run("agents", "resume").stdout == "Hooks go on.\n"
    sessions.say("s1", "no, we use vitest here")
    assert sessions.hook("s1", "Stop") == json.dumps(
        {"systemMessage": "Holdfast learned: We use vitest here"}
    )
    assert "in cents" in sessions.hook("s3", "SessionStart")
    assert "never cache" not in str(run_json("list", "--project", "shop")).casefold()
    run("agents", "pause")
    assert sessions.hook("s4", "SessionStart") == ""
    assert "duration" in error_of("agents", "pause", "--for", "soon", status=2)["message"]
