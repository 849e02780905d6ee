"""Patterns of personal data that a user configures: checked so that matching takes linear time."""

from __future__ import annotations

import re

import re2

from holdfast.core.errors import InvalidInput
from holdfast.core.text import byte_pattern
from holdfast.language.pii import TYPES

PATTERNS_MAX = 50
"""Maximum number of patterns of personal data."""
PATTERN_MAX = 1_000
"""Maximum length of one of them."""


def checked_patterns(value: object) -> tuple[tuple[str, str], ...]:
    """Returns patterns of personal data by name. Raises InvalidInput `config_invalid` unless each is a
    pattern that RE2 can match in linear time, and matches no empty text."""
    hint = 'a table such as {staff = "E-[0-9]{6}"}'
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise InvalidInput("pii_patterns is not a table of patterns", code="config_invalid", hint=hint)
    if len(value) > PATTERNS_MAX:
        raise InvalidInput(f"there may be at most {PATTERNS_MAX} pii_patterns", code="config_invalid")
    return tuple((_checked_name(name), _checked_pattern(name, text)) for name, text in value.items())


def _checked_name(name: object) -> str:
    """Returns the name of a pattern. Raises InvalidInput."""
    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9_]{0,30}", name) or name in TYPES:
        raise InvalidInput(
            "a name in pii_patterns is not usable", code="config_invalid",
            hint=f"small letters, digits and _, none of {', '.join(sorted(TYPES))}",
        )  # fmt: skip
    return name


def _checked_pattern(name: object, pattern: str) -> str:
    """Returns a pattern. Raises InvalidInput unless RE2 can compile it and it matches no empty text."""
    try:
        compiled = byte_pattern(pattern) if len(pattern) <= PATTERN_MAX else None
    except re2.error:
        compiled = None
    if compiled is None or compiled.search(b"") is not None:
        raise InvalidInput(
            f"the pattern {name} in pii_patterns cannot be used", code="config_invalid",
            hint=f"RE2 syntax (no look-around, no back-references), at most {PATTERN_MAX} characters,"
            " and no match of an empty text",
        )  # fmt: skip
    return pattern
