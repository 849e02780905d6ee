"""Reader of Copilot CLI sessions (`session-state/*/events.jsonl`): messages, tool calls and their results."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from holdfast.features.learning.rules.log import Act
from holdfast.features.transfer.formats.fields import as_map, line_of, text_of, time_of
from holdfast.features.transfer.formats.worklog_steps import Steps

_TOOLS: dict[str, tuple[Act, tuple[str, ...]]] = {
    "view": (Act.READ, ("path",)),
    "edit": (Act.EDIT, ("path",)),
    "create": (Act.WRITE, ("path",)),
    "grep": (Act.SEARCH, ("pattern",)),
    "glob": (Act.SEARCH, ("pattern",)),
    "bash": (Act.COMMAND, ("command",)),
    "web_fetch": (Act.WEB, ("url",)),
}
"""The tools that are recorded, with the argument that names their target."""
_STATUS = re.compile(r"^<shellId: \w+ completed with exit code (-?\d+)>", re.MULTILINE)
_OF_HOOKS = re.compile(
    r"\n+Tool \"\w+\" (?:succeeded|failed)\. Additional guidance from \w+ hooks:.*", re.DOTALL
)


def recognises(entry: Mapping[str, Any]) -> bool:
    """Returns whether an entry belongs to such a session."""
    type_ = entry.get("type")
    return (
        isinstance(type_, str)
        and "." in type_
        and "parentId" in entry
        and isinstance(entry.get("data"), dict)
    )


def session_of(entry: Mapping[str, Any]) -> str | None:
    """Returns the name of the session from its first entry."""
    return (
        line_of(as_map(entry.get("data")).get("sessionId")) if entry.get("type") == "session.start" else None
    )


def take(steps: Steps, entry: Mapping[str, Any]) -> None:
    """Adds the steps of one entry."""
    type_, data, at = entry.get("type"), as_map(entry.get("data")), time_of(entry.get("timestamp"))
    if type_ == "session.start":
        context = as_map(data.get("context"))
        steps.at_root(context.get("cwd"), context.get("branch"))
    elif type_ in ("user.message", "assistant.message"):
        text = text_of(data.get("content")).strip()
        if text and not data.get("parentToolCallId"):  # what agents say to each other is not said by the user
            steps.add(Act.TOLD if type_ == "user.message" else Act.SAID, text, at=at)
    elif type_ == "tool.execution_start":
        _take_call(steps, data, at)
    elif type_ == "tool.execution_complete" and (key := line_of(data.get("toolCallId"))) is not None:
        output = _OF_HOOKS.sub("", text_of(as_map(data.get("result") or data.get("error")).get("content")))
        output = output or text_of(as_map(data.get("error")).get("message"))
        status = _STATUS.search(output)
        failed = data.get("success") is False or (status is not None and status[1] != "0")
        steps.settle(key, failed=failed, output=_STATUS.sub("", output).strip())


def _take_call(steps: Steps, data: Mapping[str, Any], at: int | None) -> None:
    """Adds a call of a tool that is recorded; one without a target or an id is left out."""
    act, fields = _TOOLS.get(str(data.get("toolName")), (None, ()))
    arguments, key = as_map(data.get("arguments")), line_of(data.get("toolCallId"))
    target = next((arguments[field] for field in fields if isinstance(arguments.get(field), str)), None)
    if act is not None and target is not None and key is not None:
        written = text_of(arguments.get("new_str")) or text_of(arguments.get("file_text"))
        steps.add(act, target, at=at, key=key, content=written)
