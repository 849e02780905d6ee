"""Filters of frameworks: comparisons of a JSON value, with operators as `gte` or `$gte`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, wanted: bool(value == wanted),
    "ne": lambda value, wanted: bool(value != wanted),
    "gt": lambda value, wanted: _ordered(value, wanted) and value > wanted,
    "gte": lambda value, wanted: _ordered(value, wanted) and value >= wanted,
    "lt": lambda value, wanted: _ordered(value, wanted) and value < wanted,
    "lte": lambda value, wanted: _ordered(value, wanted) and value <= wanted,
    "in": lambda value, wanted: value in wanted,
    "nin": lambda value, wanted: value not in wanted,
    "contains": lambda value, wanted: isinstance(value, str | list) and wanted in value,
    "icontains": lambda value, wanted: isinstance(value, str) and str(wanted).lower() in value.lower(),
}


def compares(value: Any, wanted: Any, *, prefix: str = "") -> bool:
    """Returns whether a value is as wanted: equal, or meets all operators of an object, whose names begin
    with `prefix`. Raises ValueError for an operator that does not exist."""
    if isinstance(wanted, Mapping):
        if wanted and all(str(name).startswith(prefix) for name in wanted):
            return all(_operator(name, prefix)(value, operand) for name, operand in wanted.items())
        return isinstance(value, Mapping) and all(
            compares(value.get(key), part, prefix=prefix) for key, part in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        return isinstance(value, list | tuple) and list(value) == list(wanted)
    return bool(value == wanted)


def _operator(name: str, prefix: str) -> Callable[[Any, Any], bool]:
    operator = OPERATORS.get(name.removeprefix(prefix))
    if operator is None:
        raise ValueError(f"Unsupported operator: {name}")
    return operator


def _ordered(value: Any, wanted: Any) -> bool:
    """Returns whether two values have an order: numbers, or texts."""
    return any(isinstance(value, types) and isinstance(wanted, types) for types in ((int, float), str))
