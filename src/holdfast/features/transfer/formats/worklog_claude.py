"""Reader of Claude Code transcripts: messages, tool calls, and their results."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from holdfast.core.record import Origin
from holdfast.features.extraction.candidates import is_web
from holdfast.features.learning.rules.log import CHANGES, Act
from holdfast.features.transfer.formats.fields import as_list, as_map, line_of, text_of, time_of
from holdfast.features.transfer.formats.worklog_steps import Steps

_TOOLS: dict[str, tuple[Act, str]] = {
    "Read": (Act.READ, "file_path"),
    "NotebookRead": (Act.READ, "notebook_path"),
    "Edit": (Act.EDIT, "file_path"),
    "MultiEdit": (Act.EDIT, "file_path"),
    "NotebookEdit": (Act.EDIT, "notebook_path"),
    "Write": (Act.WRITE, "file_path"),
    "Grep": (Act.SEARCH, "pattern"),
    "Glob": (Act.SEARCH, "pattern"),
    "Bash": (Act.COMMAND, "command"),
    "WebFetch": (Act.WEB, "url"),
    "WebSearch": (Act.WEB, "query"),
}
"""The tools that are recorded, with the argument that names their target."""
_NOT_TYPED = ("<", "Caveat:", "[Request interrupted", "This session is being continued")
"""Prefixes of texts in the user's role that the user did not type."""
_ASIDE = ("summary", "file-history-snapshot")
"""Types of entries without a session, which are ignored."""
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_REFUSED = "The user doesn't want to"
_SAID = "the user said:"


def recognises(entry: Mapping[str, Any]) -> bool:
    """Returns whether an entry belongs to such a transcript."""
    type_ = entry.get("type")
    return isinstance(type_, str) and (isinstance(entry.get("sessionId"), str) or type_ in _ASIDE)


def session_of(entry: Mapping[str, Any]) -> str | None:
    """Returns the name of the session."""
    return line_of(entry.get("sessionId"))


def take(steps: Steps, entry: Mapping[str, Any]) -> None:
    """Adds the steps of one entry."""
    steps.at_root(entry.get("cwd"), entry.get("gitBranch"))
    role = entry["type"]
    message = as_map(entry.get("message"))
    if role not in ("user", "assistant") or entry.get("isApiErrorMessage"):
        return
    at = time_of(entry.get("timestamp"))
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)
    # in a side chain an agent acts as the user; meta entries were not typed
    is_typed = not (entry.get("isSidechain") or entry.get("isMeta") or entry.get("isCompactSummary"))
    for block in map(as_map, blocks):
        kind, text = block.get("type"), block.get("text")
        if kind == "text" and isinstance(text, str):
            if role == "assistant":
                steps.add(Act.SAID, text, at=at)
            elif is_typed:
                _add_user_text(steps, text, at)
        elif kind == "tool_use":
            _add_tool_use(steps, block, at)
        elif kind == "tool_result":
            _add_tool_result(steps, block, at)


def _add_user_text(steps: Steps, text: str, at: int | None) -> None:
    typed = _REMINDER.sub("", text).strip()
    if typed and not typed.startswith(_NOT_TYPED):
        steps.add(Act.TOLD, typed, at=at)


def _add_tool_use(steps: Steps, block: Mapping[str, Any], at: int | None) -> None:
    """Adds the use of a tool to the steps."""
    name, id = block.get("name"), block.get("id")
    if not isinstance(name, str):
        return
    tool_input = as_map(block.get("input"))
    act, field = _TOOLS.get(name, (None, ""))
    target = tool_input.get(field)
    if act is None and name.startswith("mcp__") and not name.startswith("mcp__holdfast"):
        act, target = (Act.WEB, name) if is_web("tool", name, Origin.AGENT) else (None, None)
    if act is not None and isinstance(target, str):
        written = [tool_input.get(name) for name in ("new_string", "content", "old_string")]
        content = "\n".join(text for text in written if isinstance(text, str)) if act in CHANGES else ""
        steps.add(act, target, at=at, key=id if isinstance(id, str) else None, content=content)


def _add_tool_result(steps: Steps, block: Mapping[str, Any], at: int | None) -> None:
    """Adds the result of a tool to its step. A step that the user refused is removed, and what they said
    instead is added."""
    id = block.get("tool_use_id")
    if not isinstance(id, str):
        return
    output = text_of(block.get("content"))
    if output.startswith(_REFUSED):
        steps.drop(id)
        _, has_comment, words = output.partition(_SAID)
        if has_comment:
            _add_user_text(steps, words.strip(), at)
    else:
        steps.settle(id, failed=block.get("is_error") is True, output=output)
