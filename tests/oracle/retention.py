"""Retention in the oracle: registers, what is due, what is held."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from holdfast.core.events import Event
from holdfast.core.places import Principal
from holdfast.core.retention import (
    HOLDS,
    REGISTERS,
    RETAINED,
    Cutoff,
    Outdated,
    check_may_leave,
    check_not_held,
    holds_of,
)
from holdfast.core.views import View, personal_view
from tests.oracle.state import OracleView, Row


def _due_before(cutoffs: Sequence[Cutoff], kind: str, project: str | None) -> int | None:
    """The time before which a memory of a kind in a project is due; None for never."""
    fitting = (
        cutoff for cutoff in cutoffs if cutoff.kind in (None, kind) and cutoff.project in (None, project)
    )
    return next((one.before for one in fitting), None)


class OracleRetention(OracleView):
    """What `stores/base/retention` asks."""

    def register(self, view: View, name: str) -> list[Event]:
        return [event for event in self._state.events if event.subject == name and name in REGISTERS]

    def outdated(self, view: View, cutoffs: Sequence[Cutoff], *, after: int, limit: int) -> list[Outdated]:
        found = []
        for row in sorted(self._state.rows, key=lambda row: row.number):
            stored, project = row.memory, self._project_id(row)
            before = _due_before(cutoffs, stored.kind, project)
            covered = row.current and stored.place.file is None and stored.kind in RETAINED
            if row.number > after and covered and before is not None and stored.updated_at <= before:
                owner = stored.place.owner
                held = any(hold.covers(owner, project) for hold in holds_of(self.register(view, HOLDS)))
                found.append(
                    Outdated(
                        row.number, stored.id, owner, stored.kind, project, stored.place.session,
                        stored.updated_at, held, stored.pinned or stored.edited,
                    )
                )  # fmt: skip
        return found[:limit]

    def ids_on_hold(self, view: View, ids: Sequence[str]) -> list[str]:
        holds = holds_of(self.register(view, HOLDS))
        found = {
            row.memory.id
            for row in self._state.rows
            if row.memory.id in ids
            and any(hold.covers(row.memory.place.owner, self._project_id(row)) for hold in holds)
        }
        return sorted(found)

    def _project_id(self, row: Row) -> str | None:
        return next(
            (project.id for project in self._state.projects if project.number == row.pool.project), None
        )

    def _check_may_leave(self, row: Row) -> None:
        holds = holds_of(self.register(personal_view(Principal("")), HOLDS))
        check_may_leave(holds, row.memory.place.owner, self._project_id(row))

    def _check_not_held(self, view: View, ids: Collection[str]) -> None:
        check_not_held(self.ids_on_hold(view, sorted(ids)))
