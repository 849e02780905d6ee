"""Moving memories of some kinds from one project to another (S0.18, S0.19)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from holdfast.core.arguments import checked_names, safe_repr
from holdfast.core.errors import Conflict, InvalidInput
from holdfast.core.graph import LINKS
from holdfast.core.kinds import KINDS, kind_named
from holdfast.core.projects import Project
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import check_may_take_away_all
from holdfast.features.access.places import PlaceResolver
from holdfast.features.memories.entity_links import own_entities
from holdfast.features.projects.projects import add_event, existing_project
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer

NAMED_MAX = 10
"""Maximum number of memories that the refusal of a move names."""


def retag(service: Service, source: str, target: str, kinds: Collection[str] = ("entity",)) -> int:
    """Moves memories of some kinds, by default entities, from one project to another: the only way in
    which their project ever changes (S0.18, S0.19). Returns their number. Evidence moves with its session
    instead."""
    now = service.clock()
    names = frozenset(kind_named(kind).name for kind in checked_names(kinds, "kinds"))
    if any(KINDS[name].is_evidence for name in names):
        raise InvalidInput("evidence moves with its session", code="argument_invalid", hint="sessions move")
    if names & LINKS:
        raise InvalidInput("observations and relations move with their entities", code="argument_invalid")
    with service.store.write() as tx:
        source_project = existing_project(tx, service, source)
        target_project = PlaceResolver(service, tx, now).project(target)
        return move_memories(service, tx, source_project, target_project, names, now)


def move_memories(
    service: Service, tx: Writer, source: Project, target: Project, kinds: frozenset[str], now: int,
    **detail: int,
) -> int:  # fmt: skip
    """Moves the caller's memories of some kinds from one project to another, all or none, with an event.
    Returns their number. Raises Conflict `duplicate_text`."""
    view = personal_view(service.principal)
    moved_kinds = kinds | (LINKS if "entity" in kinds else frozenset())
    check_may_take_away_all(
        service.principal,
        tx,
        view,
        lambda m: m.place.project == source.number and m.kind in moved_kinds,
    )
    entities = own_entities(tx, service.principal, source.number) if "entity" in kinds else []
    moved = tx.retag(view, kinds, source.number, target.number)
    if source.number != target.number:
        _check_none_left(service, tx, source, target.name, kinds)
    tx.settle_links(view, entities, now=now)
    about = {"from": source.id, "to": target.id, "count": moved, "kinds": sorted(kinds), **detail}
    add_event(service, tx, now, "retag", None, about)
    return moved


def _check_none_left(
    service: Service, tx: Writer, source: Project, target: str, kinds: frozenset[str]
) -> None:
    """Raises Conflict with the names of what could not be moved, since the target has the same already."""
    narrowing = replace(ANY_STATE, kinds=kinds, owner=service.principal.user)
    inside = personal_view(service.principal, narrowing).in_project(source.number)
    view = replace(inside, context=replace(inside.context, any_project=False))
    page = tx.page(view, limit=NAMED_MAX, cursor=None, now=service.clock())
    left = [memory for memory in page.memories if memory.place.project == source.number]
    if left:
        names = ", ".join(safe_repr(memory.title or memory.text, 60) for memory in left)
        raise Conflict(
            f"project {safe_repr(target)} has the same already: {names}{', …' if page.cursor else ''}",
            code="duplicate_text",
            hint="forget one of each, or give one another name, then repeat: nothing was moved",
        )
