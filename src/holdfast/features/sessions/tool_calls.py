"""Calls and results of tools in messages of OpenAI and Anthropic: their text, and who it is from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput

TOOL_FIELDS = ("tool_calls", "function_call")
"""Fields of a message that calls tools; it may have no content."""
TOOL_ROLES = ("tool", "function")
"""Roles of messages that hold what a tool returned: nobody's words."""
RESULTS = "/results"
"""The end of the id of the message that holds the results of another one."""
_THOUGHTS = ("reasoning", "thinking", "redacted_thinking")
"""Types of parts that hold what a model thought and did not say."""
_IGNORED = ("tool_call_id", "refusal", "audio", "annotations")
"""Fields that say nothing."""


def tool_calls_of(message: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Returns the calls of a message as lines of text, and the message without the fields of tools. Raises
    InvalidInput `message_invalid`."""
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise _invalid(f"tool_calls must be a list, not {type(calls).__name__}")
    single = message.get("function_call")
    lines = [_line(call) for call in [*calls, *([single] if single is not None else [])]]
    rest = {name: value for name, value in message.items() if name not in (*TOOL_FIELDS, *_IGNORED)}
    return lines, rest


def by_speaker(message: Any) -> list[Any]:
    """Returns a message as one or two: results of tools are a message of the tool, also where they come in
    one of the user, as Anthropic has it; what was said beside them is the last."""
    content = message.get("content") if isinstance(message, Mapping) else None
    if not isinstance(content, list) or message.get("role") in TOOL_ROLES:
        return [message]
    results = [part for part in content if isinstance(part, Mapping) and part.get("type") == "tool_result"]
    others = [part for part in content if part not in results]
    if not results:
        return [message]
    calls = {name for name in TOOL_FIELDS if name in message}
    remaining = {**message, "content": others}
    returned = {name: message[name] for name in message if name not in (*calls, "name")}
    returned |= {"role": "tool", "content": results}
    if not calls and not any(map(_says_something, others)):
        return [returned]
    if not any(text_of_part(part) for part in results):
        return [remaining]
    if isinstance(id := message.get("id"), str):
        returned["id"] = id + RESULTS
    return [returned, remaining]


def _says_something(part: object) -> bool:
    if isinstance(part, Mapping):
        return part.get("type") == "tool_use" or isinstance(part.get("text"), str)
    return isinstance(part, str)


def text_of_part(part: Mapping[str, Any]) -> str | None:
    """Returns the text of one part of a content: what was said, called or returned."""
    kind = part.get("type")
    if kind == "tool_use":
        return _line(part)
    if kind == "tool_result":
        content = part.get("content")
        if isinstance(content, list):
            texts = [item.get("text") if isinstance(item, Mapping) else item for item in content]
            return "\n".join(text for text in texts if isinstance(text, str))
        return content if isinstance(content, str) else None
    text = None if kind in _THOUGHTS else part.get("text")
    return text if isinstance(text, str) else None


def _line(call: object) -> str:
    """Returns a call such as `search({"query": "boats"})`."""
    if not isinstance(call, Mapping):
        raise _invalid(f"a call of a tool must be an object, not {safe_repr(call, 40)}")
    function = call.get("function", call)
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(name, str) or not name.strip():
        raise _invalid("a call of a tool must have a name")
    arguments: object = next((function[key] for key in ("arguments", "input", "args") if key in function), {})
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return f"{name}({arguments})"


def _invalid(why: str) -> InvalidInput:
    return InvalidInput(why, code="message_invalid")
