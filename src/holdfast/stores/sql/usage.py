"""Deliveries to working sessions, in an SQL store."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from holdfast.core.usage import Cited, Delivery, Tally

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.core.usage import DeliveredContext
    from holdfast.core.views import View


class SqlUsageReader(ABC):
    """The mixin of the reader for deliveries to sessions."""

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    def delivered(self, view: View, project: int, session: str) -> frozenset[str]:
        values = {"owner": view.user, "project": project, "key": session}
        return frozenset(what for (what,) in self._all("delivered", values))

    def citations(self, view: View, context: str) -> list[Cited]:
        return [Cited(*row) for row in self._all("cited", {"owner": view.user, "context": context})]

    def deliveries(self, view: View, id: str) -> list[Delivery]:
        return [Delivery(*row) for row in self._all("deliveries", {"owner": view.user, "id": id})]

    def tallies(self, view: View, project: int | None, session: str | None) -> list[Tally]:
        values = {"owner": view.user, "project": project, "key": session}
        return [Tally(*row) for row in self._all("tallies", values)]


class SqlUsageWriter(SqlUsageReader):
    """The mixin of the writer for deliveries to sessions."""

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...

    def deliver(
        self,
        view: View,
        project: int,
        session: str,
        ids: Collection[str],
        tally: Tally,
        *,
        actor: str,
        now: int,
        before: int,
    ) -> None:
        desk = {"owner": view.user, "project": project, "session": session}
        self._run("deliver", {**desk, "what": json.dumps(sorted(ids)), "actor": actor, "now": now})
        self._run("tally", {**desk, **asdict(tally), "now": now})
        for step in ("prune_given", "prune_cited", "prune_tallies"):
            self._run(step, {"owner": view.user, "before": before})

    def cite(self, view: View, citations: DeliveredContext) -> None:
        values = {"context": citations.context, "owner": view.user, "project": citations.project}
        values |= {"session": citations.session, "at": citations.at}
        for citation, id in citations.ids.items():
            self._run("cite", {**values, "citation": citation, "what": id})

    def take_back(self, view: View, *, project: int | None = None, session: str | None = None) -> None:
        for step in ("take_back_given", "take_back_cited", "take_back_tallies"):
            self._run(step, {"owner": view.user, "project": project, "session": session})

    def leave(self, view: View) -> None:
        self.take_back(view)
        for step in ("leave_jobs", "leave_untidied", "leave_tombstones", "leave_model_calls"):
            self._run(step, {"owner": view.user})
