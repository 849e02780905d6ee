"""Hints of errors in the language of the command line: options instead of arguments, no names of Python."""

from __future__ import annotations

import json
import re

_PYTHON = re.compile(r",? ?\(?`Memory\.[\w.]+`(?:, `Memory\.[\w.]+`)*\)?")
"""Operations of Python beside a command that does the same."""
_ARGUMENT = re.compile(r"`([a-z_]+)=([^`]*)`")
"""An argument with its value, as hints write it: `dry_run=True`."""


def for_commands(hint: str) -> str:
    """Returns a hint with options in place of arguments, without what only Python has."""
    return _ARGUMENT.sub(_option, _PYTHON.sub("", hint)).strip()


def _option(match: re.Match[str]) -> str:
    name, value = match[1].replace("_", "-"), match[2]
    if value == "True":
        return f"`--{name}`"
    return f"`--{name} {json.dumps(value, ensure_ascii=False) if ' ' in value else value}`"
