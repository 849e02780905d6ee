"""The filter rule: which memories a view leaves over of the pools that it allows, stated once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from holdfast.core.kinds import ALWAYS_ABOUT_WORK, EVIDENCE
from holdfast.core.predicates import All, Comparison, Either, Flag, IfSet, Is, Op, Rule, comparisons_of
from holdfast.core.record import Status
from holdfast.core.views import Filter


def _lives(parameter: str) -> tuple[Rule, ...]:
    """Returns the tests that a memory is valid and not expired at a time; a pinned one never expires."""
    expires = Comparison("expires_at", Op.AFTER, parameter, int)
    return Comparison("valid_until", Op.AFTER, parameter, int), Either((expires, Flag("pinned")))


_STATE = IfSet(
    "as_of", int,
    All((
        Is("status", (Status.APPROVED, Status.SUPERSEDED)), Comparison("holds_from", Op.BY, "as_of", int),
        *_lives("as_of"),
    )),
    IfSet(
        "statuses", frozenset,
        All((Flag("current"), Comparison("status", Op.AMONG, "statuses", frozenset))),
        All((Flag("current"), Is("status", (Status.APPROVED,)), *_lives("now"))),
    ),
)  # fmt: skip
"""The state of a memory: at a time in the past, in some statuses, or as recall returns it."""

_FOR_WORK = IfSet("for_work", bool, Either((
    Flag("in_project"), Is("kind", tuple(sorted(ALWAYS_ABOUT_WORK))), Flag("about_work"),
)))  # fmt: skip
"""It is in a project (and, if it was moved, was written in one), or it is about work (`language/work`)."""

_NOT_ARCHIVED = IfSet("archived", frozenset, Either((
    Comparison("session", Op.NOT_AMONG, "archived", frozenset),
    Comparison("kind", Op.NOT_AMONG, "evidence", frozenset),
)))  # fmt: skip
"""Messages of an archived session are hidden; knowledge taken from them stays, as when one is deleted."""

NARROWING = tuple(comparisons_of(fields(Filter)))
"""The test of each field of a filter, made where the field is not None."""

RULE = All((
    Comparison("kind", Op.NOT_AMONG, "hidden", frozenset),
    *(IfSet(comparison.parameter, comparison.holds, comparison) for comparison in NARROWING),
    _FOR_WORK,
    _NOT_ARCHIVED,
    _STATE,
))  # fmt: skip
"""The whole rule. The SQL of each store, the row filter of the index and the tests of the oracle are derived
from it."""

_OF_FILTER = (
    *(comparison.parameter for comparison in NARROWING),
    "as_of",
    "statuses",
    "for_work",
    "archived",
)


def parameters(narrowing: Filter, hidden: frozenset[str], now: int) -> dict[str, Any]:
    """Returns the values that the rule compares with, for the filter of a view and its hidden kinds."""
    values = {name: getattr(narrowing, name) for name in _OF_FILTER}
    values["hidden"] = hidden
    values["evidence"] = EVIDENCE
    values["now"] = now
    return values
