"""Makes an enumeration of the items of a list, so that one sentence has them: "Allergies: 1) nuts 2) eggs"."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"(?<![^\s:(])\(?(?P<n>\d{1,2})[.):]\)?(?=\s+[^\W\d_])")
_BELOW = re.compile(
    r":[ \t]*\n(?:[ \t]*(?:\(?\d{1,2}[.)]|[-*•])[ \t]+(?:[^\s.!?:]+[ \t]?){1,5}(?:\n|$)){1,20}"
)
_MARK = re.compile(r"\n[ \t]*(?:\(?\d{1,2}[.)]|[-*•])(?=[ \t])")


def with_lists(text: str) -> str:
    """Returns a text of the same length with commas for the marks of short lists, numbered or below a colon."""
    text = _BELOW.sub(_enumerated, text)
    marks = list(_NUMBERED.finditer(text))
    numbers = [int(mark["n"]) for mark in marks]
    if (
        len(marks) < 2
        or numbers != list(range(1, len(marks) + 1))
        or "\n" in text[marks[0].start() : marks[-1].end()]
    ):
        return text
    parts = list(text)
    for mark in marks:
        parts[mark.start() : mark.end()] = _blank(mark[0], text[: mark.start()])
    return "".join(parts)


def _enumerated(match: re.Match[str]) -> str:
    body = match[0].rstrip("\n")
    return _MARK.sub(lambda mark: _blank(mark[0], body[: mark.start()]), body) + match[0][len(body) :]


def _blank(mark: str, before: str) -> str:
    return (" " if before.rstrip()[-1:] in ("", ",", ";", ":") else ",") + " " * (len(mark) - 1)
