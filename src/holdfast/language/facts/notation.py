"""The notation in which a memory of kind `statement` records statements: one to a line, values in quotes.

A line holds the act, the topic, the rank if there is one, the value, and what the value replaces or is
beside: `place favorite_colors #2 "Red"`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress

from holdfast.core.facts import LAST, RANK_MAX, Act, Statement

_LINE = re.compile(
    r'(?P<act>[a-z]+) (?P<topic>\S+)(?: #(?P<rank>-?\d{1,3}))?(?P<values>(?: "(?:[^"\\]|\\.)*"){0,2})'
)
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"')
_RANKED = frozenset({Act.LIST, Act.SET, Act.PLACE})
_OF_TWO = frozenset({Act.BEFORE, Act.AFTER, Act.REPLACE, Act.SWAP})


def written(statements: Iterable[Statement]) -> str:
    """Returns statements in the notation."""
    return "\n".join(_line(statement) for statement in statements)


def read(text: str) -> tuple[Statement, ...]:
    """Returns the statements in a text; empty if a line is not in the notation."""
    statements = [_statement(line) for line in text.split("\n") if line.strip()]
    return () if None in statements else tuple(filter(None, statements))


def _line(statement: Statement) -> str:
    rank = "" if statement.rank is None else f" #{statement.rank}"
    values = [value for value in (statement.value, statement.other) if value]
    quoted = "".join(f" {json.dumps(value, ensure_ascii=False)}" for value in values)
    return f"{statement.act} {statement.topic}{rank}{quoted}"


def _statement(line: str) -> Statement | None:
    """Returns the statement that a line notes, None if it is none."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        return None
    with suppress(ValueError):
        act, rank = Act(match["act"]), None if match["rank"] is None else int(match["rank"])
        values = [json.loads(value) for value in _VALUE.findall(match["values"])]
        needed = 2 if act in _OF_TWO else 0 if act is Act.CLEAR else 1
        is_ranked = rank is not None and (1 <= rank <= RANK_MAX or rank == LAST)
        if len(values) == needed and all(values) and is_ranked is (act in _RANKED):
            value, other = (*values, None, None)[:2]
            return Statement(match["topic"], act, value or "", rank, other)
    return None
