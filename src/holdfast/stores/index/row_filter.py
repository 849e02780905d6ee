"""Row filters: the rows of a segment that pass the filter rule, cached while the segment changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from holdfast.core.filter_rule import RULE, parameters
from holdfast.core.predicates import All, Comparison, Either, Flag, IfSet, Is, Op, Rule
from holdfast.core.record import Status
from holdfast.core.views import Filter
from holdfast.stores.base.signals import KIND_NUMBERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

NEVER = int(np.iinfo(np.int64).max)
STATUS_NUMBERS = {status.value: number for number, status in enumerate(Status)}
NUMBERED = {"status": STATUS_NUMBERS, "kind": KIND_NUMBERS}
"""Columns that hold numbers of fixed values."""
INTERNED = ("speaker", "scope_type", "scope_id", "branch", "owner")
"""Columns that hold numbers which an index gives to texts; 0 for none."""


class Rows(Protocol):
    """The rows of a segment, column by column."""

    @property
    def size(self) -> int: ...
    def has(self, column: str) -> bool:
        """Returns whether a column of the record is held in memory."""

    def column(self, name: str) -> NDArray[Any]: ...


class RowFilter:
    """The rows of one segment that pass a filter at one time, with the totals that BM25 needs.

    It is valid as long as nothing expires (`holds_at`). `passages` and `memories` count the rows, `words`
    their words. `matching` are the memories that pass according to the store, for filters on columns that
    no segment holds.
    """

    def __init__(
        self,
        segment: Rows,
        narrowing: Filter,
        hidden: frozenset[str],
        matching: Ints | None,
        interned: Mapping[str, int],
        now: int,
    ) -> None:
        self._values = parameters(narrowing, hidden, now)
        self._matching = matching
        self._interned = interned
        self._now = now
        self._since, self._until = -NEVER, NEVER
        self._size = 0
        self._rows = np.zeros(0, np.bool_)
        self.passages = self.memories = 0
        self.words = 0.0
        self.catch_up(segment)

    @property
    def rows(self) -> Bools:
        return self._rows[: self._size]

    def holds_at(self, now: int) -> bool:
        """Returns whether it is valid at another time: nothing expires or ends in between."""
        return self._since <= now < self._until

    def catch_up(self, segment: Rows) -> None:
        """Adds the rows that were appended to the segment."""
        size = segment.size
        if size > len(self._rows):
            grown = np.zeros(max(size, self._size * 3 // 2), np.bool_)
            grown[: self._size] = self.rows
            self._rows = grown
        added = slice(self._size, size)
        self._size = size
        if added.start < added.stop:
            self._take(segment, added)

    def renew(self, segment: Rows, places: Ints) -> None:
        """Evaluates rows that have changed again."""
        places = places[places < self._size]
        self._count(segment, places, -1)
        self._take(segment, places)

    def _take(self, segment: Rows, where: slice | Ints) -> None:
        """Judges rows of a segment anew."""
        rows = segment.column("alive")[where].copy()
        if (passing := self._passing(RULE, segment, where)) is not None:
            rows &= passing
        if self._matching is not None:
            rows &= np.isin(segment.column("memory")[where], self._matching)
        self._rows[where] = rows
        self._count(segment, where, 1)

    def _count(self, segment: Rows, where: slice | Ints, sign: int) -> None:
        rows = self._rows[where]
        self.passages += sign * int(np.count_nonzero(rows))
        self.memories += sign * int(np.count_nonzero(rows & (segment.column("start")[where] == 0)))
        self.words += sign * float(segment.column("length")[where][rows].sum(dtype=np.float64))

    def _passing(self, rule: Rule, segment: Rows, where: slice | Ints) -> Bools | None:
        """Returns which rows pass a rule; None where it demands nothing, or the store has judged it."""
        match rule:
            case Comparison(_, Op.SCOPED, parameter):
                return self._scoped(segment, where, json.loads(self._values[parameter]))
            case Comparison(column, op, parameter):
                if not segment.has(column):
                    return None
                return self._compared(segment.column(column)[where], column, op, parameter)
            case Is(column, values):
                return among(segment.column(column)[where], [NUMBERED[column][value] for value in values])
            case Flag(column):
                return segment.column(column)[where] if segment.has(column) else None
            case All(tests) | Either(tests):
                parts = [self._passing(test, segment, where) for test in tests]
                masks = [part for part in parts if part is not None]
                together = np.logical_and if isinstance(rule, All) else np.logical_or
                return reduce(together, masks) if masks else None
            case IfSet(parameter, _, then, otherwise):
                chosen = otherwise if self._values[parameter] is None else then
                return None if chosen is None else self._passing(chosen, segment, where)

    def _scoped(self, segment: Rows, where: slice | Ints, scopes: list[tuple[str, str | None]]) -> Bools:
        """Returns which rows have one of some scopes."""
        types, ids = (segment.column(name)[where] for name in ("scope_type", "scope_id"))
        mask = np.zeros(len(types), np.bool_)
        for type, id in scopes:
            of_type = types == self._interned.get(type, -1)
            mask |= of_type if id is None else of_type & (ids == self._interned.get(id, -1))
        return mask

    def _compared(self, values: NDArray[Any], column: str, op: Op, parameter: str) -> Bools | None:
        """Returns which values meet a condition, None if it does not apply."""
        operand = self._values[parameter]
        if op is Op.AFTER and parameter == "now":
            return self._after_now(values)
        if op is Op.NOT_AMONG:
            return ~among(values, self._numbers(column, operand)) if operand else None
        if op is Op.AMONG:
            return among(values, self._numbers(column, operand))
        compared: Bools = _COMPARISONS[op](values, *self._numbers(column, (operand,)))
        return compared

    def _numbers(self, column: str, values: Collection[Any]) -> list[Any]:
        """Returns some values as a column holds them: what it cannot hold is -1."""
        if column in NUMBERED:
            return [NUMBERED[column][value] for value in values]
        if column in INTERNED:
            return [0 if value is None else self._interned.get(value, -1) for value in values]
        return list(values)

    def _after_now(self, ends: Ints) -> Bools:
        """Returns which rows have not ended yet, and notes the time in which that stays so."""
        coming = ends > self._now
        self._since = max(self._since, int(ends.max(where=~coming, initial=-NEVER)))
        self._until = min(self._until, int(ends.min(where=coming, initial=NEVER)))
        return coming


_COMPARISONS: dict[Op, Callable[[Any, Any], Any]] = {
    Op.EQUAL: np.equal,
    Op.FROM: np.greater_equal,
    Op.BEFORE: np.less,
    Op.BY: np.less_equal,
    Op.AFTER: np.greater,
}
"""Comparisons of a column with one value. What never comes is `NEVER`, after all times."""


def among(column: NDArray[Any], numbers: Collection[int]) -> Bools:
    """Returns which entries are one of a few numbers; like `isin`, and faster for few."""
    mask = np.zeros(len(column), np.bool_)
    for number in numbers:
        mask |= column == number
    return mask
