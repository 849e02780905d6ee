"""Deliveries to working sessions, in an SQL store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from holdfast.core.usage import Delivery, Tally

if TYPE_CHECKING:
    from holdfast.core.views import View


class SqlUsageReader(ABC):
    """The mixin of the reader for deliveries to sessions."""

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    def delivered(self, view: View, project: int, session: str) -> frozenset[str]:
        values = {"owner": view.user, "project": project, "key": session}
        return frozenset(what for (what,) in self._all("delivered", values))

    def deliveries(self, view: View, id: str) -> list[Delivery]:
        return [Delivery(*row) for row in self._all("deliveries", {"owner": view.user, "id": id})]

    def tallies(self, view: View, project: int | None, session: str | None) -> list[Tally]:
        values = {"owner": view.user, "project": project, "key": session}
        return [Tally(*row) for row in self._all("tallies", values)]
