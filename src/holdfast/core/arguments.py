"""Checks of the types and ranges of arguments; each raises InvalidInput."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.masking import masked

LIMIT_MAX = 1_000
"""Maximum number of entries on a page, hits of a recall, and decisions in one call."""
_LOOKED_AT = 4_096  # characters of a value in a message
COUNT_MAX = (1 << 53) - 1
"""The largest integer that every store and interface can hold."""

FOLDERS_MAX = 100
"""Folders that an event of an agent may name: its own, and the same in other working trees."""


def shown(value: object, width: int = 40) -> str:
    """Returns the `repr` of a value for an error message, without secrets and cut to `width`; if that fails,
    the name of its type."""
    try:
        text = masked(repr(value)[:_LOOKED_AT])
    except Exception:  # a number of too many digits, an object that fails to describe itself
        return f"this {type(value).__name__}"
    return text if len(text) <= width else text[: width - 1] + "…"


def checked_flag(value: object, name: str) -> bool:
    """Returns a boolean unchanged. Raises InvalidInput `argument_invalid` for anything else, 0 and 1
    included."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be true or false, not {shown(value)}", code="argument_invalid")
    return value


def checked_count(value: object, name: str, most: int = COUNT_MAX) -> int:
    """Returns a non-negative integer that can be stored, of at most `most`. Raises InvalidInput
    `argument_invalid`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        end = "" if most == COUNT_MAX else f" to {most}"
        raise InvalidInput(
            f"{name} must be a whole number from 0{end}, not {shown(value)}", code="argument_invalid"
        )
    return value


def checked_limit(limit: object) -> None:
    """Raises InvalidInput `limit_invalid` unless the limit is an integer from 1 to 1000."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= LIMIT_MAX:
        raise InvalidInput(f"limit must be from 1 to {LIMIT_MAX}, not {shown(limit)}", code="limit_invalid")


def checked_list(values: object, name: str) -> list[Any]:
    """Returns one text, or a collection of entries in their order, as a list. Raises InvalidInput
    `argument_invalid`."""
    if isinstance(values, str):
        return [values]
    if not isinstance(values, Collection) or isinstance(values, bytes | bytearray | Mapping):
        raise InvalidInput(f"{name} must be a list of names, not {shown(values)}", code="argument_invalid")
    return list(values)


def checked_names(values: object, name: str) -> list[str]:
    """Returns one name, or a collection of names in sorted order, as a list. Raises InvalidInput
    `argument_invalid`, also for half a character, which no store holds."""
    names = checked_list(values, name)
    if not all(isinstance(value, str) for value in names):
        raise InvalidInput(f"{name} must be a list of names, not {shown(values)}", code="argument_invalid")
    if not all(is_whole(value) for value in names):
        raise InvalidInput(f"{name} must be text, without half a character", code="argument_invalid")
    return sorted(names)


def is_whole(text: str) -> bool:
    """Returns whether a text can be written: it has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
