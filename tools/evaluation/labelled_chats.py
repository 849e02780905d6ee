"""Chats with labels in place, and the rows of `about` that they stand for.

A conversation is a line `# en` or `# de`, then turns, `u: …` of the user and `a: …` of the assistant, and an
empty line. A line break inside a message is written `\\n`. What states something lasting about the user is
marked as `[[TYPE FLAGS|words with the *value* between asterisks]]`, with the flags `neg` (does not have, do
or like) and `past` (no longer so); what only looks like it as `((KIND|words))`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_MARK = re.compile(r"\[\[(\w+)((?: \w+)*)\|(.*?)\]\]|\(\((\w+)\|(.*?)\)\)", re.DOTALL)
_TYPES = {"home": "origin_and_home"}
_ROLES = {"u: ": "user", "a: ": "assistant"}


def conversations(text: str) -> Iterator[dict[str, Any]]:
    """Yields the conversations of a file as rows with `messages`, `statements` and `traps`."""
    row: dict[str, Any] | None = None
    for line in text.splitlines():
        if line.startswith("# "):
            if row is not None:
                yield row
            row = {"language": line[2:4], "messages": [], "statements": [], "traps": []}
        elif row is not None and (role := _ROLES.get(line[:3])):
            add_turn(row, role, line[3:].replace("\\n", "\n"))
    if row is not None:
        yield row


def add_turn(row: dict[str, Any], role: str, labelled_text: str) -> None:
    """Adds a message with its labels in place to a row."""
    number = len(row["messages"])
    row["messages"].append({"role": role, "content": _MARK.sub(_words, labelled_text).replace("*", "")})
    for mark in _MARK.finditer(labelled_text):
        quote = _words(mark).replace("*", "")
        start = len(_MARK.sub(_words, labelled_text[: mark.start()]).replace("*", ""))
        if mark[4]:
            row["traps"].append({"message": number, "quote": quote, "kind": mark[4]})
        elif value := re.search(r"\*(.+?)\*", mark[3]):
            flags = mark[2].split()
            row["statements"].append({
                "message": number, "quote": quote, "start": start, "type": _TYPES.get(mark[1], mark[1]),
                "value": [value[1]],
                "polarity": "negative" if "neg" in flags or mark[1] == "aversion" else "positive",
                "status": "past" if "past" in flags else "plan" if mark[1] == "plan" else "current",
            })  # fmt: skip


def _words(mark: re.Match[str]) -> str:
    return mark[3] or mark[5] or ""
