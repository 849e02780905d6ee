"""What hooks tell the user, and not the model, of what a session taught."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from holdfast import Memory
from tests.cli.support import HOLDFAST
from tests.support import PATIENCE

EVENTS: list[dict[str, object]] = [
    {"type": "session", "id": "s-1"},
    {"type": "user", "text": "From now on we use pathlib everywhere"},
    {"type": "command", "command": "make check", "exit": 1, "error": "ConnectionRefusedError: refused"},
    {"type": "command", "command": "make db", "exit": 0},
    {"type": "command", "command": "make check", "exit": 0},
]


@pytest.mark.parametrize(("client", "event"), [("claude-code", "Stop"), ("gemini", "AfterAgent")])
def test_the_user_is_told_once_what_a_session_taught_and_what_waits(
    tmp_path: Path, client: str, event: str
) -> None:
    """By a client that has a field for it."""
    store, transcript = tmp_path / "memory.db", tmp_path / "session.jsonl"
    with Memory(store) as memory:
        memory.projects.create("shop")
    transcript.write_text("".join(json.dumps(one) + "\n" for one in EVENTS), "utf-8")
    command = [HOLDFAST, "hook", client, event, "--project", "shop"]
    env = {**os.environ, "HOLDFAST_STORE": str(store), "HOLDFAST_HOOK_SECONDS": "60"}

    def stopped() -> str:
        payload = json.dumps({"session_id": "s1", "transcript_path": str(transcript)}).encode()
        completed = subprocess.run(
            command, input=payload, env=env, cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=True
        )
        return completed.stdout.decode()

    first = stopped()
    if client == "claude-code":
        assert json.loads(first) == {
            "systemMessage": "Holdfast learned: From now on we use pathlib everywhere\n"
            "Holdfast: 1 lesson waits for your decision (`holdfast review`), no agent gets it before:\n"
            "  - `make check` fails with “ConnectionRefusedError: refused” until `make db` has run"
        }
    else:
        assert first == ""
    assert stopped() == ""
