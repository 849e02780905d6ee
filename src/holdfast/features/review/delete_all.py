"""Deletion of everything that a user keeps, followed by a check that nothing of it is found."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TypedDict

from holdfast.core.arguments import checked_flag, safe_repr
from holdfast.core.errors import AccessDenied, InvalidInput, StoreError
from holdfast.core.events import Event
from holdfast.core.places import user_of
from holdfast.core.projects import TEXTS, Project
from holdfast.core.record import Memory
from holdfast.core.retention import HOLDS, check_not_held
from holdfast.core.review import Deleted
from holdfast.core.views import GONE, View, personal_view
from holdfast.features.access.keys import limit_keys
from holdfast.features.access.permission import check_may_lift
from holdfast.features.access.reach import check_administers
from holdfast.features.audit.certificates import issue
from holdfast.features.backups.backups import Holding, delete_backups, holding
from holdfast.features.memories.browse import pages
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.review.clear import prove
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer


class _InBackups(TypedDict):
    backups: int | None
    backups_until: int | None
    backups_unreached: tuple[str, ...]


def delete_all(
    service: Service, confirm: str, *, dry_run: bool = False, with_backups: bool = False
) -> Deleted:
    """Erases all memories of the caller in every place and state, with their sessions, imports and folders,
    and begins anew: what was forgotten or erased is as unknown as the rest, and may be sent again. `confirm`
    is the name of the caller. With `dry_run` nothing is erased. Backups still hold it, unless `with_backups`,
    which deletes them all first: that is for who looks after the store. Raises InvalidInput; Refusal
    `legal_hold`, or `review_by_person` for a machine; AccessDenied `not_permitted`."""
    user = service.principal.user
    check_may_lift(service.principal)
    if checked_flag(with_backups, "with_backups"):
        check_administers(service, "delete_all")
    there = holding(service)
    if not checked_flag(dry_run, "dry_run") and confirm != user:
        raise InvalidInput(
            f"{safe_repr(confirm)} is not the name of the user whose memories would be erased",
            code="argument_invalid",
            hint=f"`confirm={user}` erases them; `dry_run=True` counts what would be erased"
            + ("; backups still hold it, `with_backups=True` deletes them" if there and there.count else ""),
        )
    view = personal_view(service.principal, replace(GONE, owner=user), closed=True)
    counts = _preview(service, view, there, dry_run=dry_run)
    if dry_run:
        return counts
    # first: if one cannot be deleted, nothing is erased
    deleted = delete_backups(service) if with_backups else 0
    erased, event = _erase(service, view)
    if with_backups:  # again: those that were made meanwhile hold it, too
        with suppress(StoreError):
            deleted += delete_backups(service)
    there = holding(service)
    counts = replace(counts, **_left_in_backups(service, there), backups_deleted=deleted)
    with service.store.read() as snap:
        certificate = issue(
            snap, service, event, (memory.id for memory in erased), sessions=counts.sessions,
            imports=counts.imports, folders=counts.folders, backups=counts.backups,
            unreached=0 if there is None else len(there.unreached),
        )  # fmt: skip
    proof = prove(service, erased, None)
    proof = replace(proof, left=(*proof.left, *_ids_left(service)))
    return replace(counts, memories=len(erased), certificate=certificate, proof=proof)


def _preview(service: Service, view: View, backups: Holding | None, *, dry_run: bool) -> Deleted:
    """Returns what would be erased. Raises Refusal `legal_hold`."""
    user = service.principal.user
    with service.store.read() as snap:
        if snap.register(view, HOLDS):
            check_not_held(snap.ids_on_hold(view, [memory.id for memory in pages(snap, view)]))
        return Deleted(
            user, dry_run, snap.count(view, now=service.clock()),
            len(snap.sessions(view)),
            len(snap.sources(view, removed=True)),
            sum(folder.owner == user for folder in snap.folders(view)),
            **_left_in_backups(service, backups),
        )  # fmt: skip


def _left_in_backups(service: Service, there: Holding | None) -> _InBackups:
    """Returns what is said of backups. Only who looks after them sees where they are."""
    if there is None:
        return {"backups": None, "backups_until": None, "backups_unreached": ()}
    unreached = there.unreached
    try:
        check_administers(service, "delete_all")
    except AccessDenied:
        unreached = ()
    return {"backups": there.count, "backups_until": there.until, "backups_unreached": unreached}


def _erase(service: Service, view: View) -> tuple[list[Memory], Event]:
    """Erases everything in one transaction, then its traces in files. Returns the memories and the event."""
    now = service.clock()
    with service.store.write() as tx:
        erased = list(pages(tx, view))
        ids = [memory.id for memory in erased]
        for folder in tx.folders(view):
            if folder.owner == service.principal.user:
                tx.drop_folder(view, folder.id)
        tx.erase(view, ids)
        withdraw(service, tx, ids)
        for source in tx.sources(view, removed=True):
            tx.drop_source(view, source.id, now=now, hard=True)
        for session in tx.sessions(view):
            tx.drop_session(view, session.number)
        tx.leave(view)
        _leave_projects(service, tx, now)
        event = tx.add_event(
            at=now, actor=service.principal.label, action="delete_all", subject=None,
            detail={"count": len(erased)},
        )  # fmt: skip
    service.drop_counts()
    service.store.scrub()
    return erased, event


def _leave_projects(service: Service, tx: Writer, now: int) -> None:
    """Erases the projects that are the caller's alone, and those that they created and nobody else has
    anything in, with the keys that are limited to them, and the settings of the others, which then belong to
    nobody. A team keeps the names of all its projects: whether one is left must not tell who else has
    something in it."""
    view = personal_view(service.principal, closed=True)
    is_team = tx.has_members(view)
    for project in tx.projects_apart(view):
        tx.purge_project(view, project.number, jobs=(), now=now)
        limit_keys(service, tx, project, None, now)
    for project in tx.projects(view):
        if project.owner != service.principal.user:
            continue
        if is_team or tx.shares(view, project.number) or _is_mapped_by_others(service, tx, project):
            bare = dict.fromkeys(TEXTS)
            tx.put_project(replace(project, **bare, owner=None, updated_at=now))  # type: ignore[arg-type]
        else:
            tx.purge_project(view, project.number, jobs=(), now=now)
            limit_keys(service, tx, project, None, now)


def _is_mapped_by_others(service: Service, tx: Writer, project: Project) -> bool:
    """Returns whether anybody else had a part in the module map of a project, which has no owner."""
    view = personal_view(service.principal, closed=True)
    if tx.module_map(view, project.number) is None:
        return False
    # each change of a map notes its version
    changes = (
        event for event in tx.events(view) if event.subject == project.id and "version" in event.detail
    )
    return any(user_of(change.actor) != service.principal.user for change in changes)


def _ids_left(service: Service) -> list[str]:
    """Returns the ids of projects and jobs of the caller that are still found."""
    view = personal_view(service.principal, closed=True)
    with service.store.read() as snap:
        projects = [project.id for project in snap.projects(view) if project.owner == service.principal.user]
        return projects + [job.id for job in snap.jobs(view)]
