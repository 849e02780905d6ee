"""The knowledge that a transaction has stored in one place: no index has it yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float32]

ROUNDING = 1e-3
"""By how much a product of many vectors may differ from that of two."""


@dataclass(slots=True, eq=False)
class _Group:
    """Texts that were compared with each other and with what was there before the first is stored.

    `first` is how many memories there were, `places` where those of the group are stored, -1 for not yet, and
    `others_added` where what was added since stands that is not of the group.
    """

    first: int
    places: Ints
    not_stored: set[str]
    others_added: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class _Expected:
    """One text of a group: what is likely near to it, with the products. What comes after `group.first` is
    counted by its number in the group."""

    group: _Group
    number: int
    likely: Ints
    products: Floats


class Fresh:
    """Vectors by id, in the order in which their memories were stored."""

    def __init__(self, dim: int) -> None:
        self._ids: list[str] = []
        self._rows = np.zeros((16, dim), np.float32)
        self._groups: list[_Group] = []
        self._expected: dict[str, _Expected] = {}

    def expect(self, ids: Sequence[str], rows: Floats, least: float) -> None:
        """Compares texts that are to come, in this order, all at once."""
        size = len(self._ids)
        group = _Group(size, np.full(len(ids), -1), set(ids))
        self._groups.append(group)
        before, within = rows @ self._rows[:size].T, rows @ rows.T
        for number, id in enumerate(ids):
            products = np.concatenate([before[number], within[number, :number]])
            likely = np.flatnonzero(products >= least - ROUNDING)
            self._expected[id] = _Expected(group, number, likely, products[likely])

    def add(self, id: str, vector: Floats) -> None:
        """Adds a memory that was stored."""
        place = len(self._ids)
        if place == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[place] = vector
        self._ids.append(id)
        for group in self._groups:
            if id not in group.not_stored:
                group.others_added.append(place)
        expected = self._expected.pop(id, None)
        if expected is not None:
            group = expected.group
            group.places[expected.number] = place
            group.not_stored.discard(id)
            if not group.not_stored:
                self._groups.remove(group)

    def nearest(self, id: str, vector: Floats, *, limit: int, least: float) -> list[tuple[str, float]]:
        """Returns the ids of the memories nearest to a text, with their cosines."""
        places, products = self._likely(id, vector)
        if len(places) > limit:
            edge = np.partition(products, -limit)[-limit] - 2 * ROUNDING
            places = places[products >= edge]
        cosines = (self._rows[places] * vector).sum(axis=1)
        best = np.lexsort((places, -cosines))[:limit]
        return [(self._ids[places[i]], float(cosines[i])) for i in best.tolist() if cosines[i] >= least]

    def _likely(self, id: str, vector: Floats) -> tuple[Ints, Floats]:
        """Returns the places of what may be near, with products that are about the cosines."""
        expected = self._expected.get(id)
        if expected is None:
            return np.arange(len(self._ids)), self._rows[: len(self._ids)] @ vector
        group, likely = expected.group, expected.likely
        of_group = likely >= group.first
        places = likely.copy()
        places[of_group] = group.places[likely[of_group] - group.first]
        stored = places >= 0
        places, products = places[stored], expected.products[stored]
        if group.others_added:
            others = np.array(group.others_added)
            places = np.concatenate([places, others])
            products = np.concatenate([products, self._rows[others] @ vector])
        return places, products
