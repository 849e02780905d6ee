"""Values of settings: numbers, choices and tables, checked where they are not plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast.core.arguments import shown
from holdfast.core.errors import InvalidInput
from holdfast.language.facts.topics import Topics, with_custom

BITS_MAX = 8.0
"""Highest entropy of a text, in bits per character."""


def whole(name: str, lowest: int, highest: int | None, value: object) -> int:
    """Returns a whole number within limits. Raises InvalidInput, as all of these do."""
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if number < lowest or (highest is not None and number > highest):
        to = "" if highest is None else f" to {highest}"
        raise InvalidInput(
            f"{name} {shown(value)} is not a whole number from {lowest}{to}", code="config_invalid"
        )
    return number


def choice(name: str, choices: Sequence[Any], value: object) -> Any:
    """Returns that one of the choices which a value names."""
    for one in choices:
        if str(one) == str(value):
            return one
    listed = ", ".join(map(str, choices))
    raise InvalidInput(f"{name} {shown(value)} is not {listed}", code="config_invalid")


def parsed_table(value: object) -> object:
    """Returns a table that the environment holds as JSON; None for what is no JSON."""
    if not isinstance(value, str):
        return value
    import json

    try:
        parsed: object = json.loads(value)
    except ValueError:
        return None
    return parsed


def topics(value: object) -> Topics:
    """Returns the built-in topics of facts with those of a table."""
    value = parsed_table(value)
    if not isinstance(value, dict) or not all(isinstance(nouns, list | str) for nouns in value.values()):
        raise InvalidInput(
            "topics is not a table of lists of nouns",
            code="config_invalid",
            hint='{"board games" = ["games"]}',
        )
    return with_custom(value)


def pii_patterns(value: object) -> tuple[tuple[str, str], ...]:
    """Returns the patterns of a table by name."""
    from holdfast.language.pii_patterns import checked_patterns  # compiles them, with RE2

    return checked_patterns(parsed_table(value))


def bits(value: object) -> float:
    """Returns an entropy in bits per character."""
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not 0 <= number <= BITS_MAX:
        raise InvalidInput(
            f"secret_entropy {shown(value)} is not a number from 0 to {BITS_MAX:g}", code="config_invalid"
        )
    return number
