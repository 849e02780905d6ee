"""Writer of an import: stores validated records of an export in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import Conflict, HoldfastError, InvalidInput, NotFound, Refusal
from holdfast.core.graph import ENTITY_GONE, End, is_in_sight, narrowest
from holdfast.core.history import IMPORTED
from holdfast.core.ids import uuid7
from holdfast.core.kinds import KINDS
from holdfast.core.places import Place, Visibility, approves, usable_name, visibility_of
from holdfast.core.projects import TEXTS, Project, ProjectState, Session
from holdfast.core.record import Kept, Memory, Outcome, Status
from holdfast.core.sources import Source
from holdfast.core.views import GONE, personal_view
from holdfast.features.access.places import PlaceResolver, find_external, find_same
from holdfast.features.admission.names import checked_name
from holdfast.features.memories import embed
from holdfast.features.memories.marks import KEYS_MAX, MARKS_MAX, SHAPE
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.projects.projects import SETTING_MAX
from holdfast.features.service import Service
from holdfast.features.transfer.records import Fields
from holdfast.features.transfer.records_out import MARKS, PERSON
from holdfast.features.transfer.sources import FILENAME_MAX, checked_sha256
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Writer

if TYPE_CHECKING:
    from holdfast.stores.base.ports import Vectors

Step = tuple[int, str, str, dict[str, Any]]
T = TypeVar("T", Project, Source)


@dataclass(frozen=True, slots=True)
class Version:
    """One validated version of a memory; `project` and `session` are still names."""

    admitted: Admitted
    project: str | None
    session: str | None
    is_held: bool


@dataclass(frozen=True, slots=True)
class Versions:
    """A validated memory: its versions, the present one last, and its history."""

    versions: tuple[Version, ...]
    steps: tuple[Step, ...]
    redactions: tuple[str, ...] = ()
    """Types of the redactions in the present version."""
    forgotten_by: str | None = None
    """Who forgot it, if no import shall bring it back."""


@dataclass(frozen=True, slots=True)
class IdMap:
    """The ids here of ids in an export.

    `there` is the user in the export, `here` the importing user. Entities and sources that exist here replace
    those of the export.
    """

    there: str
    here: str
    aliases: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    unlisted: set[str] = field(default_factory=set)
    projects: frozenset[str] | None = None
    """The projects that the importing credential is limited to."""
    visible: set[str] = field(default_factory=set)
    """Ids of the export that the limited credential sees here."""

    def id(self, id: str | None) -> str | None:
        """Returns the id here for an id in the export: the same, unless another user imports it, or one who
        cannot see where else the id may be taken."""
        if id is None or (self.there == self.here and (self.projects is None or id in self.visible)):
            return id
        return self.separate_id(id)

    def separate_id(self, id: str) -> str:
        """Returns another id for an id of the export, the same each time."""
        realm = "" if self.projects is None else f"\n{sorted(self.projects)}"
        digest = hashlib.sha256(f"{self.here}{realm}\n{id}".encode()).digest()
        return uuid7(int(id.replace("-", "")[:12], 16), digest[:10])


class RecordWriter:
    """Stores records one by one within one transaction."""

    def __init__(
        self, service: Service, tx: Writer, now: int, names: IdMap, *, vouched: bool, anew: bool = False
    ) -> None:
        self._service = service
        self._is_vouched = vouched
        self._tx = tx
        self._now = now
        self._ids = names
        self._anew = anew
        self._everything = personal_view(service.principal, GONE, closed=True)
        self._places = PlaceResolver(service, tx, now)
        self._projects: dict[str, Project] = {}
        self._sessions: dict[str, Session] = {}
        self._without_history: list[str] = []
        self._tombstones = Tombstones(service, tx)
        self.changed = False

    def attempt(self, record: object, admitted: Versions | None, vectors: dict[int, Vectors | None]) -> Kept:
        """Stores one record and returns its outcome; a refused record leaves nothing behind."""
        fields = Fields(record)
        try:
            with self._tx.attempt():
                if admitted is not None:
                    outcome = self._store_memory(admitted, vectors)
                else:
                    outcome = READERS[fields.get("type")](self, fields)
        except (InvalidInput, NotFound, Refusal, Conflict) as error:
            self._projects, self._sessions = {}, {}
            self._places = PlaceResolver(self._service, self._tx, self._now)
            return refused_outcome(error)
        self.changed = self.changed or outcome.outcome not in (Outcome.DUPLICATE, Outcome.FORGOTTEN)
        return outcome

    def add_batch_event(self) -> None:
        """Writes one event for all memories without a history of their own."""
        if self._without_history:
            digest = hashlib.sha256("\n".join(self._without_history).encode()).hexdigest()
            ends = {"first": self._without_history[0], "last": self._without_history[-1]}
            self._add_event(None, {"count": len(self._without_history), **ends, "ids_sha256": digest})

    # projects, sources and sessions

    def project(self, fields: Fields) -> Kept:
        """Stores a project; an existing one keeps its own settings."""
        name = checked_name(fields.required("name"), "project")
        existing = self._tx.project(self._everything, name)
        principal = self._service.principal
        is_apart = principal.alone or (self._is_vouched and fields.flag("apart"))
        space = principal.user if is_apart else ""
        if not fields.flag("listed", True):
            self._ids.unlisted.add(name)
            return Kept(Outcome.DUPLICATE, None, f"project {name!r} was deleted: it has no settings")
        if existing is not None and existing.listed and (existing.space or not space):
            return Kept(Outcome.DUPLICATE, None, f"project {name!r} is already there")
        id = fields.id("id") or self._service.new_id(self._now)
        settings: dict[str, Any] = {}
        for setting in TEXTS:
            # a prompt of a stranger would speak to every model in the project
            value = fields.text(setting) if self._is_vouched or setting != "system_prompt" else None
            if value is not None and len(value) > SETTING_MAX:
                raise InvalidInput(f"{setting} is too long", code="record_invalid")
            settings[setting] = None if value is None else self._service.admission.clean_text(value)
        if (
            self._service.shares
            and approves(self._service.principal)
            and (visibility := fields.text("visibility")) is not None
        ):
            settings["visibility"] = visibility_of(visibility)
        if (state := fields.text("state")) is not None:
            settings["state"] = _state_of(state)
        times = fields.moment("created_at"), fields.moment("updated_at")
        project = Project(name, *times, id=id, owner=principal.user, space=space, **settings)
        self._projects[name] = self._with_free_id(self._tx.put_project, project)
        self._add_event(self._projects[name].id, {})
        return Kept(Outcome.CREATED, None, "project stored")

    def source(self, fields: Fields) -> Kept:
        """Stores a source; one with the same content is the same source, whatever its id."""
        id = self._ids.id(fields.id("id"))
        if id is None:
            raise InvalidInput("a source must have an id", code="record_invalid")
        digest = checked_sha256(fields.get("digest"))
        ids_by_digest = {
            source.digest: source.id for source in self._tx.sources(self._everything, removed=True)
        }
        if digest in ids_by_digest:
            self._ids.sources[id] = ids_by_digest[digest]
            return Kept(Outcome.DUPLICATE, None, "the source is already there")
        filename = fields.text("filename")
        if filename is not None and len(filename) > FILENAME_MAX:
            raise InvalidInput("filename is too long", code="record_invalid")
        source = Source(
            id=id,
            owner=self._service.principal.user,
            platform=checked_name(fields.required("platform"), "platform"),
            digest=digest,
            ingested_at=fields.moment("ingested_at"),
            filename=None if filename is None else self._service.admission.clean_text(filename),
            message_count=fields.number("messages", 0),
            conversation_count=fields.number("conversations", 0),
            metadata=self._service.admission.clean_json(fields.pairs("metadata")),
            deleted_at=fields.time("deleted_at"),
        )
        self._ids.sources[id] = self._with_free_id(self._tx.put_source, source).id
        self._add_event(self._ids.sources[id], {})
        return Kept(Outcome.CREATED, None, "source stored")

    def session(self, fields: Fields) -> Kept:
        """Stores a session; an existing one stays unchanged. Raises Conflict if it belongs to another
        project."""
        name, project = fields.required("id"), fields.text("project")
        existing = self._tx.session(self._everything, usable_name(name, "session"))
        if existing is not None:
            self._places.session(name, project)  # raises Conflict if the projects differ
            return Kept(Outcome.DUPLICATE, None, f"session {name!r} is already there")
        metadata = self._service.admission.clean_json(fields.pairs("metadata"))
        if isinstance(metadata.get("source"), str) and len(metadata["source"]) == 36:
            source = self._ids.id(Fields(metadata).id("source")) or ""
            metadata["source"] = self._ids.sources.get(source, source)
        title = fields.clean_text("name", self._service.admission)
        home = self._project_named(project)
        session = Session(
            checked_name(name, "session"),
            self._service.principal.user,
            fields.moment("created_at"),
            fields.moment("updated_at"),
            name=title,
            project_number=home.number if home else None,
            project=home.name if home else None,
            metadata=metadata,
            archived=fields.get("archived") is True,
        )
        self._sessions[name] = self._tx.put_session(session)
        self._add_event(None, {"sessions": 1})
        return Kept(Outcome.CREATED, None, "session stored")

    def marks(self, fields: Fields) -> Kept:
        """Stores marks of what was forgotten elsewhere. They keep imports out, so they are taken only from an
        export that is vouched for."""
        if not self._is_vouched:
            raise InvalidInput("marks are accepted only from an export of your own", code="record_invalid")
        keys = fields.hexadecimal("keys", KEYS_MAX + 1)
        marks = dict.fromkeys(fields.matching("by_machine", SHAPE, MARKS_MAX), False)
        marks |= dict.fromkeys(fields.matching("by_person", SHAPE, MARKS_MAX), True)
        if not self._tombstones.carry_marks(keys, marks):
            return Kept(Outcome.DUPLICATE, None, "the marks are already there")
        return Kept(Outcome.CREATED, None, "what was forgotten there stays so here")

    def _with_free_id(self, store: Callable[[T], T], record: T) -> T:
        """Stores a project or source under its id, or under a new one if that is taken: this must not reveal
        another user's ids."""
        try:
            return store(record)
        except Conflict:
            return store(replace(record, id=self._service.new_id(self._now)))

    # memories

    def _store_memory(self, versions: Versions, vectors: dict[int, Vectors | None]) -> Kept:
        """Stores the versions of a memory. Returns the outcome."""
        present = self._place(versions.versions[-1])
        memory = present.memory
        if memory.deleted_at is None:
            duplicate = self._duplicate_of(memory)
            if duplicate is not None:
                if memory.kind == "entity":
                    self._ids.aliases[memory.id] = duplicate.id
                return Kept(
                    Outcome.DUPLICATE, duplicate, "the same text is already there", related=duplicate.id
                )
        outcome = Tombstones(self._service, self._tx).outcome_if_forgotten(
            memory, anew=self._anew, imported=True
        )
        if outcome is not None and memory.deleted_at is None:
            return outcome
        every = [*(self._place(version, is_present=False) for version in versions.versions[:-1]), present]
        rows = [vectors[id(version.admitted)] for version in versions.versions]
        try:
            self._insert_all(every, rows)
        except Conflict:  # somebody else's memory has the id, which must not be seen
            apart = self._ids.separate_id(memory.id)
            existing = self._tx.get(self._everything, apart)
            if existing is not None:
                return Kept(Outcome.DUPLICATE, existing, "it is already there", related=apart)
            self._ids.aliases[memory.id] = apart
            every = [version.with_memory(id=apart) for version in every]
            memory = every[-1].memory
            self._insert_all(every, rows)
        if versions.forgotten_by is not None:
            by_person = versions.forgotten_by == PERSON
            Tombstones(self._service, self._tx).bury([memory], by_person=by_person)
        if versions.steps:
            self._add_event(
                memory.id, {"steps": [[at, actor, act, detail] for at, actor, act, detail in versions.steps]}
            )
        else:
            self._without_history.append(memory.id)
        if versions.versions[-1].is_held:
            return Kept(
                Outcome.PENDING, memory, f"waits for review: {memory.status_reason}", versions.redactions
            )
        if versions.redactions:
            types = ", ".join(dict.fromkeys(versions.redactions))
            return Kept(Outcome.REDACTED, memory, f"stored without: {types}", versions.redactions)
        return Kept(Outcome.CREATED, memory, "stored")

    def _insert_all(self, versions: list[Admitted], vectors: list[Vectors | None]) -> None:
        """Inserts the versions of a memory, the present one last."""
        home = versions[-1].memory.place
        for index, (admitted, rows) in enumerate(zip(versions, vectors, strict=True), 1):
            self._insert(admitted, rows, home=home if index < len(versions) else None)

    def _insert(self, admitted: Admitted, vectors: Vectors | None, *, home: Place | None = None) -> None:
        stored = self._tx.insert(admitted, vectors, self._service.embedder.model, home=home)
        if home is None:
            embed.queue(self._service, self._tx, stored, vectors, self._now)

    def _duplicate_of(self, memory: Memory) -> Memory | None:
        """Returns the memory with the same external id, or the same knowledge, in the same place."""
        existing = find_external(self._tx, self._service.principal, memory)
        if existing is None and not KINDS[memory.kind].is_evidence and memory.status is not Status.SUPERSEDED:
            existing = find_same(self._tx, memory)
        return existing

    def _place(self, version: Version, *, is_present: bool = True) -> Admitted:
        """Returns a version in its place: an earlier one in that in which it was written."""
        admitted, memory = version.admitted, version.admitted.memory
        conversation = (
            None if version.session is None else self._session_named(version.session, version.project)
        )
        home = self._project_named(version.project)
        if conversation is not None and KINDS[memory.kind].is_evidence and is_present:
            home = None if conversation.project is None else self._project_named(conversation.project)
        visibility = admitted.visibility or Visibility.PRIVATE
        project, workspace = home.number if home else None, memory.place.workspace
        if memory.about:
            ends = [self._entity(id) for id in memory.about]
            around = ends[0].place
            is_visible = is_in_sight([End(e.place.project, e.deleted_at is not None) for e in ends])
            is_apart = (around.project, around.workspace) != (project, workspace)
            if is_present and is_apart and is_visible:
                raise InvalidInput(
                    "a link must be in the same project and workspace as its entities", code="entities_apart"
                )
            if is_present and narrowest([visibility, *(e.visibility for e in ends)]) is not visibility:
                raise InvalidInput("a link cannot be more visible than its entities", code="entities_apart")
            is_deleted = memory.deleted_at is not None
            if not is_visible and not is_deleted:
                admitted = admitted.with_memory(deleted_at=self._now, deleted_reason=ENTITY_GONE)
            if is_visible and memory.deleted_reason == ENTITY_GONE:
                admitted = admitted.with_memory(deleted_at=None, deleted_reason=None)
            admitted = admitted.with_memory(about=tuple(e.id for e in ends))
        if visibility is Visibility.PROJECT and home is None:
            raise InvalidInput("visibility project needs a project", code="place_invalid")
        if memory.source is not None:
            admitted = admitted.with_memory(source=self._source_id(memory.source))
        place = Place(
            owner=self._service.principal.user,
            visibility=visibility,
            workspace=workspace,
            project=project,
            session=conversation.number if conversation else None,
            scope=admitted.scope,
            branch=memory.place.branch,
        )
        return admitted.in_place(place, project=home.name if home else None, session=version.session)

    def _entity(self, id: str) -> Memory:
        entity = self._tx.get(self._everything, self._ids.aliases.get(id, id))
        if entity is None or entity.kind != "entity":
            raise NotFound(f"there is no entity {safe_repr(id)}", code="entity_not_found")
        return entity

    def _source_id(self, id: str) -> str | None:
        """Returns the id of the source here; None if the export does not contain it."""
        source_id = self._ids.sources.get(id, id)
        if source_id not in self._ids.sources.values():
            if source_id not in {source.id for source in self._tx.sources(self._everything, removed=True)}:
                return None
            self._ids.sources[id] = source_id
        return source_id

    def _project_named(self, name: str | None) -> Project | None:
        """Returns the project with a name, None for no name; creates one that is missing, as deleted if the
        export says so."""
        if name is None:
            return None
        if name not in self._projects:
            existing = self._tx.project(self._everything, usable_name(name, "project"))
            if existing is None and name in self._ids.unlisted:
                # deleted there, so deleted here: it contains the memories forgotten with it
                id = self._service.new_id(self._now)
                deleted = Project(checked_name(name, "project"), self._now, self._now, id=id, listed=False)
                existing = self._tx.put_project(deleted)
            self._projects[name] = existing or self._places.project(name)
        return self._projects[name]

    def _session_named(self, name: str, project: str | None) -> Session:
        if name not in self._sessions:
            existing = self._tx.session(self._everything, name)
            self._sessions[name] = existing or self._places.session(name, project)
        return self._sessions[name]

    def _add_event(self, subject: str | None, detail: dict[str, Any]) -> None:
        self._tx.add_event(
            at=self._now, actor=self._service.principal.label, action=IMPORTED, subject=subject, detail=detail
        )


def refused_outcome(error: Exception) -> Kept:
    """Returns the outcome of a record that cannot be stored."""
    if isinstance(error, HoldfastError):
        return Kept(Outcome.REFUSED, None, error.in_full, code=error.code)
    return Kept(Outcome.REFUSED, None, str(error), code="record_invalid")


READERS: dict[str, Callable[[RecordWriter, Fields], Kept]] = {
    "project": RecordWriter.project,
    "source": RecordWriter.source,
    "session": RecordWriter.session,
    MARKS: RecordWriter.marks,
}
"""The method that stores each type of record other than memories."""


def _state_of(value: str) -> ProjectState:
    try:
        return ProjectState(value)
    except ValueError:
        raise InvalidInput("a project is active, off or archived", code="record_invalid") from None
