"""Parsing of single values of untrusted exports: roles, texts, times, ids."""

from __future__ import annotations

import hashlib
import json
import math
import re
from datetime import datetime
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.times import to_millis
from holdfast.features.transfer.formats.jsonstream import parsed
from holdfast.features.transfer.formats.model import ATTACHMENT, PART

PREFIX_ROLES = {
    "user": "user",
    "human": "user",
    "me": "user",
    "我": "user",
    "用户": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "助手": "assistant",
    "模型": "assistant",
    "system": "system",
    "系统": "system",
}
"""Role labels at the start of a line of plain text (S2.21)."""

ROLES = PREFIX_ROLES | {"model": "assistant", "gpt": "assistant", "chatgpt": "assistant"}
"""Role labels in structured exports (S2.22)."""

_THOUGHTS = "thoughts of the model"
_NOT_SPOKEN = {
    **dict.fromkeys(("thinking", "redacted_thinking", "thoughts", "reasoning"), _THOUGHTS),
    "tool_use": "call of a tool",
    "tool_result": "output of a tool",
}
"""Why parts of these types are not taken: they were not said."""
_MEDIA = {
    "image": "a picture",
    "audio": "a recording",
    "video": "a recording",
    "file": "a file without its text",
    "document": "a file without its text",
    "asset": "a file without its text",
}
"""Why an attachment is not taken, by a word in its type."""
_TYPE_KEYS = (
    "type",
    "content_type",
    "file_kind",
    "mimeType",
    "mime_type",
    "media_type",
    "file_type",
    "fileType",
)
_NESTED = ("inlineData", "fileData", "inline_data", "file_data", "source", "driveImage", "driveDocument")
_TEXT_KEYS = ("text", "content", "parts", "value")
_TEXT_DEPTH = 5
_MAX_ID = 200
_SECONDS_BELOW = 100_000_000_000
"""Numbers below this are seconds (until the year 5138), all others milliseconds (from 1973)."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def json_in(value: object) -> object:
    """Returns the value of JSON that a field holds as text; None for other fields, and for what is no JSON or
    nested too deeply."""
    if not isinstance(value, str):
        return None
    try:
        return parsed(value)
    except (ValueError, RecursionError):
        return None


def as_map(value: object) -> dict[str, Any]:
    """Returns the value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Returns the value if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def first(item: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """Returns the first of these fields that is present and not null."""
    return next((item[key] for key in keys if item.get(key) is not None), None)


def clean(text: str) -> str:
    """Returns the text without surrounding white space and lone surrogates, which no store accepts."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = _LONE_SURROGATE.sub("\ufffd", text)
    return text.strip()


def line_of(value: object) -> str | None:
    """Returns a title or a name as one line of text, or None."""
    if not isinstance(value, str):
        return None
    return " ".join(clean(value).split()) or None


def identifier(value: object) -> str | None:
    """Returns an id of the export: a string or a whole number. Over-long ones are hashed."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 1 << 64 else None
    text = line_of(value)
    return text if text is None or len(text) <= _MAX_ID else stable_id(text)


def stable_id(*parts: str | int | None) -> str:
    """Returns an id derived from its parts, the same every time: 32 hexadecimal digits."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def role_of(value: object) -> tuple[str, str | None]:
    """Returns role and name (S2.22): an unknown label gives the role `unknown` and is kept as the name."""
    fields = as_map(value)
    label = line_of(first(fields, ("role", "name")) if fields else value)
    role = ROLES.get((label or "").casefold(), "unknown")
    name = line_of(fields.get("name"))
    return role, name or (label if role == "unknown" else None)


def text_of(value: object, depth: int = 0) -> str:
    """Returns the text of a string, a list of parts, or a part, without thoughts and tool calls."""
    if isinstance(value, str):
        return clean(value)
    if depth == _TEXT_DEPTH:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (text_of(part, depth + 1) for part in value)))
    part = as_map(value)
    kind = part.get("type")
    if part.get("thought") is True or part.get("isThought") is True:
        return ""
    if isinstance(kind, str) and kind in _NOT_SPOKEN:
        return ""
    return text_of(first(part, _TEXT_KEYS), depth + 1) if part else ""


def left_out(value: object, depth: int = 0) -> tuple[tuple[str, str], ...]:
    """Returns the parts of a message that `text_of` leaves out: the type of each, and the reason."""
    if depth == _TEXT_DEPTH or not isinstance(value, list | dict):
        return ()
    if isinstance(value, list):
        return tuple(omission for part in value for omission in left_out(part, depth + 1))
    if value.get("thought") is True or value.get("isThought") is True:
        return ((PART, _THOUGHTS),)
    kind = value.get("type", value.get("content_type"))
    if isinstance(kind, str) and kind in _NOT_SPOKEN:
        return ((PART, _NOT_SPOKEN[kind]),)
    inner = first(value, _TEXT_KEYS)
    if isinstance(inner, list | dict):
        return left_out(inner, depth + 1)
    if inner is not None or not value or kind in ("text", "multimodal_text"):
        return ()
    reason = media_of(value)
    return ((PART, "a part without text"),) if reason is None else ((ATTACHMENT, reason),)


def media_of(fields: dict[str, Any]) -> str | None:
    """Returns why an attachment is not taken, by its type: a picture, a recording, a file; None if the fields
    describe none of these."""
    nested = [as_map(fields.get(name)) for name in _NESTED]
    types = [part.get(key) for part in (fields, *nested) for key in _TYPE_KEYS]
    types += [name for name in fields if name.casefold().startswith(tuple(_MEDIA))]
    for kind in types:
        if isinstance(kind, str):
            for word, reason in _MEDIA.items():
                if word in kind.casefold():
                    return reason
    return None


def time_of(value: object) -> int | None:
    """Returns UTC epoch milliseconds for epoch seconds or milliseconds (number or digits) or ISO 8601.

    Anything else is None: ambiguous dates are not guessed, and the beginning of 1970 stands for no time.
    """
    try:
        if isinstance(value, str):
            value = value.strip()
            if not value[:1].isdigit() or len(value) > 40:
                return None
            if value.replace(".", "", 1).isdecimal():
                value = float(value)
            else:
                return to_millis(datetime.fromisoformat(value.removesuffix(" UTC"))) or None
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if not math.isfinite(value) or value <= 0:
            return None
        return to_millis(round(value * 1000) if value < _SECONDS_BELOW else value)
    except (ValueError, OverflowError, InvalidInput):
        return None


def by_time(value: object) -> tuple[bool, int]:
    """Returns a sort key: earlier times first, missing ones last (S2.21)."""
    at = time_of(value)
    return at is None, at or 0
