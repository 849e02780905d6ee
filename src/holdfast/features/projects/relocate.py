"""Moving memories to another scope, project, workspace, branch or visibility, one result each (S2.35)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from holdfast.core.arguments import LIMIT_MAX, checked_list, safe_repr
from holdfast.core.errors import Conflict, HoldfastError, InvalidInput
from holdfast.core.kinds import KINDS
from holdfast.core.places import SCOPE_GLOBAL, Place, Visibility, approves, scope_of, visibility_of
from holdfast.core.record import Memory, external_key
from holdfast.core.review import Decision, Result, refused_decision
from holdfast.core.sharing import widens
from holdfast.core.views import ANY_STATE, personal_view, place_view
from holdfast.features.access.permission import check_may_take_away, check_shares
from holdfast.features.access.places import PlaceResolver
from holdfast.features.admission.names import checked_name
from holdfast.features.memories.browse import existing_memory
from holdfast.features.review import sharing
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer

PARTS = ("project", "workspace", "scope", "branch", "visibility")
"""The parts of a place that can be changed; None removes a memory from that part, except visibility."""


def move(service: Service, ids: Collection[str] | str, to: dict[str, object]) -> list[Decision]:
    """Moves memories to another place, in all their versions, with new hashes. If the same text or external
    id is already there, only the conflicting memory is refused (S2.35).

    Messages move with their session (`sessions.update`), observations and relations with their entity. A
    memory that a project's members could see becomes private when it moves to no project. Only an owner or
    admin in person makes it more visible; a member requests that, and no agent may (S4.53). Raises
    InvalidInput.
    """
    requested = checked_list(ids, "ids")
    if len(requested) > LIMIT_MAX:
        raise InvalidInput(f"at most {LIMIT_MAX} memories can be moved at once", code="limit_invalid")
    _check_parts(to)
    now = service.clock()
    results: list[Decision] = []
    with service.store.write() as tx:
        for id in requested:
            try:
                with tx.attempt():
                    results.append(_move(service, tx, id, to, now))
            except HoldfastError as error:
                results.append(refused_decision(str(id), error))
    return results


def _move(service: Service, tx: Writer, id: str, to: dict[str, object], now: int) -> Decision:
    """Moves a memory, or asks for a wider visibility that the caller may not give it alone."""
    memory = existing_memory(tx, service, id)
    check_may_take_away(service.principal, tx, memory)
    _check_movable(memory, to)
    place, project = _target_place(service, tx, memory, to, now)
    wider = widens(memory.visibility, place.visibility)
    if wider:
        check_shares(service, place.visibility)
        sharing.check_is_person(service.principal)
        if not approves(service.principal):
            if place != replace(memory.place, visibility=place.visibility):
                raise InvalidInput(
                    "request a wider visibility on its own", code="argument_invalid", hint="move it first"
                )
            return sharing.ask(service, tx, memory, place.visibility, now)
    elif to.get("visibility") is not None and place == memory.place:
        withdrawn = sharing.withdraw(service, tx, memory, now)
        if withdrawn is not None:
            return withdrawn
    if place == memory.place:
        raise InvalidInput(f"memory {memory.id} is already there", code="nothing_to_change")
    duplicate = _with_same_external_id(tx, memory, place)
    view = personal_view(service.principal, ANY_STATE)
    try:
        stored = tx.move(view, memory.id, place)
    except Conflict as error:
        message = (
            f"memory {duplicate.id} has the same external id there"
            if duplicate
            else "the same text is already stored there"
        )
        raise Conflict(message, code="duplicate_text", hint="forget one of them") from error
    tx.drop_request(memory.id)  # the request was about the memory in its former place
    if wider:
        stored = sharing.without_reason(tx, view, stored, now)
        sharing.add_promotion_event(
            service, tx, memory, stored, now, asked_by=service.principal.label, project=project
        )
    else:
        detail: dict[str, object] = {"project": project}
        if stored.visibility is not memory.visibility:
            detail |= {"was": memory.visibility.value, "visibility": stored.visibility.value}
        tx.add_event(at=now, actor=service.principal.label, action="move", subject=memory.id, detail=detail)
    if memory.kind == "entity":
        tx.settle_links(view, [memory.id], now=now)
    return Decision(stored.id, Result.MOVED, stored, "moved")


def _target_place(
    service: Service, tx: Writer, memory: Memory, to: dict[str, object], now: int
) -> tuple[Place, str | None]:
    """Returns the requested place, and the id of its project if one was named."""
    place, project = memory.place, None
    if "project" in to:
        home = None if to["project"] is None else PlaceResolver(service, tx, now).project(str(to["project"]))
        place = replace(place, project=home.number if home else None)
        project = home.id if home else None
    if "workspace" in to:
        place = replace(place, workspace=None if to["workspace"] is None else str(to["workspace"]))
    if "branch" in to:
        place = replace(place, branch=None if to["branch"] is None else str(to["branch"]))
    if "scope" in to:
        place = replace(place, scope=scope_of(to["scope"]))
    if "visibility" in to:
        place = replace(place, visibility=visibility_of(to["visibility"]))
        if place.visibility is Visibility.PROJECT and place.project is None:
            raise InvalidInput("visibility project needs a project", code="place_invalid")
    if place.project is None and place.visibility is Visibility.PROJECT:
        place = replace(place, visibility=Visibility.PRIVATE)
    return place, project


def _check_parts(to: dict[str, object]) -> None:
    """Raises InvalidInput unless the parts name a place to move to."""
    if not to or to.keys() - set(PARTS):
        raise InvalidInput(
            "name a target: a project, workspace, scope, branch or visibility",
            code="argument_invalid",
            hint="None removes it from there",
        )
    for part in ("project", "workspace", "branch"):
        if to.get(part) is not None:
            checked_name(to[part], part)
    scope = scope_of(to.get("scope"))
    if scope.type != SCOPE_GLOBAL and scope.id is None:
        raise InvalidInput(
            "a scope other than global needs an id", code="place_invalid", hint='("paper", "2301.1")'
        )
    for name in (scope.type, scope.id):
        if name is not None:
            checked_name(name, "scope")


def _check_movable(memory: Memory, to: dict[str, object]) -> None:
    """Raises InvalidInput for a memory that moves only together with what it belongs to."""
    if KINDS[memory.kind].is_evidence and memory.session is not None:
        raise InvalidInput(
            f"memory {memory.id} belongs to a session and moves with it",
            code="argument_invalid",
            hint=f"sessions move {safe_repr(memory.session)}",
        )
    if memory.place.source is not None and KINDS[memory.kind].is_derived:
        raise InvalidInput(
            f"memory {memory.id} describes a part of a source and stays with it",
            code="argument_invalid",
            hint="reconcile the source in the other project",
        )
    if memory.place.source is not None:
        raise InvalidInput(
            f"memory {memory.id} is a passage of an indexed file and stays with it",
            code="argument_invalid",
            hint="connect its folder to another project: `holdfast folders connect FOLDER PROJECT`",
        )
    if memory.about:
        raise InvalidInput(f"{memory.kind} {memory.id} moves with its entity", code="argument_invalid")
    if memory.kind == "entity" and "workspace" in to:
        raise InvalidInput("an entity cannot leave its workspace", code="argument_invalid")
    narrows = "visibility" in to and widens(visibility_of(to["visibility"]), memory.visibility)
    if memory.kind == "entity" and narrows:
        raise InvalidInput(
            "an entity cannot be less visible than its observations and relations", code="argument_invalid"
        )


def _with_same_external_id(tx: Writer, memory: Memory, place: Place) -> Memory | None:
    """Returns the memory with the same external id in the target place, if any; for the message of a
    refusal."""
    key = external_key(memory.kind, place, memory.external_id)
    if key is None:
        return None
    return tx.find(place_view(place, memory.kind, ANY_STATE), key)
