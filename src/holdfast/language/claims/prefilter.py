"""One scan that tells which of many patterns could match a text, so that only those are tried."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

_MEMORY = 64 << 20
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LOOK = ("(?=", "(?!", "(?<=", "(?<!")


class Prefilter:
    """Patterns of Python, of which RE2 scans for all in one pass, each without its lookarounds."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = patterns

    @cached_property
    def _set(self) -> Any:
        """Returns a set of wider patterns, which is searched in one pass."""
        import re2

        options = re2.Options()
        options.max_mem = _MEMORY
        options.case_sensitive = False
        options.log_errors = False
        search_set = re2.Set.SearchSet(options)
        for pattern in self._patterns:
            search_set.Add(wider(pattern))
        search_set.Compile()
        return search_set

    def candidates(self, text: str) -> list[int]:
        """Returns the numbers of the patterns that could match somewhere in a text, in order."""
        # RE2 takes no lone surrogates; a character that is no letter either stands in their places
        return sorted(self._set.Match(_LONE_SURROGATE.sub("\ufffd", text)) or ())


def wider(pattern: str) -> str:
    """Returns a pattern for RE2 that matches wherever one of Python does, and perhaps elsewhere."""
    pattern = re.sub(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})", lambda m: rf"\x{{{m[1] or m[2]}}}", pattern)
    parts, i, in_class = [], 0, False
    while i < len(pattern):
        if not in_class and pattern.startswith(_LOOK, i):
            i = _after_group(pattern, i)
            continue
        if pattern[i] == "\\":
            escape = pattern[i : i + 2]
            named = {"\\w": r"\pL\pN_", "\\b": ""}.get(escape, escape)
            parts.append(
                f"[{named}]"
                if escape == "\\w" and not in_class
                else r"[^\pL\pN_]"
                if escape == "\\W" and not in_class
                else named
            )
            i += 2
            continue
        in_class = pattern[i] == "[" if not in_class else pattern[i] != "]"
        parts.append(pattern[i])
        i += 1
    return re.sub(r"\(\?P<\w+>", "(?:", "".join(parts))


def _after_group(pattern: str, i: int) -> int:
    """Returns where the group that begins at a place ends."""
    depth, in_class = 0, False
    while i < len(pattern):
        if pattern[i] == "\\":
            i += 2
            continue
        if in_class:
            in_class = pattern[i] != "]"
        elif pattern[i] == "[":
            in_class = True
        elif pattern[i] in "()":
            depth += 1 if pattern[i] == "(" else -1
            if not depth:
                return i + 1
        i += 1
    return i
