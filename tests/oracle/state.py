"""What the oracle holds, and what a view sees of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.core.errors import NotFound
from holdfast.core.events import Event, Head
from holdfast.core.facts import Statement
from holdfast.core.filter_rule import RULE, parameters
from holdfast.core.folders import File, Folder
from holdfast.core.jobs import Job
from holdfast.core.kinds import SAID
from holdfast.core.language_models import LanguageModel, ModelCall
from holdfast.core.members import Member
from holdfast.core.metrics import Metric
from holdfast.core.module_map import ModuleMap
from holdfast.core.places import Pool, Reach
from holdfast.core.projects import Project, ProjectState, Session
from holdfast.core.record import Memory, Status, external_key
from holdfast.core.scanning import Finding
from holdfast.core.sharing import Request
from holdfast.core.sources import Source
from holdfast.core.summaries import SummaryRow
from holdfast.core.usage import Given, Tally
from holdfast.core.views import View
from holdfast.language.work import is_about_work
from tests.oracle.rule import passes


@dataclass
class Row:
    """One version of a memory with its index entries."""

    number: int
    memory: Memory
    pool: Pool
    current: bool
    spans: tuple[tuple[int, int], ...]
    terms: tuple[dict[int, int], ...]
    facts: tuple[Statement, ...]
    vectors: dict[str, Any] = field(default_factory=dict)


@dataclass
class Contents:
    """Everything that a store holds."""

    rows: list[Row] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    maps: dict[int, ModuleMap] = field(default_factory=dict)
    metrics: dict[tuple[str, int, str], Metric] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    language_models: dict[str, LanguageModel] = field(default_factory=dict)
    model_calls: dict[str, ModelCall] = field(default_factory=dict)
    summaries: dict[int, list[SummaryRow]] = field(default_factory=dict)
    requests: dict[str, Request] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)
    connections: set[tuple[str, int]] = field(default_factory=set)
    files: dict[int, File] = field(default_factory=dict)
    renames: dict[tuple[str, str], int] = field(default_factory=dict)
    forgotten: set[tuple[str, str]] = field(default_factory=set)
    tombstones: dict[tuple[str, str], bool] = field(default_factory=dict)
    given: dict[tuple[str, int, str], dict[str, tuple[int, str]]] = field(default_factory=dict)
    cited: dict[str, tuple[str, Given]] = field(default_factory=dict)
    tallies: dict[tuple[str, int, str], tuple[Tally, int]] = field(default_factory=dict)
    key: bytes = field(default_factory=lambda: os.urandom(32))
    numbers: int = 0
    session_numbers: int = 0
    left: dict[int, int] = field(default_factory=dict)


class OracleView:
    """A state, and the state before its transaction, from which candidates come."""

    def __init__(self, state: Contents, before: Contents) -> None:
        self._state = state
        self._before = before

    def _connected(self, source: str | None) -> set[int]:
        return {project for one, project in self._state.connections if one == source}

    def _allows(self, view: View, pool: Pool) -> bool:
        readers = next((s.readers for s in self._state.sources if s.id == pool.source), None)
        return view.allows(pool, self._connected(pool.source), self._closed(), readers)

    def _closed(self) -> set[int | None]:
        return {p.number for p in self._state.projects if p.state is not ProjectState.ACTIVE}

    def _visible(self, view: View, now: int) -> list[Row]:
        return [row for row in self._state.rows if self._sees(view, row, now)]

    def _sees(self, view: View, row: Row, now: int) -> bool:
        archived = frozenset(s.number for s in self._state.sessions if s.archived)
        values = parameters(view.without_archived(archived).filter, view.hidden_kinds, now)
        pools = row.pool, row.memory.place.pool(row.memory.kind)
        in_project = all(pool.reach in (Reach.PROJECT, Reach.SOURCE) for pool in pools)
        of_row = {
            "current": row.current, "in_project": in_project, "about_work": is_about_work(row.memory),
        }  # fmt: skip
        return self._may_read(view, row) and passes(RULE, row.memory, of_row, values)

    def _may_read(self, view: View, row: Row) -> bool:
        """Whether a version may be read at all, by where it is, where it was written, and its status."""
        m = row.memory
        written_in = m.place.pool(m.kind)
        if not self._allows(view, row.pool):
            return False
        if written_in != row.pool and not self._allows(view.everywhere(), written_in):
            return False
        is_open = m.status in (Status.APPROVED, Status.SUPERSEDED) and m.deleted_at is None
        is_own = m.place.owner == view.user and view.author in (None, m.created_by)
        return is_open or is_own or view.reviews

    def _of(self, view: View, id: str) -> list[Row]:
        rows = [r for r in self._state.rows if r.memory.id == id and self._allows(view, r.pool)]
        if not rows:
            raise NotFound(f"there is no memory {id!r}", code="memory_not_found")
        return rows

    def _first(self, rows: Iterator[Row]) -> Memory | None:
        row = next(rows, None)
        return None if row is None else self._told(row)

    @staticmethod
    def _told(row: Row) -> Memory:
        return row.memory

    def _counted(self, session: Session) -> Session:
        count = sum(
            row.current and row.memory.deleted_at is None and row.memory.kind in SAID
            for row in self._state.rows
            if row.memory.place.session == session.number
        )
        return replace(session, message_count=count)

    def _last(self) -> Head:
        last = self._state.events[-1] if self._state.events else None
        return Head(last.sequence, last.hash) if last else Head()


def key_of(memory: Memory) -> str | None:
    """By what a memory is the same to the outside."""
    return external_key(memory.kind, memory.place, memory.external_id)
