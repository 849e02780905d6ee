"""Changes of a JSON text, also one with comments: what is added or taken out, and not a byte of the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")
_STRING = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_STRING}|,(?=[ \t\r\n]*[\]}}])", re.DOTALL)
_BEHIND = re.compile(r"[ \t]*(?://[^\r\n]*|/\*(?:(?!\*/)[^\r\n])*\*/(?=[ \t]*[\r\n]))")
"""A comment that ends the line."""
_LINE_END = re.compile(r"[ \t]*[\r\n]")
Replacement = tuple[int, int, str]
"""From where to where a text is replaced, and by what."""


@dataclass(slots=True)
class _Value:
    """A value with its place in the text, and for an object or list its parts."""

    start: int
    end: int = 0
    parts: list[_Part] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Part:
    """A member of an object, or an item of a list, whose key is empty."""

    start: int
    key: str
    value: _Value


def plain(text: str) -> str:
    """Returns a text with blanks in place of comments, of commas after the last part and of a byte order
    mark, which some programs accept in their settings."""
    return _LAST_COMMA.sub(_blanked, _without_comments(unmarked(text)))


def unmarked(text: str) -> str:
    """Returns a text with a blank in place of a byte order mark."""
    return " " + text[1:] if text.startswith("\ufeff") else text


def _without_comments(text: str) -> str:
    return _COMMENT.sub(_blanked, text)


def _blanked(match: re.Match[str]) -> str:
    """Returns blanks of the length of what was found; a string as it is."""
    return match[0] if match[0].startswith('"') else re.sub(r"[^\r\n]", " ", match[0])


def changed(text: str, document: dict[str, Any]) -> str:
    """Returns a JSON text of an object with what differs in another object changed.

    What was added at the end of an object or list is taken out again without a trace.
    """
    readable = plain(text)
    root = _parsed(readable, _after_space(readable, 0))
    newline = "\r\n" if "\r\n" in text else "\n"
    first = re.search(r'^([ \t]+)"', text, re.MULTILINE)
    writer = _Writer(text, _without_comments(text), first[1] if first else "  ", newline)
    for start, end, new in sorted(writer.members(root, json.loads(readable), document, 0), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _parsed(text: str, at: int) -> _Value:
    """Returns the value that begins at a place of a valid text."""
    value = _Value(at)
    if text[at] == '"':
        value.end = scanstring(text, at + 1)[1]
    elif text[at] in "{[":
        place = _after_space(text, at + 1)
        while text[place] not in "}]":
            start, key = place, ""
            if text[at] == "{":
                key, place = scanstring(text, place + 1)
                place = _after_space(text, _after_space(text, place) + 1)
            part = _Part(start, key, _parsed(text, place))
            value.parts.append(part)
            place = _after_space(text, part.value.end)
            place = _after_space(text, place + 1) if text[place] == "," else place
        value.end = place + 1
    else:
        value.end = _SCALAR.match(text, at).end()  # type: ignore[union-attr]
    return value


def _after_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _same(first: object, second: object) -> bool:
    """Returns whether two values are written alike: 1 is neither true nor 1.0."""
    return json.dumps(first) == json.dumps(second)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Finds the replacements that turn one value into another, in the indentation of the text."""

    text: str
    uncommented: str
    """The text without comments."""
    indent: str
    newline: str

    def members(
        self, old: _Value, before: dict[str, Any], after: dict[str, Any], depth: int
    ) -> Iterator[Replacement]:
        leaving = [number for number, part in enumerate(old.parts) if part.key not in after]
        for part in old.parts:
            if part.key in after:
                yield from self._value(part.value, before[part.key], after[part.key], depth + 1)
        new = [
            f"{json.dumps(key, ensure_ascii=False)}: {self._dumped(value, depth + 1)}"
            for key, value in after.items()
            if key not in before
        ]
        yield from self._spliced(old, leaving, {len(old.parts): new} if new else {}, depth)

    def _value(self, old: _Value, before: object, after: object, depth: int) -> Iterator[Replacement]:
        """Yields the replacements that turn one JSON value into another, as few as possible."""
        if _same(before, after):
            return
        if isinstance(before, dict) and isinstance(after, dict):
            yield from self.members(old, before, after, depth)
        elif isinstance(before, list) and isinstance(after, list):
            yield from self._list(old, before, after, depth)
        else:
            yield old.start, old.end, self._dumped(after, depth)

    def _list(
        self, old: _Value, before: Sequence[object], after: Sequence[object], depth: int
    ) -> Iterator[Replacement]:
        """Yields the replacements that turn one JSON array into another."""
        lines, new_lines = ([json.dumps(item) for item in items] for items in (before, after))
        leaving: list[int] = []
        new: dict[int, list[str]] = {}
        for kind, start, end, first, last in SequenceMatcher(
            None, lines, new_lines, autojunk=False
        ).get_opcodes():
            if kind != "equal":
                leaving += range(start, end)
                if first < last:
                    new[end] = [self._dumped(item, depth + 1) for item in after[first:last]]
        yield from self._spliced(old, leaving, new, depth)

    def _spliced(
        self, old: _Value, leaving: Sequence[int], new: dict[int, list[str]], depth: int
    ) -> Iterator[Replacement]:
        """Yields the replacements that take parts out, and put new ones before those of a number."""
        if not leaving and not new:
            return
        gap = self.newline + self.indent * (depth + 1)
        if len(leaving) == len(old.parts):
            yield self._refilled(old, [text for texts in new.values() for text in texts], gap, depth)
            return
        runs: dict[int, int] = {}
        for number in leaving:  # the first of each run by the number after it
            runs[number + 1] = runs.pop(number, number)
        for number in {*runs, *new}:
            yield from self._exchanged(old.parts, runs.get(number, number), number, new.get(number, []), gap)

    def _refilled(self, old: _Value, texts: list[str], gap: str, depth: int) -> Replacement:
        """Returns the replacement of all parts; comments before and after them stay."""
        inside = self.text[old.start + 1 : old.end - 1]
        filled = f"{gap}{f',{gap}'.join(texts)}" if texts else ""
        if inside == self.uncommented[old.start + 1 : old.end - 1]:
            closing = f"{self.newline}{self.indent * depth}" if filled else ""
            return old.start + 1, old.end - 1, filled + closing
        before = inside[: old.parts[0].start - old.start - 1] if old.parts else inside
        start = end = old.start + 1 + len(before.rstrip())
        if old.parts:
            end = (self._comma(old.parts[-1]) or old.parts[-1].value.end - 1) + 1
        return start, end, filled or self._line_end(end, self.uncommented[start - 1] != self.text[start - 1])

    def _exchanged(
        self, parts: Sequence[_Part], first: int, end: int, texts: list[str], gap: str
    ) -> Iterator[Replacement]:
        """Yields the replacements that put texts in place of some parts, or between two; others stay."""
        if not first:
            start, comma = parts[0].start, self._comma(parts[end - 1]) if end else None
            stop = start if comma is None else _after_space(self.text, comma + 1)
            yield start, stop, "".join(f"{text},{gap}" for text in texts)
            return
        filled = gap + f",{gap}".join(texts) if texts else ""
        before, comma = parts[first - 1].value.end, self._comma(parts[first - 1])
        if comma is None:
            behind = self._behind(before)
            yield from (
                [(before, before, ","), (behind, behind, filled)]
                if behind > before
                else [(before, before, f",{filled}")]
            )
            return
        start = self._behind(comma + 1)
        last = comma if first == end else self._comma(parts[end - 1])
        if last is not None:
            stop = max(start, last + 1)
            yield start, stop, f"{filled}," if filled else self._line_end(stop, start > comma + 1)
            return
        stop = parts[end - 1].value.end
        if not texts:
            yield comma, comma + 1, ""
        yield start, stop, filled or self._line_end(stop, start > comma + 1)

    def _line_end(self, at: int, is_behind_comment: bool) -> str:
        """Returns the end of line that has to be before what follows a place."""
        return self.newline if is_behind_comment and not _LINE_END.match(self.text, at) else ""

    def _comma(self, part: _Part) -> int | None:
        """Returns where the comma after a part is, if there is one."""
        at = _after_space(self.uncommented, part.value.end)
        return at if self.uncommented[at] == "," else None

    def _behind(self, at: int) -> int:
        """Returns the place after a comment that ends the line of a place."""
        comment = _BEHIND.match(self.text, at)
        return comment.end() if comment else at

    def _dumped(self, value: object, depth: int) -> str:
        text = json.dumps(value, ensure_ascii=False, indent=self.indent)
        return text.replace("\n", self.newline + self.indent * depth)
