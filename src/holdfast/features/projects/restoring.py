"""Deleted projects: restored in one step, or what was forgotten with them erased when its time is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from holdfast.core.errors import Conflict, NotFound
from holdfast.core.places import Principal, usable_name
from holdfast.core.projects import PROJECT_DELETED, Project, Reopened
from holdfast.core.record import Memory
from holdfast.core.times import DAY
from holdfast.core.views import GONE, personal_view
from holdfast.features.access.places import PlaceResolver
from holdfast.features.memories.browse import pages
from holdfast.features.memories.forget import bring_back
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.projects.projects import add_event
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer

BATCH = 500


def restore_project(service: Service, name: str) -> Reopened:
    """Brings a deleted project back with what the caller had in it: conversations and memories (S4.57).
    Raises NotFound if there is nothing to bring back."""
    now = service.clock()
    with service.store.write() as tx:
        project = PlaceResolver(service, tx, now).project(usable_name(name, "project"))
        sessions = tx.rejoin_project(personal_view(service.principal), project.number, now=now)
        # what is about an entity comes after it
        forgotten = sorted(_forgotten_with(service, tx, project), key=lambda memory: len(memory.about))
        left_out = 0
        for memory in forgotten:
            try:
                bring_back(service, tx, memory, now)
            except (Conflict, NotFound):
                left_out += 1
        if not forgotten and not sessions:
            raise NotFound(
                f"nothing of yours was deleted with project {name!r}, or it was purged since",
                code="project_not_found",
                hint="archived projects are brought back by `holdfast projects unarchive`",
            )
        memories = len(forgotten) - left_out
        counts = {"sessions": sessions, "memories": memories}
        add_event(service, tx, now, "restore_project", project.id, counts)
        values = {field.name: getattr(project, field.name) for field in fields(Project)}
        return Reopened(**values, sessions=sessions, memories=memories, left_out=left_out)


def _forgotten_with(service: Service, tx: Writer, project: Project) -> Iterator[Memory]:
    """Yields the memories of the caller that were forgotten with a project."""
    view = personal_view(service.principal, replace(GONE, owner=service.principal.user))
    inside = replace(view, context=replace(view.context, project=project.number, any_project=False))
    for memory in pages(tx, inside):
        if memory.place.project == project.number and memory.deleted_reason == PROJECT_DELETED:
            yield memory


def purge_deleted(service: Service, days: int, hold: Callable[[], None] = lambda: None) -> int:
    """Erases what was forgotten with deleted projects `days` ago, of everybody, so that no byte is left.
    Returns the number of memories. `hold` is called before each batch and may raise."""
    now = service.clock()
    with service.store.read() as snap:
        by_owner = snap.forgotten_with_projects(personal_view(service.principal), before=now - days * DAY)
    erased: list[str] = []
    for owner, ids in by_owner.items():
        for first in range(0, len(ids), BATCH):
            hold()
            erased += _erase(service, owner, ids[first : first + BATCH], now)
    if erased:
        service.drop_counts(erased)
        service.store.scrub()
    return len(erased)


def _erase(service: Service, owner: str, ids: list[str], now: int) -> list[str]:
    """Erases memories of an owner that are still forgotten; what is erased is known as such."""
    own = service.acting_as(Principal(owner))
    view = personal_view(own.principal, GONE, closed=True)
    with service.store.write() as tx:
        on_hold = set(tx.ids_on_hold(view, ids))
        candidates = (memory for memory in tx.several(view, ids, now=0) if memory.id not in on_hold)
        forgotten = [memory for memory in candidates if memory.deleted_reason == PROJECT_DELETED]
        Tombstones(own, tx).bury_purged(forgotten)
        erased = [memory.id for memory in forgotten]
        tx.erase(view, erased)
        withdraw(own, tx, erased)
        add_event(service, tx, now, "purge_deleted", None, {"memories": len(erased)})
    return erased
