"""Stores the statements of one topic: creates its insight, adds to it, or lets them wait beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.core.errors import Conflict, HoldfastError, InvalidInput, Refusal
from holdfast.core.insights import (
    INSIGHT,
    STATEMENTS_MAX,
    InsightChange,
    InsightStatement,
    parts_of,
    said_in,
    sources_of,
)
from holdfast.core.places import Place, Principal, Role, scope_list
from holdfast.core.record import Memory, Origin, Status
from holdfast.core.review import BY_MODEL, HELD_TOPIC, NOT_OWN, UNCONFIRMED
from holdfast.core.views import GONE, View, personal_view, place_view
from holdfast.features.access.places import PlaceResolver
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.initial_values import status_in_place
from holdfast.features.insights.find import StatementCandidate
from holdfast.features.memories import embed
from holdfast.features.memories.browse import pages
from holdfast.features.memories.exclusions import gate_of
from holdfast.features.memories.tidying import count_changed
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.service import Service
from holdfast.language.statements.merging import Merged, merged
from holdfast.language.topics import same_topic, topic_id
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Reader, Writer

TRIES = 5
"""Times that a topic is planned anew because its insight changed meanwhile."""
SURE, UNSURE = 0.75, 0.5
"""Confidence of what a person said or agreed to, and of what the assistant said."""
EVIDENCE = "same topic"
"""The evidence of a merge, as the audit names it."""


NOTHING = Merged(())


@dataclass(frozen=True, slots=True)
class Topic:
    """The statements of a conversation on one topic, their place, and the name of its project."""

    place: Place
    project: str | None
    statements: Sequence[StatementCandidate]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The work to be done for some statements: the insight of their topic and the news that waits beside it,
    as they were seen."""

    action: str
    new: tuple[tuple[InsightStatement, bool], ...]
    current: Memory | None = None
    news: Memory | None = None
    why: str | None = None
    result: Merged = NOTHING
    pending: Merged | None = None
    """The statements of an insight that was pending: a proposal beside the new one from now on, not approved
    with it."""

    @property
    def rests_on(self) -> tuple[object, ...]:
        seen = [
            None
            if insight is None
            else (
                insight.id,
                insight.version,
                insight.status,
                insight.pinned,
                insight.edited,
                insight.deleted_at,
            )
            for insight in (self.current, self.news)
        ]
        return self.action, *seen


class Keeper:
    """Stores topics one by one, as a machine; `origin` is that of the texts. It counts what was known, and
    tells `viewer` of no memory that they do not see."""

    def __init__(
        self, service: Service, viewer: Principal, origin: str, *, dry_run: bool,
        hold: Callable[[Writer], None] | None,
    ) -> None:  # fmt: skip
        self.changes: list[InsightChange] = []
        self.known_count = 0
        self._viewer = viewer
        self._service, self._origin, self._dry_run, self._hold = service, origin, dry_run, hold
        self._now = service.clock()
        self._gate = gate_of(service)

    def keep(self, topic: Topic) -> None:
        """Stores what was said on one topic. Raises Conflict if it changes all the time."""
        topic = self._clean(topic)
        for _ in range(TRIES):
            with self._service.store.read() as snap:
                plan = self._plan(snap, topic)
            if plan is None:
                return
            if self._dry_run or plan.action not in ("created", "merged", "corrected", "proposed"):
                self._note(plan, topic, plan.current)
                return
            try:
                stored = self._store(topic, plan)
            except _Moved:
                continue
            except (InvalidInput, Refusal) as error:
                self._note(replace(plan, action="refused", why=error.code), topic, None)
                return
            if stored is not None:
                self._note(*stored[:1], topic, stored[1])
                return
        raise Conflict("the insight changes too often", code="changed_meanwhile")

    def _clean(self, topic: Topic) -> Topic:
        """Returns a topic with clean texts, without what is never to be remembered."""
        cleaned = []
        for item in topic.statements:
            try:
                text, name, *concepts = (
                    self._gate.clean_text(value)
                    for value in (item.statement.text, item.statement.topic, *item.statement.concepts)
                )
            except HoldfastError as error:
                self.changes.append(InsightChange("refused", "", "", None, error.code))
                continue
            cleaned.append(
                replace(
                    item, statement=replace(item.statement, text=text, topic=name, concepts=tuple(concepts))
                )
            )
        return replace(topic, statements=tuple(cleaned))

    # planning

    def _plan(self, reader: Reader, topic: Topic) -> _Plan | None:
        """Returns what to do with the statements of a topic that are not known yet; None if all are."""
        if not topic.statements:
            return None
        rows = self._rows(reader, topic.place)
        seen = {statement.key for row in rows for statement in said_in(row)}
        left = {message for row in rows for message in row.evidence.get("before", ())}
        fresh = [
            item
            for item in topic.statements
            if item.statement.key not in seen and item.statement.message not in left
        ]
        self.known_count += len(topic.statements) - len(fresh)
        if not fresh:
            return None
        new = tuple((item.statement, item.corrects) for item in fresh)
        current = self._current(rows, topic)
        if current is None:
            return _Plan("created", new, result=merged((), new))
        plan = _Plan("merged", new, current)
        if current.deleted_at is not None:
            return replace(plan, action="forgotten", why="it was forgotten")
        if current.status in (Status.REJECTED, Status.SUPERSEDED):
            return replace(plan, action="rejected", why=f"it was {current.status.value}")
        if len(said_in(current)) + len(new) > STATEMENTS_MAX:
            return replace(plan, action="full", why=f"it has {STATEMENTS_MAX} statements")
        news = next((row for row in rows if row.supersedes == current.id and _waits(row)), None)
        result = merged(said_in(current), new, since=current.version + 1)
        plan = replace(plan, result=result, news=news, why=f"{EVIDENCE}: {current.title}")
        if current.status is Status.PENDING and fresh[0].sure:  # what waits is not approved along
            alone = merged((), new, since=current.version + 1)
            plan = replace(plan, result=alone, pending=merged(alone.statements, _again(current)))
        elif result.corrections:
            plan = replace(plan, action="corrected", why="; ".join(result.corrections))
        return self._plan_proposal(plan, sure=fresh[0].sure)

    def _plan_proposal(self, plan: _Plan, *, sure: bool) -> _Plan:
        """Returns the plan of a proposal if its statements may not be merged into the insight at once."""
        current = plan.current
        assert current is not None
        principal = self._service.principal
        is_own = current.place.owner == principal.user or principal.role is Role.ADMIN
        why = HELD_TOPIC if current.pinned or current.edited else None
        if why is None and not sure and current.status is Status.APPROVED:
            why = BY_MODEL if self._origin == "model" else UNCONFIRMED
        if why is None and plan.action == "corrected" and not is_own:
            why = NOT_OWN
        return plan if why is None else self._proposal(plan, why)

    def _proposal(self, plan: _Plan, why: str) -> _Plan:
        assert plan.current is not None
        base = plan.news or plan.current
        result = merged(said_in(base), plan.new, since=plan.current.version + 1)
        return replace(plan, action="proposed", why=why, result=result, pending=None)

    def _rows(self, reader: Reader, place: Place) -> list[Memory]:
        """Returns the insights of a place in any state, as far as they are of its owner or approved."""
        narrowing = replace(GONE, kinds=frozenset({INSIGHT}), scopes=scope_list([place.scope]))
        memories = pages(reader, place_view(place, INSIGHT, narrowing))
        return [
            memory
            for memory in memories
            if memory.place.owner == place.owner or memory.status is Status.APPROVED
        ]

    def _current(self, rows: Sequence[Memory], topic: Topic) -> Memory | None:
        """Returns the insight of a topic: a live one, of exactly this topic, or else the oldest."""
        name = topic.statements[0].statement.topic
        own = topic_id(name)
        matches = [
            row for row in rows
            if not _is_news(row) and (row.external_id == own or same_topic(row.title or "", name))
        ]  # fmt: skip
        return min(matches, key=lambda row: _preference(row, own), default=None)

    # storing

    def _store(self, topic: Topic, plan: _Plan) -> tuple[_Plan, Memory | None] | None:
        """Stores what was planned in one transaction. Returns it with the memory; None if nothing is left."""
        texts = [self._admitted(topic, plan, plan.result)]
        if plan.pending is not None:
            texts.append(self._admitted(topic, plan, plan.pending))
        ready = list(zip(texts, embed.embed_now(self._service.embedder, texts), strict=True))
        with self._service.store.write() as tx:
            if self._hold is not None:
                self._hold(tx)
            previous, again = self.known_count, self._plan(tx, topic)
            self.known_count = previous
            if again is None or again.rests_on != plan.rests_on:
                raise _Moved
            place = self._home(tx, topic)
            stored = self._write(tx, place, topic, plan, *ready[0])
            for admitted, vectors in ready[1:]:
                why = plan.current.status_reason if plan.current is not None else None
                self._propose(tx, replace(plan, why=why), admitted, vectors)
            count_changed(self._service, tx, [stored[1]] if stored[1] is not None else [])
        self._service.bell.ring()
        return stored

    def _home(self, tx: Writer, topic: Topic) -> Place:
        """Returns the place of a topic, which must be open. Raises Conflict."""
        if topic.project is not None:
            PlaceResolver(self._service, tx, self._now).project(topic.project)
        return topic.place

    def _admitted(self, topic: Topic, plan: _Plan, result: Merged) -> Admitted:
        """Returns an insight, validated and cleaned."""
        current, statements = plan.current, result.statements
        sure = all(item.sure for item in topic.statements)
        name = topic.statements[0].statement.topic
        draft = Draft(
            **parts_of(statements, () if current is None else sources_of(current)),
            kind=INSIGHT,
            title=name[:1].upper() + name[1:] if current is None else current.title,
            workspace=topic.place.workspace,
            scope=topic.place.scope,
            visibility=topic.place.visibility.value,
            external_id=topic_id(name) if current is None else current.external_id,
            taken_from=Origin(self._origin),
            source=topic.place.source,
            confidence=SURE if sure else UNSURE,
            status=None if sure else "pending",
            at=max(statement.at for statement in statements),
        )
        id = self._service.new_id(self._now) if current is None else current.id
        admitted = self._gate.admit(draft, id=id, now=self._now)
        if not sure and not admitted.memory.flags:
            reason = BY_MODEL if self._origin == "model" else UNCONFIRMED
            admitted = admitted.with_memory(status_reason=reason)
        return admitted

    def _write(
        self, tx: Writer, place: Place, topic: Topic, plan: _Plan, admitted: Admitted, vectors: Any
    ) -> tuple[_Plan, Memory | None]:
        """Stores an insight, a new version of it or a proposal. Returns the plan as carried out, and the
        memory: None if it was forgotten before."""
        current = plan.current
        if current is None:
            placed = self._in_place(admitted, place, topic.project)
            if (
                Tombstones(self._service, tx).outcome_if_forgotten(placed.memory, anew=False, imported=True)
                is not None
            ):
                return replace(plan, action="forgotten", why="it was forgotten"), None
            stored = tx.insert(placed, vectors, self._service.embedder.model)
            embed.queue(self._service, tx, stored, vectors, self._now)
            detail: dict[str, Any] = {"kind": INSIGHT, "status": stored.status.value}
            self._add_event(tx, "remember", stored.id, detail)
            return plan, stored
        placed = self._in_place(admitted, current.place, current.project)
        risky = placed.memory.status is Status.PENDING and current.status is Status.APPROVED
        if plan.action == "proposed" or risky:
            why = plan.why if plan.action == "proposed" else placed.memory.status_reason
            return self._propose(tx, replace(plan, action="proposed", why=why), placed, vectors)
        if current.status is Status.PENDING and placed.memory.status is Status.PENDING:
            placed = placed.with_memory(status_reason=current.status_reason)
        stored = self._store_version(tx, current, placed, vectors)
        detail = {
            "version": stored.version, "evidence": EVIDENCE, "corrections": len(plan.result.corrections),
            "messages": [statement.message for statement, _ in plan.new],
        }  # fmt: skip
        self._add_event(tx, "merge", stored.id, detail)
        return plan, stored

    def _propose(
        self, tx: Writer, plan: _Plan, admitted: Admitted, vectors: Any
    ) -> tuple[_Plan, Memory | None]:
        """Lets statements wait beside an insight, together with what waits there already."""
        current = plan.current
        assert current is not None
        id = self._service.new_id(self._now) if plan.news is None else plan.news.id
        waits = admitted.with_memory(
            id=id, external_id=None, supersedes=current.id, status=Status.PENDING, status_reason=plan.why
        )
        waits = waits.in_place(current.place, project=current.project, session=None)
        if (
            Tombstones(self._service, tx).outcome_if_forgotten(waits.memory, anew=False, imported=True)
            is not None
        ):
            return replace(plan, action="forgotten", why="it was forgotten"), current
        if plan.news is not None:
            newer = waits.next_version_of(plan.news, self._now)
            newer = newer.with_memory(status=Status.PENDING, status_reason=plan.why)
            stored = self._store_version(tx, plan.news, newer, vectors, is_next=True)
            self._add_event(tx, "revise", stored.id, {"version": stored.version})
            return plan, stored
        stored = tx.insert(waits, vectors, self._service.embedder.model)
        embed.queue(self._service, tx, stored, vectors, self._now)
        self._add_event(tx, "remember", stored.id, {"kind": INSIGHT, "status": Status.PENDING.value})
        return plan, stored

    def _store_version(
        self, tx: Writer, current: Memory, admitted: Admitted, vectors: Any, *, is_next: bool = False
    ) -> Memory:
        """Stores a new version of an insight."""
        newer = admitted if is_next else admitted.next_version_of(current, self._now)
        stored = tx.insert_version(_around(current.place), newer, vectors, self._service.embedder.model)
        embed.queue(self._service, tx, stored, vectors, self._now)
        return stored

    def _in_place(self, admitted: Admitted, place: Place, project: str | None) -> Admitted:
        placed = admitted.in_place(place, project=project, session=None)
        new = placed.memory
        status, reason = status_in_place(new.status, new.status_reason, new.pii_risk, place.visibility)
        return placed.with_memory(status=status, status_reason=reason)

    def _add_event(self, tx: Writer, action: str, subject: str, detail: dict[str, Any]) -> None:
        actor = self._service.principal.label
        tx.add_event(at=self._now, actor=actor, action=action, subject=subject, detail=detail)

    def _note(self, plan: _Plan, topic: Topic, memory: Memory | None) -> None:
        """Adds what became of a topic to the result."""
        text = " ".join(statement.text for statement, _ in plan.new)
        name = topic.statements[0].statement.topic if plan.current is None else plan.current.title or ""
        id = None
        if memory is not None:
            with self._service.store.read() as snap:
                seen = snap.get(personal_view(self._viewer), memory.id)
            id = None if seen is None else memory.id
        self.changes.append(InsightChange(plan.action, name, text, id, plan.why))


class _Moved(Exception):
    """A signal that the insight has changed since the plan was made."""


def _around(place: Place) -> View:
    return place_view(place, INSIGHT, GONE)


def _preference(memory: Memory, external_id: str) -> tuple[object, ...]:
    is_gone = memory.deleted_at is not None or memory.status is Status.SUPERSEDED
    return is_gone, memory.external_id != external_id, memory.recorded_at, memory.id


def _is_news(memory: Memory) -> bool:
    waits = memory.status in (Status.PENDING, Status.REJECTED)
    return waits and memory.supersedes is not None and memory.external_id is None


def _again(memory: Memory) -> list[tuple[InsightStatement, bool]]:
    return [(statement, False) for statement in said_in(memory)]


def _waits(memory: Memory) -> bool:
    return memory.status is Status.PENDING and memory.deleted_at is None
