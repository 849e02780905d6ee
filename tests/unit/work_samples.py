"""Logs of working sessions, written by hand: our own events, and a transcript of Claude Code."""

from __future__ import annotations

import json
from typing import Any

ROOT = "/home/ana/shop"
REFUSED = "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused."
TRACE = f'Traceback (most recent call last):\n  File "{ROOT}/src/store.py", line 9\nE   {REFUSED}\n1 failed'

EVENTS: list[dict[str, Any]] = [
    {"type": "session", "id": "s-1", "cwd": ROOT, "branch": "main"},
    {"type": "user", "text": "Users are logged out after 5 minutes, not 24 hours. Fix the session timeout."},
    {"type": "search", "query": "session_timeout"},
    {"type": "search", "query": "session_timeout"},
    {"type": "read", "path": f"{ROOT}/src/app.py"},
    {"type": "search", "query": "SESSION_TIMEOUT"},
    {"type": "read", "path": f"{ROOT}/src/auth/config.py"},
    {"type": "command", "command": "pytest tests", "exit": 127, "error": "bash: pytest: command not found"},
    {"type": "command", "command": f"cd {ROOT} && uv run pytest tests -q", "exit": 1, "error": TRACE},
    {"type": "command", "command": "uv run pytest tests -q 2>&1 | tail -5", "exit": 1, "error": TRACE},
    {"type": "command", "command": "docker compose up -d redis", "exit": 0},
    {"type": "command", "command": "uv run pytest tests -q", "exit": 0},
    {"type": "edit", "path": "src/auth/config.py"},
    {"type": "assistant", "text": "Actually, the timeout in `auth/config.py` is in seconds. Let me see."},
    {"type": "edit", "path": "src/auth/middleware.py"},
    {"type": "user", "text": "No, use the settings object instead of reading os.environ. Thanks!"},
    {"type": "read", "path": "src/auth/config.py"},
    {"type": "edit", "path": "src/auth/middleware.py"},
    {"type": "edit", "path": "src/auth/config.py"},
    {
        "type": "assistant",
        "text": "I patched the proxy. This approach doesn't work because nginx strips the header. Reverting.",
    },
    {"type": "web_search", "query": "redis session ttl"},
    {"type": "assistant", "text": "It turns out that `redis.expire` takes seconds as well."},
    {"type": "edit", "path": "src/auth/middleware.py"},
    {"type": "edit", "path": "src/auth/config.py"},
    {"type": "end", "outcome": "success"},
]  # fmt: skip
"""A session in which nearly everything is found once."""


def as_lines(entries: list[dict[str, Any]]) -> str:
    """Entries as JSON Lines."""
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def _entry(role: str, *blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": list(blocks)}
    fixed = {
        "sessionId": "0b1c",
        "cwd": ROOT,
        "gitBranch": "fix/timeout",
        "timestamp": "2026-05-01T09:00:00Z",
    }
    return {"type": role, "message": message, **fixed, **more}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _use(id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def _result(id: str, content: Any, is_error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error}


REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to"
    " proceed, the user said:\nDon't edit the generated files in src/gen"
)
TRANSCRIPT: list[dict[str, Any]] = [
    {"type": "summary", "summary": "Timeouts", "leafUuid": "x"},
    _entry("user", _text("<command-name>/clear</command-name>")),
    _entry("user", _text("<system-reminder>be nice</system-reminder>Fix the session timeout in the shop.")),
    _entry("assistant", _text("I'll look."), _use("t1", "Grep", pattern="session_timeout")),
    _entry("user", _result("t1", "src/auth/config.py:3")),
    _entry("assistant", _use("t2", "Read", file_path=f"{ROOT}/src/auth/config.py")),
    _entry("user", _result("t2", [{"type": "text", "text": "TIMEOUT = 300"}])),
    _entry("assistant", _use("t3", "Bash", command="grep -rn TIMEOUT src | head")),
    _entry("user", _result("t3", "", is_error=True)),
    _entry("assistant", _use("t4", "Bash", command=f"cat {ROOT}/README.md")),
    _entry("user", _result("t4", "The shop")),
    _entry("assistant", _use("t5", "Bash", command="npm test")),
    _entry("user", _result("t5", "Exit code 1\nnpm ERR! Missing script: \"test\"", is_error=True)),
    _entry("assistant", _use("t6", "Bash", command="npm run test:unit")),
    _entry("user", _result("t6", "12 passed")),
    _entry("assistant", _use("t7", "Edit", file_path=f"{ROOT}/src/auth/config.py")),
    _entry("user", _result("t7", REJECTED, is_error=True)),
    _entry("assistant", _use("t8", "Write", file_path="/etc/hosts"), _use("t9", "Edit", file_path="a.ts")),
    _entry("user", _result("t8", "ok"), _result("t9", "String to replace not found", is_error=True)),
    _entry("user", _text("Always write the tests first, please"), isSidechain=True),
    _entry("assistant", _use("t10", "mcp__browser__fetch_page", url="https://docs.example.com")),
    _entry("assistant", _use("t11", "mcp__holdfast__search", query="auth"), _use("t12", "TodoWrite")),
    _entry("assistant", _text("API Error"), isApiErrorMessage=True),
]  # fmt: skip
"""A transcript of Claude Code with what is in one besides work."""
