"""Projects as a whole: archived, switched off, renamed, and erased with everything in them (S1.51, S4.63)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain

from holdfast.core.arguments import checked_count, checked_flag
from holdfast.core.errors import AccessDenied, Conflict, InvalidInput, NotFound, Refusal
from holdfast.core.jobs import IMPORT
from holdfast.core.places import Principal, approves
from holdfast.core.project_results import Contents, Purged
from holdfast.core.projects import Project, ProjectState
from holdfast.core.times import DAY, to_iso
from holdfast.core.views import GONE, View, personal_view
from holdfast.features.access.keys import limit_keys
from holdfast.features.access.places import closed_project
from holdfast.features.access.reach import decides_with_others
from holdfast.features.admission.names import checked_name
from holdfast.features.audit.certificates import issue
from holdfast.features.memories.browse import pages
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.projects.projects import add_event, check_may_set, existing_project
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

DAYS_MAX = 36_500


def project_contents(service: Service, name: str) -> Contents:
    """Returns what a project holds: of every person for those who may purge it, else the caller's own share.
    Raises NotFound."""
    principal = service.principal
    with service.store.read() as snap:
        project = existing_project(snap, service, name)
        shares = snap.shares(personal_view(principal), project.number)
        is_whole = decides_with_others(service)
        seen = tuple(share for share in shares if is_whole or share.owner == principal.user)
        return Contents(project.name, principal.user, seen)


def archive_project(service: Service, name: str, *, purge_after: int | None = None) -> Project:
    """Hides a project and what is in it from everybody, until it is unarchived; `purge_after` so many days it
    is purged (S4.57). Without it, a purge that is planned already stays planned. Raises NotFound, Refusal,
    InvalidInput."""
    days = checked_days(purge_after)
    purge_at = None if days is None else service.clock() + days * DAY
    return _put_state(service, name, ProjectState.ARCHIVED, "archive_project", purge_at=purge_at)


def checked_days(purge_after: object) -> int | None:
    """Returns after how many days an archived project is to be purged, None for never. Raises InvalidInput
    `argument_invalid`."""
    days = None if purge_after is None else checked_count(purge_after, "purge_after")
    if days is not None and not 0 < days <= DAYS_MAX:
        raise InvalidInput(
            f"purge_after must be 1 to {DAYS_MAX:,} days", code="argument_invalid",
            hint="to erase the project now: holdfast projects purge NAME",
        )  # fmt: skip
    return days


def purge_archived(service: Service, hold: Callable[[], None] = lambda: None) -> list[Purged]:
    """Purges the archived projects whose time is over, but for those with what a legal hold keeps. `hold` is
    called before each and may raise."""
    now, view = service.clock(), personal_view(service.principal)
    with service.store.read() as snap:
        due = snap.projects_due(view, at=now)
    purged = []
    for number in [project.number for project in due]:
        hold()
        try:
            purged.append(_purge(service, partial(_still_due, view=view, number=number, at=now)))
        except (NotFound, Refusal) as error:
            if error.code not in ("project_not_found", "legal_hold"):
                raise
    return purged


def _still_due(reader: Reader, *, view: View, number: int, at: int) -> Project:
    """Returns a project that is to be purged. Raises NotFound for one that was brought back meanwhile."""
    project = next(
        (candidate for candidate in reader.projects_due(view, at=at) if candidate.number == number), None
    )
    if project is None:
        raise NotFound("the project is not to be purged", code="project_not_found")
    return project


def unarchive_project(service: Service, name: str) -> Project:
    """Brings an archived project back as it was. Raises NotFound, Refusal."""
    return _put_state(service, name, ProjectState.ACTIVE, "unarchive_project")


def switch_project(service: Service, name: str, on: bool) -> Project:
    """Switches memory on or off in a project: in one that is off nothing is read and nothing kept, and what
    is there stays (S4.63). Raises NotFound, Refusal, and Conflict `project_archived`."""
    state = ProjectState.ACTIVE if checked_flag(on, "on") else ProjectState.OFF
    return _put_state(service, name, state, "switch_project", archived=False)


def _put_state(
    service: Service, name: str, state: ProjectState, action: str, *, archived: bool = True,
    purge_at: int | None = None,
) -> Project:  # fmt: skip
    """Changes the state of a project and records the event."""
    now = service.clock()
    check_decides(service.principal)
    with service.store.write() as tx:
        project = existing_project(tx, service, name)
        _check_is_alone(service, tx, project)
        if project.state is ProjectState.ARCHIVED and not archived:
            raise closed_project(project)
        if project.state is state and purge_at is None:
            purge_at = project.purge_at
        if project.state is state and project.purge_at == purge_at:
            return project
        detail = {"state": state.value} | ({} if purge_at is None else {"purge_at": to_iso(purge_at)})
        add_event(service, tx, now, action, project.id, detail)
        return tx.put_project(replace(project, state=state, purge_at=purge_at, updated_at=now))


def rename_project(service: Service, name: str, to: str) -> Project:
    """Gives a project another name; keys that are limited to it are limited to the new name. Raises NotFound,
    Refusal, Conflict `project_exists`."""
    now = service.clock()
    check_decides(service.principal)
    new_name = checked_name(to, "project")
    with service.store.write() as tx:
        project = existing_project(tx, service, name)
        _check_is_alone(service, tx, project)
        if project.name == new_name:
            return project
        try:
            if tx.project(personal_view(service.principal), new_name) is not None:
                raise Conflict("another project has this name", code="duplicate_text")
            renamed = tx.put_project(replace(project, name=new_name, updated_at=now))
        except Conflict as error:
            raise Conflict(
                f"there is a project {new_name!r} already, or what others keep of one that was deleted",
                code="project_exists",
                hint=f"move what is in it: holdfast projects move {name!r} {new_name!r}",
            ) from error
        add_event(service, tx, now, "rename_project", project.id, {})
        limit_keys(service, tx, project, new_name, now)
        return renamed


def purge_project(service: Service, name: str) -> Purged:
    """Erases a project with everything in it, whoever wrote it, so that no byte is left in the store's files:
    memories with their versions and vectors, conversations, entities, facts, its map and settings, folders
    and imports that are nowhere else, jobs, and the records of what was delivered. Keys that are limited to
    it alone are revoked. Only an owner or admin in person may. Raises NotFound, Refusal, AccessDenied.
    """
    check_decides(service.principal)

    def find(tx: Reader) -> Project:
        project = existing_project(tx, service, name)
        _check_is_alone(service, tx, project)
        return project

    return _purge(service, find)


def _purge(service: Service, find: Callable[[Reader], Project]) -> Purged:
    """Purges the project that is found within the transaction."""
    now = service.clock()
    with service.store.write() as tx:
        project = find(tx)
        jobs = _import_jobs(service, tx, project)
        view = personal_view(service.principal, closed=True)
        buried = _bury(service, tx, project)
        purged = tx.purge_project(view, project.number, jobs=jobs, now=now)
        counts = {"memories": purged.memories, "sessions": purged.sessions, "folders": purged.folders}
        event = add_event(service, tx, now, "purge_project", project.id, counts)
        certificate = issue(
            tx, service, event, chain.from_iterable(buried.values()), sessions=purged.sessions,
            folders=purged.folders, owners=tuple(sorted(buried)), project=project.name,
        )  # fmt: skip
        limit_keys(service, tx, project, None, now)
    if service.spool is not None:
        for id in jobs:
            service.spool.drop(id)
    service.drop_counts()
    service.store.scrub()
    return replace(purged, certificate=certificate)


def _bury(service: Service, tx: Writer, project: Project) -> dict[str, list[str]]:
    """Records for everybody who kept something in a project that it is forgotten, so that an import does not
    bring it back into a project of the same name. Returns the ids of the memories by their owners."""
    buried = {}
    for share in tx.shares(personal_view(service.principal), project.number):
        owner = service.acting_as(Principal(share.owner))
        view = personal_view(owner.principal, replace(GONE, owner=share.owner), closed=True)
        inside = replace(view, context=replace(view.context, project=project.number, any_project=False))
        purged = [memory for memory in pages(tx, inside) if memory.place.project == project.number]
        Tombstones(owner, tx).bury_purged(purged)
        buried[share.owner] = [memory.id for memory in purged]
    return buried


def check_decides(principal: Principal) -> None:
    """Raises Refusal `person_needed` or AccessDenied `not_permitted` for all but an owner or admin in person:
    what is decided here concerns everybody who keeps something in the project."""
    if principal.is_machine:
        raise Refusal("only a person may decide about a whole project", code="person_needed")
    if not approves(principal):
        raise AccessDenied(
            "only an owner or admin may decide about a whole project",
            code="not_permitted",
            hint="`holdfast projects delete` deletes your own memories in it",
        )


def _check_is_alone(service: Service, reader: Reader, project: Project) -> None:
    """Raises AccessDenied where users share nothing, for a project that another created (`not_yours`), or in
    which others keep something too (`not_permitted`)."""
    if service.shares:
        return
    check_may_set(service, project)
    shares = reader.shares(personal_view(service.principal), project.number)
    if any(share.owner != service.principal.user for share in shares):
        raise AccessDenied(
            f"others keep something in project {project.name!r} too, and nothing is shared here",
            code="not_permitted",
            hint="`holdfast projects delete` deletes your own memories in it",
        )


def _import_jobs(service: Service, tx: Reader, project: Project) -> list[str]:
    """Returns the ids of unfinished imports into a project, of anybody who calls it by this name."""
    job_ids, owner = [], personal_view(Principal(project.space))
    for id in tx.unfinished_jobs(personal_view(service.principal), IMPORT) if service.spool else ():
        if project.space and tx.job(owner, id) is None:
            continue
        try:
            head = service.spool.read(id).partition(b"\n")[0] if service.spool else b"{}"
        except NotFound:
            continue
        if json.loads(head).get("project") == project.name:
            job_ids.append(id)
    return job_ids
