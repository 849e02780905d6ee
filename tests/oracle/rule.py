"""The filter rule for one row of the oracle, in plain Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from operator import attrgetter, eq, ge, gt, le, lt
from typing import TYPE_CHECKING, Any

from holdfast.core.places import Reach
from holdfast.core.predicates import All, Comparison, Either, Flag, IfSet, Is, Op, Rule
from holdfast.language.work import is_about_work

if TYPE_CHECKING:
    from tests.oracle.state import Row

Test = Callable[["Row"], bool]

_COLUMNS: dict[str, Callable[[Row], Any]] = {
    "scope": lambda row: row.memory.scope,
    "branch": lambda row: row.memory.place.branch,
    "session": lambda row: row.memory.place.session,
    "file": lambda row: row.memory.place.file,
    "owner": lambda row: row.memory.place.owner,
    "deleted": lambda row: row.memory.deleted_at is not None,
    "current": lambda row: row.current,
    "in_project": lambda row: all(
        pool.reach in (Reach.PROJECT, Reach.SOURCE)
        for pool in (row.pool, row.memory.place.pool(row.memory.kind))
    ),
    "about_work": lambda row: is_about_work(row.memory),
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


def test_of(rule: Rule, values: Mapping[str, Any]) -> Test | None:
    """Returns the test that a version of a memory passes by a rule, whose parameters have some values; None
    where every version does."""
    match rule:
        case Comparison(name, op, parameter):
            column, holds, value = _column(name), _COMPARISONS[op], values[parameter]
            return lambda row: holds(column(row), value)
        case Is(name, wanted):
            column = _column(name)
            return lambda row: column(row) in wanted
        case Flag(name):
            column = _column(name)
            return lambda row: bool(column(row))
        case All(tests):
            needed = [test for one in tests if (test := test_of(one, values)) is not None]
            return lambda row: all(test(row) for test in needed)
        case Either(tests):
            ways = [test_of(one, values) for one in tests]
            return None if None in ways else lambda row: any(test(row) for test in ways if test is not None)
        case IfSet(parameter, _, then, otherwise):
            chosen = otherwise if values[parameter] is None else then
            return None if chosen is None else test_of(chosen, values)


def _column(name: str) -> Callable[[Row], Any]:
    return _COLUMNS.get(name) or attrgetter(f"memory.{name}")
