"""Writing to the oracle: a transaction changes lists."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.core.errors import Conflict, NotFound
from holdfast.core.events import Event, chained
from holdfast.core.facts import Act, Statement
from holdfast.core.graph import ENTITY_GONE, End, is_in_sight
from holdfast.core.jobs import DEAD, FINISHED, OPEN, Job, State
from holdfast.core.kinds import EVIDENCE
from holdfast.core.language_models import LanguageModel, ModelCall
from holdfast.core.members import Member
from holdfast.core.metrics import Metric
from holdfast.core.module_map import ModuleMap
from holdfast.core.places import Place
from holdfast.core.project_results import Purged
from holdfast.core.projects import PROJECT_DELETED, Project, Session
from holdfast.core.record import Memory, Status, content_hash, identity
from holdfast.core.scanning import Finding
from holdfast.core.sharing import Request
from holdfast.core.sources import Source
from holdfast.core.staleness import with_anchors
from holdfast.core.storage import Growth
from holdfast.core.summaries import SummaryRow
from holdfast.core.usage import GROWS_FROM, GROWS_TO, DeliveredContext, Tally, growth
from holdfast.core.views import View
from holdfast.stores.base.ports import Patch, Use
from tests.oracle.folders import OracleFolders
from tests.oracle.reader import OracleReader, kept_by
from tests.oracle.state import Row, key_of

if TYPE_CHECKING:
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.ports import Vectors


class OracleTransaction(OracleFolders, OracleReader):
    """Reads and writes one state; candidates come from the state before."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        before = self._state.copied()
        try:
            yield
        except BaseException:
            vars(self._state).update(vars(before))
            raise

    def insert(
        self, admitted: Admitted, vectors: Vectors | None, model: str, *, home: Place | None = None
    ) -> Memory:
        memory = admitted.memory
        if any((r.memory.id, r.memory.version) == (memory.id, memory.version) for r in self._state.rows):
            raise Conflict("the same identity stands there already", code="duplicate_text")
        terms = _counted_terms(admitted)
        known = {} if vectors is None else {model: np.array(vectors)}
        pool = (home or memory.place).pool(memory.kind)
        self._state.numbers += 1
        self._state.rows.append(
            Row(self._state.numbers, memory, pool, home is None, admitted.spans, terms, admitted.facts, known)
        )
        return memory

    def insert_all(self, memories: Sequence[tuple[Admitted, Vectors | None]], model: str) -> None:
        for admitted, vectors in memories:
            self.insert(admitted, vectors, model)

    def insert_version(self, view: View, admitted: Admitted, vectors: Vectors | None, model: str) -> Memory:
        until = admitted.memory.holds_from
        for row in self._of(view, admitted.memory.id):
            if row.current:
                row.current = False
                ends = row.memory.valid_until
                row.memory = replace(row.memory, valid_until=until if ends is None else min(ends, until))
        return self.insert(admitted, vectors, model)

    def patch(self, view: View, id: str, patch: Patch, *, now: int) -> Memory:
        names = (
            "status",
            "status_reason",
            "pinned",
            "fingerprint",
            "confidence",
            "valid_until",
            "expires_at",
        )
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
            if patch.anchors is not None:
                changes["evidence"] = with_anchors(row.memory.evidence, patch.anchors)
                changes["updated_at"] = now
            if patch.evidence is not None:
                changes["evidence"] = dict(patch.evidence)
            row.memory = replace(row.memory, **((changes if row.current else {}) | everywhere))
            if row.current:
                current = row
        assert current is not None
        return self._told(current)

    def insert_versions(
        self, view: View, versions: Sequence[tuple[Admitted, Vectors | None]], model: str
    ) -> None:
        for admitted, vectors in versions:
            self.insert_version(view, admitted, vectors, model)

    def move(self, view: View, id: str, place: Place, *, external_id: str | None = None) -> Memory:
        rows = self._of(view, id)
        name = next((p.name for p in self._state.projects if p.number == place.project), None)
        for row in rows:
            m = replace(row.memory, external_id=external_id or row.memory.external_id)
            if row.current and place.project != m.place.project:
                self._check_may_leave(row)
            home = replace(place, owner=m.place.owner, session=m.place.session)
            row.pool = home.pool(m.kind)
            if row.current:
                digest = content_hash(home, m.kind, identity(m))
                row.memory = replace(m, place=home, project=name, content_hash=digest)
            if row.current and self._is_taken(row):
                raise Conflict("the same stands there already", code="duplicate_text")
        return next(self._told(row) for row in rows if row.current)

    def _is_taken(self, row: Row) -> bool:
        """Whether another live memory of the pool has the same text or external id."""
        m = row.memory
        if m.deleted_at is not None:
            return False
        others = [r.memory for r in self._state.rows if r.pool == row.pool and r.current and r is not row]
        unique = m.kind not in EVIDENCE and m.status is not Status.SUPERSEDED
        return any(
            o.deleted_at is None
            and (
                (key_of(m) is not None and key_of(o) == key_of(m))
                or (unique and o.status is not Status.SUPERSEDED and _text_of(o) == _text_of(m))
            )
            for o in others
        )

    def erase(self, view: View, ids: Sequence[str]) -> int:
        gone = [r for r in self._state.rows if r.memory.id in ids and self._allows(view, r.pool)]
        names = {r.memory.id for r in gone}
        self._check_not_held(view, names)
        said = [r for r in self._state.rows if set(r.memory.about) & names]  # it holds their names
        gone += [r for r in said if not any(r is g for g in gone)]
        self._check_not_held(view, [r.memory.id for r in said])
        names |= {r.memory.id for r in said}
        for row in gone:
            self._state.summaries.pop(row.memory.place.session or 0, None)
        self._state.rows = [r for r in self._state.rows if not any(r is g for g in gone)]
        self._state.jobs = [j for j in self._state.jobs if j.subject not in names]
        self._state.given = {
            desk: {one: when for one, when in what.items() if one not in names}
            for desk, what in self._state.given.items()
        }
        for _, given in self._state.cited.values():
            for number in [number for number, id in given.ids.items() if id in names]:
                del given.ids[number]
        self._state.requests = {
            id: request for id, request in self._state.requests.items() if id not in names
        }
        self._state.findings = {
            id: finding for id, finding in self._state.findings.items() if id not in names
        }
        for row in self._state.rows:
            for link in ("supersedes", "superseded_by"):
                if getattr(row.memory, link) in names:
                    row.memory = replace(row.memory, **{link: None})  # type: ignore[arg-type]
        return len(gone)

    def retitle(self, view: View, titled: Sequence[tuple[Admitted, Vectors | None]], model: str) -> None:
        for admitted, vectors in titled:
            new = admitted.memory
            row = next(row for row in self._of(view, new.id) if row.current)
            row.memory = replace(row.memory, title=new.title, flags=new.flags, pii_risk=new.pii_risk)
            row.terms = _counted_terms(admitted)
            row.vectors = {} if vectors is None else {model: np.array(vectors)}

    def redact(self, view: View, admitted: Admitted, vectors: Vectors | None, model: str) -> None:
        memory = admitted.memory
        rows = self._of(view, memory.id)
        old = next((r for r in rows if r.memory.version == memory.version), None)
        if old is None:
            raise NotFound("there is no such version", code="memory_not_found")
        self._check_not_held(view, {memory.id})
        present = next(r.memory for r in rows if r.current)
        self._state.summaries.pop(memory.place.session or 0, None)
        self._state.requests.pop(memory.id, None)
        self._state.rows = [r for r in self._state.rows if r is not old]
        self.insert(admitted, vectors, model, home=None if old.current else present.place)
        self._state.rows[-1].number = old.number
        if old.current and self._is_taken(self._state.rows[-1]):
            raise Conflict("the same identity stands there already", code="duplicate_text")
        self._state.rows.sort(key=lambda row: row.number)

    def settle_links(self, view: View, ids: Sequence[str], *, now: int) -> list[str]:
        allows = self._rule_of_pools(view)
        seen = {r.memory.id for r in self._state.rows if allows(r.pool)} & set(ids)
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

    def _rehome(self, row: Row, project: int | None) -> None:
        """Puts one version into a project."""
        m = row.memory
        row.pool = replace(row.pool, project=project)
        if not row.current:
            return
        place = replace(m.place, project=project)
        name = next((p.name for p in self._state.projects if p.number == project), None)
        digest = content_hash(place, m.kind, identity(m))
        row.memory = replace(m, place=place, project=name, content_hash=digest)

    def put_vectors(self, view: View, id: str, vectors: Vectors, model: str) -> None:
        for row in self._visible(view, 0):
            if row.memory.id == id and row.current and len(vectors) == len(row.spans):
                row.vectors[model] = np.array(vectors)

    def put_claims(self, view: View, read: Sequence[tuple[Memory, Sequence[Statement]]]) -> None:
        for memory, statements in read:
            for row in self._of(view, memory.id):
                if row.memory.version == memory.version:
                    others = [fact for fact in row.facts if fact.act not in (Act.CLAIM, Act.READING)]
                    row.facts = (*others, *statements)

    def use(self, view: View, uses: Sequence[Use]) -> None:
        for one in uses:
            for row in self._state.rows:
                m = row.memory
                if m.id == one.id and row.current and self._allows(view, row.pool):
                    sure = m.confidence
                    if GROWS_FROM <= sure < GROWS_TO and m.kind not in EVIDENCE:
                        sure += (GROWS_TO - sure) * growth(one.count)
                    row.memory = replace(
                        m, use_count=m.use_count + one.count, last_used_at=one.at, confidence=sure
                    )

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
        desk = (view.user, project, session)
        known, _ = self._state.tallies.get(desk, (Tally(), 0))
        self._state.given[desk] = dict.fromkeys(ids, (now, actor)) | self._state.given.get(desk, {})
        self._state.tallies[desk] = (known + tally, now)
        for key, (_, at) in list(self._state.tallies.items()):
            if key[0] == view.user and at < before:
                del self._state.tallies[key], self._state.given[key]

        self._drop_cited(lambda owner, given: owner == view.user and given.at < before)

    def cite(self, view: View, citations: DeliveredContext) -> None:
        self._state.cited[citations.context] = (view.user, copy.deepcopy(citations))

    def _drop_cited(self, is_gone: Callable[[str, DeliveredContext], bool]) -> None:
        cited = self._state.cited
        self._state.cited = {id: one for id, one in cited.items() if not is_gone(*one)}

    def leave(self, view: View) -> None:
        self.take_back(view)
        state, user = self._state, view.user
        state.jobs = [job for job in state.jobs if job.owner != user]
        state.changes = {key: count for key, count in state.changes.items() if key[0] != user}
        state.tombstones = {key: by for key, by in state.tombstones.items() if key[0] != user}
        for call in state.model_calls.values():
            if call.owner == user:
                state.model_calls[call.id] = replace(call, owner="")

    def take_back(self, view: View, *, project: int | None = None, session: str | None = None) -> None:
        for key in list(self._state.tallies):
            if key[0] == view.user and project in (None, key[1]) and session in (None, key[2]):
                del self._state.tallies[key], self._state.given[key]
        self._drop_cited(
            lambda owner, given: (
                owner == view.user and project in (None, given.project) and session in (None, given.session)
            )
        )

    def put_project(self, project: Project) -> Project:
        if not project.number:
            named = (project.name, project.space)
            old = next((p for p in self._state.projects if (p.name, p.space) == named), None)
            if any(p.id == project.id and p is not old for p in self._state.projects):
                raise Conflict("another project has this id", code="duplicate_text")
            number = 1 + len(self._state.projects) if old is None else old.number
            project = replace(project, id=old.id if old else project.id, number=number)
        elif any(
            (p.name, p.space) == (project.name, project.space) and p.number != project.number
            for p in self._state.projects
        ):
            raise Conflict("another project has this name", code="duplicate_text")
        self._rename(project.number, project.name)
        kept = [p for p in self._state.projects if p.number != project.number]
        self._state.projects = [*kept, project]
        return project

    def _rename(self, number: int, name: str | None) -> None:
        for row in self._state.rows:
            if row.memory.place.project == number:
                row.memory = replace(row.memory, project=name)
        self._state.sessions = [
            replace(s, project=name) if s.project_number == number else s for s in self._state.sessions
        ]

    def drop_project(self, view: View, number: int, *, now: int) -> tuple[int, int]:
        inside = [s for s in self._state.sessions if (s.project_number, s.owner) == (number, view.user)]
        for session in inside:
            self.put_session(replace(session, project_number=None, project=None, updated_at=now))
            self._state.left[session.number] = number
        own = [r for r in self._state.rows if r.pool.project == number and r.memory.place.owner == view.user]
        live = [r for r in own if r.memory.deleted_at is None]
        entities = {r.memory.id for r in live if r.memory.kind == "entity"}
        for row in self._state.rows:
            if set(row.memory.about) & entities and row.memory.deleted_at is None:
                row.memory = replace(row.memory, deleted_at=now, deleted_reason=ENTITY_GONE)
        for row in live:
            if row.memory.deleted_at is None:
                row.memory = replace(row.memory, deleted_at=now, deleted_reason=PROJECT_DELETED)
        folders = {folder.id for folder in self._state.folders.values() if folder.owner == view.user}
        self._state.connections = {
            connection
            for connection in self._state.connections
            if connection[1] != number or connection[0] not in folders
        }
        old = next(p for p in self._state.projects if p.number == number)
        bare = Project(
            old.name, old.created_at, old.updated_at, number, old.id, listed=False, space=old.space
        )
        self._state.projects = [bare if p is old else p for p in self._state.projects]
        self._state.maps.pop(number, None)
        return len(inside), len({r.memory.id for r in live})

    def rejoin_project(self, view: View, number: int, *, now: int) -> int:
        name = next(p.name for p in self._state.projects if p.number == number)
        left = {one for one, project in self._state.left.items() if project == number}
        back = [
            s
            for s in self._state.sessions
            if s.number in left and s.owner == view.user and s.project_number is None
        ]
        for session in back:
            self.put_session(replace(session, project_number=number, project=name, updated_at=now))
        return len(back)

    def purge_project(self, view: View, number: int, *, jobs: Collection[str], now: int) -> Purged:
        state = self._state
        old = next(p for p in state.projects if p.number == number)
        inside = {r.memory.id for r in state.rows if r.pool.project == number}
        ids = {r.memory.id for r in state.rows if r.memory.id in inside or set(r.memory.about) & inside}
        self._check_not_held(view, ids)
        sources = {r.memory.source for r in state.rows if r.memory.id in ids}
        rows = sum(r.memory.id in ids for r in state.rows)
        self._erase_ids(ids)
        state.requests = {id: request for id, request in state.requests.items() if id not in ids}
        state.findings = {id: finding for id, finding in state.findings.items() if id not in ids}
        for row in state.rows:
            for link in ("supersedes", "superseded_by"):
                if getattr(row.memory, link) in ids:
                    row.memory = replace(row.memory, **{link: None})  # type: ignore[arg-type]
        folders = [f for f in state.folders.values() if self._connected(f.id) == {number}]
        memories = len(ids) + sum(
            self.drop_folder(replace(view, user=folder.owner), folder.id) for folder in folders
        )
        sessions = [s for s in state.sessions if s.project_number == number]
        for session in sessions:
            self._drop_empty_session(session.number)
        gone = {*jobs, *(folder.id for folder in folders)}
        state.jobs = [j for j in state.jobs if j.id not in gone and j.subject not in gone]
        used = {r.memory.source for r in state.rows} | state.folders.keys()
        state.sources = [s for s in state.sources if s.id not in sources or s.id in used]
        state.connections = {connection for connection in state.connections if connection[1] != number}
        state.given = {desk: what for desk, what in state.given.items() if desk[1] != number}
        state.tallies = {desk: tally for desk, tally in state.tallies.items() if desk[1] != number}
        self._drop_cited(lambda _, given: given.project == number)
        state.changes = {key: count for key, count in state.changes.items() if key[1] != number}
        state.maps.pop(number, None)
        self._rename(number, None)  # versions that were written in it, of what is elsewhere now
        bare = Project("", old.created_at, now, number, old.id, listed=False)
        state.projects = [bare if p is old else p for p in state.projects]
        return Purged(old.name, memories, len(sessions), len(folders), rows)

    def put_module_map(self, view: View, project: int, module_map: ModuleMap) -> None:
        if not view.holds(project, self._closed()):
            raise NotFound("there is no such project", code="project_not_found")
        self._state.maps[project] = module_map

    def drop_module_map(self, view: View, project: int) -> None:
        if view.holds(project, self._closed()):
            self._state.maps.pop(project, None)

    def put_session(self, session: Session) -> Session:
        if not session.number:
            self._state.session_numbers += 1
            session = replace(session, number=self._state.session_numbers)
            self._state.sessions.append(session)
            return session
        if session.project_number is not None:
            self._state.left.pop(session.number, None)
        self._state.sessions = [session if s.number == session.number else s for s in self._state.sessions]
        for row in self._state.rows:
            if row.memory.place.session == session.number and row.memory.kind in EVIDENCE:
                if row.pool != row.pool.moved(session.project_number, session.owner):
                    self._check_may_leave(row)
                row.pool = row.pool.moved(session.project_number, session.owner)
                if not row.current:
                    continue
                place = replace(
                    row.memory.place, project=session.project_number, visibility=row.pool.visibility
                )
                row.memory = replace(row.memory, place=place, project=session.project)
        return session

    def put_source(self, source: Source) -> Source:
        content = (source.owner, source.digest)
        old = next((s for s in self._state.sources if (s.owner, s.digest) == content), None)
        if any(s.id == source.id and s is not old for s in self._state.sources):
            raise Conflict("another source has this id", code="duplicate_text")
        if old is not None:
            self._state.sources.remove(old)
            source = replace(source, id=old.id)
        self._state.sources.append(source)
        return source

    def rename_source(self, view: View, id: str, digest: str) -> None:
        source = next((one for one in self.described(view) if one.id == id), None)
        if source is None:
            raise NotFound(f"there is no source {id!r:.60}", code="source_not_found")
        if any((s.owner, s.digest) == (source.owner, digest) and s.id != id for s in self._state.sources):
            raise Conflict("another source is called so", code="duplicate_text")
        self._state.sources[self._state.sources.index(source)] = replace(source, digest=digest)

    def drop_source(self, view: View, id: str, *, now: int, hard: bool) -> list[str]:
        own = [s for s in self._state.sources if (s.id, s.owner) == (id, view.user)]
        own = [s for s in own if s.id not in self._state.folders]
        if not own or (own[0].deleted_at is not None and not hard):
            raise NotFound(f"there is no source {id!r}", code="source_not_found")
        current = [r.memory for r in self._state.rows if r.current and r.memory.source == id]
        current = [m for m in current if hard or m.deleted_at is None]
        ids = [
            m.id
            for m in current
            if m.kind in EVIDENCE or (m.place.source == id and (hard or not (m.pinned or m.edited)))
        ]
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
        self._drop_empty_session(number)
        return ids

    def put_summaries(self, view: View, session: int, rows: Sequence[SummaryRow], *, start: int) -> None:
        if any((s.number, s.owner) == (session, view.user) for s in self._state.sessions):
            self._state.summaries[session] = [*self._state.summaries.get(session, [])[:start], *rows]

    def _drop_empty_session(self, number: int) -> None:
        self._state.summaries.pop(number, None)
        for row in self._state.rows:
            if row.memory.place.session == number:
                row.memory = replace(row.memory, place=replace(row.memory.place, session=None), session=None)
                if row.current and self._is_taken(row):
                    row.memory = replace(row.memory, external_id=None)
        self._state.sessions = [s for s in self._state.sessions if s.number != number]

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
                r.pool == home and r.current and _text_of(r.memory) == (digest, *_text_of(row.memory)[1:])
                and r.memory.deleted_at is None and r.memory.status is not Status.SUPERSEDED
                for r in self._state.rows
            )  # fmt: skip
            live = row.memory.deleted_at is None and row.memory.status is not Status.SUPERSEDED
            if taken and live:
                continue
            self._check_may_leave(row)
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

    def bury(self, view: View, digests: Collection[str], *, by_person: bool) -> None:
        for digest in digests:
            key = view.user, digest
            self._state.tombstones[key] = by_person or self._state.tombstones.get(key, False)

    def lift(self, view: View, digests: Collection[str]) -> None:
        for digest in digests:
            self._state.tombstones.pop((view.user, digest), None)

    def put_member(self, member: Member) -> None:
        self._state.members[member.user] = member

    def put_language_model(self, model: LanguageModel) -> None:
        self._state.language_models[model.name] = model

    def drop_language_model(self, name: str) -> bool:
        return self._state.language_models.pop(name, None) is not None

    def put_model_call(self, call: ModelCall) -> None:
        self._state.model_calls[call.id] = call

    def put_request(self, request: Request) -> None:
        self._state.requests[request.id] = request

    def drop_request(self, id: str) -> bool:
        return self._state.requests.pop(id, None) is not None

    def put_finding(self, finding: Finding) -> None:
        before = self._state.findings.get(finding.id)
        is_personal = finding.personal or (before is not None and before.personal)
        self._state.findings[finding.id] = replace(finding, personal=is_personal)

    def drop_finding(self, id: str) -> bool:
        return self._state.findings.pop(id, None) is not None

    def add_metrics(self, metrics: Sequence[Metric]) -> None:
        self._state.metrics |= {(metric.name, metric.at, metric.evaluator): metric for metric in metrics}

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

    def plan_job(self, job: Job, *, enough: int | None = None) -> None:
        for i, known in enumerate(self._state.jobs):
            if (known.owner, known.kind, known.state) == (job.owner, job.kind, State.QUEUED):
                units = known.units + job.units
                due = job.created_at if enough is not None and units >= enough else job.due_at
                self._state.jobs[i] = replace(known, units=units, due_at=min(known.due_at, due))
                return
        self._state.jobs.append(job)

    def count_changes(self, view: View, project: int, changes: int, *, enough: int) -> bool:
        key = view.user, project
        count = self._state.changes.get(key, 0) + changes
        self._state.changes[key] = count if count < enough else 0
        return count >= enough

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

    def hasten_jobs(self, *, kinds: Collection[str], after: int, now: int) -> None:
        self._state.jobs = [
            replace(j, due_at=now) if j.state in OPEN and j.due_at > after and j.kind in kinds else j
            for j in self._state.jobs
        ]

    def grown(self) -> list[Growth]:
        found = []
        for owner in sorted({row.memory.place.owner for row in self._state.rows}):
            before, now = (kept_by(owner, state.rows) for state in (self._before, self._state))
            if now.versions > before.versions:
                found.append(Growth(now.versions, now.bytes, owner))
        return found

    def prune_jobs(self, view: View, *, keep: int) -> None:
        own = [
            (j.finished_at or 0, i, j.id)
            for i, j in enumerate(self._state.jobs)
            if j.owner == view.user and j.state in FINISHED
        ]
        gone = {id for _, _, id in sorted(own, reverse=True)[keep:]}
        self._state.jobs = [j for j in self._state.jobs if j.id not in gone]


def _counted_terms(admitted: Admitted) -> tuple[dict[int, int], ...]:
    """The words of each passage with their counts."""
    return tuple({int(i): int(c) for i, c in zip(t.ids, t.counts, strict=True)} for t in admitted.terms)


def _text_of(memory: Memory) -> tuple[str | None, ...]:
    """What no two live memories of a pool share."""
    return memory.content_hash, memory.place.owner, key_of(memory)
