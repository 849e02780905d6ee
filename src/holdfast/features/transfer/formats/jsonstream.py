"""Incremental JSON parser that reads one item at a time, so that a large export fits in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import cast

from holdfast.core.errors import InvalidInput
from holdfast.core.json_parts import has_more_parts
from holdfast.features.transfer.formats.files import too_large
from holdfast.features.transfer.formats.model import FILE, ITEM, REST, Skip

MAX_VALUE = 64 << 20
"""Maximum number of characters of one conversation, or of a document that is not an array."""

MAX_PARTS = 2_000_000
"""Maximum number of lists, objects and members of one conversation: parsed, 64 MiB of `[],` take 2 GiB."""
_PIECE = 1 << 20
_TOO_MANY = "too many lists, objects and members"

_decode = json.JSONDecoder().raw_decode
_space = cast("Callable[[str, int], re.Match[str]]", re.compile(r"[ \t\r\n]*").match)


def items(chunks: Iterator[str], name: str) -> Iterator[object]:
    """Yields the elements of a JSON array, or a sequence of values.

    Raises InvalidInput file_unreadable where the text is no longer JSON, which may be after many items.
    """
    reader = _Reader(chunks, name)
    if reader.next_character() != "[":
        while reader.next_character():
            yield reader.value()
        return
    reader.take()
    while reader.next_character() != "]":
        yield reader.value()
        if reader.next_character() == ",":
            reader.take()
        elif reader.next_character() != "]":
            raise reader.broken("the list is truncated")
    reader.take()
    if reader.next_character():
        raise reader.broken("text after the end of the list")


def until_broken(
    values: Iterator[object], name: str, skip: Skip, most: int | None = None
) -> Iterator[object]:
    """Yields the readable part of a truncated file, at most so many values; raises only if nothing is
    readable (S2.20)."""
    count = 0
    try:
        for value in values:
            if count == most:
                skip(name, f"{REST} {count}: too many items", FILE)
                return
            count += 1
            yield value
    except InvalidInput as error:
        if not count:
            raise
        skip(name, f"{REST} {count}: {error.message}", FILE)


def lines(chunks: Iterator[str], name: str, skip: Skip) -> Iterator[object]:
    """Yields the values of a JSONL file. A line that is not JSON is skipped and the others are read
    (S2.20)."""
    for number, line in enumerate(text_lines(chunks, name), 1):
        if line.strip():
            try:
                yield parsed(line)
            except (ValueError, RecursionError):
                skip(f"line {number} of {name}", "not JSON", ITEM)


def parsed(text: str) -> object:
    """Parses one value. Raises ValueError, also for one of more than `MAX_PARTS`, and RecursionError."""
    if has_more_parts(text, MAX_PARTS):
        raise ValueError(_TOO_MANY)
    return json.loads(text)


def read_all(chunks: Iterator[str], name: str) -> str:
    """Returns a text that must be in memory at once. Raises InvalidInput file_too_large."""
    parts: list[str] = []
    total = 0
    for chunk in chunks:
        parts.append(chunk)
        total += len(chunk)
        if total > MAX_VALUE:
            raise too_large(name, MAX_VALUE)
    return "".join(parts)


def pieces(text: str) -> Iterator[str]:
    """Yields a text that is in memory in pieces, so that no value is parsed unmeasured."""
    return (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))


def text_lines(chunks: Iterator[str], name: str) -> Iterator[str]:
    """Yields the lines of a text without their ends. Raises InvalidInput file_too_large."""
    line_parts: list[str] = []
    waiting = 0
    for chunk in chunks:
        head, *following = chunk.split("\n")
        line_parts.append(head)
        waiting += len(head)
        if waiting > MAX_VALUE:
            raise too_large(f"a line of {name}", MAX_VALUE)
        if following:
            yield "".join(line_parts)
            yield from following[:-1]
            line_parts, waiting = [following[-1]], len(following[-1])
    yield "".join(line_parts)


class _Reader:
    """A window on the text that moves forward and grows to the value being read."""

    def __init__(self, chunks: Iterator[str], name: str) -> None:
        self._chunks = chunks
        self._name = name
        self._text = ""
        self._at = 0
        self._offset = 0

    def next_character(self) -> str:
        """Returns the next character that is not white space, without consuming it; empty at the end."""
        while True:
            self._at = _space(self._text, self._at).end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(1):
                return ""

    def take(self) -> None:
        self._at += 1

    def value(self) -> object:
        """Returns the next JSON value. Raises InvalidInput file_unreadable or file_too_large."""
        chunk_count = 1
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # cut by the end of the window, or invalid: read more; doubling keeps this linear
                if not self._more(chunk_count):
                    raise self.broken(error.msg) from error
                if has_more_parts(self._text, MAX_PARTS):
                    place = f"item at character {self._offset + 1} of {self._name}"
                    raise InvalidInput(f"{place} has {_TOO_MANY}", code="file_too_large") from error
            except RecursionError as error:
                raise self.broken("nested too deeply") from error
            except ValueError as error:
                raise self.broken("a number of thousands of digits") from error
            else:
                # a number near the end may continue: "1" of "1.5", "1e5" or "1e+5"
                if end + 2 < len(self._text) or not self._more(chunk_count):
                    self._at = end
                    return value
            if len(self._text) - self._at > MAX_VALUE:
                raise too_large(f"item at character {self._offset + self._at + 1} of {self._name}", MAX_VALUE)
            chunk_count *= 2

    def broken(self, reason: str) -> InvalidInput:
        """Builds the error for text that is not JSON from here on."""
        return InvalidInput(
            f"{self._name} is not valid JSON from character {self._offset + self._at + 1}: {reason}",
            code="file_unreadable",
            hint="it may be truncated; export it again",
        )

    def _more(self, chunks: int) -> bool:
        """Moves the window and adds this many chunks; returns False at the end of the text."""
        added = list(islice(self._chunks, chunks))
        if not added:
            return False
        self._offset += self._at
        self._text = self._text[self._at :] + "".join(added)
        self._at = 0
        return True
