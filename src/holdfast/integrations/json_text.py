"""Changes of a JSON text: what is added or taken out, and not a byte of the rest."""

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


def changed(text: str, document: dict[str, Any]) -> str:
    """Returns a JSON text of an object with what differs in another object changed.

    What was added at the end of an object or list is taken out again without a trace.
    """
    root = _parsed(text, _SPACE.match(text).end())  # type: ignore[union-attr]
    newline = "\r\n" if "\r\n" in text else "\n"
    first = re.search(r'^([ \t]+)"', text, re.MULTILINE)
    writer = _Writer(text, first[1] if first else "  ", newline)
    for start, end, new in sorted(writer.members(root, json.loads(text), document, 0), reverse=True):
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


def _same(one: object, other: object) -> bool:
    """Returns whether two values are written alike: 1 is neither true nor 1.0."""
    return json.dumps(one) == json.dumps(other)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Finds the replacements that turn one value into another, in the indentation of the text."""

    text: str
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
        lines, wanted = ([json.dumps(item) for item in items] for items in (before, after))
        leaving: list[int] = []
        new: dict[int, list[str]] = {}
        for kind, start, end, first, last in SequenceMatcher(
            None, lines, wanted, autojunk=False
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
        staying = [number for number in range(len(old.parts)) if number not in leaving]
        if not staying:
            inner = f",{gap}".join(text for texts in new.values() for text in texts)
            inner = f"{gap}{inner}{self.newline}{self.indent * depth}" if inner else ""
            yield old.start + 1, old.end - 1, inner
            return
        for number in leaving:
            if number > staying[0]:  # with the comma before it
                yield old.parts[number - 1].value.end, old.parts[number].value.end, ""
            else:
                yield old.parts[number].start, old.parts[number + 1].start, ""
        for number, texts in new.items():
            if number > staying[0]:
                place = old.parts[number - 1].value.end
                yield place, place, "".join(f",{gap}{text}" for text in texts)
            else:
                place = old.parts[staying[0]].start
                yield place, place, "".join(f"{text},{gap}" for text in texts)

    def _dumped(self, value: object, depth: int) -> str:
        text = json.dumps(value, ensure_ascii=False, indent=self.indent)
        return text.replace("\n", self.newline + self.indent * depth)
