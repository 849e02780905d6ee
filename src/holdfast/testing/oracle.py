"""The oracle: the store contract in plain Python lists, slow and obviously right.

Every other store is compared with it. It keeps rows as dictionaries, copies everything for a transaction,
and computes candidates by going through all rows.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.domain.acceptance import Metric
from holdfast.domain.cursors import bad_cursor, cursor_after, cursor_parts
from holdfast.domain.errors import Conflict, NotFound, StoreError
from holdfast.domain.events import Event, Head, chained
from holdfast.domain.facts import Said, Statement
from holdfast.domain.folders import File, FileCounts, FileState, Folder, FolderState
from holdfast.domain.graph import ENTITY_GONE, End, is_in_sight
from holdfast.domain.history import history_of
from holdfast.domain.jobs import DEAD, FINISHED, OPEN, Backlog, Job, State
from holdfast.domain.kinds import EVIDENCE
from holdfast.domain.members import Member
from holdfast.domain.memories import Change, Memory, Status, content_hash, entity_key, external_key, identity
from holdfast.domain.module_map import ModuleMap
from holdfast.domain.places import Place, Pool
from holdfast.domain.projects import Project, Session
from holdfast.domain.ranking import KIND_NUMBERS, Signals
from holdfast.domain.review import tie_of
from holdfast.domain.sharing import Request
from holdfast.domain.sources import Source
from holdfast.domain.stats import Tally
from holdfast.domain.views import View
from holdfast.domain.words import K1, B, idf
from holdfast.engine.ports import Page, Patch, Question, Reader, Use, Writer

if TYPE_CHECKING:
    from holdfast.engine.admit import Admitted
    from holdfast.engine.ports import Vectors


@dataclass
class _Row:
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
class _State:
    rows: list[_Row] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    maps: dict[int, ModuleMap] = field(default_factory=dict)
    metrics: dict[tuple[str, int, str], Metric] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    requests: dict[str, Request] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)
    connections: set[tuple[str, int]] = field(default_factory=set)
    files: dict[int, File] = field(default_factory=dict)
    renames: dict[tuple[str, str], int] = field(default_factory=dict)
    given: dict[tuple[str, int, str], frozenset[str]] = field(default_factory=dict)
    tallies: dict[tuple[str, int, str], tuple[Tally, int]] = field(default_factory=dict)
    numbers: int = 0
    session_numbers: int = 0


class OracleStore:
    """A store in memory, for one thread."""

    def __init__(self) -> None:
        self._state = _State()
        self._closed = False

    @property
    def location(self) -> str:
        return "memory"

    @property
    def encryption(self) -> str | None:
        return None

    @contextmanager
    def read(self) -> Iterator[Reader]:
        self._check_open()
        yield OracleTransaction(self._state, self._state)

    @contextmanager
    def write(self) -> Iterator[Writer]:
        self._check_open()
        draft = copy.deepcopy(self._state)
        yield OracleTransaction(draft, self._state)
        self._state = draft

    def check(self, *, thorough: bool) -> list[str]:
        return []

    def scrub(self) -> None:
        return None

    def accept(self) -> None:
        return None

    def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("this memory was closed", code="store_closed")


class OracleTransaction:
    """Reads and writes one state; candidates come from the state before."""

    def __init__(self, state: _State, before: _State) -> None:
        self._state = state
        self._before = before

    # reading

    def get(self, view: View, id: str) -> Memory | None:
        return self._first(row for row in self._visible(view, 0) if row.memory.id == id)

    def find(
        self, view: View, *, external_key: str | None = None, content_hash: str | None = None
    ) -> Memory | None:
        def same(row: _Row) -> bool:
            m = row.memory
            if not row.current or m.deleted_at is not None:
                return False
            if external_key is not None:
                return _key(m) == external_key
            live = m.status is not Status.SUPERSEDED and m.kind not in EVIDENCE
            return live and m.content_hash == content_hash

        return self._first(row for row in self._visible(view, 0) if same(row))

    def page(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        return self._page(view, self._visible(view, now), limit, cursor)

    def _page(self, view: View, rows: list[_Row], limit: int, cursor: str | None) -> Page:
        before = None
        if cursor is not None:
            wanted = cursor_parts(cursor)
            allowed = [r for r in self._state.rows if self._allows(view, r.pool)]
            before = next((r.number for r in allowed if (r.memory.id, r.memory.version) == wanted), None)
            if before is None:
                raise bad_cursor(cursor)
        seen = [r for r in rows if before is None or r.number < before]
        found = [r.memory for r in sorted(seen, key=lambda r: -r.number)]
        return Page(found[:limit], cursor_after(found, limit))

    def beginning(self, view: View, start: str, *, limit: int) -> list[str]:
        ids = {r.memory.id for r in self._visible(view, 0) if r.memory.id.startswith(start)}
        return sorted(ids)[:limit]

    def conversation(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        first = {r.memory.id: r.number for r in reversed(self._state.rows)}

        def spot(row: _Row) -> tuple[int, int]:
            return row.memory.at, first[row.memory.id]

        after = None
        if cursor is not None:
            wanted = cursor_parts(cursor)
            allowed = [r for r in self._state.rows if self._allows(view, r.pool)]
            after = next((spot(r) for r in allowed if (r.memory.id, r.memory.version) == wanted), None)
            if after is None:
                raise bad_cursor(cursor)
        seen = [r for r in self._visible(view, now) if after is None or spot(r) > after]
        found = [r.memory for r in sorted(seen, key=spot)]
        return Page(found[:limit], cursor_after(found, limit))

    def count(self, view: View, *, now: int) -> int:
        return len(self._visible(view, now))

    def numbered(self, view: View, numbers: Sequence[int], *, now: int) -> list[tuple[int, Memory]]:
        found = {row.number: self._told(row) for row in self._visible(view, now)}
        return [(number, found[number]) for number in numbers if number in found]

    def history(self, view: View, id: str) -> list[Change]:
        rows = [r for r in self._state.rows if r.memory.id == id and self._allows(view, r.pool)]
        versions = [r.memory for r in rows if r.memory.deleted_at is None]
        events = [event for event in self._state.events if event.subject == id]
        return history_of(versions, events) if versions else []

    def entities(self, view: View, *, type: str | None, limit: int, cursor: str | None, now: int) -> Page:
        def fits(row: _Row) -> bool:
            return row.memory.kind == "entity" and type in (None, row.memory.metadata.get("type"))

        return self._page(view, [r for r in self._visible(view, now) if fits(r)], limit, cursor)

    def named(self, view: View, names: Sequence[str], *, now: int) -> list[Memory]:
        return [r.memory for r in self._visible(view, now) if entity_key(r.memory) in names]

    def several(self, view: View, ids: Sequence[str], *, now: int) -> list[Memory]:
        return [r.memory for r in self._visible(view, now) if r.memory.id in ids]

    def links(self, view: View, ids: Sequence[str], *, limit: int | None, now: int) -> list[Memory]:
        found = [r.memory for r in self._visible(view, now) if set(r.memory.about) & set(ids)]
        return found[::-1][:limit]

    def related(self, view: View, ids: Sequence[str], *, now: int) -> list[Memory]:
        return [r.memory for r in self._visible(view, now) if tie_of(r.memory, ids) is not None]

    def mentions(self, view: View, ids: Sequence[str], *, now: int) -> dict[str, tuple[int, int]]:
        seen = [r.memory for r in self._visible(view, now)]
        times = {id: [m.recorded_at for m in seen if id in m.about] for id in ids}
        return {id: (len(known), max(known)) for id, known in times.items() if known}

    def about_files(self, view: View, files: Collection[str], *, limit: int, now: int) -> list[Memory]:
        found = [self._told(r) for r in self._visible(view, now) if r.memory.about_file in set(files)]
        return found[::-1][:limit]

    def confidence(self, view: View, *, now: int) -> float | None:
        found = [r.memory.confidence for r in self._visible(view, now)]
        return sum(found) / len(found) if found else None

    def given(self, view: View, project: int, session: str) -> frozenset[str]:
        return frozenset(self._state.given.get((view.user, project, session), ()))

    def tallies(self, view: View, project: int | None, session: str | None) -> list[Tally]:
        return [
            tally
            for (owner, number, key), (tally, _) in sorted(self._state.tallies.items())
            if owner == view.user and project in (None, number) and session in (None, key)
        ]

    def facts(self, view: View, topics: Collection[str] | None, *, now: int) -> list[Said]:
        own = [r for r in self._visible(view, now) if r.memory.place.owner == view.user]
        return [
            Said(one, row.memory.id, row.memory.at, row.memory.project, row.memory.session)
            for row in sorted(own, key=lambda r: (r.memory.at, r.number))
            for one in row.facts
            if topics is None or one.topic in topics
        ]

    def candidates(self, view: View, question: Question) -> Signals:
        rows = [r for r in self._before.rows if self._sees(view, r, question.now)]
        passages = [(row, part) for row in rows for part in range(len(row.spans))]
        if not passages:
            return Signals.none(len(rows))
        lengths = [sum(row.terms[part].values()) for row, part in passages]
        average = sum(lengths) / len(passages)
        matching = Counter(t for row, part in passages for t in question.terms if t in row.terms[part])
        vector = question.vector
        if question.emphasise is not None:
            weights = [idf(matching[t], len(passages)) for t in question.terms]
            vector = question.emphasise([w / max(weights) for w in weights])
        words, cosines = [], []
        for (row, part), length in zip(passages, lengths, strict=True):
            norm = K1 * (1 - B + B * length / max(average, 1.0))
            counts = {t: min(row.terms[part].get(t, 0), 255) for t in question.terms}
            words.append(
                sum(
                    idf(matching[t], len(passages)) * c * (K1 + 1) / (c + norm)
                    for t, c in counts.items()
                    if c
                )
            )
            vectors = row.vectors.get(question.model)
            known = vectors is not None and vector is not None
            cosines.append(float(vectors[part] @ vector) if known else None)  # type: ignore[index]
        chosen = _top(words, passages, question.fetch, lambda v: v > 0)
        chosen |= _top(cosines, passages, question.fetch, lambda v: v is not None)
        found = {passages[i][0].number for i in chosen}
        beside = _beside(rows) if question.context else {}
        found |= {n for number in found for n in beside.get(number, ()) if n}
        best: dict[int, list[int]] = {number: [] for number in sorted(found)}
        for i, (row, _) in enumerate(passages):
            if row.number in found:
                best[row.number].append(i)
        return _signals(best, passages, words, cosines, beside, question, len(rows))

    def project(self, view: View, name: str) -> Project | None:
        return next((p for p in self.projects(view) if p.name == name), None)

    def projects(self, view: View) -> list[Project]:
        def is_in_sight(project: Project) -> bool:
            if project.listed:
                return True
            own = [s.project_number for s in self._state.sessions if s.owner == view.user]
            live = [r for r in self._state.rows if r.memory.deleted_at is None and self._allows(view, r.pool)]
            return project.number in own or any(r.pool.project == project.number for r in live)

        return sorted(filter(is_in_sight, self._state.projects), key=lambda p: p.name)

    def module_map(self, view: View, project: int) -> ModuleMap | None:
        return self._state.maps.get(project) if view.holds(project) else None

    def session(self, view: View, external_id: str) -> Session | None:
        for session in self._state.sessions:
            if (session.owner, session.external_id) == (view.user, external_id):
                return self._counted(session)
        return None

    def sessions(self, view: View, *, project: int | None, limit: int | None, offset: int) -> list[Session]:
        own = [s for s in self._state.sessions if s.owner == view.user]
        own = [s for s in own if project is None or s.project_number == project]
        own.sort(key=lambda s: (-s.updated_at, -s.number))
        return [self._counted(s) for s in own[offset : None if limit is None else offset + limit]]

    def sources(self, view: View, *, removed: bool = False) -> list[Source]:
        listed = [source for source in self._state.sources if removed or source.deleted_at is None]
        own = [s for s in listed if s.owner == view.user and s.id not in self._state.folders]
        return sorted(own, key=lambda source: (source.ingested_at, source.id))

    def owned(self, view: View, *, after: int, limit: int) -> list[tuple[int, Memory]]:
        own = [row for row in self._visible(view, 0) if row.memory.place.owner == view.user]
        return [(row.number, row.memory) for row in own if row.number > after][:limit]

    def versions(self, view: View, ids: Sequence[str]) -> list[Memory]:
        found = [r.memory for r in self._state.rows if r.memory.id in ids and self._allows(view, r.pool)]
        return sorted(found, key=lambda m: (m.id, m.version))

    def events_about(self, view: View, ids: Sequence[str]) -> list[Event]:
        seen = {r.memory.id for r in self._state.rows if self._allows(view, r.pool)} & set(ids)
        return [event for event in self._state.events if event.subject in seen]

    def events(self, view: View, *, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        return iter([e for e in self._state.events if e.sequence > after][:limit])

    def head(self, view: View) -> Head:
        return self._last()

    def member(self, view: View, user: str) -> Member | None:
        return self._state.members.get(user)

    def members(self, view: View) -> list[Member]:
        return [one for _, one in sorted(self._state.members.items())]

    def has_members(self, view: View) -> bool:
        return any(one.removed_at is None for one in self._state.members.values())

    def requests(self, view: View, id: str | None = None) -> list[Request]:
        found = [one for one in self._state.requests.values() if id in (None, one.id)]
        return sorted(found, key=lambda one: (one.asked_at, one.id))

    def metrics(self, view: View, name: str | None, *, limit: int) -> list[Metric]:
        found = [one for one in self._state.metrics.values() if name in (None, one.name)]
        return sorted(found, key=lambda one: (-one.at, one.name, one.evaluator))[:limit]

    def job(self, view: View, id: str) -> Job | None:
        return next((j for j in self._state.jobs if (j.id, j.owner) == (id, view.user)), None)

    def jobs(
        self,
        view: View,
        *,
        states: Collection[State] | None = None,
        kind: str | None = None,
        subject: str | None = None,
        limit: int = 100,
    ) -> list[Job]:
        found = [
            j
            for j in reversed(self._state.jobs)
            if j.owner == view.user
            and (states is None or j.state in states)
            and (kind is None or j.kind == kind)
            and (subject is None or j.subject == subject)
        ]
        return found[:limit]

    def backlog(self, view: View) -> Backlog:
        states = [j.state for j in self._state.jobs]
        return Backlog(
            states.count(State.QUEUED), states.count(State.RUNNING), sum(state in DEAD for state in states)
        )

    def next_job_at(self, view: View) -> int | None:
        return min((j.due_at for j in self._state.jobs if j.state in OPEN), default=None)

    def unfinished_jobs(self, view: View, kind: str) -> list[str]:
        return [j.id for j in self._state.jobs if j.kind == kind and j.state not in FINISHED]

    def lacks_vectors(self, view: View, id: str, model: str) -> bool:
        return any(r.memory.id == id and model not in r.vectors for r in self._visible(view, 0))

    def unembedded(self, view: View, model: str, *, limit: int) -> list[Memory]:
        return [self._told(r) for r in self._visible(view, 0) if model not in r.vectors][:limit]

    def agent_count(self, view: View, session: int, actor: str) -> int:
        return sum(
            row.current and row.memory.created_by == actor and row.memory.kind not in EVIDENCE
            for row in self._state.rows
            if row.memory.place.session == session and self._allows(view, row.pool)
        )

    # folders

    def folders(self, view: View) -> list[Folder]:
        return [f for f in self._folders() if self._allows(view, f.pool) or view.owns(f.owner)]

    def watched_folders(self, view: View) -> list[Folder]:
        return [f for f in self._folders() if f.watched and f.numbers]

    def _folders(self) -> list[Folder]:
        def told(folder: Folder) -> Folder:
            numbers = self._connected(folder.id)
            names = sorted(p.name for p in self._state.projects if p.number in numbers)
            state = folder.state if numbers else FolderState.DISABLED
            return replace(folder, projects=tuple(names), numbers=frozenset(numbers), state=state)

        known = sorted(self._state.folders.values(), key=lambda f: (f.created_at, f.slug, f.id))
        return [told(f) for f in known]

    def _connected(self, source: str | None) -> set[int]:
        return {project for one, project in self._state.connections if one == source}

    def _allows(self, view: View, pool: Pool) -> bool:
        return view.allows(pool, self._connected(pool.source))

    def _files_in_sight(self, view: View, source: str) -> list[File]:
        if not any(folder.id == source for folder in self.folders(view)):
            return []
        found = [file for file in self._state.files.values() if file.source == source]
        return sorted(found, key=lambda file: file.path)

    def files(
        self,
        view: View,
        source: str,
        *,
        states: Collection[FileState] | None = None,
        after: str = "",
        limit: int | None = None,
    ) -> list[File]:
        found = [
            replace(file, symbols={})
            for file in self._files_in_sight(view, source)
            if file.path > after and (states is None or file.state in states)
        ]
        return found[:limit]

    def file_counts(self, view: View, source: str) -> FileCounts:
        found = self._files_in_sight(view, source)
        states = [file.state for file in found]
        indexed, skipped, failed = (states.count(state) for state in FileState)
        size = sum(file.size for file in found if file.state is FileState.INDEXED)
        return FileCounts(indexed, skipped, failed, size, sum(file.chunks for file in found))

    def chunks(self, view: View, source: str, files: Collection[int]) -> list[Memory]:
        places = [r.memory.place for r in self._state.rows]
        return [
            self._told(r)
            for r, place in zip(self._state.rows, places, strict=True)
            if r.current and place.file in files and (place.source, place.owner) == (source, view.user)
        ]

    def chunk_sizes(self, view: View, source: str) -> list[tuple[int, str]]:
        numbers = {file.number for file in self._files_in_sight(view, source)}
        rows = [r.memory for r in self._state.rows if r.current and r.memory.place.file in numbers]
        return [(len(m.text), m.content_hash) for m in rows]

    def named_files(self, view: View, source: str, paths: Collection[str]) -> dict[str, File]:
        found = self._files_in_sight(view, source)
        now = {file.path: file for file in found}
        by_number = {file.number: file for file in found}
        before = {path: by_number[n] for (one, path), n in self._state.renames.items() if one == source}
        return {path: file for path, file in (before | now).items() if path in paths}

    def former_paths(self, view: View, source: str, paths: Collection[str]) -> dict[str, str]:
        by_number = {file.number: file.path for file in self._files_in_sight(view, source)}
        known = [(path, n) for (one, path), n in self._state.renames.items() if one == source]
        before = {path: by_number[n] for path, n in known if n in by_number}
        taken = set(by_number.values())
        return {old: now for old, now in before.items() if now in paths and old not in taken}

    def put_folder(self, folder: Folder) -> Folder:
        self._state.folders[folder.id] = folder
        return folder

    def connect(self, view: View, source: str, project: int, connected: bool) -> bool:
        self._own_folder(view, source)
        before = set(self._state.connections)
        if connected:
            self._state.connections.add((source, project))
        else:
            self._state.connections.discard((source, project))
        return self._state.connections != before

    def put_file(self, view: View, file: File) -> File:
        self._own_folder(view, file.source)
        if not file.number:
            file = replace(file, number=max(self._state.files, default=0) + 1)
        old = self._state.files.get(file.number)
        if old is not None and old.path != file.path:
            self._state.renames[file.source, old.path] = file.number
        self._state.files[file.number] = file
        return file

    def erase_chunks(self, view: View, source: str, files: Collection[int]) -> int:
        self._own_folder(view, source)
        inside = [
            r.memory
            for r in self._state.rows
            if r.current and r.memory.place.source == source and r.memory.place.file in files
        ]
        kept = {m.id for m in inside if m.pinned or m.edited}
        return self._erase_ids({m.id for m in inside} - kept)

    def _erase_ids(self, ids: set[str]) -> int:
        self._state.rows = [r for r in self._state.rows if r.memory.id not in ids]
        self._state.jobs = [j for j in self._state.jobs if j.subject not in ids]
        self._state.given = {desk: what - ids for desk, what in self._state.given.items()}
        return len(ids)

    def release_chunks(self, view: View, source: str, ids: Sequence[str]) -> None:
        self._own_folder(view, source)
        for row in self._state.rows:
            if row.memory.id in ids and row.memory.place.source == source:
                place = replace(row.memory.place, file=None)
                row.memory = replace(row.memory, place=place, external_id=None)

    def drop_files(self, view: View, source: str, files: Collection[int]) -> int:
        gone = self.erase_chunks(view, source, files)
        left = {r.memory.id for r in self._state.rows if r.memory.place.file in files}
        self.release_chunks(view, source, sorted(left))
        self._state.renames = {key: n for key, n in self._state.renames.items() if n not in files}
        self._state.files = {n: file for n, file in self._state.files.items() if n not in files}
        return gone

    def drop_folder(self, view: View, source: str) -> int:
        self._own_folder(view, source)
        state = self._state
        gone = self._erase_ids({r.memory.id for r in state.rows if r.memory.place.source == source})
        del state.folders[source]
        state.files = {n: file for n, file in state.files.items() if file.source != source}
        state.renames = {key: n for key, n in state.renames.items() if key[0] != source}
        state.connections = {one for one in state.connections if one[0] != source}
        state.sources = [one for one in state.sources if one.id != source]
        for row in state.rows:
            if row.memory.source == source:
                row.memory = replace(row.memory, source=None)
        return gone

    def _own_folder(self, view: View, source: str) -> None:
        folder = self._state.folders.get(source)
        if folder is None or folder.owner != view.user:
            raise NotFound(f"there is no source {source!r:.60}", code="source_not_found")

    # writing

    @contextmanager
    def attempt(self) -> Iterator[None]:
        before = copy.copy(self._state)
        for name, value in vars(self._state).items():
            setattr(before, name, copy.copy(value))
        before.rows = [copy.copy(row) for row in self._state.rows]
        try:
            yield
        except BaseException:
            vars(self._state).update(vars(before))
            raise

    def insert(
        self, admitted: Admitted, vectors: Vectors | None, model: str, *, current: bool = True
    ) -> Memory:
        memory = admitted.memory
        if any((r.memory.id, r.memory.version) == (memory.id, memory.version) for r in self._state.rows):
            raise Conflict("the same identity stands there already", code="duplicate_text")
        terms = tuple({int(i): int(c) for i, c in zip(t.ids, t.counts, strict=True)} for t in admitted.terms)
        known = {} if vectors is None else {model: np.array(vectors)}
        pool = memory.place.pool(memory.kind)
        self._state.numbers += 1
        self._state.rows.append(
            _Row(self._state.numbers, memory, pool, current, admitted.spans, terms, admitted.facts, known)
        )
        return memory

    def insert_version(self, view: View, admitted: Admitted, vectors: Vectors | None, model: str) -> Memory:
        until = admitted.memory.holds_from
        for row in self._of(view, admitted.memory.id):
            if row.current:
                row.current = False
                ends = row.memory.valid_until
                row.memory = replace(row.memory, valid_until=until if ends is None else min(ends, until))
        return self.insert(admitted, vectors, model)

    def patch(self, view: View, id: str, patch: Patch, *, now: int) -> Memory:
        names = ("status", "status_reason", "pinned", "confidence", "valid_until", "expires_at")
        changes: dict[str, Any] = {n: getattr(patch, n) for n in (*names, "supersedes", "superseded_by")}
        changes = {n: v for n, v in changes.items() if v is not None}
        changes |= {n: None for n in patch.clear if not n.startswith("deleted")}
        everywhere: dict[str, Any] = {}
        if patch.deleted_at is not None:
            everywhere = {"deleted_at": patch.deleted_at, "deleted_reason": patch.deleted_reason}
        if "deleted_at" in patch.clear:
            everywhere = {"deleted_at": None, "deleted_reason": None}
        if patch.status is Status.REJECTED:
            everywhere["status"] = Status.REJECTED
        current = None
        for row in self._of(view, id):
            row.memory = replace(row.memory, **((changes if row.current else {}) | everywhere))
            if row.current:
                current = row
        assert current is not None
        return self._told(current)

    def move(self, view: View, id: str, place: Place) -> Memory:
        rows = self._of(view, id)
        name = next((p.name for p in self._state.projects if p.number == place.project), None)
        for row in rows:
            m = row.memory
            home = replace(place, owner=m.place.owner, session=m.place.session)
            digest = content_hash(home, m.kind, identity(m))
            row.memory = replace(m, place=home, project=name, content_hash=digest)
            row.pool = home.pool(m.kind)
            if row.current and self._is_taken(row):
                raise Conflict("the same stands there already", code="duplicate_text")
        return next(self._told(row) for row in rows if row.current)

    def _is_taken(self, row: _Row) -> bool:
        """Whether another live memory of the pool has the same text or external id."""
        m = row.memory
        if m.deleted_at is not None:
            return False
        others = [r.memory for r in self._state.rows if r.pool == row.pool and r.current and r is not row]
        unique = m.kind not in EVIDENCE and m.status is not Status.SUPERSEDED
        return any(
            o.deleted_at is None
            and (
                (_key(m) is not None and _key(o) == _key(m))
                or (unique and o.status is not Status.SUPERSEDED and o.content_hash == m.content_hash)
            )
            for o in others
        )

    def erase(self, view: View, ids: Sequence[str]) -> int:
        gone = [r for r in self._state.rows if r.memory.id in ids and self._allows(view, r.pool)]
        names = {r.memory.id for r in gone}
        said = [r for r in self._state.rows if set(r.memory.about) & names]  # it holds their names
        gone += [r for r in said if not any(r is g for g in gone)]
        names |= {r.memory.id for r in said}
        self._state.rows = [r for r in self._state.rows if not any(r is g for g in gone)]
        self._state.jobs = [j for j in self._state.jobs if j.subject not in names]
        self._state.given = {desk: what - names for desk, what in self._state.given.items()}
        self._state.requests = {id: one for id, one in self._state.requests.items() if id not in names}
        for row in self._state.rows:
            for link in ("supersedes", "superseded_by"):
                if getattr(row.memory, link) in names:
                    row.memory = replace(row.memory, **{link: None})  # type: ignore[arg-type]
        return len(gone)

    def settle_links(self, view: View, ids: Sequence[str], *, now: int) -> list[str]:
        seen = {r.memory.id for r in self._state.rows if self._allows(view, r.pool)} & set(ids)
        changed: set[str] = set()
        for row in [r for r in self._state.rows if r.current and set(r.memory.about) & seen]:
            current = {r.memory.id: r for r in self._state.rows if r.current}
            ends = [current[id] for id in row.memory.about]
            project = ends[0].pool.project
            shown = is_in_sight([End(e.pool.project, e.memory.deleted_at is not None) for e in ends])
            for version in [r for r in self._state.rows if r.memory.id == row.memory.id]:
                m = version.memory
                if shown and version.pool.project != project:
                    self._rehome(version, project)
                    changed.add(m.id)
                if shown and m.deleted_reason == ENTITY_GONE:
                    version.memory = replace(version.memory, deleted_at=None, deleted_reason=None)
                    changed.add(m.id)
                if not shown and m.deleted_at is None:
                    version.memory = replace(m, deleted_at=now, deleted_reason=ENTITY_GONE)
                    changed.add(m.id)
        return sorted(changed)

    def _rehome(self, row: _Row, project: int | None) -> None:
        """Puts one version into a project."""
        m = row.memory
        place = replace(m.place, project=project)
        name = next((p.name for p in self._state.projects if p.number == project), None)
        row.pool = replace(row.pool, project=project)
        digest = content_hash(place, m.kind, identity(m))
        row.memory = replace(m, place=place, project=name, content_hash=digest)

    def put_vectors(self, view: View, id: str, vectors: Vectors, model: str) -> None:
        for row in self._visible(view, 0):
            if row.memory.id == id and row.current and len(vectors) == len(row.spans):
                row.vectors[model] = np.array(vectors)

    def use(self, view: View, uses: Sequence[Use]) -> None:
        for one in uses:
            for row in self._state.rows:
                m = row.memory
                if m.id == one.id and row.current and self._allows(view, row.pool):
                    row.memory = replace(m, use_count=m.use_count + one.count, last_used_at=one.at)

    def give(
        self,
        view: View,
        project: int,
        session: str,
        what: Collection[str],
        tally: Tally,
        *,
        now: int,
        before: int,
    ) -> None:
        desk = (view.user, project, session)
        known, _ = self._state.tallies.get(desk, (Tally(), 0))
        self._state.given[desk] = self._state.given.get(desk, frozenset()) | frozenset(what)
        self._state.tallies[desk] = (known + tally, now)
        for key, (_, at) in list(self._state.tallies.items()):
            if key[0] == view.user and at < before:
                del self._state.tallies[key], self._state.given[key]

    def take_back(self, view: View, *, project: int | None = None, session: str | None = None) -> None:
        for key in list(self._state.tallies):
            if key[0] == view.user and project in (None, key[1]) and session in (None, key[2]):
                del self._state.tallies[key], self._state.given[key]

    def put_project(self, project: Project) -> Project:
        if not project.number:
            old = next((p for p in self._state.projects if p.name == project.name), None)
            if any(p.id == project.id and p is not old for p in self._state.projects):
                raise Conflict("another project has this id", code="duplicate_text")
            number = 1 + len(self._state.projects) if old is None else old.number
            project = replace(project, id=old.id if old else project.id, number=number)
        kept = [p for p in self._state.projects if p.number != project.number]
        self._state.projects = [*kept, project]
        return project

    def drop_project(self, view: View, number: int, *, now: int) -> tuple[int, int]:
        inside = [s for s in self._state.sessions if (s.project_number, s.owner) == (number, view.user)]
        for session in inside:
            self.put_session(replace(session, project_number=None, project=None, updated_at=now))
        own = [r for r in self._state.rows if r.pool.project == number and r.memory.place.owner == view.user]
        live = [r for r in own if r.memory.deleted_at is None]
        entities = {r.memory.id for r in live if r.memory.kind == "entity"}
        for row in self._state.rows:
            if set(row.memory.about) & entities and row.memory.deleted_at is None:
                row.memory = replace(row.memory, deleted_at=now, deleted_reason=ENTITY_GONE)
        for row in live:
            if row.memory.deleted_at is None:
                row.memory = replace(row.memory, deleted_at=now, deleted_reason="project deleted")
        folders = {folder.id for folder in self._state.folders.values() if folder.owner == view.user}
        self._state.connections = {
            one for one in self._state.connections if one[1] != number or one[0] not in folders
        }
        old = next(p for p in self._state.projects if p.number == number)
        bare = Project(old.name, old.created_at, old.updated_at, number, old.id, listed=False)
        self._state.projects = [bare if p is old else p for p in self._state.projects]
        self._state.maps.pop(number, None)
        return len(inside), len({r.memory.id for r in live})

    def put_module_map(self, view: View, project: int, whole: ModuleMap) -> None:
        if not view.holds(project):
            raise NotFound("there is no such project", code="project_not_found")
        self._state.maps[project] = whole

    def drop_module_map(self, view: View, project: int) -> None:
        if view.holds(project):
            self._state.maps.pop(project, None)

    def put_session(self, session: Session) -> Session:
        if not session.number:
            self._state.session_numbers += 1
            session = replace(session, number=self._state.session_numbers)
            self._state.sessions.append(session)
            return session
        self._state.sessions = [session if s.number == session.number else s for s in self._state.sessions]
        for row in self._state.rows:
            if row.memory.place.session == session.number and row.memory.kind in EVIDENCE:
                row.pool = row.pool.moved(session.project_number, session.owner)
                place = replace(
                    row.memory.place, project=session.project_number, visibility=row.pool.visibility
                )
                row.memory = replace(row.memory, place=place, project=session.project)
        return session

    def put_source(self, source: Source) -> Source:
        content = (source.owner, source.sha256)
        old = next((s for s in self._state.sources if (s.owner, s.sha256) == content), None)
        if any(s.id == source.id and s is not old for s in self._state.sources):
            raise Conflict("another source has this id", code="duplicate_text")
        if old is not None:
            self._state.sources.remove(old)
            source = replace(source, id=old.id)
        self._state.sources.append(source)
        return source

    def drop_source(self, view: View, id: str, *, now: int, hard: bool) -> list[str]:
        own = [s for s in self._state.sources if (s.id, s.owner) == (id, view.user)]
        own = [s for s in own if s.id not in self._state.folders]
        if not own or (own[0].deleted_at is not None and not hard):
            raise NotFound(f"there is no source {id!r}", code="source_not_found")
        current = [r.memory for r in self._state.rows if r.current and r.memory.source == id]
        ids = [m.id for m in current if m.kind in EVIDENCE and (hard or m.deleted_at is None)]
        if hard:
            self.erase(view, ids)
            self._state.sources.remove(own[0])
        else:
            self._state.sources = [
                replace(s, deleted_at=now) if s is own[0] else s for s in self._state.sources
            ]
        for row in self._state.rows:
            if hard and row.memory.source == id:
                row.memory = replace(row.memory, source=None)
            elif row.memory.id in ids:
                row.memory = replace(row.memory, deleted_at=now, deleted_reason="source deleted")
        return ids

    def drop_session(self, view: View, number: int) -> list[str]:
        rows = [r for r in self._state.rows if r.memory.place.session == number]
        ids = sorted(
            {r.memory.id for r in rows if r.memory.kind in EVIDENCE and r.memory.place.owner == view.user}
        )
        self.erase(view, ids)
        for row in self._state.rows:
            if row.memory.place.session == number:
                row.memory = replace(row.memory, place=replace(row.memory.place, session=None), session=None)
        self._state.sessions = [s for s in self._state.sessions if s.number != number]
        return ids

    def retag(self, view: View, kinds: frozenset[str], source: int, target: int) -> int:
        moved = 0
        own = [r for r in self._state.rows if r.memory.place.owner == view.user]
        for row in [r for r in own if r.current and r.memory.kind in kinds]:
            if row.pool.project != source or not self._allows(view, row.pool):
                continue
            home = replace(row.pool, project=target)
            digest = content_hash(
                replace(row.memory.place, project=target), row.memory.kind, identity(row.memory)
            )
            taken = any(
                r.pool == home and r.current and r.memory.content_hash == digest
                and r.memory.deleted_at is None and r.memory.status is not Status.SUPERSEDED
                for r in self._state.rows
            )  # fmt: skip
            live = row.memory.deleted_at is None and row.memory.status is not Status.SUPERSEDED
            if taken and live:
                continue
            for version in [r for r in self._state.rows if r.memory.id == row.memory.id]:
                self._rehome(version, target)
            moved += 1
        return moved

    def add_event(
        self, *, at: int, actor: str, action: str, subject: str | None, detail: dict[str, Any]
    ) -> Event:
        event = chained(self._last(), at, actor, action, subject, detail)
        self._state.events.append(event)
        return event

    def put_member(self, member: Member) -> None:
        self._state.members[member.user] = member

    def put_request(self, request: Request) -> None:
        self._state.requests[request.id] = request

    def drop_request(self, id: str) -> bool:
        return self._state.requests.pop(id, None) is not None

    def add_metrics(self, metrics: Sequence[Metric]) -> None:
        self._state.metrics |= {(one.name, one.at, one.evaluator): one for one in metrics}

    def add_job(self, job: Job) -> Job:
        waits = {State.QUEUED, *DEAD}
        for i, known in enumerate(self._state.jobs):
            same = (known.owner, known.kind, known.subject) == (job.owner, job.kind, job.subject)
            if job.subject is not None and same and known.state in waits:
                self._state.jobs[i] = replace(
                    job, id=known.id, created_at=known.created_at, role=known.role, agent=known.agent
                )
                return self._state.jobs[i]
        self._state.jobs.append(job)
        return job

    def put_job(self, view: View, job: Job, *, token: str | None = None) -> bool:
        for i, known in enumerate(self._state.jobs):
            if (known.id, known.owner) == (job.id, view.user) and token in (None, known.token):
                self._state.jobs[i] = replace(job, role=known.role, agent=known.agent)
                return True
        return False

    def claim_job(self, *, kinds: Collection[str], now: int, until: int, token: str) -> Job | None:
        due = [j for j in self._state.jobs if j.state in OPEN and j.due_at <= now and j.kind in kinds]
        if not due:
            return None
        first = min(due, key=lambda j: j.due_at)
        tried = {"attempts": first.attempts + 1, "started_at": now, "done": 0, "total": None}
        claimed = replace(first, state=State.RUNNING, due_at=until, token=token, **tried)  # type: ignore[arg-type]
        self._state.jobs[self._state.jobs.index(first)] = claimed
        return claimed

    def prune_jobs(self, view: View, *, keep: int) -> None:
        own = [
            (j.finished_at or 0, i, j.id)
            for i, j in enumerate(self._state.jobs)
            if j.owner == view.user and j.state in FINISHED
        ]
        gone = {id for _, _, id in sorted(own, reverse=True)[keep:]}
        self._state.jobs = [j for j in self._state.jobs if j.id not in gone]

    # helpers

    def _visible(self, view: View, now: int) -> list[_Row]:
        return [row for row in self._state.rows if self._sees(view, row, now)]

    def _sees(self, view: View, row: _Row, now: int) -> bool:
        """The rule of a view and its filter, spelled out for one row."""
        m, f = row.memory, view.filter
        checks = [
            self._allows(view, row.pool),
            m.kind not in view.hidden_kinds,
            f.kinds is None or m.kind in f.kinds,
            f.scope_type is None or m.scope.type == f.scope_type,
            f.scope_id is None or m.scope.id == f.scope_id,
            f.branches is None or m.place.branch in f.branches,
            f.tags <= set(m.tags),
            f.session is None or m.place.session == f.session,
            f.since is None or m.at >= f.since,
            f.until is None or m.at < f.until,
            f.pinned is None or m.pinned == f.pinned,
            f.deleted is None or (m.deleted_at is not None) == f.deleted,
        ]
        if not all(checks):
            return False
        if f.as_of is not None:
            held = m.holds_from <= f.as_of and (m.valid_until is None or m.valid_until > f.as_of)
            lived = m.pinned or m.expires_at is None or m.expires_at > f.as_of
            return held and lived and m.status in (Status.APPROVED, Status.SUPERSEDED)
        if f.statuses is not None:
            return row.current and m.status in f.statuses
        lives = m.pinned or m.expires_at is None or m.expires_at > now
        valid = m.valid_until is None or m.valid_until > now
        return row.current and m.status is Status.APPROVED and lives and valid

    def _of(self, view: View, id: str) -> list[_Row]:
        rows = [r for r in self._state.rows if r.memory.id == id and self._allows(view, r.pool)]
        if not rows:
            raise NotFound(f"there is no memory {id!r}", code="memory_not_found")
        return rows

    def _first(self, rows: Iterator[_Row]) -> Memory | None:
        row = next(rows, None)
        return None if row is None else self._told(row)

    @staticmethod
    def _told(row: _Row) -> Memory:
        return row.memory

    def _counted(self, session: Session) -> Session:
        count = sum(
            row.current and row.memory.deleted_at is None and row.memory.kind in EVIDENCE
            for row in self._state.rows
            if row.memory.place.session == session.number
        )
        return replace(session, message_count=count)

    def _last(self) -> Head:
        last = self._state.events[-1] if self._state.events else None
        return Head(last.sequence, last.hash) if last else Head()


def _key(memory: Memory) -> str | None:
    return external_key(memory.kind, memory.place.session, memory.external_id)


def _top(values: list[Any], passages: list[tuple[_Row, int]], count: int, counts: Any) -> set[int]:
    places = [i for i, value in enumerate(values) if counts(value)]
    places.sort(key=lambda i: (-values[i], -passages[i][0].number))
    return set(places[:count])


def _beside(rows: list[_Row]) -> dict[int, tuple[int, int]]:
    """For each memory what stands before and after it in its session and pool, 0 for nothing."""
    talks: dict[tuple[Pool, int], list[int]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        if row.memory.place.session is not None:
            talks.setdefault((row.pool, row.memory.place.session), []).append(row.number)
    return {
        number: (before, after)
        for talk in talks.values()
        for before, number, after in zip([0, *talk], talk, [*talk[1:], 0], strict=False)
    }


def _signals(
    best: dict[int, list[int]],
    passages: list[tuple[_Row, int]],
    words: list[float],
    cosines: list[float | None],
    beside: dict[int, tuple[int, int]],
    question: Question,
    total: int,
) -> Signals:
    top = max((words[i] for group in best.values() for i in group), default=0.0)
    numbers = sorted(best)
    places = {number: place for place, number in enumerate(numbers)}
    spans, memories = [], []
    for number in numbers:
        group = best[number]
        i = max(group, key=lambda i: (words[i] / max(top, 1e-9) + max(cosines[i] or 0.0, 0.0), -i))
        row, part = passages[i]
        spans.append(row.spans[part])
        memories.append(row.memory)
    return Signals(
        number=np.array(numbers, np.int64),
        words=np.array([max(words[i] for i in best[n]) for n in numbers], np.float32),
        cosine=np.array(
            [max(-1.0 if cosines[i] is None else cosines[i] for i in best[n]) for n in numbers],  # type: ignore[type-var]
            np.float32,
        ),
        passage=np.array(spans, np.int64).reshape(-1, 2),
        kind=np.array([KIND_NUMBERS[m.kind] for m in memories], np.int16),
        at=np.array([m.at for m in memories], np.int64),
        last_used=np.array([m.last_used_at or 0 for m in memories], np.int64),
        uses=np.array([m.use_count for m in memories], np.int64),
        pinned=np.array([m.pinned for m in memories], np.bool_),
        session=np.array([m.place.session or 0 for m in memories], np.int64),
        previous=np.array([places.get(beside.get(n, (0, 0))[0], -1) for n in numbers], np.int64),
        following=np.array([places.get(beside.get(n, (0, 0))[1], -1) for n in numbers], np.int64),
        assistant=np.array([m.role == "assistant" for m in memories], np.bool_),
        asking=np.array([m.is_question for m in memories], np.bool_),
        named=np.array(
            [bool(set((m.name or "").casefold().split()) & question.names) for m in memories], np.bool_
        ),
        boost=np.array([question.boosts.get(m.scope.type, 1.0) for m in memories], np.float32),
        total=total,
    )
