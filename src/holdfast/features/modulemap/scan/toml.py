"""Parses untrusted TOML only if that cannot take long."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

TOML_MAX = 64 * 1024
"""Most characters of one file that is parsed."""
TOML_TOTAL = 512 * 1024
"""Most characters of all TOML manifests of one scan."""
DOTS_A_LINE, DOTS = 32, 4_000
"""Most dots outside of strings and comments, in a line and in a file. Parsing time grows with the square of
the parts of a key: thousands of them in a small file took minutes."""

# Possessive, so that an unclosed string is scanned only once.
_SILENT = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}+(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}+(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|\#[^\n]*+",
    re.DOTALL,
)


@dataclass
class Budget:
    """The amount of TOML that one scan reads: by size, not time, so that the same files give the same map.

    `left_out` counts the files beyond it.
    """

    remaining: int = TOML_TOTAL
    left_out: int = 0

    def within(self, text: str, file: str) -> str:
        """Returns the text of a manifest, or an empty one for TOML beyond the budget."""
        if not file.endswith(".toml") and file != "Pipfile":
            return text
        if len(text) > self.remaining:
            self.left_out += 1
            return ""
        self.remaining -= len(text)
        return text


def toml_of(text: str) -> dict[str, Any]:
    """Parses a TOML text.

    Raises ValueError for an invalid or too long text, or keys of too many parts, and RecursionError for too
    deep nesting.
    """
    if len(text) > TOML_MAX:
        raise ValueError("the text is too long")
    lines = _SILENT.sub("", text).split("\n")
    if max(line.count(".") for line in lines) > DOTS_A_LINE or sum(line.count(".") for line in lines) > DOTS:
        raise ValueError("the keys have too many parts")
    return tomllib.loads(text)
