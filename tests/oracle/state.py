"""What the oracle holds, and what a view sees of it."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator
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
from holdfast.core.places import Pool
from holdfast.core.projects import Project, ProjectState, Session
from holdfast.core.record import Memory, Status, external_key
from holdfast.core.scanning import Finding
from holdfast.core.sharing import Request
from holdfast.core.sources import Source
from holdfast.core.summaries import SummaryRow
from holdfast.core.usage import DeliveredContext, Tally
from holdfast.core.views import View
from tests.oracle.rule import Test, test_of


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
    cited: dict[str, tuple[str, DeliveredContext]] = field(default_factory=dict)
    tallies: dict[tuple[str, int, str], tuple[Tally, int]] = field(default_factory=dict)
    changes: dict[tuple[str, int], int] = field(default_factory=dict)
    key: bytes = field(default_factory=lambda: os.urandom(32))
    numbers: int = 0
    session_numbers: int = 0
    left: dict[int, int] = field(default_factory=dict)

    def copied(self) -> Contents:
        """Returns a copy that can be changed without this one. Records are never changed, but replaced."""
        result = copy.copy(self)
        for name, value in vars(self).items():
            setattr(result, name, copy.copy(value))
        result.rows = [replace(row, vectors=dict(row.vectors)) for row in self.rows]
        result.given = {desk: dict(what) for desk, what in self.given.items()}
        result.cited = {
            context: (owner, replace(given, ids=dict(given.ids)))
            for context, (owner, given) in self.cited.items()
        }
        return result


class OracleView:
    """A state, and the state before its transaction, from which candidates come."""

    def __init__(self, state: Contents, before: Contents) -> None:
        self._state = state
        self._before = before

    def _connected(self, source: str | None) -> set[int]:
        return {project for one, project in self._state.connections if one == source}

    def _allows(self, view: View, pool: Pool) -> bool:
        return self._rule_of_pools(view)(pool)

    def _rule_of_pools(self, view: View) -> Callable[[Pool], bool]:
        closed = self._closed()
        readers = {source.id: source.readers for source in self._state.sources}
        known: dict[Pool, bool] = {}

        def allows(pool: Pool) -> bool:
            if pool not in known:
                of_source = None if pool.source is None else readers.get(pool.source)
                known[pool] = view.allows(pool, self._connected(pool.source), closed, of_source)
            return known[pool]

        return allows

    def _closed(self) -> set[int | None]:
        return {p.number for p in self._state.projects if p.state is not ProjectState.ACTIVE}

    def _visible(self, view: View, now: int, *, where: Test | None = None) -> list[Row]:
        """Returns the versions that are seen, those alone for which another test, a cheaper one, holds."""
        rows = self._state.rows if where is None else filter(where, self._state.rows)
        return list(filter(self._in_sight(view, now), rows))

    def _in_sight(self, view: View, now: int) -> Test:
        """Returns the test whether a version is seen."""
        archived = frozenset(s.number for s in self._state.sessions if s.archived)
        values = parameters(view.without_archived(archived).filter, view.hidden_kinds, now)
        may_be_read, passes = self._readable(view), test_of(RULE, values)
        return lambda row: may_be_read(row) and (passes is None or passes(row))

    def _readable(self, view: View) -> Test:
        """Returns the test whether a version may be read at all, by where it is, where it was written, and
        its status."""
        allows, allows_anywhere = self._rule_of_pools(view), self._rule_of_pools(view.everywhere())

        def may_be_read(row: Row) -> bool:
            if not allows(row.pool):
                return False
            m = row.memory
            written_in = m.place.pool(m.kind)
            if written_in != row.pool and not allows_anywhere(written_in):
                return False
            is_open = m.status in (Status.APPROVED, Status.SUPERSEDED) and m.deleted_at is None
            is_own = m.place.owner == view.user and view.author in (None, m.created_by)
            return is_open or is_own or view.reviews

        return may_be_read

    def _of(self, view: View, id: str) -> list[Row]:
        allows = self._rule_of_pools(view)
        rows = [r for r in self._state.rows if r.memory.id == id and allows(r.pool)]
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
