"""Parser of Markdown front matter: names with values or lists of values between two lines of `---`."""

from __future__ import annotations

import re

_LINE = re.compile(r"([A-Za-z_][\w -]{0,60}):[ \t]*(.*)")
_ENTRY = re.compile(r"[ \t]*-[ \t]+(.*)")
_ITEM = re.compile(r"""[ \t]*((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?=,|$)|[^,]*)(?:,|$)""")
_ESCAPED = re.compile(r'\\(["\\])')
MAX_LINES = 200

Head = dict[str, str | list[str]]


def split(text: str) -> tuple[Head, str]:
    """Returns the front matter and the rest of a text; anything else is text.

    Reads the simple YAML that note programs write: `name: value`, `name: [a, b]` and lists of `- a` lines.
    """
    lines = text.split("\n")
    if not lines or lines[0].strip() != "---":
        return {}, text
    end = next(
        (i for i, line in enumerate(lines[1 : MAX_LINES + 1], 1) if line.strip() in ("---", "...")), None
    )
    if end is None:
        return {}, text
    head: Head = {}
    name = ""
    for line in lines[1:end]:
        if match := _LINE.fullmatch(line.rstrip()):
            name, value = match[1].strip().lower(), match[2].strip()
            head[name] = _list(value) if value.startswith("[") and value.endswith("]") else _unquoted(value)
        elif name and (entry := _ENTRY.fullmatch(line.rstrip())):
            previous = head.get(name)
            head[name] = [*(previous if isinstance(previous, list) else []), _unquoted(entry[1])]
    return head, "\n".join(lines[end + 1 :])


def word(head: Head, *names: str) -> str | None:
    """Returns the first of these names' values that is not empty."""
    return next((v for n in names if isinstance(v := head.get(n), str) and v), None)


def words(head: Head, name: str) -> tuple[str, ...]:
    """Returns a list, or the parts of a comma-separated value."""
    value = head.get(name, [])
    items = value if isinstance(value, list) else value.split(",")
    return tuple(dict.fromkeys(item.strip().lstrip("#") for item in items if item.strip().lstrip("#")))


def _list(value: str) -> list[str]:
    return [_unquoted(item) for item in _ITEM.findall(value[1:-1]) if item.strip()]


def _unquoted(value: str) -> str:
    """Returns a value without its quotes and escapes."""
    value = value.strip()
    if len(value) < 2 or value[0] != value[-1]:
        return value
    if value[0] == '"':
        return _ESCAPED.sub(r"\1", value[1:-1])
    return value[1:-1].replace("''", "'") if value[0] == "'" else value
