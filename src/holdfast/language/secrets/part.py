"""A text under examination for the forms of secrets, and what the forms share."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.names import NameRule

Spans = Iterator[tuple[int, int, str]]
"""Start, end and type of secrets, in bytes."""
PROSE = "prose"
"""Kind of a password that rules find in a sentence or a conversation: the tagger confirms it."""
MAX_VALUE = 256
"""Bytes of a value that are looked at at once."""
QUOTES = b"\"'`"
WORD = r"[\"'`\x{201c}\x{201e}]?([^\s\"'`\x{201c}\x{201d}\x{201e}\0]+)"
"""A word, in quotation marks or not."""


class Text:
    """A text with what is known of it as a whole."""

    __slots__ = ("_is_code", "absent", "data")

    def __init__(self, data: bytes, absent: Collection[Any] = ()) -> None:
        self.data = data
        self.absent = absent
        """Patterns that match nowhere in it."""
        self._is_code: bool | None = None

    @property
    def is_code(self) -> bool:
        """Returns whether many of its lines can only be code."""
        if self._is_code is None:
            lines = self.data.count(b"\n") + 1
            code = 0
            for _ in byte_pattern(_CODE_LINE).finditer(self.data):
                code += 1
                if code >= 200:
                    break
            self._is_code = code >= 2 and (code >= 200 or code * 6 >= lines)
        return self._is_code


class Part:
    """Some lines of a text, of which the first mentions a secret."""

    __slots__ = ("begin", "data", "end", "text")

    def __init__(self, text: Text, begin: int, end: int) -> None:
        self.text = text
        self.data = text.data
        self.begin = begin
        self.end = end

    @property
    def is_code(self) -> bool:
        return self.text.is_code

    def matches(self, pattern: Any) -> Iterator[Any]:
        """Yields the matches of a pattern in these lines."""
        if pattern not in self.text.absent:
            yield from pattern.finditer(self.data, self.begin, self.end)

    def has(self, pattern: Any) -> bool:
        if pattern in self.text.absent:
            return False
        return pattern.search(self.data, self.begin, self.end) is not None


_CODE_LINE = (
    r"(?m)^[ \t]*(?:(?:import|from|def|class|return|elif|except|async|await|const|let|function|func|fn|pub"
    r"|impl|public|private|protected|package|using|namespace|interface|struct|typedef|raise|throw|switch|try"
    r"|for|while|if|else|with)\b[^\n=]*[({;:.][^\n]*|#include [^\n]*|@\w+[^\n]*|\}[;),]*|[^\n=]*\) ?\{"
    r"|[^\n]+\);)[ \t]*$"
)


def is_secret(value: bytes, form: Form, rule: NameRule) -> bool:
    text = value.decode("utf-8", "replace")
    if len(text) < rule.min_length:
        return False
    return not is_harmless(text, form, is_password=rule.type == "password")


_OPENERS = {b")": b"(", b">": b"<", b"]": b"[", b"}": b"{"}
_CLOSERS = {closer[0]: closer for closer in _OPENERS}


_CLOSING_QUOTES = tuple(quote.encode() for quote in "\u2018\u2019\u201c\u201d\u00ab\u00bb")


def stripped(value: bytes, trailing: bytes) -> bytes:
    """Returns a value without the signs that end a sentence; a bracket that it opens itself stays closed."""
    stripped = value.rstrip(trailing)
    while stripped.endswith(_CLOSING_QUOTES):
        stripped = value = stripped[: -3 if stripped[-3:-1] == b"\xe2\x80" else -2].rstrip(trailing)
    if stripped.endswith(b"**"):  # the end of bold type
        stripped = stripped.rstrip(b"*" + trailing)
    closer = _CLOSERS.get(value[len(stripped)], b"") if len(stripped) < len(value) else b""
    return (
        stripped + closer
        if stripped.count(_OPENERS.get(closer, b"\0")) > stripped.count(closer)
        else stripped
    )


def is_pair(data: bytes, first: int, end: int) -> bool:
    """Returns whether a name and a value in quotation marks are the arguments of a call, or a pair of their
    own."""
    after = data[end + 1 : end + 3].strip()
    name_start = first
    while name_start and (data[name_start - 1 : name_start].isalnum() or data[name_start - 1] in b"_-.[$:"):
        name_start -= 1
        if first - name_start > 64:
            return False
    before = data[max(0, name_start - 24) : max(0, name_start - 1)].rstrip()
    if before.endswith(b"("):
        return before[-2:-1].isalnum() or before[-2:-1] == b"_"
    return before.endswith((b"[", b"{", b"(")) and after[:1] in (b"]", b"}", b")")
