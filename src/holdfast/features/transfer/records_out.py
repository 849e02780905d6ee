"""Records of everything that one user owns, which `restore` reads back (S4.54)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any

from holdfast.core.arguments import checked_flag
from holdfast.core.fields import declared_of
from holdfast.core.history import STEPS, steps_of
from holdfast.core.kinds import KINDS
from holdfast.core.places import user_of
from holdfast.core.projects import Project
from holdfast.core.record import Memory
from holdfast.core.times import to_iso
from holdfast.core.views import GONE, Filter, View, personal_view
from holdfast.core.wire import keys_of
from holdfast.features.access.scoped_store import ScopedStore
from holdfast.features.memories.marks import all_marks, own_key, taken_keys
from holdfast.features.memories.tombstones import BuriedReader
from holdfast.features.projects.projects import seen_projects
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

FORMAT = 1
"""The version of the format; a reader refuses a newer one."""
MARKS = "marks"
"""The type of a record of marks."""
FORGOTTEN_BY, PERSON, MACHINE = "forgotten_by", "person", "machine"
"""The field of a memory that says who forgot it, so that no import brings it back, and its values."""
PAGE = 500
"""Memories read in one snapshot. No snapshot stays open while the export is consumed, so that erasing is
never delayed."""
DERIVED = (
    "owner",
    *(field.name for field in fields(Memory) if not declared_of(field).exported),
    *(key.key for key in keys_of(Memory) if key.is_computed),
)
"""The keys that a record leaves out: the header names the owner, the others are computed again."""

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Export:
    """The scope of an export: everything, or the memories that a filter leaves and the places they name."""

    described: str | None = None
    projects: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()

    @property
    def narrowing(self) -> Filter:
        return replace(GONE, described=self.described)

    def holds(self, name: str | None, names: frozenset[str]) -> bool:
        """Returns whether a project, session or source is exported."""
        return self.described is None or name in names


Part = Callable[[Service, Export], Iterator[Record]]


def records(service: Service, *, user_data: bool = False, condition: str | None = None) -> Iterator[Record]:
    """Yields everything that the principal owns, one record each: a header, the records of each part, the
    end. With `condition`, conditions on metadata, the memories that meet them and the places that these name.

    Forgotten memories are included: forgetting can be undone, and a restored store must support that. Erased
    memories are nowhere. With `user_data` the events of the audit chain that name the user or their memories
    follow, for requests about personal data. Read page by page: concurrent writes may or may not be included,
    but each record is complete.
    """
    export = _export_of(service, condition)
    counts: dict[str, int] = {}
    header = {"version": FORMAT, "user": service.principal.user, "exported_at": to_iso(service.clock())}
    yield {"type": "header", "format": "holdfast", **header}
    parts = (*PARTS, *((_events,) if checked_flag(user_data, "user_data") else ()))
    for part in parts:
        for record in part(service, export):
            counts[record["type"]] = counts.get(record["type"], 0) + 1
            yield record
    yield {"type": "end", "records": counts}


def _export_of(service: Service, condition: str | None) -> Export:
    """Returns what is exported; with conditions, with the names of the places of the memories that meet
    them."""
    whole = Export(condition)
    if condition is None:
        return whole
    view = _readable_view(service, whole.narrowing)
    places: dict[str, set[str | None]] = {"project": set(), "session": set(), "source": set()}
    for memories, earlier, *_ in _pages(service, view, set()):
        for memory in (*memories, *chain.from_iterable(earlier.values())):
            for name, values in places.items():
                values.add(getattr(memory, name))
    names = (frozenset(filter(None, values)) for values in places.values())
    return Export(condition, *names)


def _readable_view(service: Service, narrowing: Filter) -> View:
    """Returns the view of all memories that the caller may read, also in what is closed."""
    return replace(personal_view(service.principal, narrowing), closed=True)


def _projects(service: Service, export: Export) -> Iterator[Record]:
    with service.store.read() as snap:
        projects = seen_projects(snap, service)
    return (project_record(project) for project in projects if export.holds(project.name, export.projects))


def _sources(service: Service, export: Export) -> Iterator[Record]:
    """Yields the sources that the export holds, removed ones with the time of their removal."""
    with service.store.read() as snap:
        sources = snap.sources(personal_view(service.principal, closed=True), removed=True)
    for source in (candidate for candidate in sources if export.holds(candidate.id, export.sources)):
        record = {"type": "source", **source.as_dict()}
        if source.deleted_at is not None:
            record["deleted_at"] = to_iso(source.deleted_at)
        yield record


def _sessions(service: Service, export: Export) -> Iterator[Record]:
    """Yields the sessions that the export holds, oldest first, without their number of messages."""
    view = personal_view(service.principal, closed=True)
    with service.store.read() as snap:
        sessions = snap.sessions(view)
    for session in sorted(sessions, key=lambda session: session.number):
        if not export.holds(session.external_id, export.sessions):
            continue
        record = session.as_dict()
        del record["messages"]
        yield {"type": "session", **record}


def _memories(service: Service, export: Export) -> Iterator[Record]:
    """Yields entities first, since others refer to them by id; then everything else in the order of
    recording."""
    everything = _readable_view(service, GONE)
    listed_projects: set[str] = set()
    for kinds in (frozenset({"entity"}), frozenset(KINDS) - {"entity"}):
        view = everything.narrowed(replace(export.narrowing, kinds=kinds))
        for memories, earlier, steps, unlisted, kept_away in _pages(service, view, listed_projects):
            yield from unlisted
            for memory in memories:
                record = memory_record(memory, earlier.get(memory.id, ()), steps.get(memory.id, ()))
                if (by_person := kept_away.get(memory.id)) is not None:
                    record[FORGOTTEN_BY] = PERSON if by_person else MACHINE
                yield record


Steps = dict[str, list[list[Any]]]


def _pages(
    service: Service, view: View, listed_projects: set[str]
) -> Iterator[tuple[list[Memory], dict[str, list[Memory]], Steps, list[Record], Mapping[str, bool]]]:
    """Yields pages of memories with their earlier versions, their history, deleted projects, which are listed
    nowhere else, and the forgotten memories that no import brings back."""
    after = 0
    while True:
        with service.store.read() as snap:
            page = snap.owned(view, after=after, limit=PAGE)
            # passages of folders are left out: they are indexed again from the files
            memories = [memory for _, memory in page if memory.place.file is None]
            revised = [memory.id for memory in memories if memory.version > 1]
            current = {memory.id: memory.version for memory in memories}
            earlier: dict[str, list[Memory]] = {}
            for version in snap.versions(view, revised) if revised else ():
                if version.version < current[version.id]:
                    earlier.setdefault(version.id, []).append(version)
            steps: Steps = {}
            events: dict[str, list[Any]] = {}
            for event in snap.events_about(view, list(current)):
                events.setdefault(event.subject or "", []).append(event)
            for id, about in events.items():
                # what a person keeps of a scan concerns this store alone: another one admits the text again
                selected = (step for step in steps_of(about) if step.action in STEPS)
                steps[id] = [[to_iso(s.at), s.actor, s.action, s.detail] for s in selected]
            unlisted = [
                _deleted_project(version)
                for memory in memories
                for version in (*earlier.get(memory.id, ()), memory)
                if _is_unlisted_project(snap, service, version, listed_projects)
            ]
            forgotten = [memory for memory in memories if memory.deleted_at is not None]
            kept_away = BuriedReader(service, snap).kept_away(forgotten) if forgotten else {}
        if not page:
            return
        yield memories, earlier, steps, unlisted, kept_away
        after = page[-1][0]


def _is_unlisted_project(snap: Reader, service: Service, memory: Memory, listed_projects: set[str]) -> bool:
    if memory.project is None or memory.project in listed_projects:
        return False
    listed_projects.add(memory.project)
    return snap.project(personal_view(service.principal, closed=True), memory.project) is None


def _deleted_project(memory: Memory) -> Record:
    """Returns a record for a deleted project of which only memories are left, dated by one of them."""
    at = to_iso(memory.recorded_at)
    assert memory.project is not None
    return {
        "type": "project", "name": memory.project, "created_at": at, "updated_at": at, "listed": False,
    }  # fmt: skip


def _marks(service: Service, export: Export) -> Iterator[Record]:
    """Yields the marks of what was forgotten, with the keys by which another store checks them. A part of the
    memories has none: it is not known whose they are."""
    if export.described is not None or isinstance(service.store, ScopedStore):
        return
    view = personal_view(service.principal)
    with service.store.read() as snap:
        pages = list(all_marks(snap, view))
        keys = (
            sorted(key.hex() for key in (own_key(service), *taken_keys(service, snap, view))) if pages else []
        )
    for page in pages:
        by_person, by_machine = ([mark for mark, by in page if by is person] for person in (True, False))
        yield _without_empty({"type": MARKS, "keys": keys, "by_person": by_person, "by_machine": by_machine})


def _events(service: Service, _: Export) -> Iterator[Record]:
    """Yields the events that the user or their agents caused, or that are about their memories (S4.54)."""
    view = personal_view(service.principal, GONE, closed=True)
    user, after = service.principal.user, 0
    while True:
        with service.store.read() as snap:
            page = list(snap.events(view, after=after, limit=PAGE))
            subjects = [event.subject for event in page if event.subject is not None]
            mine = {m.id for m in snap.versions(view, subjects) if m.place.owner == user}
        if not page:
            return
        for event in page:
            if user_of(event.actor) == user or event.subject in mine:
                yield {"type": "event", **event.as_dict()}
        after = page[-1].sequence


def project_record(project: Project) -> Record:
    """Returns a project as a record."""
    apart = True if project.space else None
    return _without_empty({"type": "project", **project.as_dict(), "listed": project.listed, "apart": apart})


def memory_record(memory: Memory, earlier: Sequence[Memory] = (), steps: Sequence[list[Any]] = ()) -> Record:
    """Returns a memory as a record: its present version, the earlier ones, and its history."""
    record: Record = {"type": "memory", **_version(memory)}
    if earlier:
        record["earlier"] = [_version(version) for version in earlier]
    if steps:
        record["steps"] = list(steps)
    return record


def _version(memory: Memory) -> Record:
    record = memory.as_dict()
    for name in DERIVED:
        del record[name]
    return _without_empty(record)


def _without_empty(record: Record) -> Record:
    return {name: value for name, value in record.items() if value is not None and value not in ([], {})}


PARTS: tuple[Part, ...] = (_projects, _sources, _sessions, _memories, _marks)
"""The parts of an export, in the order in which they can be restored: records come before those that refer
to them. A new type of record needs its part here and its reader in
`features/transfer/restore_writer.READERS`."""
