"""Projects: creating, listing, changing, retagging and removing (S0.1, S0.2, S0.18, S0.19, S0.30)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any

from holdfast.core.arguments import checked_flag
from holdfast.core.errors import AccessDenied, Conflict, InvalidInput, NotFound, Refusal
from holdfast.core.events import Event
from holdfast.core.kinds import KINDS
from holdfast.core.places import Principal, Visibility, approves, usable_name, visibility_of
from holdfast.core.projects import TEXTS, Project, ProjectState, Removed
from holdfast.core.views import personal_view
from holdfast.features.access.permission import check_may_take_away_all, check_shares
from holdfast.features.access.places import PlaceResolver
from holdfast.features.access.reach import decides_with_others
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

SETTINGS = (*TEXTS, "visibility")
SETTING_MAX = 20_000


def create_project(service: Service, name: str, settings: Mapping[str, object]) -> Project:
    """Returns the project with this name and these settings: created if there is none, else with the passed
    settings added and all others left (S0.40). Raises Conflict `project_exists` if one of them would be
    replaced, or the project belongs to somebody else."""
    now = service.clock()
    with service.store.write() as tx:
        places = PlaceResolver(service, tx, now)
        project = places.project(usable_name(name, "project"))
        is_new = project.number in places.created_projects
        if not is_new:
            _check_adds_only(service, tx, project, settings)
        return _apply_settings(service, tx, project, settings, now, is_new=is_new)


def update_project(service: Service, name: str, settings: Mapping[str, object]) -> Project:
    """Changes settings of a project; those that are not passed stay (S0.40). Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        project = existing_project(tx, service, name)
        if not project.listed:
            project = PlaceResolver(service, tx, now).project(project.name)
        return _apply_settings(service, tx, project, settings, now)


def list_projects(service: Service, *, archived: bool = False) -> list[Project]:
    """Returns the projects of the tenant by name, or with `archived` those that were put away."""
    only_archived = checked_flag(archived, "archived")
    with service.store.read() as snap:
        return [
            project
            for project in seen_projects(snap, service)
            if (project.state is ProjectState.ARCHIVED) == only_archived
        ]


def seen_projects(reader: Reader, service: Service) -> list[Project]:
    """Returns the projects that are listed for the caller, as they may see them: where users share nothing,
    their own, and those in which they have something."""
    view = personal_view(service.principal, closed=True)
    return [_as_seen_by_caller(service, project) for project in reader.projects(view)]


def _as_seen_by_caller(service: Service, project: Project) -> Project:
    return project.seen_by(service.principal.user, shares=service.shares)


def has_project(service: Service, name: str) -> bool:
    """Returns whether a project with this name is listed."""
    with service.store.read() as snap:
        project = snap.project(personal_view(service.principal), usable_name(name, "project"))
    return project is not None and project.listed


def described_with(service: Service, mark: str) -> str | None:
    """Returns the name of the project whose description has a mark, such as its id in another program."""
    matches = (project for project in list_projects(service) if mark in (project.description or ""))
    return next((project.name for project in matches), None)


def get_project(service: Service, name: str) -> Project:
    """Returns one project. Raises NotFound."""
    with service.store.read() as snap:
        return _as_seen_by_caller(service, existing_project(snap, service, name))


def delete_project(service: Service, name: str) -> Removed:
    """Removes a project from the list, with its settings: the caller's sessions move to the shared pool with
    their evidence, all other memories of the caller in it are forgotten (S0.30). Raises NotFound.

    Memories of other users stay: the project remains visible to those who still see something in it, and
    storing a new memory in it lists it again. The counts are of the caller's memories, and do not reveal
    whether others have any (S2.7).
    """
    now = service.clock()
    with service.store.write() as tx:
        project = existing_project(tx, service, name)
        view = personal_view(service.principal, closed=True)
        # evidence of a session stays with it
        check_may_take_away_all(
            service.principal,
            tx,
            view,
            lambda m: (
                m.place.project == project.number
                and not (KINDS[m.kind].is_evidence and m.place.session is not None)
            ),
        )
        sessions, memories = tx.drop_project(view, project.number, now=now)
        tx.take_back(view, project=project.number)
        add_event(
            service, tx, now, "delete_project", project.id, {"sessions": sessions, "memories": memories}
        )
        seen = _as_seen_by_caller(service, project)
        values = {field.name: getattr(seen, field.name) for field in fields(Project)}
        return Removed(**values, sessions=sessions, memories=memories)


def _apply_settings(
    service: Service, tx: Writer, project: Project, settings: Mapping[str, object], now: int,
    *, is_new: bool = False,
) -> Project:  # fmt: skip
    """Returns a project with changed settings, stored in the transaction. Raises InvalidInput."""
    clean = _cleaned(service, tx, settings)
    if clean.get("visibility", project.visibility) is not project.visibility:
        _check_may_share(service, clean["visibility"], is_new)
    if clean:  # also what changes nothing: it would tell what the settings are
        check_may_set(service, project)
    if clean.get("system_prompt", project.system_prompt) != project.system_prompt:
        _check_may_instruct(service.principal)
    changed = replace(project, **clean, updated_at=now)
    if replace(changed, updated_at=project.updated_at) == project:
        return _as_seen_by_caller(service, project)
    add_event(service, tx, now, "update_project", project.id, {"settings": sorted(clean)})
    return _as_seen_by_caller(service, tx.put_project(changed))


def _cleaned(service: Service, tx: Writer, settings: Mapping[str, object]) -> dict[str, Any]:
    """Returns settings as they are stored. Raises InvalidInput."""
    unknown = settings.keys() - set(SETTINGS)
    if unknown:
        raise InvalidInput(
            f"a project has no setting {sorted(unknown)[0]!r}",
            code="argument_invalid",
            hint=f"settings: {', '.join(SETTINGS)}",
        )
    return {
        name: _visibility(value) if name == "visibility" else _clean_setting(service, tx, value)
        for name, value in settings.items()
    }


def owns_settings(service: Service, project: Project) -> bool:
    """Returns whether the settings of a project are the principal's to change: its owner's, and where users
    share, an owner's or admin's of the tenant in person."""
    return project.owner == service.principal.user or decides_with_others(service)


def check_may_set(service: Service, project: Project) -> None:
    """Raises AccessDenied `not_yours` unless the principal may change the settings of a project."""
    if not owns_settings(service, project):
        raise AccessDenied(
            f"project {project.name!r} was created by another user, who owns its settings",
            code="not_yours",
            hint="ask them, or an owner or admin of the team; or create a project with another name",
        )


def _check_adds_only(service: Service, tx: Writer, project: Project, settings: Mapping[str, object]) -> None:
    """Raises Conflict `project_exists` if settings would replace some of an existing project, or are for one
    of somebody else."""
    if settings and not owns_settings(service, project):
        raise Conflict(
            f"there is a project {project.name!r} already, of another user",
            code="project_exists", hint="give yours another name",
        )  # fmt: skip
    for name, value in _cleaned(service, tx, settings).items():
        if getattr(project, name) not in (None, value):
            raise Conflict(
                f"there is a project {project.name!r} already, with another {name}",
                code="project_exists", hint=f"to change it: holdfast projects update {project.name!r}",
            )  # fmt: skip


def _visibility(value: object) -> Visibility | None:
    return None if value is None else visibility_of(value)


def _check_may_share(service: Service, visibility: Visibility | None, is_new: bool) -> None:
    """Raises Refusal `person_needed` for a machine, and AccessDenied `not_permitted` for a member who would
    decide who sees what others keep from now on: in a project of their own making, now, they may."""
    check_shares(service, visibility or Visibility.PRIVATE)
    principal = service.principal
    if principal.is_machine:
        raise Refusal("only a person may decide who sees what is kept in a project", code="person_needed")
    if not is_new and not approves(principal):
        raise AccessDenied(
            "only an owner or admin may change who sees what is kept in a project", code="not_permitted"
        )


def _check_may_instruct(principal: Principal) -> None:
    """Raises Refusal `person_needed` for a machine: assistants follow the instructions of a project."""
    if principal.is_machine:
        raise Refusal(
            "only a person may change the instructions of a project", code="person_needed",
            hint="leave out system_prompt",
        )  # fmt: skip


def _clean_setting(service: Service, reader: Reader, value: object) -> str | None:
    """Returns a cleaned text of a project's settings. Raises InvalidInput."""
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > SETTING_MAX:
        raise InvalidInput(
            f"a setting must be text of at most {SETTING_MAX:,} characters", code="argument_invalid"
        )
    from holdfast.features.memories.exclusions import gate_of

    return gate_of(service, reader).clean_text(value)


def existing_project(reader: Reader, service: Service, name: str) -> Project:
    """Returns the project with this name. Raises NotFound."""
    project = reader.project(personal_view(service.principal), usable_name(name, "project"))
    if project is None:
        projects = seen_projects(reader, service)
        folded = {project.name.casefold(): project.name for project in projects}
        similar = [folded[match] for match in get_close_matches(name.casefold(), folded, 2)]
        raise NotFound(
            f"there is no project {name!r}",
            code="project_not_found",
            hint=f"did you mean {' or '.join(map(repr, similar))}?"
            if similar
            else "projects are listed by `holdfast projects` and `Memory.projects.list`",
        )
    return project


def add_event(
    service: Service, tx: Writer, now: int, action: str, subject: str | None, detail: dict[str, Any]
) -> Event:
    """Records what was done to a project."""
    return tx.add_event(at=now, actor=service.principal.label, action=action, subject=subject, detail=detail)
