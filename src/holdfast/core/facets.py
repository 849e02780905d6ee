"""Facets: how many memories a view has of each kind, project, origin, owner and status, for filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field

from holdfast.core.value_classes import value_class
from holdfast.core.wire import Plain, wire


@value_class
class Facet:
    """The number of memories that have all of these in common."""

    kind: str
    project: str | None
    origin: str
    owner: str
    status: str
    count: int


@value_class
class Facets(Plain):
    """The numbers of memories in a place, by what filters compare, each the most first."""

    total: int
    kinds: Mapping[str, int]
    projects: Mapping[str, int] = field(metadata=wire(about="By project; those in none are left out."))
    origins: Mapping[str, int]
    owners: Mapping[str, int]
    statuses: Mapping[str, int]


def facets_of(rows: Iterable[Facet], narrowing: Mapping[str, Collection[str]] | None = None) -> Facets:
    """Returns the numbers, summed for each value. `narrowing` by kind, origin or owner reduces the total and
    the numbers of the others: its own say what another choice would give."""
    facets = list(rows)
    filters = narrowing or {}

    def matching(besides: str | None = None) -> Iterator[Facet]:
        others = [(name, values) for name, values in filters.items() if name != besides]
        return (row for row in facets if all(getattr(row, name) in values for name, values in others))

    def by(name: str) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for row in matching(name):
            if (value := getattr(row, name)) is not None:
                counts[value] += row.count
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    total = sum(row.count for row in matching())
    return Facets(total, by("kind"), by("project"), by("origin"), by("owner"), by("status"))
