"""Checks of the types and ranges of arguments; each raises InvalidInput."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
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


def safe_repr(value: object, width: int = 40) -> str:
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
        raise InvalidInput(f"{name} must be true or false, not {safe_repr(value)}", code="argument_invalid")
    return value


def checked_count(value: object, name: str, most: int = COUNT_MAX) -> int:
    """Returns a non-negative integer that can be stored, of at most `most`. Raises InvalidInput
    `argument_invalid`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        end = "" if most == COUNT_MAX else f" to {most}"
        raise InvalidInput(
            f"{name} must be a whole number from 0{end}, not {safe_repr(value)}", code="argument_invalid"
        )
    return value


def checked_limit(limit: object) -> None:
    """Raises InvalidInput `limit_invalid` unless the limit is an integer from 1 to 1000."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= LIMIT_MAX:
        raise InvalidInput(
            f"limit must be from 1 to {LIMIT_MAX}, not {safe_repr(limit)}", code="limit_invalid"
        )


def checked_list(values: object, name: str) -> list[Any]:
    """Returns one text, or a collection of entries in their order, as a list. Raises InvalidInput
    `argument_invalid`."""
    if isinstance(values, str):
        return [values]
    if not isinstance(values, Collection) or isinstance(values, bytes | bytearray | Mapping):
        raise InvalidInput(
            f"{name} must be a list of names, not {safe_repr(values)}", code="argument_invalid"
        )
    return list(values)


def checked_names(values: object, name: str) -> list[str]:
    """Returns one name, or a collection of names in sorted order, as a list. Raises InvalidInput
    `argument_invalid`, also for half a character, which no store holds."""
    names = checked_list(values, name)
    if not all(isinstance(value, str) for value in names):
        raise InvalidInput(
            f"{name} must be a list of names, not {safe_repr(values)}", code="argument_invalid"
        )
    if not all(is_whole(value) for value in names):
        raise InvalidInput(f"{name} must be text, without half a character", code="argument_invalid")
    return sorted(names)


def checked_text(value: object) -> str:
    """Returns the text of a memory unchanged. Raises InvalidInput `text_not_string`."""
    if not isinstance(value, str):
        raise InvalidInput(f"text must be a string, not {type(value).__name__}", code="text_not_string")
    return value


def checked_field(value: object, name: str, code: str) -> str:
    """Returns a text unchanged. Raises InvalidInput with a code for anything else."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be text, not {type(value).__name__}", code=code)
    return value


def checked_tags(values: object) -> Sequence[Any]:
    """Returns a list of tags unchanged. Raises InvalidInput `tags_invalid` for one text or no list."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidInput("tags must be a list of strings", code="tags_invalid")
    return values


def checked_confidence(value: object) -> float:
    """Returns a confidence. Raises InvalidInput `confidence_invalid` unless it is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(
            f"confidence must be a number from 0 to 1, not {safe_repr(value)}", code="confidence_invalid"
        )
    return value


def json_size(value: object, name: str) -> int:
    """Returns the number of characters of a JSON object. Raises InvalidInput `metadata_invalid` for anything
    else, values that JSON does not have included."""
    if not isinstance(value, Mapping):
        raise InvalidInput(
            f"{name} must be a JSON object, not {type(value).__name__}", code="metadata_invalid"
        )
    try:
        return len(json.dumps(value, allow_nan=False, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{name} is not plain JSON: {str(error)[:80]}", code="metadata_invalid") from None


def checked_messages(values: object) -> Sequence[Any]:
    """Returns a list of messages unchanged. Raises InvalidInput `message_invalid` for anything else."""
    if isinstance(values, Mapping | str) or not isinstance(values, Sequence):
        raise InvalidInput("messages must be a list of objects with role and content", code="message_invalid")
    return values


def checked_items(values: object) -> Iterable[Any]:
    """Returns the items of a batch unchanged. Raises InvalidInput `argument_invalid` for anything else."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InvalidInput("items must be a list of texts or objects", code="argument_invalid")
    return values


def is_whole(text: str) -> bool:
    """Returns whether a text can be written: it has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
