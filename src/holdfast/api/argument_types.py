"""Checks of the types of arguments before they are sent to a service, with the errors of the engine."""

from __future__ import annotations

import typing
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from types import NoneType, UnionType
from typing import Any

from holdfast.core.arguments import (
    checked_confidence,
    checked_field,
    checked_flag,
    checked_items,
    checked_limit,
    checked_messages,
    checked_names,
    checked_tags,
    checked_text,
    json_size,
)
from holdfast.core.kinds import kind_named
from holdfast.core.record import origin_of
from holdfast.core.times import to_millis

_BY_NAME: Mapping[str, Callable[[Any], object]] = {
    "text": checked_text,
    "tags": checked_tags,
    "messages": checked_messages,
    "items": checked_items,
}
"""Checks of arguments that have a code of their own; not of filters, which take one name as well."""
_NUMBERS: Mapping[str, tuple[type | UnionType, Callable[[Any], object]]] = {
    "limit": (int, checked_limit),
    "confidence": (int | float, checked_confidence),
}
"""Types and checks of numbers, whose ranges the service checks in the order of the engine."""
_CODES = {
    **dict.fromkeys(
        ("project", "session", "workspace", "branch", "external_id", "source", "owner", "agent"),
        "place_invalid",
    ),
    **dict.fromkeys(("title", "summary"), "text_not_string"),
}
"""Codes of texts of a wrong type, by the name of the argument."""
_OF_A_SET: Mapping[str, Callable[[Any], object]] = {"kind": kind_named, "origin": origin_of}
"""Readers of names of which a later service may know more."""
_OBJECTS = ("metadata", "evidence")


def check_type(name: str, value: Any, declared: Any) -> None:
    """Raises InvalidInput for an argument of a wrong type, with the code and the words of the engine.

    Ranges, and types that only one operation has, are left to the service.
    """
    types = _types_in(declared)
    if value is None and NoneType in types:
        return
    plain = types - {NoneType}
    if name in _BY_NAME and not (str in plain and len(plain) > 1):
        _BY_NAME[name](value)
    elif name in _NUMBERS:
        number, check = _NUMBERS[name]
        if isinstance(value, bool) or not isinstance(value, number):
            check(value)
    elif name in _OBJECTS and str not in plain:
        json_size(value, name)
    elif plain == {bool}:
        checked_flag(value, name)
    elif plain == {str} and name in _OF_A_SET:
        if not isinstance(value, str):
            _OF_A_SET[name](value)
    elif plain == {str} and name in _CODES:
        checked_field(value, name.replace("_", " "), _CODES[name])
    elif datetime in plain:
        if not isinstance(value, str | int | float | date):
            to_millis(value, name=name)
    elif Collection in plain:
        checked_names(value, name)


def is_time(declared: Any) -> bool:
    """Returns whether an argument is a time."""
    return datetime in _types_in(declared)


def _types_in(declared: Any) -> set[Any]:
    """Returns the types of a union, generic ones without their arguments."""
    parts = typing.get_args(declared) if _is_union(declared) else (declared,)
    return {typing.get_origin(part) or part for part in parts}


def _is_union(declared: Any) -> bool:
    return typing.get_origin(declared) in (typing.Union, UnionType)
