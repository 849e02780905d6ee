"""Reader of Codex sessions (`rollout-*.jsonl`): messages, shell commands, patches, and their results."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

from holdfast.features.learning.rules.log import Act
from holdfast.features.transfer.formats.fields import as_list, as_map, line_of, text_of, time_of
from holdfast.features.transfer.formats.worklog_steps import Steps

_TYPES = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
     "token_usage_record", "ghost_snapshot"}
)  # fmt: skip
_SHELLS = frozenset({"exec_command", "shell", "shell_command", "local_shell", "container.exec"})
_NOT_TYPED = ("<", "# AGENTS.md instructions")
"""Prefixes of texts in the user's role that the client wrote."""
_PATCH = "*** Begin Patch"
_PATCHED = re.compile(r"^\*\*\* (Update|Add|Delete) File: (.+)$", re.MULTILINE)
_REFUSALS = ("unsupported", "apply_patch verification", "failed", "execution error")
_EXIT = re.compile(r"(?:Process exited with code|Exit code:) (-?\d+)")


def recognises(entry: Mapping[str, Any]) -> bool:
    """Returns whether an entry belongs to such a session."""
    type_ = entry.get("type")
    return isinstance(type_, str) and type_ in _TYPES and isinstance(entry.get("payload"), dict)


def session_of(entry: Mapping[str, Any]) -> str | None:
    """Returns the name of the session from its first entry."""
    return line_of(as_map(entry["payload"]).get("id")) if entry["type"] == "session_meta" else None


def take(steps: Steps, entry: Mapping[str, Any]) -> None:
    """Adds the steps of one entry."""
    payload = entry["payload"]
    if entry["type"] in ("session_meta", "turn_context"):
        steps.at_root(payload.get("cwd"), as_map(payload.get("git")).get("branch"))
    if entry["type"] != "response_item":  # events repeat what the items say
        return
    at, kind, key = time_of(entry.get("timestamp")), payload.get("type"), line_of(payload.get("call_id"))
    if kind == "message":
        for block in map(as_map, as_list(payload.get("content"))):
            _add_message(steps, payload.get("role"), block.get("text"), at)
    elif kind in ("function_call", "custom_tool_call", "local_shell_call") and key:
        _add_call(steps, payload, key, at)
    elif kind in ("function_call_output", "custom_tool_call_output") and key:
        _add_output(steps, payload.get("output"), key)
    elif kind == "web_search_call":
        query = as_map(payload.get("action")).get("query")
        steps.add(Act.WEB, query if isinstance(query, str) else "web search", at=at)


def _add_message(steps: Steps, role: object, text: object, at: int | None) -> None:
    """Adds what the agent said or the user typed, without empty texts and those the client wrote."""
    if not isinstance(text, str) or not text.strip():
        return
    if role == "assistant":
        steps.add(Act.SAID, text, at=at)
    elif role == "user" and not text.lstrip().startswith(_NOT_TYPED):
        steps.add(Act.TOLD, text, at=at)


def _add_call(steps: Steps, payload: Mapping[str, Any], key: str, at: int | None) -> None:
    """Adds a call of a tool to the steps."""
    name, call_input = payload.get("name"), payload.get("input", payload.get("arguments"))
    call_input = as_map(payload.get("action")) if payload.get("type") == "local_shell_call" else call_input
    arguments = as_map(_parsed(call_input)) if isinstance(call_input, str) else as_map(call_input)
    if name == "apply_patch":
        patch = call_input if isinstance(call_input, str) and not arguments else arguments.get("input")
        _add_patch(steps, patch, key, at)
    elif (isinstance(name, str) and name in _SHELLS) or payload.get("type") == "local_shell_call":
        command = _command_of(arguments.get("cmd", arguments.get("command")))
        if command is not None and _PATCH in command:
            _add_patch(steps, command, key, at)
        elif command is not None:
            steps.add(Act.COMMAND, command, at=at, key=key)


def _command_of(value: object) -> str | None:
    """Returns a shell line: as it is, or from its words, without the shell that runs it."""
    if isinstance(value, str):
        return value
    words = [word for word in as_list(value) if isinstance(word, str)]
    if len(words) == 3 and words[1] in ("-lc", "-c"):
        return words[2]
    return shlex.join(words) if words else None


def _add_patch(steps: Steps, patch: object, key: str, at: int | None) -> None:
    """Adds a step for each file that a patch names; all share one key, and so one result."""
    for number, (act, path) in enumerate(_PATCHED.findall(patch) if isinstance(patch, str) else ()):
        steps.add(
            Act.WRITE if act == "Add" else Act.EDIT, path.strip(), at=at, key=key, joins=number > 0,
            content=str(patch),
        )  # fmt: skip


def _add_output(steps: Steps, value: object, key: str) -> None:
    """Adds a result: a text with a head that states the exit code, or JSON that does, or the text of an
    error."""
    parsed = as_map(_parsed(value)) if isinstance(value, str) else as_map(value)
    metadata = as_map(parsed.get("metadata"))
    text = text_of(parsed.get("output", parsed.get("content"))) if parsed else text_of(value)
    match = _EXIT.search(text[:500])
    code = metadata.get("exit_code", int(match[1]) if match else None)
    failed = code != 0 if isinstance(code, int) else text.startswith(_REFUSALS)
    steps.settle(key, failed=failed, output=text.partition("Output:\n")[2] or text)


def _parsed(text: str) -> object:
    try:
        return json.loads(text) if text[:1] == "{" else None
    except (ValueError, RecursionError):
        return None
