"""Sessions and their rolling summaries in an SQL store."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from holdfast.core.kinds import SAID
from holdfast.stores.sql.folders import ALL
from holdfast.stores.sql.rows import session_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.core.cursors import SessionMark
    from holdfast.core.projects import Session
    from holdfast.core.record import Memory
    from holdfast.core.summaries import SummaryRow
    from holdfast.core.views import View

SAID_JSON = json.dumps(sorted(SAID))


class SqlSessionReader(ABC):
    """The mixin of the reader for sessions."""

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...

    @abstractmethod
    def _memories(self, name: str, view: View, now: int, values: dict[str, Any]) -> list[Memory]: ...

    def session(self, view: View, external_id: str) -> Session | None:
        values = {"owner": view.user, "external_id": external_id, "said": SAID_JSON}
        return view.session_among([session_of(row) for row in self._dicts("session", values)])

    def sessions(
        self, view: View, *, project: int | None = None, limit: int | None = None,
        after: SessionMark | None = None, archived: bool | None = None,
    ) -> list[Session]:  # fmt: skip
        mark = (None, None, None) if after is None else (after.updated_at, after.id, after.project)
        values: dict[str, Any] = {"owner": view.user, "project": project, "closed": view.closed}
        values |= {"archived": archived} | dict(
            zip(("after_at", "after_id", "after_project"), mark, strict=True)
        )
        values |= {"limit": ALL if limit is None else limit, "said": SAID_JSON}
        return [session_of(row) for row in self._dicts("sessions", values)]

    def session_names(self, view: View, numbers: Collection[int]) -> dict[int, str]:
        values = {"owner": view.user, "numbers": json.dumps(sorted(numbers))}
        return dict(self._all("session_names", values))

    def titled(self, view: View, session: int) -> list[Memory]:
        return self._memories("titled", view, 0, {"in_session": session})

    def summaries(self, view: View, session: int) -> list[SummaryRow]:
        from holdfast.core.summaries import Quotation, SummaryRow

        rows = self._all("summaries", {"owner": view.user, "session": session})
        return [
            SummaryRow(
                last,
                messages,
                since,
                until,
                tuple(Quotation(*quotation) for quotation in json.loads(quotations)),
                model,
            )
            for last, messages, since, until, quotations, model in rows
        ]


class SqlSessionWriter(SqlSessionReader):
    """The mixin of the writer for summaries of sessions."""

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...

    def put_summaries(self, view: View, session: int, rows: Sequence[SummaryRow], *, start: int) -> None:
        own = {"owner": view.user, "session": session}
        self._run("drop_summaries", {**own, "start": start})
        for part, row in enumerate(rows, start):
            quotations = [
                [quotation.id, quotation.version, quotation.start, quotation.end]
                for quotation in row.quotations
            ]
            values = {
                "part": part, "last": row.last, "messages": row.messages, "since": row.since,
                "until": row.until, "quotations": json.dumps(quotations), "model": row.model,
            }  # fmt: skip
            self._run("put_summary", {**own, **values})
