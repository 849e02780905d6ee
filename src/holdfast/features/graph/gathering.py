"""Keeps the people, places and things that the user's messages of a project name (S0.20, S0.27, S0.37).

Each rests on the messages that name it, and is in their project. The names that a text is read with come
from the same project only. A name is kept once the words around it say what it is, or two messages have it;
an organisation or a thing takes two. Relations wait for review.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from holdfast.core.graph import MESSAGES_MAX, NAMES, messages_naming, type_of
from holdfast.core.jobs import NAMES as JOB
from holdfast.core.jobs import Job, State
from holdfast.core.pages import each
from holdfast.core.record import Kept, Memory, Origin, Status, folded
from holdfast.core.views import GONE, Filter, personal_view
from holdfast.features.access.permission import why_not_change
from holdfast.features.access.places import Selection, view_of
from holdfast.features.graph.graph import Statement, entity_draft, relation_draft
from holdfast.features.jobs.worker import Progress
from holdfast.features.memories.name_sources import withdraw_names
from holdfast.features.memories.remember import remember_many
from holdfast.features.service import Service
from holdfast.language.entities.patterns import ORGANIZATION, TECHNOLOGY, THING
from holdfast.language.entities.read import Mention, known_in, mentions_in
from holdfast.language.entities.relations import ALSO_CALLED, relations_in
from holdfast.stores.base.ports import Patch, Writer

ACTOR = "names"
"""The name of the agent that keeps them, unless one is set already."""
PAGE = 1_000
BESIDE = 500
"""Earlier messages of a project that are read along with new ones: a name counts that two of them have."""
SURE, UNSURE = 0.9, 0.6
"""Confidence of what is kept, and of relations, which wait."""
TWICE = frozenset({ORGANIZATION, TECHNOLOGY, THING})
"""Types of which one message is not enough, whatever it says: it is right less often."""
_MESSAGES = frozenset({"message"})
_USABLE = frozenset({Status.APPROVED, Status.PENDING})
_Place = tuple[str, str | None]
_Name = tuple[str, str]
"""Type and folded name."""


@dataclass(slots=True)
class _NameCandidate:
    """A name or a relation, and the messages that have it."""

    name: str
    messages: dict[str, Memory] = field(default_factory=dict)
    is_introduced: bool = False


@dataclass(slots=True)
class Gathered:
    """Counts of messages read, and of entities and relations that are new; `last` names the version of the
    message up to which was read, None if there is none."""

    messages: int = 0
    entities: int = 0
    relations: int = 0
    last: str | None = None


def run(service: Service, _: Job, progress: Progress) -> Mapping[str, Any]:
    """Runs a job: reads the messages that came after those which the job before had read."""
    progress(0)
    if service.names == "off":
        return {"messages": 0}
    with service.store.read() as snap:
        before = snap.jobs(personal_view(service.principal), states={State.SUCCESS}, kind=JOB, limit=1)
    after = before[0].result.get("last") if before else None
    return asdict(gather(service, after=after, progress=progress, hold=progress.check_held))


def gather(
    service: Service, *, after: str | None = None, progress: Callable[[int], None] = lambda _: None,
    hold: Callable[[Writer], None] | None = None,
) -> Gathered:  # fmt: skip
    """Reads the user's messages in projects that came after one, and keeps what they name. `hold` is called
    in the transactions of its own and may raise, to stop."""
    machine = service.acting_as(replace(service.principal, agent=service.principal.agent or ACTOR))
    ids, last = _unread(service, after)
    done = Gathered(last=last)
    for start in range(0, len(ids), PAGE):
        with service.store.read() as snap:
            view = personal_view(service.principal, Filter(kinds=_MESSAGES))
            messages = snap.several(view, ids[start : start + PAGE], now=service.clock())
        fresh: dict[_Place, dict[str, Memory]] = {}
        for memory in messages:
            if memory.project is not None and _is_read(service, memory):
                fresh.setdefault((memory.project, memory.place.workspace), {})[memory.id] = memory
        for place, new in fresh.items():
            findings = _Reader(service, place).read(new)
            done.messages += len(new)
            progress(done.messages)
            entities, relations = _Keeper(machine, place, hold).keep(*findings)
            done.entities, done.relations = done.entities + entities, done.relations + relations
    return done


def _unread(service: Service, after: str | None) -> tuple[list[str], str | None]:
    """Returns the ids of the user's messages after the one that `after` names, oldest first, and the name of
    the last. All of them if that version is no longer there: to read one again changes nothing."""
    ids: list[str] = []
    last = None
    criteria = replace(GONE, kinds=_MESSAGES, owner=service.principal.user)
    with service.store.read() as snap:
        view, now = personal_view(service.principal, criteria, closed=True), service.clock()
        for memory in each(lambda cursor: snap.page(view, limit=PAGE, cursor=cursor, now=now)):
            name = f"{memory.id}/{memory.version}"
            last = last or name
            if name == after:
                break
            ids.append(memory.id)
    return ids[::-1], last


def _is_read(service: Service, memory: Memory) -> bool:
    """Returns whether a message is one that the user wrote."""
    is_own = memory.role == "user" and memory.place.owner == service.principal.user
    return is_own and memory.origin.is_trusted


class _Reader:
    """Reads the messages of one project, with the names that it knows."""

    def __init__(self, service: Service, place: _Place) -> None:
        self._service, self._place = service, place

    def read(
        self, new: Mapping[str, Memory]
    ) -> tuple[dict[_Name, _NameCandidate], dict[tuple[_Name, str, _Name], _NameCandidate]]:
        """Returns what new messages, and earlier ones beside them, name and relate."""
        messages = {**self._earlier(), **new}
        alone = {id: mentions_in(message.text) for id, message in messages.items()}
        known = known_in(
            [*self._introduced_names(), *(mention for mentions in alone.values() for mention in mentions)]
        )
        names: dict[_Name, _NameCandidate] = {}
        relations: dict[tuple[_Name, str, _Name], _NameCandidate] = {}
        for id, message in messages.items():
            mentions = mentions_in(message.text, known)
            for mention in mentions:
                entry = names.setdefault(_name_of(mention), _NameCandidate(mention.name))
                entry.messages[id] = message
                entry.is_introduced |= mention.is_introduced
            for related in relations_in(message.text, mentions):
                ends = _name_of(related.subject), related.label, _name_of(related.target)
                relations.setdefault(ends, _NameCandidate(related.label)).messages[id] = message
        return names, relations

    def _earlier(self) -> dict[str, Memory]:
        """Returns the newest messages of the project."""
        service, now = self._service, self._service.clock()
        with service.store.read() as snap:
            view = view_of(snap, service.principal, Selection(*_selected(self._place)))
            view = view.narrowed(replace(view.filter, kinds=_MESSAGES, owner=service.principal.user))
            page = snap.page(view, limit=BESIDE, cursor=None, now=now)
        return {
            memory.id: memory
            for memory in page.memories
            if _is_at(memory, self._place) and _is_read(service, memory)
        }

    def _introduced_names(self) -> Iterable[Mention]:
        """Yields the entities of the project as names that were introduced."""
        service = self._service
        with service.store.read() as snap:
            view = view_of(snap, service.principal, Selection(*_selected(self._place)))
            now = service.clock()
            for entity in each(
                lambda cursor: snap.entities(view, type=None, limit=PAGE, cursor=cursor, now=now)
            ):
                if (type := type_of(entity)) is not None and _is_at(entity, self._place):
                    yield Mention(entity.title or entity.text, type, 0, 0, is_introduced=True)


class _Keeper:
    """Stores what the messages of one project name, as a machine."""

    def __init__(self, service: Service, place: _Place, hold: Callable[[Writer], None] | None) -> None:
        self._service, self._place, self._hold = service, place, hold
        self._rests: dict[str, list[str]] = {}

    def keep(
        self,
        names: Mapping[_Name, _NameCandidate],
        relations: Mapping[tuple[_Name, str, _Name], _NameCandidate],
    ) -> tuple[int, int]:
        """Stores entities and relations, and returns how many are new."""
        there = self._existing_entities(names)
        accepted = {
            name: entry for name, entry in names.items()
            if name not in there and is_kept(name[0], len(entry.messages), is_introduced=entry.is_introduced)
        }  # fmt: skip
        drafts = [
            entity_draft(entry.name, type, None, self._statement(entry, waits=False))
            for (type, _), entry in accepted.items()
        ]
        made = dict(zip(accepted, remember_many(self._service, drafts), strict=True))
        entities = there | {
            name: result.memory for name, result in made.items()
            if result.memory is not None and result.memory.status in _USABLE
        }  # fmt: skip
        for name, memory in entities.items():
            self._note(memory, names[name])
        stated = {
            ends: entry for ends, entry in relations.items() if ends[0] in entities and ends[2] in entities
        }
        links = [
            relation_draft(
                entities[subject], label, entities[target], self._statement(entry, waits=label != ALSO_CALLED)
            )
            for (subject, label, target), entry in stated.items()
        ]  # fmt: skip
        linked = remember_many(self._service, links)
        for entry, result in zip(stated.values(), linked, strict=True):
            if result.memory is not None:
                self._note(result.memory, entry)
        self._settle({id for entry in names.values() for id in entry.messages})
        return _new(made.values()), _new(linked)

    def _existing_entities(self, names: Mapping[_Name, _NameCandidate]) -> dict[_Name, Memory]:
        """Returns the entities of these names that are there already, whoever stored them."""
        with self._service.store.read() as snap:
            view = view_of(snap, self._service.principal, Selection(*_selected(self._place)))
            entities = snap.entities_named(
                view, sorted({name for _, name in names}), now=self._service.clock()
            )
        there = {
            (type_of(entity) or "", folded(entity.title or entity.text)): entity
            for entity in entities
            if _is_at(entity, self._place)
        }
        return {name: memory for name, memory in there.items() if name in names}

    def _statement(self, entity: _NameCandidate, *, waits: bool) -> Statement:
        """Returns the place, origin and certainty with which a found entity is stored."""
        messages = sorted(entity.messages.values(), key=lambda message: (message.at, message.id))
        doubtful = _is_doubtful(messages)
        project, workspace = self._place
        return Statement(
            project, workspace=workspace, visibility="private",  # never more visible than the messages
            taken_from=Origin.EXTRACTION, confidence=UNSURE if waits or doubtful else SURE,
            status="pending" if waits or doubtful else None,
            evidence=_evidence(message.id for message in messages), at=messages[0].at,
        )  # fmt: skip

    def _note(self, memory: Memory, entity: _NameCandidate) -> None:
        """Notes the messages that an entity or a relation rests on as well, if it was read from messages."""
        before = messages_naming(memory)
        now = list(dict.fromkeys([*before, *entity.messages]))[:MESSAGES_MAX]
        if before and now != before and why_not_change(self._service.principal, memory) is None:
            self._rests[memory.id] = now

    def _settle(self, read: set[str]) -> None:
        """Stores what known entities and relations rest on as well. What rests on messages that were erased
        while they were read goes with them."""
        view, now = personal_view(self._service.principal, GONE, closed=True), self._service.clock()
        with self._service.store.write() as tx:
            if self._hold is not None:
                self._hold(tx)
            there = {memory.id for memory in tx.several(view, sorted([*read, *self._rests]), now=now)}
            for id in self._rests.keys() & there:
                tx.patch(view, id, Patch(evidence=_evidence(self._rests[id])), now=now)
            withdraw_names(self._service, tx, read - there)


def _evidence(messages: Iterable[str]) -> dict[str, Any]:
    return {"rule": NAMES, "messages": list(messages)[:MESSAGES_MAX]}


def is_kept(type: str, messages: int, *, is_introduced: bool) -> bool:
    """Returns whether a name of so many messages is kept."""
    return messages > 1 or (is_introduced and type not in TWICE)


def _is_doubtful(messages: Iterable[Memory]) -> bool:
    """Returns whether no message is a person's own word that is free of doubt."""
    return all(
        message.flags or message.origin is Origin.AGENT or message.status is not Status.APPROVED
        for message in messages
    )


def _new(outcomes: Iterable[Kept]) -> int:
    return sum(outcome.outcome.value in ("created", "redacted", "pending") for outcome in outcomes)


def _name_of(mention: Mention) -> _Name:
    return mention.type, folded(mention.name)


def _selected(place: _Place) -> tuple[str, None, str | None]:
    """Returns a place as the first arguments of a selection: project, session, workspace."""
    return place[0], None, place[1]


def _is_at(memory: Memory, place: _Place) -> bool:
    return (memory.project, memory.place.workspace) == place
