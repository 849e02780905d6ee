"""Resolution of the names in a request: to views for reading, and to places for writing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.arguments import LIMIT_MAX, checked_flag, checked_names, safe_repr
from holdfast.core.errors import Conflict, InvalidInput, NotFound
from holdfast.core.kinds import EXCLUSION, KINDS, kind_named
from holdfast.core.metadata_filter import metadata_conditions
from holdfast.core.places import (
    ANYWHERE,
    Place,
    Principal,
    Visibility,
    default_visibility,
    scope_list,
    scope_named,
    scope_of,
    usable_name,
    visibility_of,
)
from holdfast.core.projects import Project, ProjectState, Session
from holdfast.core.record import (
    TAGS_MAX,
    Memory,
    Status,
    external_key,
    is_same_knowledge,
    origin_of,
    status_of,
)
from holdfast.core.text import normalise
from holdfast.core.times import When, end_of, to_iso, to_millis
from holdfast.core.value_classes import value_class
from holdfast.core.views import (
    ANY_STATE,
    Context,
    Filter,
    View,
    compile_view,
    personal_view,
    place_view,
    seen_branches,
)
from holdfast.features.access.in_files import FileSelection
from holdfast.features.access.permission import check_shares
from holdfast.features.admission.initial_values import status_in_place
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

if TYPE_CHECKING:
    from holdfast.stores.base.admitted import Admitted

NOWHERE = -1
"""The number of a project that does not exist: it contains nothing."""


@value_class
class Selection:
    """The place and the conditions of a read, as the caller passed them."""

    project: str | None = None
    session: str | None = None
    workspace: str | None = None
    strict_workspace: bool = False
    scope: object = None
    visibility: object = None
    branch: str | None = None
    kinds: object = None
    tags: object = None
    since: When | None = None
    until: When | None = None
    as_of: When | None = None
    include: object = ()
    pinned: bool | None = None
    metadata: object = None
    exclude_sessions: object = ()
    sources: object = None
    origins: object = None
    owner: str | None = None
    status: object = None
    scopes: object = ()
    personal: bool = True
    """Includes what the user noted outside of projects."""
    path: object = None
    language: object = None
    code_only: bool = False


def view_of(reader: Reader, principal: Principal, selection: Selection) -> View:
    """Builds the view of a principal for a selection.

    A session stands for its project, or for the shared pool if it has none (S0.9, S0.10, S0.14). A project or
    session that does not exist contains nothing; knowledge about the person is visible everywhere. "*" means
    any project, or any workspace, and lifts no other limit.
    """
    everything = personal_view(principal)
    narrowing = _filter(selection)
    if names := checked_names(selection.exclude_sessions, "exclude_sessions"):
        if len(names) > LIMIT_MAX:
            raise InvalidInput(f"at most {LIMIT_MAX:,} sessions can be excluded", code="argument_invalid")
        left_out = (find_session(reader, principal, usable_name(name, "session")) for name in names)
        narrowing = replace(
            narrowing, outside=frozenset(place.number for place in left_out if place is not None)
        )
    for name, label in (
        (selection.session, "session"), (selection.project, "project"), (selection.workspace, "workspace"),
    ):  # fmt: skip
        if name is not None and (name != ANYWHERE or label == "session"):
            usable_name(name, label)
    any_project, any_workspace = selection.project == ANYWHERE, selection.workspace == ANYWHERE
    number: int | None = None
    if selection.session is not None:
        session = find_session(reader, principal, selection.session, selection.project)
        number = session.project_number if session else None
        if session and selection.project not in (None, ANYWHERE, session.project):
            raise _session_conflict(session)
    if selection.project is not None and not any_project and number is None:
        project = reader.project(everything, selection.project)
        number = project.number if project else NOWHERE
    context = Context(
        workspace=None if any_workspace else selection.workspace,
        strict_workspace=checked_flag(selection.strict_workspace, "strict_workspace"),
        project=number,
        in_session=selection.session is not None,
        any_project=any_project,
        any_workspace=any_workspace,
    )
    view = compile_view(principal, context, narrowing)
    files = FileSelection.checked(selection.path, selection.language, selection.code_only)
    return view if files is None else files.within(reader, view)


def listed_view(reader: Reader, principal: Principal, selection: Selection) -> View:
    """Builds the view of a list or a count, which a session narrows to what was said in it. Rules of what is
    never to be remembered are no memories: only who asks for their kind gets them. Raises NotFound."""
    view = view_of(reader, principal, selection)
    if selection.kinds is None:
        view = view.without_kinds(EXCLUSION)
    if selection.session is None:
        return view
    session = find_session(reader, principal, selection.session, selection.project)
    if session is None:
        raise NotFound(f"there is no session {selection.session!r}", code="session_not_found")
    return view.narrowed(replace(view.filter, session=session.number))


def _filter(selection: Selection) -> Filter:
    """Returns the filter of a selection. Raises InvalidInput."""

    def millis(value: When | None, name: str) -> int | None:
        return None if value is None else to_millis(value, name=name)

    since = millis(selection.since, "since")
    until = None if selection.until is None else end_of(selection.until, name="until")
    if since is not None and until is not None:
        is_day = until != millis(selection.until, "until")  # then until is the end of that day
        if since > until or (is_day and since == until):
            raise InvalidInput(
                f"nothing lies between since {to_iso(since)} and until {to_iso(until)}", code="time_invalid",
                hint="swap since and until",
            )  # fmt: skip
    scopes = [] if selection.scope is None else [scope_of(selection.scope)]
    scopes += map(scope_named, checked_names(selection.scopes, "scopes"))
    statuses, deleted = _statuses(selection.include, selection.status)
    branch = None if selection.branch is None else usable_name(selection.branch, "branch")
    return Filter(
        kinds=None if selection.kinds is None else _kinds(selection.kinds),
        scopes=scope_list(scopes) if scopes else None,
        branches=seen_branches(branch),
        visibilities=None if selection.visibility is None else _visibilities(selection.visibility),
        tags=None if selection.tags is None else _tags(selection.tags) or None,
        since=since,
        until=until,
        as_of=millis(selection.as_of, "as_of"),
        statuses=statuses,
        deleted=deleted,
        pinned=None if selection.pinned is None else checked_flag(selection.pinned, "pinned"),
        described=metadata_conditions(selection.metadata),
        sources=None if selection.sources is None else frozenset(checked_names(selection.sources, "sources")),
        origins=None if selection.origins is None else _origins(selection.origins),
        owner=None if selection.owner is None else usable_name(selection.owner, "owner"),
        for_work=None if checked_flag(selection.personal, "personal") else True,
    )


def _kinds(values: object) -> frozenset[str]:
    return frozenset(kind_named(name).name for name in checked_names(values, "kinds"))


def _tags(values: object) -> frozenset[str]:
    names = frozenset(normalise(name).text for name in checked_names(values, "tags"))
    if len(names) > TAGS_MAX:
        raise InvalidInput(f"a filter may have at most {TAGS_MAX} tags", code="argument_invalid")
    return names


def _origins(values: object) -> frozenset[str]:
    return frozenset(origin_of(name).value for name in checked_names(values, "origins"))


def _visibilities(values: object) -> frozenset[Visibility]:
    names = values if isinstance(values, list | tuple | set | frozenset) else [values]
    return frozenset(map(visibility_of, names))


def _statuses(include: object, only: object) -> tuple[frozenset[Status] | None, bool | None]:
    """Returns the statuses that `include` adds to the approved, or those of `only`, and whether to include
    forgotten memories, or only them (S2.13)."""
    names = checked_names(include, "include")
    if only is not None:
        requested = checked_names(only, "status")
        if not requested:
            raise InvalidInput("status must name at least one", code="argument_invalid")
        if names:
            raise InvalidInput("pass status or include, not both", code="argument_invalid")
        if "deleted" in requested:
            return frozenset(Status), True if len(requested) == 1 else None
        return frozenset(status_of(name) for name in requested), False
    if not names:
        return None, False
    statuses = {status_of(name) for name in names if name not in ("deleted", "expired")}
    if "deleted" in names:
        return frozenset(Status), None
    return frozenset(statuses | {Status.APPROVED}), False


class PlaceResolver:
    """The places of new memories within one transaction; creates projects and sessions on first use."""

    def __init__(self, service: Service, tx: Writer, now: int) -> None:
        self._service = service
        self._tx = tx
        self._now = now
        self._view = personal_view(service.principal)
        self._projects: dict[str, Project] = {}
        self._sessions: dict[tuple[str, str | None], Session] = {}
        self.created_projects: set[int] = set()
        """Numbers of the projects that this transaction created."""
        self.created_sessions: set[int] = set()
        """Numbers of the sessions that this transaction created."""

    def project(self, name: str) -> Project:
        """Returns the project with this name; creates it if there is none, and lists it again if it was
        deleted."""
        if usable_name(name, "project") not in self._projects:
            project = self._tx.project(self._view, name)
            if project is None or not project.listed:
                _check_new_name(name, "project")
                principal = self._service.principal
                space = principal.user if principal.alone else ""
                fresh = Project(
                    name, self._now, self._now, id=self._service.new_id(self._now), owner=principal.user,
                    space=space if project is None else project.space,
                )  # fmt: skip
                project = self._tx.put_project(fresh)
                self.created_projects.add(project.number)
                self._add_event("create_project", project.id, {})
            self._projects[name] = project
        return _open(self._projects[name])

    def _home(self, conversation: Session) -> Project | None:
        """Returns the project of a conversation, which may be one that was deleted."""
        name = conversation.project
        if name is not None and name not in self._projects:
            project = self._tx.project(self._view, name)
            if project is None:
                return None
            self._projects[name] = project
        return None if name is None else _open(self._projects[name])

    def session(self, external_id: str, project: str | None) -> Session:
        """Returns the caller's session; creates it in the project with its first message (S0.22, S0.23)."""
        usable_name(external_id, "session")
        if project is not None:
            usable_name(project, "project")
        session = self._sessions.get((external_id, project)) or find_session(
            self._tx, self._service.principal, external_id, project
        )
        if session is None:
            _check_new_name(external_id, "session")
            home = self.project(project) if project is not None else None
            session = self._tx.put_session(
                Session(
                    external_id,
                    self._service.principal.user,
                    self._now,
                    self._now,
                    project_number=home.number if home else None,
                    project=home.name if home else None,
                )
            )
            self.created_sessions.add(session.number)
            self._add_event("create_session", None, {"project": home.id if home else None})
        if project is not None and session.project != project:
            raise _session_conflict(session)
        self._sessions[external_id, project] = session
        return session

    def place(self, admitted: Admitted, project: str | None, session: str | None) -> Admitted:
        """Returns the admitted text with its place. Raises Conflict `session_in_other_project`."""
        conversation = self.session(session, project) if session is not None else None
        if conversation is not None and conversation.archived:
            raise Conflict(
                f"session {conversation.external_id!r} is archived",
                code="session_archived",
                hint="bring it back first: holdfast sessions unarchive ID",
            )
        home = None if conversation is None else self._home(conversation)
        if home is None and project is not None:
            home = self.project(project)
        principal = self._service.principal
        visibility = admitted.visibility or default_visibility(
            principal,
            admitted.memory.kind,
            in_project=home is not None and self._service.shares,
            of_project=None if home is None else home.visibility,
        )
        check_shares(self._service, visibility)
        if visibility is Visibility.PROJECT and home is None:
            raise InvalidInput("visibility project needs a project", code="place_invalid")
        place = Place(
            owner=principal.user,
            visibility=visibility,
            workspace=admitted.memory.place.workspace,
            project=home.number if home else None,
            session=conversation.number if conversation else None,
            scope=admitted.scope,
            branch=admitted.memory.place.branch,
        )
        placed = admitted.in_place(
            place,
            project=home.name if home else None,
            session=conversation.external_id if conversation else None,
        )
        memory = placed.memory
        status, reason = status_in_place(memory.status, memory.status_reason, memory.pii_risk, visibility)
        if status is memory.status:
            return placed
        return replace(placed.with_memory(status=status, status_reason=reason), facts=())

    def _add_event(self, action: str, subject: str | None, detail: dict[str, object]) -> None:
        self._tx.add_event(
            at=self._now, actor=self._service.principal.label, action=action, subject=subject, detail=detail
        )


def _open(project: Project) -> Project:
    """Returns the project. Raises Conflict for one that is closed."""
    if project.state is not ProjectState.ACTIVE:
        raise closed_project(project)
    return project


def closed_project(project: Project) -> Conflict:
    """Builds the error for keeping something in a project that is archived or switched off."""
    if project.state is ProjectState.ARCHIVED:
        return Conflict(
            f"project {project.name!r} is archived",
            code="project_archived",
            hint=f"holdfast projects unarchive {project.name!r}",
        )
    return Conflict(
        f"memory is switched off in project {project.name!r}",
        code="project_off",
        hint=f"holdfast projects on {project.name!r}",
    )


def find_external(reader: Reader, principal: Principal, memory: Memory) -> Memory | None:
    """Returns the live memory with the same external id: of a message, in its conversation, wherever that has
    moved; of other memories, in their place."""
    key = external_key(memory.kind, memory.place, memory.external_id)
    return None if key is None else reader.find(view_of_key(principal, memory), key)


def external_id_taken(existing: Memory) -> Conflict:
    """Returns the error for an external id that names another memory in its place."""
    return Conflict(
        f"external id {safe_repr(existing.external_id)} names memory {existing.id}", code="external_id_taken",
        hint="revise that memory, or use another external id",
    )  # fmt: skip


def view_of_key(principal: Principal, memory: Memory) -> View:
    """Returns the view in which the external id of a memory names one."""
    if KINDS[memory.kind].is_evidence and memory.place.session is not None:
        return replace(personal_view(principal), author=None)
    return place_view(memory.place, memory.kind, ANY_STATE)


def find_same(reader: Reader, memory: Memory) -> Memory | None:
    """Returns the live memory in the same place that says exactly the same knowledge."""
    stored = reader.with_hash(place_view(memory.place, memory.kind, ANY_STATE), memory.content_hash)
    return next((candidate for candidate in stored if is_same_knowledge(memory, candidate)), None)


def find_session(
    reader: Reader, principal: Principal, external_id: str, project: str | None = None
) -> Session | None:
    """Returns the principal's session with this id: the one in this project, if there is one."""
    everything = personal_view(principal)
    home = None if project in (None, ANYWHERE) else reader.project(everything, str(project))
    return reader.session(everything.in_project(home.number if home else None), external_id)


def _check_new_name(name: str, label: str) -> None:
    """Checks a name before it is stored. Raises InvalidInput if it is not valid or looks like a secret."""
    from holdfast.features.admission.names import (
        checked_name,  # loads the secret rules, which reading does not need
    )

    checked_name(name, label)


def _session_conflict(session: Session) -> Conflict:
    """Returns the error for a session that belongs to another place."""
    place = f"project {session.project!r}" if session.project else "no project"
    return Conflict(
        f"session {session.external_id!r} belongs to {place}",
        code="session_in_other_project",
        hint="move it first (sessions move), or leave the project out",
    )
