"""Observations and relations: they belong to the place of their entities, and are forgotten with them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import Conflict, InvalidInput, NotFound
from holdfast.core.graph import narrowest
from holdfast.core.kinds import KINDS, Kind
from holdfast.core.pages import each
from holdfast.core.places import Principal, Visibility, default_visibility
from holdfast.core.record import Memory
from holdfast.core.views import ANY_STATE, GONE, personal_view
from holdfast.features.access.permission import check_may_take_away
from holdfast.features.memories.naming import named_memory
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

if TYPE_CHECKING:
    from holdfast.features.admission.draft import Draft
    from holdfast.features.memories.revision import Revision
    from holdfast.stores.base.admitted import Admitted

PAGE = 1_000


def attached(tx: Writer, principal: Principal, draft: Draft, admitted: Admitted) -> tuple[Draft, Admitted]:
    """Returns a draft and its admitted text with the place of its entities; other kinds are returned
    unchanged.

    A link is in the project and workspace of its entities, and visible only to users who see all of them.
    Raises NotFound `entity_not_found`, InvalidInput `entities_apart` or `argument_invalid`, Conflict
    `session_in_other_project`.
    """
    kind = KINDS[admitted.memory.kind]
    ids = draft.about
    if not isinstance(ids, list | tuple) or len(ids) != kind.ends:
        needed = f"{kind.ends or 'no'} {'entity' if kind.ends == 1 else 'entities'}"
        raise InvalidInput(
            f"a memory of kind {kind.name} refers to {needed} by id",
            code="argument_invalid",
            hint="`holdfast entities --help` (`Memory.entities`)",
        )
    if not ids:
        return draft, admitted
    ends = [entity_with(tx, principal, id) for id in ids]
    home = ends[0].place
    if any((end.place.project, end.place.workspace) != (home.project, home.workspace) for end in ends):
        raise InvalidInput(
            "a link must be in the same project and workspace as its entities", code="entities_apart"
        )
    _check_session(tx, principal, draft, ends[0])
    widest = narrowest(end.visibility for end in ends)
    visibility = admitted.visibility or narrowest([_default(tx, principal, kind, ends[0]), widest])
    if narrowest([visibility, widest]) is not visibility:
        raise InvalidInput(
            f"a link cannot be more visible than its entities, which are {widest.value}",
            code="entities_apart",
        )
    placed = replace(admitted, visibility=Visibility(visibility)).with_memory(
        about=tuple(end.id for end in ends),
        place=replace(admitted.memory.place, workspace=home.workspace),
    )
    return replace(draft, project=ends[0].project), placed


def _default(tx: Writer, principal: Principal, kind: Kind, entity: Memory) -> Visibility:
    """Returns the visibility of what is kept without one beside an entity."""
    name = entity.project
    project = None if name is None else tx.project(personal_view(principal), name)
    return default_visibility(
        principal, kind.name, in_project=name is not None, of_project=project.visibility if project else None
    )


def entity_with(reader: Reader, principal: Principal, id: object) -> Memory:
    """Returns the entity with this id, short id or external id, in any status. Raises NotFound if it does not
    exist or is not visible."""
    if isinstance(id, str) and len(id) <= 100 and id.isprintable():
        memory = named_memory(reader, principal, id)
        if memory is not None and memory.kind == "entity":
            return memory
    raise NotFound(f"there is no entity {safe_repr(id, 60)}", code="entity_not_found")


def check_may_revise(memory: Memory, revision: Revision) -> None:
    """Raises InvalidInput if a revision changes the text of a relation, the entity of an observation, or the
    external id of what a source names."""
    if revision.external_id is not None and (memory.source is not None or KINDS[memory.kind].is_derived):
        raise InvalidInput(f"memory {memory.id} has its external id from its source", code="argument_invalid")
    fixed = {"relation": ("text", "title", "metadata"), "observation": ("title",)}.get(memory.kind, ())
    for part in fixed:
        if getattr(revision, part) is not None:
            raise InvalidInput(
                f"the {part} of {memory.kind} {memory.id} cannot be changed",
                code="argument_invalid",
                hint="remove it and create a new one",
            )


def check_same_thing(existing: Memory, memory: Memory) -> None:
    """Raises InvalidInput if a memory has the external id of another entity, or of a link between other
    entities."""
    is_other = "entity" in (existing.kind, memory.kind) and existing.kind != memory.kind
    if is_other or existing.about != memory.about:
        raise InvalidInput(
            f"external id {safe_repr(memory.external_id)} names {existing.kind} {existing.id}",
            code="argument_invalid",
        )


def check_may_remove(tx: Writer, principal: Principal, memory: Memory) -> None:
    """Raises Refusal `edited_by_person` or `person_needed` if a machine would remove, with an entity, links
    that a person pinned, edited or wrote. Links of other users are removed with it."""
    if memory.kind == "entity" and principal.is_machine:
        view = personal_view(principal, ANY_STATE)
        for link in tx.links(view, [memory.id], limit=None, now=0):
            if link.place.owner == principal.user:
                check_may_take_away(principal, tx, link)


def check_ends_live(reader: Reader, principal: Principal, memory: Memory) -> None:
    """Raises NotFound `entity_not_found` if the entities of a link are missing, or in different projects."""
    ends = [entity_with(reader, principal, id) for id in memory.about]
    if len({end.place.project for end in ends}) > 1:
        raise NotFound("its entities are in different projects", code="entity_not_found")


def settle(service: Service, tx: Writer, now: int, action: str, memory: Memory) -> None:
    """Forgets or restores the links of an entity that was forgotten or restored, with one event each.

    After a move (`settle_links` alone) links follow as well, or are hidden while their entities are in two
    projects (S0.13).
    """
    ids = [memory.id] if memory.kind == "entity" else memory.about
    for id in tx.settle_links(personal_view(service.principal, GONE), ids, now=now):
        if id != memory.id:
            tx.add_event(
                at=now, actor=service.principal.label, action=action, subject=id, detail={"with": memory.id}
            )


def own_entities(reader: Reader, principal: Principal, project: int) -> list[str]:
    """Returns the ids of the principal's own entities in a project."""
    view = personal_view(principal, ANY_STATE)
    entities = each(lambda cursor: reader.entities(view, type=None, limit=PAGE, cursor=cursor, now=0))
    places = ((entity.id, entity.place) for entity in entities)
    return [id for id, place in places if (place.owner, place.project) == (principal.user, project)]


def _check_session(tx: Writer, principal: Principal, draft: Draft, entity: Memory) -> None:
    """Raises Conflict if the session is in another project than the entity."""
    if draft.session is None:
        return
    session = tx.session(personal_view(principal), draft.session)
    if session is not None and session.project_number != entity.place.project:
        raise Conflict(
            f"session {safe_repr(draft.session)} is not in the project of the entity",
            code="session_in_other_project",
        )
