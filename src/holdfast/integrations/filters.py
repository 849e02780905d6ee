"""Filters of frameworks: comparisons of a JSON value, with operators as `gte` or `$gte`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, operand: bool(value == operand),
    "ne": lambda value, operand: bool(value != operand),
    "gt": lambda value, operand: _ordered(value, operand) and value > operand,
    "gte": lambda value, operand: _ordered(value, operand) and value >= operand,
    "lt": lambda value, operand: _ordered(value, operand) and value < operand,
    "lte": lambda value, operand: _ordered(value, operand) and value <= operand,
    "in": lambda value, operand: value in operand,
    "nin": lambda value, operand: value not in operand,
    "contains": lambda value, operand: isinstance(value, str | list) and operand in value,
    "icontains": lambda value, operand: isinstance(value, str) and str(operand).lower() in value.lower(),
}


def compares(value: Any, condition: Any, *, prefix: str = "") -> bool:
    """Returns whether a value is as wanted: equal, or meets all operators of an object, whose names begin
    with `prefix`. Raises ValueError for an operator that does not exist."""
    if isinstance(condition, Mapping):
        if condition and all(str(name).startswith(prefix) for name in condition):
            return all(_operator(name, prefix)(value, operand) for name, operand in condition.items())
        return isinstance(value, Mapping) and all(
            compares(value.get(key), part, prefix=prefix) for key, part in condition.items()
        )
    if isinstance(condition, list | tuple):
        return isinstance(value, list | tuple) and list(value) == list(condition)
    return bool(value == condition)


def _operator(name: str, prefix: str) -> Callable[[Any, Any], bool]:
    operator = OPERATORS.get(name.removeprefix(prefix))
    if operator is None:
        raise ValueError(f"Unsupported operator: {name}")
    return operator


def _ordered(value: Any, operand: Any) -> bool:
    """Returns whether two values have an order: numbers, or texts."""
    return any(isinstance(value, types) and isinstance(operand, types) for types in ((int, float), str))
