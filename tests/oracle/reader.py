"""Reading the oracle: each method goes through all rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.core.cursors import SessionMark, bad_cursor, cursor_after, cursor_parts
from holdfast.core.events import Event, Head
from holdfast.core.facets import Facet
from holdfast.core.facts import Act, Stated, Statement
from holdfast.core.history import history_of
from holdfast.core.ids import START_MIN, last_block
from holdfast.core.jobs import DEAD, FINISHED, OPEN, Backlog, Job, State
from holdfast.core.kinds import EVIDENCE, STATEMENT
from holdfast.core.language_models import MICROS, LanguageModel, ModelCall, ModelUsage
from holdfast.core.members import Member
from holdfast.core.metrics import Metric
from holdfast.core.module_map import ModuleMap
from holdfast.core.places import Visibility
from holdfast.core.project_results import Share
from holdfast.core.projects import PROJECT_DELETED, Project, Session
from holdfast.core.reconciled import Fingerprint
from holdfast.core.record import Change, Memory, Status, entity_key, is_unique_by_text
from holdfast.core.review import tie_of
from holdfast.core.scanning import Finding
from holdfast.core.sharing import Request
from holdfast.core.sources import Source
from holdfast.core.storage import Amount, Totals
from holdfast.core.summaries import SummaryRow
from holdfast.core.usage import Cited, Delivery, Tally
from holdfast.core.views import View
from holdfast.language.manner import manner_of
from holdfast.language.terms import K1, B, idf
from holdfast.stores.base.ports import Names, Page, Question
from holdfast.stores.base.signals import Signals, nearest_first
from tests.oracle.retention import OracleRetention
from tests.oracle.signals import neighbours, refined_cosines, respellings, signals_of, top
from tests.oracle.state import Row, key_of

if TYPE_CHECKING:
    from holdfast.stores.base.ports import Vectors


class OracleReader(OracleRetention):
    """What `stores/base/ports.Reader` asks, but for folders."""

    def get(self, view: View, id: str) -> Memory | None:
        return self._first(iter(self._visible(view, 0, where=lambda row: row.memory.id == id)))

    def find(self, view: View, external_key: str) -> Memory | None:
        live = (row for row in self._visible(view, 0) if row.current and row.memory.deleted_at is None)
        return self._first(row for row in live if key_of(row.memory) == external_key)

    def keyed(self, view: View, external_id: str, *, limit: int, now: int) -> list[Memory]:
        found = self._visible(view, now, where=lambda row: row.memory.external_id == external_id)
        return [row.memory for row in found[::-1][:limit]]

    def with_hash(self, view: View, content_hash: str) -> list[Memory]:
        same = self._visible(view, 0, where=lambda row: row.memory.content_hash == content_hash)
        live = [r.memory for r in same if r.current and r.memory.deleted_at is None]
        return [m for m in live if m.status is not Status.SUPERSEDED and is_unique_by_text(m)]

    def known_hashes(self, view: View, hashes: Collection[str]) -> set[str]:
        return {one for one in hashes if self.with_hash(view, one)}

    def known_keys(self, view: View, keys: Collection[str]) -> set[str]:
        return {key for key in keys if self.find(view, key)}

    def has_tombstones(self, view: View) -> bool:
        return any(owner == view.user for owner, _ in self._state.tombstones)

    def tombstones(self, view: View, digests: Collection[str]) -> Mapping[str, bool]:
        known = self._state.tombstones
        return {digest: known[view.user, digest] for digest in digests if (view.user, digest) in known}

    def buried(self, view: View, prefix: str, *, after: str, limit: int) -> list[tuple[str, bool]]:
        rows = [(one, by) for (owner, one), by in self._state.tombstones.items() if owner == view.user]
        return sorted((one, by) for one, by in rows if one.startswith(prefix) and one > after)[:limit]

    def forgotten_copies(
        self, view: View, owner: str, content_hash: str, external_key: str | None
    ) -> list[str]:
        allows = self._rule_of_pools(view)
        rows = [r for r in self._state.rows if r.memory.place.owner == owner and allows(r.pool)]
        gone = [r.memory for r in rows if r.memory.deleted_at is not None]
        return sorted(
            {
                m.id
                for m in gone
                if m.content_hash == content_hash or (external_key is not None and key_of(m) == external_key)
            }
        )

    def page(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        return self._page(view, self._visible(view, now), limit, cursor)

    def _page(self, view: View, rows: list[Row], limit: int, cursor: str | None) -> Page:
        before = None
        if cursor is not None:
            wanted = cursor_parts(cursor)
            allowed = filter(self._readable(view), self._state.rows)
            before = next((r.number for r in allowed if (r.memory.id, r.memory.version) == wanted), None)
            if before is None:
                raise bad_cursor(cursor)
        seen = [r for r in rows if before is None or r.number < before]
        found = [r.memory for r in sorted(seen, key=lambda r: -r.number)]
        return Page(found[:limit], cursor_after(found, limit))

    def beginning(self, view: View, start: str, *, limit: int) -> list[str]:
        seen = {r.memory.id for r in self._visible(view, 0)}
        ids = {id for id in seen if len(start) >= START_MIN and id.startswith(start)}
        return sorted(ids | {id for id in seen if last_block(id).startswith(start)})[:limit]

    def conversation(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        first = {r.memory.id: r.number for r in reversed(self._state.rows)}

        def spot(row: Row) -> tuple[int, int]:
            return row.memory.at, first[row.memory.id]

        after = None
        if cursor is not None:
            wanted = cursor_parts(cursor)
            allowed = filter(self._readable(view), self._state.rows)
            after = next((spot(r) for r in allowed if (r.memory.id, r.memory.version) == wanted), None)
            if after is None:
                raise bad_cursor(cursor)
        seen = [r for r in self._visible(view, now) if after is None or spot(r) > after]
        found = [r.memory for r in sorted(seen, key=spot)]
        return Page(found[:limit], cursor_after(found, limit))

    def conversation_before(self, view: View, cursor: str, *, limit: int, now: int) -> list[Memory]:
        self.conversation(view, limit=1, cursor=cursor, now=now)  # raises for one that names nothing
        everything = self.conversation(view, limit=1_000_000, cursor=None, now=now).memories
        after = self.conversation(view, limit=1_000_000, cursor=cursor, now=now).memories
        before = [one for one in everything if one not in after and one.id != cursor_parts(cursor)[0]]
        return before[-limit:]

    def facets(self, view: View, *, now: int) -> list[Facet]:
        seen = (r.memory for r in self._visible(view, now))
        counts = Counter((m.kind, m.project, m.origin.value, m.place.owner, m.status.value) for m in seen)
        return [Facet(*key, count) for key, count in counts.items()]

    def count(self, view: View, *, now: int) -> int:
        return len(self._visible(view, now))

    def numbered(self, view: View, numbers: Sequence[int], *, now: int) -> list[tuple[int, Memory]]:
        found = {row.number: self._told(row) for row in self._visible(view, now)}
        return [(number, found[number]) for number in numbers if number in found]

    def history(self, view: View, id: str) -> list[Change]:
        rows = [r for r in filter(self._readable(view), self._state.rows) if r.memory.id == id]
        versions = [r.memory for r in rows if r.memory.deleted_at is None]
        events = [event for event in self._state.events if event.subject == id]
        return history_of(versions, events) if versions else []

    def entities(self, view: View, *, type: str | None, limit: int, cursor: str | None, now: int) -> Page:
        def fits(row: Row) -> bool:
            return row.memory.kind == "entity" and type in (None, row.memory.metadata.get("type"))

        return self._page(view, [r for r in self._visible(view, now) if fits(r)], limit, cursor)

    def entities_named(self, view: View, names: Sequence[str], *, now: int) -> list[Memory]:
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
        return {id: (len(time), max(time)) for id, time in times.items() if time}

    def about_files(self, view: View, files: Collection[str], *, limit: int, now: int) -> list[Memory]:
        found = [self._told(r) for r in self._visible(view, now) if r.memory.about_file in set(files)]
        return found[::-1][:limit]

    def confidence(self, view: View, *, now: int) -> float | None:
        found = [r.memory.confidence for r in self._visible(view, now)]
        return sum(found) / len(found) if found else None

    def delivered(self, view: View, project: int, session: str) -> frozenset[str]:
        return frozenset(self._state.given.get((view.user, project, session), ()))

    def deliveries(self, view: View, id: str) -> list[Delivery]:
        found = [
            Delivery(project, session, *what[id])
            for (owner, project, session), what in self._state.given.items()
            if owner == view.user and id in what
        ]
        return sorted(found, key=lambda one: (-one.at, one.project, one.session))

    def storage(self, view: View) -> Amount:
        return kept_by(view.user, self._state.rows)

    def storage_of_all(self, view: View) -> Totals:
        owners = {row.memory.place.owner for row in self._state.rows}
        kept = [kept_by(owner, self._state.rows) for owner in owners]
        versions, sizes = [one.versions for one in kept], [one.bytes for one in kept]
        most = max(versions, default=0), max(sizes, default=0)
        return Totals(sum(versions), sum(sizes), len(kept), *most)

    def tallies(self, view: View, project: int | None, session: str | None) -> list[Tally]:
        return [
            tally
            for (owner, number, key), (tally, _) in sorted(self._state.tallies.items())
            if owner == view.user and project in (None, number) and session in (None, key)
        ]

    def facts(
        self, view: View, *, now: int, claims: str | None = None, memories: Names = None, topics: Names = None
    ) -> list[Stated]:
        own = [r for r in self._visible(view, now) if r.memory.place.owner == view.user]
        return [
            Stated(
                fact,
                row.memory.id,
                row.memory.at,
                row.memory.project,
                row.memory.session,
                row.memory.created_by,
                row.memory.origin.value,
                row.memory.kind != STATEMENT,
            )
            for row in sorted(own, key=lambda r: (r.memory.at, r.number))
            for fact in row.facts
            if _is_wanted(fact, claims)
            and (memories is None or row.memory.id in memories)
            and (topics is None or fact.topic in topics)
        ]

    def nearest(
        self, view: View, vectors: Vectors, model: str, *, limit: int, least: float, now: int
    ) -> list[list[tuple[int, float]]]:
        asked = (Question((), vector, model, len(vector), limit, now, least=least) for vector in vectors)
        return [nearest_first(self.candidates(view, one), least)[:limit] for one in asked]

    def candidates(self, view: View, question: Question) -> Signals:
        rows = [r for r in filter(self._in_sight(view, question.now), self._before.rows) if r.spans]
        passages = [(row, part) for row in rows for part in range(len(row.spans))]
        if not passages:
            return Signals.none(len(rows))
        lengths = [sum(row.terms[part].values()) for row, part in passages]
        average = sum(lengths) / len(passages)
        matching = Counter(t for row, part in passages for t in question.terms if t in row.terms[part])
        terms = [row.terms[part] for row, part in passages]
        stands_for, respelt = respellings(terms, question, matching)

        def weight(term: int) -> float:
            return idf(matching[term], len(passages))

        vector = question.vector
        if question.emphasise is not None:
            weights = [weight(t) for t in question.terms]
            vector = question.emphasise([w / max([*weights, 1e-9]) for w in weights], respelt)
        words, cosines = [], []
        for (row, part), length in zip(passages, lengths, strict=True):
            norm = K1 * (1 - B + B * length / max(average, 1.0))
            held = row.terms[part]
            counts = {
                t: sum(min(held.get(one, 0), 255) for one in stands_for.get(t, (t,))) for t in question.terms
            }
            words.append(sum(weight(t) * c * (K1 + 1) / (c + norm) for t, c in counts.items() if c))
            vectors = row.vectors.get(question.model)
            known = vectors is not None and vector is not None
            cosines.append(float(vectors[part] @ vector) if known else None)  # type: ignore[index]
        refined = refined_cosines(
            passages, words, cosines, list(map(weight, question.terms)), question, vector
        )
        boosts = [question.boosts.get(row.memory.scope.type, 1.0) for row, _ in passages]
        said = [score * factor for score, factor in zip(words, boosts, strict=True)]
        near = [
            None if factor == 0 else score * factor if score is not None and score > 0 else score
            for score, factor in zip(refined, boosts, strict=True)
        ]
        chosen = top(said, passages, question.fetch, lambda v: v > 0)
        chosen |= top(near, passages, question.fetch, lambda v: v is not None)
        best_words = max([*words, 1e-9])
        fit = [
            (score / best_words + max(cosine or 0.0, 0.0)) * factor
            for score, cosine, factor in zip(words, cosines, boosts, strict=True)
        ]
        of_then = [any(start <= row.memory.at < end for start, end in question.times) for row, _ in passages]
        of_manner = [bool(manner_of(row.memory.text) & question.manners) for row, _ in passages]
        for wanted in (of_then, of_manner):
            included = [
                score if factor > 0 and one else None
                for score, factor, one in zip(fit, boosts, wanted, strict=True)
            ]
            chosen |= top(included, passages, question.fetch // 2, lambda v: v is not None)
        found = {passages[i][0].number for i in chosen}
        first = {row.memory.id: row.number for row in self._before.rows if row.memory.version == 1}
        beside = neighbours(rows, first) if question.context else {}
        found |= {n for number in found for n in beside.get(number, ()) if n}
        best: dict[int, list[int]] = {number: [] for number in sorted(found)}
        for i, (row, _) in enumerate(passages):
            if row.number in found:
                best[row.number].append(i)
        most = sum(map(weight, question.terms)) * (K1 + 1)
        return signals_of(best, passages, words, cosines, refined, beside, question, len(rows), most)

    def project(self, view: View, name: str) -> Project | None:
        return next((p for p in reversed(self.projects(view)) if p.name == name), None)

    def projects_apart(self, view: View) -> list[Project]:
        return [p for p in self._state.projects if p.name and p.space == view.user]

    def projects_due(self, view: View, *, at: int) -> list[Project]:
        return [p for p in self._state.projects if p.name and p.purge_at is not None and p.purge_at <= at]

    def projects(self, view: View) -> list[Project]:
        allows = self._rule_of_pools(view)
        held = {s.project_number for s in self._state.sessions if s.owner == view.user}
        live = (row.pool for row in self._state.rows if row.memory.deleted_at is None)
        held |= {pool.project for pool in live if allows(pool)}

        def is_in_sight(project: Project) -> bool:
            is_hidden = view.alone and project.owner != view.user
            return (project.listed and not is_hidden) or project.number in held

        named = [p for p in self._state.projects if p.name and p.space in ("", view.user)]
        return sorted(filter(is_in_sight, named), key=lambda p: (p.name, p.space))

    def module_map(self, view: View, project: int) -> ModuleMap | None:
        return self._state.maps.get(project) if view.holds(project, self._closed()) else None

    def forgotten_with_projects(self, view: View, *, before: int) -> dict[str, list[str]]:
        gone = (r.memory for r in self._state.rows if r.memory.deleted_reason == PROJECT_DELETED)
        found: dict[str, set[str]] = {}
        for one in gone:
            if one.deleted_at is not None and one.deleted_at <= before:
                found.setdefault(one.place.owner, set()).add(one.id)
        return {owner: sorted(found[owner]) for owner in sorted(found)}

    def shares(self, view: View, project: int) -> list[Share]:
        inside = [r.memory for r in self._state.rows if r.current and r.pool.project == project]
        sessions = [s for s in self._state.sessions if s.project_number == project]
        folders = [f for f in self._state.folders.values() if self._connected(f.id) == {project}]
        owners = {m.place.owner for m in inside} | {talk.owner for talk in sessions}
        owners |= {folder.owner for folder in folders}
        return [
            Share(
                owner,
                sum(m.place.owner == owner and m.deleted_at is None for m in inside),
                sum(m.place.owner == owner and m.deleted_at is None and m.kind == "entity" for m in inside),
                sum(m.place.owner == owner and m.deleted_at is not None for m in inside),
                sum(session.owner == owner for session in sessions),
                sum(folder.owner == owner for folder in folders),
                sum(
                    m.place.owner == owner and m.deleted_at is None and m.visibility is Visibility.PRIVATE
                    for m in inside
                ),
            )
            for owner in sorted(owners)
        ]

    def session(self, view: View, external_id: str) -> Session | None:
        own = [s for s in self._state.sessions if (s.owner, s.external_id) == (view.user, external_id)]
        return view.session_among([self._counted(session) for session in own])

    def sessions(
        self, view: View, *, project: int | None = None, limit: int | None = None,
        after: SessionMark | None = None, archived: bool | None = None,
    ) -> list[Session]:  # fmt: skip
        own = [s for s in self._state.sessions if s.owner == view.user]
        own = [s for s in own if archived in (None, s.archived)]
        own = [s for s in own if project is None or s.project_number == project]
        own = [s for s in own if view.closed or s.project_number not in self._closed()]
        own.sort(key=lambda s: (-s.updated_at, -s.number))
        if after is not None:
            marked = (s for s in self._state.sessions if (s.owner, s.external_id) == (view.user, after.id))
            last = next((s.number for s in marked if self._counted(s).project == after.project), 0)
            own = [s for s in own if (s.updated_at, s.number) < (after.updated_at, last)]
        return [self._counted(s) for s in own[:limit]]

    def citations(self, view: View, context: str) -> list[Cited]:
        owner, given = self._state.cited.get(context, ("", None))
        own = given.ids.items() if given is not None and owner == view.user else ()
        return [Cited(number, id, given.project) for number, id in sorted(own)] if given else []

    def summaries(self, view: View, session: int) -> list[SummaryRow]:
        own = any((s.number, s.owner) == (session, view.user) for s in self._state.sessions)
        return list(self._state.summaries.get(session, ())) if own else []

    def session_names(self, view: View, numbers: Collection[int]) -> dict[int, str]:
        own = (s for s in self._state.sessions if s.owner == view.user and s.number in numbers)
        return {session.number: session.name for session in own if session.name is not None}

    def titled(self, view: View, session: int) -> list[Memory]:
        seen = (row.memory for row in self._visible(view, 0) if row.current)
        return [one for one in seen if one.place.session == session and one.title is not None]

    def sources(self, view: View, *, removed: bool = False) -> list[Source]:
        listed = [source for source in self._state.sources if removed or source.deleted_at is None]
        own = [s for s in listed if s.owner == view.user and s.id not in self._state.folders]
        return sorted(own, key=lambda source: (source.ingested_at, source.id))

    def described(self, view: View) -> list[Source]:
        described = [s for s in self._state.sources if s.visibility is not None]
        seen = [s for s in described if view.owns(s.owner) or self._allows(view, s.pool)]
        return sorted(seen, key=lambda source: (source.ingested_at, source.id))

    def fingerprints(self, view: View, source: str) -> list[Fingerprint]:
        allows = self._rule_of_pools(view)
        rows = [r for r in self._state.rows if r.current and allows(r.pool)]
        return [
            Fingerprint(
                m.id, m.version, m.kind, m.scope.type, m.external_id, m.fingerprint, m.status.value, m.pinned,
                m.edited, m.deleted_at, m.deleted_reason, m.supersedes,
            )
            for r in rows
            if (m := r.memory).source == source == r.pool.source and m.fingerprint is not None
        ]  # fmt: skip

    def compare_fingerprints(
        self, view: View, source: str, digests: Collection[str]
    ) -> tuple[set[str], list[Fingerprint]]:
        rows = [fingerprint for fingerprint in self.fingerprints(view, source) if not fingerprint.is_proposal]
        live = {(row.digest or "")[:32]: row for row in rows if row.deleted_at is None}
        same = {digest for digest in digests if digest in live}
        return same, [
            row for row in rows if row.deleted_at is not None or (row.digest or "")[:32] not in same
        ]

    def owned(self, view: View, *, after: int, limit: int) -> list[tuple[int, Memory]]:
        own = [row for row in self._visible(view, 0) if row.memory.place.owner == view.user]
        return [(row.number, row.memory) for row in own if row.number > after][:limit]

    def versions(self, view: View, ids: Sequence[str]) -> list[Memory]:
        found = [r.memory for r in filter(self._readable(view), self._state.rows) if r.memory.id in ids]
        return sorted(found, key=lambda m: (m.id, m.version))

    def events_about(self, view: View, ids: Sequence[str]) -> list[Event]:
        seen = {r.memory.id for r in filter(self._readable(view), self._state.rows)} & set(ids)
        return [event for event in self._state.events if event.subject in seen]

    def events(self, view: View, *, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        return iter([e for e in self._state.events if e.sequence > after][:limit])

    def head(self, view: View) -> Head:
        return self._last()

    def signing_key(self, view: View) -> bytes:
        return self._state.key

    def member(self, view: View, user: str) -> Member | None:
        return self._state.members.get(user)

    def members(self, view: View) -> list[Member]:
        return [one for _, one in sorted(self._state.members.items())]

    def has_members(self, view: View) -> bool:
        return any(member.removed_at is None for member in self._state.members.values())

    def requests(self, view: View, id: str | None = None) -> list[Request]:
        found = [request for request in self._state.requests.values() if id in (None, request.id)]
        return sorted(found, key=lambda one: (one.asked_at, one.id))

    def findings(
        self, view: View, *, id: str | None = None, after: str = "", limit: int = 1
    ) -> list[Finding]:
        found = [one for _, one in sorted(self._state.findings.items()) if one.id > after]
        return [one for one in found if one.owner == view.user and id in (None, one.id)][:limit]

    def owners(self, view: View) -> list[str]:
        return sorted({row.memory.place.owner for row in self._state.rows})

    def language_models(self, view: View) -> list[LanguageModel]:
        return sorted(self._state.language_models.values(), key=lambda one: (one.added_at, one.name))

    def model_usage(self, view: View, *, since: int, model: str | None = None) -> list[ModelUsage]:
        groups: dict[tuple[str, str, str, str], list[ModelCall]] = {}
        for call in self._state.model_calls.values():
            if call.at >= since and model in (None, call.model):
                key = (call.model, call.provider, call.operation, call.outcome)
                groups.setdefault(key, []).append(call)
        return [
            ModelUsage(
                *key,
                len(calls),
                sum(one.tokens_in for one in calls),
                sum(one.tokens_out for one in calls),
                sum(one.cost for one in calls) / MICROS,
                sum(one.millis for one in calls) / 1_000,
            )
            for key, calls in sorted(groups.items())
        ]  # fmt: skip

    def metrics(self, view: View, name: str | None, *, limit: int) -> list[Metric]:
        found = [metric for metric in self._state.metrics.values() if name in (None, metric.name)]
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

    def backlog(self, view: View, *, now: int) -> Backlog:
        planned = [
            j for j in self._state.jobs if j.state is State.QUEUED and not j.attempts and j.due_at > now
        ]
        states = [j.state for j in self._state.jobs if j not in planned]
        return Backlog(
            states.count(State.QUEUED), states.count(State.RUNNING), sum(state in DEAD for state in states)
        )

    def next_job_at(self, view: View) -> int | None:
        return min((j.due_at for j in self._state.jobs if j.state in OPEN), default=None)

    def has_jobs_after(self, view: View, after: int, *, kinds: Collection[str]) -> bool:
        return any(j.state in OPEN and j.due_at > after and j.kind in kinds for j in self._state.jobs)

    def unfinished_jobs(self, view: View, kind: str) -> list[str]:
        return [j.id for j in self._state.jobs if j.kind == kind and j.state not in FINISHED]

    def lacks_vectors(self, view: View, id: str, model: str) -> bool:
        return any(r.memory.id == id and model not in r.vectors for r in self._visible(view, 0))

    def unembedded(self, view: View, model: str, *, limit: int) -> list[Memory]:
        return [self._told(r) for r in self._visible(view, 0) if model not in r.vectors][:limit]

    def agent_count(self, view: View, session: int, actor: str) -> int:
        allows = self._rule_of_pools(view)
        return sum(
            row.current and row.memory.created_by == actor and row.memory.kind not in EVIDENCE
            for row in self._state.rows
            if row.memory.place.session == session and allows(row.pool)
        )


def _is_wanted(one: Statement, claims: str | None) -> bool:
    if claims is None:
        return one.act not in (Act.CLAIM, Act.READING)
    return one.act is Act.CLAIM or (one.act is Act.READING and one.value != claims)


def kept_by(owner: str, rows: Sequence[Row]) -> Amount:
    """All versions of a user's memories, with their texts and metadata as they are stored."""
    own = [row.memory for row in rows if row.memory.place.owner == owner]
    written = [json.dumps(one.metadata, ensure_ascii=False, separators=(",", ":")) for one in own]
    sizes = [len(one.text.encode()) + len(text.encode()) for one, text in zip(own, written, strict=True)]
    return Amount(len(own), sum(sizes))
