"""Pools of a store by number, and the ones that a view allows."""

from __future__ import annotations

import json

from holdfast.core.places import Pool, Reach
from holdfast.core.views import View

VIEWS_KEPT = 256
"""Views whose pools are remembered."""


class Pools:
    """The pools of a store by number, and their numbers; `connections` is a JSON list of pairs: the source of
    a folder, and the number of a project that it is connected to; and of each closed project null and its
    number."""

    def __init__(self, by_number: dict[int, Pool], connections: str = "[]") -> None:
        self.by_number = by_number
        self.connections = connections
        self._connected: dict[str | None, set[int]] = {}
        for source, project in json.loads(connections):
            self._connected.setdefault(source, set()).add(project)
        self.closed = frozenset(self._connected.pop(None, ()))
        """The numbers of the projects that are archived or switched off."""
        self.numbers = {pool: number for number, pool in by_number.items()}
        self.user_wide = frozenset(
            number for number, pool in by_number.items() if pool.reach is Reach.EVERYWHERE
        )
        """The pools of knowledge of no project."""
        self.last = max(by_number, default=None)
        self._seen: dict[View, list[int]] = {}

    def seen_by(self, view: View) -> list[int]:
        """Returns the numbers of the pools that a view allows."""
        seen = self._seen.get(view)
        if seen is None:
            if len(self._seen) >= VIEWS_KEPT:
                self._seen.clear()
            seen = [number for number, pool in self.by_number.items() if self.allowed(view, pool)]
            self._seen[view] = seen
        return seen

    def allowed(self, view: View, pool: Pool) -> bool:
        """Returns whether a view allows a pool, by the connections of its folder and the closed projects."""
        return view.allows(pool, self._connected.get(pool.source, ()), self.closed)
