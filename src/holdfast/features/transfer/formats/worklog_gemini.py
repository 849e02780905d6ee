"""Reader of Gemini CLI chats (`session-*.jsonl`, formerly one JSON document): messages and tool calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from holdfast.features.learning.rules.log import Act
from holdfast.features.transfer.formats.fields import as_list, as_map, line_of, text_of, time_of
from holdfast.features.transfer.formats.worklog_steps import Steps

_TOOLS: dict[str, tuple[Act, tuple[str, ...]]] = {
    "read_file": (Act.READ, ("file_path", "absolute_path", "path")),
    "replace": (Act.EDIT, ("file_path",)),
    "edit": (Act.EDIT, ("file_path",)),
    "write_file": (Act.WRITE, ("file_path",)),
    "grep_search": (Act.SEARCH, ("pattern",)),
    "search_file_content": (Act.SEARCH, ("pattern",)),
    "glob": (Act.SEARCH, ("pattern",)),
    "run_shell_command": (Act.COMMAND, ("command",)),
    "web_fetch": (Act.WEB, ("prompt", "url")),
    "google_web_search": (Act.WEB, ("query",)),
}
"""The tools that are recorded, with the arguments that may name their target."""
_EXIT = re.compile(r"^Exit Code: (-?\d+)", re.MULTILINE)
_OUTPUT = re.compile(r"^(?:<untrusted_context>\n)?(?:Output: |Error: )?", re.MULTILINE)


def recognises(entry: Mapping[str, Any]) -> bool:
    """Returns whether an entry belongs to such a chat."""
    if "$set" in entry or "$rewindTo" in entry or isinstance(entry.get("projectHash"), str):
        return True
    is_message = entry.get("type") in ("user", "gemini", "info", "error", "warning")
    return is_message and "timestamp" in entry and "id" in entry


def session_of(entry: Mapping[str, Any]) -> str | None:
    """Returns the name of the session from its first entry."""
    return line_of(entry.get("sessionId")) if "projectHash" in entry else None


def take(steps: Steps, entry: Mapping[str, Any]) -> None:
    """Adds the steps of one entry. A message is written again as its tools end: what is known stays."""
    messages: Iterable[object] = as_list(as_map(entry.get("$set")).get("messages")) or as_list(
        entry.get("messages")
    )
    for message in map(as_map, messages or [entry]):
        _take_message(steps, message)


def _take_message(steps: Steps, message: Mapping[str, Any]) -> None:
    """Adds the text and the tool calls of a message of the user or of Gemini; the client's own context and
    notices are left out."""
    id, role, at = line_of(message.get("id")), message.get("type"), time_of(message.get("timestamp"))
    text = text_of(message.get("content")).strip()
    if role not in ("user", "gemini") or id is None:
        return
    if text and not text.startswith("<"):  # the client's own context is in marks
        steps.add(Act.SAID if role == "gemini" else Act.TOLD, text, at=at, key=id)
    for call in map(as_map, as_list(message.get("toolCalls"))):
        _take_call(steps, call, at)


def _take_call(steps: Steps, call: Mapping[str, Any], at: int | None) -> None:
    """Adds a call of a tool to the steps."""
    name, key, arguments = call.get("name"), line_of(call.get("id")), as_map(call.get("args"))
    act, fields = _TOOLS.get(str(name), (None, ()))
    target = next((arguments[field] for field in fields if isinstance(arguments.get(field), str)), None)
    if act is None or target is None or key is None:
        return
    steps.add(act, target, at=at, key=key, content=text_of(arguments.get("new_string")))
    response = as_map(as_map(next(iter(as_list(call.get("result"))), None)).get("functionResponse"))
    output = text_of(
        as_map(response.get("response")).get("output") or as_map(response.get("response")).get("error")
    )
    code = _EXIT.search(output)
    failed = call.get("status") == "error" or (code is not None and code[1] != "0")
    if call.get("status") == "cancelled":
        steps.drop(key)
    else:
        steps.settle(key, failed=failed, output=_OUTPUT.sub("", output.partition("\nExit Code:")[0], count=1))
