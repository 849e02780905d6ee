"""Pools of a store by number, and the ones that a view allows."""

from __future__ import annotations

import json
from collections.abc import Collection

from holdfast.core.places import Pool, Reach
from holdfast.core.views import View

VIEWS_KEPT = 256
"""Views whose pools are remembered."""


class Pools:
    """The pools of a store by number, and their numbers; `connections` is a JSON list of pairs: a source and
    the number of a project that its folder is connected to, or the name of a user who may read what it holds,
    if not all may; and of each closed project null and its number, of each
    archived session an empty text and its number."""

    def __init__(self, by_number: dict[int, Pool], connections: str = "[]") -> None:
        self.by_number = by_number
        self.connections = connections
        self._connected: dict[str | None, set[int]] = {}
        self._readers: dict[str | None, set[str]] = {}
        for source, other in json.loads(connections):
            if isinstance(other, str):
                self._readers.setdefault(source, set()).add(other)
            else:
                self._connected.setdefault(source, set()).add(other)
        self.closed = frozenset(self._connected.pop(None, ()))
        """The numbers of the projects that are archived or switched off."""
        self.archived = frozenset(self._connected.pop("", ()))
        """The numbers of the sessions that are archived."""
        self.numbers = {pool: number for number, pool in by_number.items()}
        self.user_wide = frozenset(
            number for number, pool in by_number.items() if pool.reach is Reach.EVERYWHERE
        )
        """The pools of knowledge of no project."""
        self.in_projects = frozenset(
            number for number, pool in by_number.items() if pool.reach in (Reach.PROJECT, Reach.SOURCE)
        )
        """The pools of what is of a project."""
        self.last = max(by_number, default=None)
        self._cache: dict[View, list[int]] = {}

    def seen_by(self, view: View) -> list[int]:
        """Returns the numbers of the pools that a view allows."""
        seen = self._cache.get(view)
        if seen is None:
            if len(self._cache) >= VIEWS_KEPT:
                self._cache.clear()
            seen = [number for number, pool in self.by_number.items() if self.allowed(view, pool)]
            self._cache[view] = seen
        return seen

    def without_archived(self, view: View) -> View:
        """Returns a view without what was said in archived sessions."""
        return view.without_archived(self.archived)

    def allowed(self, view: View, pool: Pool) -> bool:
        """Returns whether a view allows a pool, by the connections and readers of its source and the closed
        projects."""
        return self.allows(view, pool, self._readers.get(pool.source))

    def allows(self, view: View, pool: Pool, readers: Collection[str] | None) -> bool:
        """Returns whether a view allows a pool whose source only `readers` may read."""
        return view.allows(pool, self._connected.get(pool.source, ()), self.closed, readers)
