"""The filter rule for one row of the oracle, in plain Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt
from typing import Any

from holdfast.core.predicates import All, Comparison, Either, Flag, Given, Is, Op, Rule
from holdfast.core.record import Memory

_COLUMNS: dict[str, Callable[[Memory], Any]] = {
    "scope": lambda memory: memory.scope,
    "branch": lambda memory: memory.place.branch,
    "session": lambda memory: memory.place.session,
    "file": lambda memory: memory.place.file,
    "owner": lambda memory: memory.place.owner,
    "deleted": lambda memory: memory.deleted_at is not None,
}
"""Columns that are not fields of the record."""
_COMPARISONS: dict[Op, Callable[[Any, Any], bool]] = {
    Op.EQUAL: eq,
    Op.AMONG: lambda value, wanted: value in wanted,
    Op.NOT_AMONG: lambda value, wanted: value not in wanted,
    Op.COVERS: lambda value, wanted: set(wanted) <= set(value),
    Op.SCOPED: lambda scope, wanted: any(
        type == scope.type and id in (None, scope.id) for type, id in json.loads(wanted)
    ),
    Op.MEETS: lambda value, wanted: all(_meets(value, **one) for one in json.loads(wanted)),
    Op.FROM: ge,
    Op.BEFORE: lt,
    Op.BY: le,
    Op.AFTER: lambda value, wanted: value is None or value > wanted,
}


def _meets(metadata: dict[str, Any], key: str, op: str, values: list[Any]) -> bool:
    known = metadata.get(key)
    if op == "exists":
        return bool((known is not None) == values[0])
    alike = [value for value in values if _class(value) == _class(known) and _class(known) is not None]
    tests: dict[str, Callable[[Any, Any], bool]] = {"in": eq, "gt": gt, "gte": ge, "lt": lt, "lte": le}
    return any(tests[op](known, value) for value in alike)


def _class(value: Any) -> str | None:
    """The class of values that are comparable: a truth value is no number."""
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else "text" if isinstance(value, str) else None


def passes(rule: Rule, memory: Memory, of_row: Mapping[str, bool], values: Mapping[str, Any]) -> bool:
    """Returns whether a version of a memory passes a rule, whose parameters have some values. `of_row` are
    columns that its row alone knows."""

    def column(name: str) -> Any:
        if name in of_row:
            return of_row[name]
        return _COLUMNS[name](memory) if name in _COLUMNS else getattr(memory, name)

    match rule:
        case Comparison(name, op, parameter):
            return _COMPARISONS[op](column(name), values[parameter])
        case Is(name, wanted):
            return column(name) in wanted
        case Flag(name):
            return bool(column(name))
        case All(tests):
            return all(passes(test, memory, of_row, values) for test in tests)
        case Either(tests):
            return any(passes(test, memory, of_row, values) for test in tests)
        case Given(parameter, _, then, otherwise):
            chosen = otherwise if values[parameter] is None else then
            return chosen is None or passes(chosen, memory, of_row, values)
