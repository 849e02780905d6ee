"""Retention in an SQL store: registers, what is due, what is held."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from holdfast.stores.sql.rows import event_of

if TYPE_CHECKING:
    from holdfast.core.events import Event
    from holdfast.core.retention import Cutoff, Hold, Outdated
    from holdfast.core.views import View


class SqlRetentionReader(ABC):
    """The mixin of the reader for retention."""

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    def register(self, view: View, name: str) -> list[Event]:
        from holdfast.core.retention import REGISTERS

        return [event_of(row) for row in self._all("events_of", {"id": name})] if name in REGISTERS else []

    def outdated(self, view: View, cutoffs: Sequence[Cutoff], *, after: int, limit: int) -> list[Outdated]:
        from holdfast.core.retention import RETAINED, Outdated

        values = {
            "kinds": json.dumps(sorted(RETAINED)), "after": after, "limit": limit,
            "cutoffs": json.dumps([{**asdict(cutoff), "rank": rank} for rank, cutoff in enumerate(cutoffs)]),
            "holds": self._holds_as_json(),
        }  # fmt: skip
        return [Outdated(*row) for row in self._all("outdated", values)]

    def ids_on_hold(self, view: View, ids: Sequence[str]) -> list[str]:
        return self._ids_on_hold(ids)

    def _ids_on_hold(self, ids: Sequence[str]) -> list[str]:
        holds = self._holds_as_json()
        if not ids or holds == "[]":
            return []
        return [id for (id,) in self._all("held", {"ids": json.dumps(list(ids)), "holds": holds})]

    def _holds_as_json(self) -> str:
        return json.dumps([{"owner": hold.user, "project": hold.project} for hold in self._holds_in_place()])

    def _holds_in_place(self) -> list[Hold]:
        from holdfast.core.retention import HOLDS, holds_of

        return holds_of(event_of(row) for row in self._all("events_of", {"id": HOLDS}))


class SqlRetentionWriter(SqlRetentionReader):
    """The mixin of the writer for retention."""

    def _check_not_held(self, ids: Sequence[str]) -> None:
        """Raises Refusal `legal_hold` if a hold keeps one of these memories."""
        from holdfast.core.retention import check_not_held

        check_not_held(self._ids_on_hold(ids))

    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...

    def _check_may_leave(self, owner: str, project: int | None) -> None:
        """Raises Refusal `legal_hold` if a hold on a project, by its number, keeps what an owner has."""
        from holdfast.core.retention import check_may_leave

        holds = self._holds_in_place() if project is not None else []
        if holds:
            (row,) = self._dicts("project_numbered", {"number": project})
            check_may_leave(holds, owner, row["id"])
