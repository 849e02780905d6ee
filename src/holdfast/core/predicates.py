"""Predicates, in which the filter rule is written, so that every store derives its own form of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field
from enum import StrEnum
from typing import Any

from holdfast.core.value_classes import value_class


class Op(StrEnum):
    """The operator between a column and a parameter."""

    EQUAL = "equal"
    AMONG = "among"
    """The column is one of several values; a missing value can be one of them."""
    NOT_AMONG = "not_among"
    """The column is none of several values, or missing."""
    COVERS = "covers"
    """The column is a list that contains all of several values."""
    SCOPED = "scoped"
    """The scope (two columns) is one of several; a type without an id matches all of that type."""
    MEETS = "meets"
    """The column is an object that meets all of several conditions (`core/metadata_filter`)."""
    FROM = "from"
    BEFORE = "before"
    BY = "by"
    """The column is the parameter or less."""
    AFTER = "after"
    """The column is more than the parameter, or missing: it never ends."""


@value_class
class Comparison:
    """A comparison of a column with a parameter; `holds` is the type of the parameter."""

    column: str
    op: Op
    parameter: str
    holds: type = str


@value_class
class Is:
    """A column has one of some fixed values."""

    column: str
    values: tuple[str, ...]


@value_class
class Flag:
    """A column is true."""

    column: str


@value_class
class All:
    """All of several predicates."""

    tests: tuple[Rule, ...]


@value_class
class Either:
    """One of several predicates."""

    tests: tuple[Rule, ...]


@value_class
class IfSet:
    """A predicate that applies if a parameter is set: `then`, else `otherwise`, or no condition."""

    parameter: str
    holds: type
    then: Rule
    otherwise: Rule | None = None


Rule = Comparison | Is | Flag | All | Either | IfSet

_NARROWS = "narrows"


def narrows(column: str, op: Op = Op.EQUAL, holds: type = str) -> dict[str, Any]:
    """Returns the metadata of a filter's field that is compared with one column; None means no condition."""
    return {_NARROWS: (column, op, holds)}


def comparisons_of(declared: tuple[Field[Any], ...]) -> Iterator[Comparison]:
    """Yields the comparisons of the fields of a filter, one by one."""
    for filter_field in declared:
        if _NARROWS in filter_field.metadata:
            column, op, holds = filter_field.metadata[_NARROWS]
            yield Comparison(column, op, filter_field.name, holds)
