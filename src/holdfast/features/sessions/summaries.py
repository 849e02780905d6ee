"""Rolling summaries of conversations, in stored rows: the messages that represent each part (S0.38).

A row is a choice of messages and holds references to them, no text. So nothing that is erased, forgotten or
out of sight is in a summary, and no rule or model can put words into it that nobody said.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence

from holdfast.core.arguments import checked_limit
from holdfast.core.errors import InvalidInput, StoreError
from holdfast.core.kinds import SAID
from holdfast.core.projects import Session
from holdfast.core.record import Memory
from holdfast.core.shortening import shortened
from holdfast.core.summaries import (
    ProjectSummary,
    Quotation,
    SessionSummary,
    SummaryLine,
    SummaryPart,
    SummaryRow,
)
from holdfast.core.text import count_tokens
from holdfast.core.views import Filter, View, personal_view
from holdfast.features.projects.projects import existing_project
from holdfast.features.service import Service
from holdfast.features.sessions.sessions import session_beginning
from holdfast.language.salience import salient
from holdfast.stores.base.ports import Reader

ROW_MAX = 40
"""Most messages of a row: with them the last row is full, and another begins."""
LINES_MAX, SHARE = 8, 0.4
"""Most lines of a row, and their share of its messages."""
LINE_MAX = 200
"""Most characters of a line."""
NEW_MIN, TOKENS_MIN = 5, 200
"""Messages that have to be new, and tokens that a conversation needs, before its rows are stored."""
READ_MAX = 2_000
"""Most messages of one conversation that are read for its summary at once."""
OVERVIEW = 3
"""Lines of each conversation in the overview of its project."""

Line = tuple[Memory, str]
"""A message, and the part of its text that a summary quotes."""


class Rolled:
    """The summary of one conversation: its rows, each with its lines, and how many messages are not covered
    yet."""

    def __init__(self, parts: Sequence[tuple[SummaryRow, Sequence[Line]]], uncovered: int) -> None:
        self.parts = parts
        self.uncovered = uncovered
        self.messages = sum(row.messages for row, _ in parts)

    @property
    def lines(self) -> list[Line]:
        """Returns the lines of all rows, in the order of the conversation."""
        return [line for _, lines in self.parts for line in lines]


class Summaries:
    """The summaries that one request reads, and the rows of them that are to be stored afterwards."""

    def __init__(self, service: Service, *, most: int = READ_MAX) -> None:
        self._service = service
        self._most = most
        self._now = service.clock()
        self._changed: list[tuple[int, list[SummaryRow], list[SummaryRow]]] = []

    def of(self, snap: Reader, view: View, session: int) -> Rolled:
        """Returns the summary of a conversation as a view sees it, up to its latest message.

        Rows are stored for who sees all of the conversation. For any other view they are chosen from what
        that view sees, and not stored.
        """
        narrowing = Filter(session=session, kinds=SAID)
        visible, whole = view.narrowed(narrowing), personal_view(self._service.principal, narrowing)
        total = snap.count(visible, now=self._now)
        is_whole = total == snap.count(whole, now=self._now)
        saved = snap.summaries(whole, session) if is_whole else []
        rows, tokens = self._completed(snap, visible, saved, total)
        parts = self._quoted(snap, visible, rows)
        rows = [row for row, _ in parts]
        added = sum(row.messages for row in rows) - sum(row.messages for row in saved)
        if is_whole and rows != saved and not 0 < added < NEW_MIN and (saved or tokens > TOKENS_MIN):
            self._changed.append((session, saved, rows))
        return Rolled(parts, max(0, total - sum(row.messages for row in rows)))

    def keep(self) -> None:
        """Stores the rows that are new. Where nothing can be written they are chosen again the next time."""
        if not (self._changed and self._service.may_write):
            return
        view = personal_view(self._service.principal)
        with contextlib.suppress(StoreError), self._service.store.write() as tx:
            for session, saved, rows in self._changed:
                if tx.summaries(view, session) == saved:  # nobody was faster, and nothing was erased
                    start = next((n for n, part in enumerate(saved) if rows[n : n + 1] != [part]), len(saved))
                    tx.put_summaries(view, session, rows[start:], start=start)
        self._changed.clear()

    def _completed(
        self, snap: Reader, messages_view: View, stored_rows: list[SummaryRow], total: int
    ) -> tuple[list[SummaryRow], int]:
        """Returns the rows up to the latest message, and the tokens that were read for them. The last row is
        chosen anew until it is full; all are, if messages came or went within what they cover."""
        base = stored_rows if stored_rows and _is_full(stored_rows[-1]) else stored_rows[:-1]
        messages = self._read(snap, messages_view, base)
        expected = min(total - sum(row.messages for row in base), self._most)
        if messages is None or len(messages) != expected:
            base, messages = [], self._read(snap, messages_view, []) or []
        elif sum(row.messages for row in stored_rows) == total:
            return stored_rows, 0
        rows = [extract_row(messages[at : at + ROW_MAX]) for at in range(0, len(messages), ROW_MAX)]
        return [*base, *rows], sum(count_tokens(message.text) for message in messages)

    def _read(self, snap: Reader, messages_view: View, base: Sequence[SummaryRow]) -> list[Memory] | None:
        """Returns the messages after some rows; None if the place where they end is gone."""
        cursor = base[-1].last if base else None
        try:
            return snap.conversation(messages_view, limit=self._most, cursor=cursor, now=self._now).memories
        except InvalidInput:
            return None

    def _quoted(
        self, snap: Reader, messages_view: View, rows: Sequence[SummaryRow]
    ) -> list[tuple[SummaryRow, Sequence[Line]]]:
        """Returns rows with their lines; one that quotes what is gone or was changed is chosen anew."""
        ids = list(dict.fromkeys(quotation.id for row in rows for quotation in row.quotations))
        messages = {memory.id: memory for memory in snap.several(messages_view, ids, now=self._now)}
        parts: list[tuple[SummaryRow, Sequence[Line]]] = []
        for row in rows:
            lines = _lines(row, messages)
            if lines is None:
                before = parts[-1][0].last if parts else None
                page = snap.conversation(messages_view, limit=row.messages, cursor=before, now=self._now)
                row = extract_row(page.memories)
                lines = _lines(row, {memory.id: memory for memory in page.memories})
            parts.append((row, lines or ()))
        return parts


def extract_row(messages: Sequence[Memory]) -> SummaryRow:
    """Returns the row of some messages, at least one: those that say most, by rules."""
    usable = [message for message in messages if not message.is_kept_from_prompts]
    count = min(LINES_MAX, max(1, round(SHARE * len(messages))))
    places = salient([message.text for message in usable], count)
    quotations = tuple(
        Quotation(message.id, message.version, 0, len(message.text))
        for message in map(usable.__getitem__, places)
    )
    return row_of(messages, quotations)


def row_of(
    messages: Sequence[Memory], quotations: tuple[Quotation, ...], model: str | None = None
) -> SummaryRow:
    """Returns the row of some messages, at least one, with the quotations that represent them."""
    first, last = messages[0], messages[-1]
    cursor = f"{last.id}.{last.version}"
    return SummaryRow(cursor, len(messages), first.at, last.at, quotations, model)


def session_summary(service: Service, id: str) -> SessionSummary:
    """Returns the summary of one of the caller's sessions, up to its latest message. Raises NotFound."""
    summaries, view = Summaries(service), personal_view(service.principal)
    with service.store.read() as snap:
        session = session_beginning(snap, service, id)
        rolled = summaries.of(snap, view, session.number)
    summaries.keep()
    parts = [_part(row.since, row.until, row.messages, lines, row.model) for row, lines in rolled.parts]
    return _summary(session, rolled, parts)


def project_summary(service: Service, name: str, *, limit: int) -> ProjectSummary:
    """Returns the overview of a project: what the caller's latest conversations in it are about, the last
    changed first. Raises NotFound."""
    checked_limit(limit)
    summaries, view = Summaries(service), personal_view(service.principal)
    with service.store.read() as snap:
        project = existing_project(snap, service, name)
        sessions = snap.sessions(view, project=project.number, archived=False)
        latest = [(session, summaries.of(snap, view, session.number)) for session in sessions[:limit]]
    summaries.keep()
    entries = tuple(_summary(session, rolled, _gist(rolled)) for session, rolled in latest)
    return ProjectSummary(project.name, len(sessions), entries)


def best_of(lines: Sequence[Line], count: int) -> list[Line]:
    """Returns the lines that say most, at most `count`, in their order."""
    return [lines[place] for place in salient([text for _, text in lines], count)]


def _is_full(row: SummaryRow) -> bool:
    return row.messages >= ROW_MAX or row.model is not None


def _lines(row: SummaryRow, messages: Mapping[str, Memory]) -> list[Line] | None:
    """Returns the lines of a row; None if it quotes a version of a message that is gone."""
    lines: list[Line] = []
    for quotation in row.quotations:
        message = messages.get(quotation.id)
        if message is None or message.version != quotation.version:
            return None
        text = " ".join(message.text[quotation.start : quotation.end].split())
        lines.append((message, shortened(text, LINE_MAX)))
    return lines


def _gist(rolled: Rolled) -> list[SummaryPart]:
    if not rolled.parts:
        return []
    since, until = rolled.parts[0][0].since, rolled.parts[-1][0].until
    return [_part(since, until, rolled.messages, best_of(rolled.lines, OVERVIEW))]


def _part(
    since: int, until: int, messages: int, lines: Sequence[Line], model: str | None = None
) -> SummaryPart:
    """Returns the lines that represent a part of a conversation, each with its id, time and speaker."""
    shown = tuple(
        SummaryLine(message.id, message.at, message.name or message.said_by, text) for message, text in lines
    )
    return SummaryPart(since, until, messages, shown, model)


def _summary(session: Session, rolled: Rolled, parts: Sequence[SummaryPart]) -> SessionSummary:
    return SessionSummary(
        session.external_id, session.name, session.project, session.updated_at, rolled.messages,
        rolled.uncovered, tuple(parts),
    )  # fmt: skip
