"""Retention policies and legal holds: each act is an event, and the events are their state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from holdfast.core.arguments import checked_count, safe_repr
from holdfast.core.errors import AccessDenied, Conflict, InvalidInput, NotFound, Refusal
from holdfast.core.kinds import kind_named
from holdfast.core.retention import (
    HOLDS,
    LIFTED,
    PLACED,
    REMOVED,
    RETAINED,
    RETENTION,
    SET,
    Hold,
    Policy,
    holds_of,
    policies_of,
)
from holdfast.core.views import personal_view
from holdfast.features.access.reach import administers
from holdfast.features.admission.names import checked_name
from holdfast.features.projects.projects import existing_project
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

DAYS_MAX = 36_500
T = TypeVar("T", Policy, Hold)


def check_administers(service: Service) -> None:
    """Raises Refusal `person_needed` or AccessDenied `not_permitted` for all but an owner or admin in person,
    who is not one of many users that share nothing: policies and holds concern what everybody keeps."""
    if service.principal.is_machine:
        raise Refusal("only a person may decide how long memories stay", code="person_needed")
    if not administers(service):
        raise AccessDenied("only an owner or admin may decide how long memories stay", code="not_permitted")


def set_policy(
    service: Service, days: int | None, *, kind: str | None = None, project: str | None = None
) -> Policy:
    """Sets how many days memories of a kind, in a project, stay; None: for good. Raises InvalidInput,
    NotFound, AccessDenied, Refusal."""
    check_administers(service)
    detail: dict[str, Any] = {
        "kind": checked_kind(kind),
        "days": None if days is None else checked_days(days),
    }
    with service.store.write() as tx:
        detail["project"] = project_id(tx, service, project)
        event = _add_event(service, tx, SET, RETENTION, detail)
        return replace(policies_of([event])[0], project=project)


def remove_policy(service: Service, *, kind: str | None = None, project: str | None = None) -> Policy:
    """Removes a policy, so that the next wider one counts. Raises NotFound `policy_not_found`, InvalidInput,
    AccessDenied, Refusal."""
    check_administers(service)
    with service.store.write() as tx:
        detail = {"kind": checked_kind(kind), "project": project_id(tx, service, project)}
        matches = [
            policy
            for policy in policies(tx, service)
            if {"kind": policy.kind, "project": policy.project} == detail
        ]
        if not matches or matches[0].removed:
            raise NotFound("there is no such policy", code="policy_not_found", hint="holdfast retention list")
        _add_event(service, tx, REMOVED, RETENTION, detail)
        return replace(matches[0], project=project)


def list_policies(service: Service) -> list[Policy]:
    """Returns the policies in the order in which they count, narrower ones first. Raises AccessDenied."""
    check_administers(service)
    with service.store.read() as snap:
        return with_names(snap, service, (policy for policy in policies(snap, service) if not policy.removed))


def place_hold(service: Service, name: str, *, user: str | None = None, project: str | None = None) -> Hold:
    """Places a legal hold on what a user keeps, what is in a project, both, or everything. Raises Conflict
    `hold_exists`, InvalidInput, NotFound, AccessDenied, Refusal."""
    check_administers(service)
    detail: dict[str, Any] = {"name": checked_name(name, "hold")}
    detail["user"] = None if user is None else checked_name(user, "user")
    with service.store.write() as tx:
        detail["project"] = project_id(tx, service, project)
        if any(hold.name == detail["name"] for hold in holds(tx, service)):
            raise Conflict(f"there is a hold {safe_repr(name)} already", code="hold_exists")
        event = _add_event(service, tx, PLACED, HOLDS, detail)
        return replace(holds_of([event])[0], project=project)


def lift_hold(service: Service, name: str) -> Hold:
    """Lifts a legal hold. Raises NotFound `hold_not_found`, AccessDenied, Refusal."""
    check_administers(service)
    with service.store.write() as tx:
        match = next((hold for hold in holds(tx, service) if hold.name == name), None)
        if match is None:
            raise NotFound(f"there is no hold {safe_repr(name)}", code="hold_not_found")
        _add_event(service, tx, LIFTED, HOLDS, {"name": match.name})
        return with_names(tx, service, [match])[0]


def list_holds(service: Service) -> list[Hold]:
    """Returns the legal holds in place, oldest first. Raises AccessDenied, Refusal."""
    check_administers(service)
    with service.store.read() as snap:
        return with_names(snap, service, holds(snap, service))


def policies(snap: Reader, service: Service) -> list[Policy]:
    """Returns all policies, removed ones included, with the ids of their projects."""
    return policies_of(snap.register(personal_view(service.principal), RETENTION))


def holds(snap: Reader, service: Service) -> list[Hold]:
    """Returns the holds in place, with the ids of their projects."""
    return holds_of(snap.register(personal_view(service.principal), HOLDS))


def checked_days(days: object) -> int:
    """Returns after how many days memories go. Raises InvalidInput `argument_invalid`."""
    checked = checked_count(days, "days")
    if not 0 < checked <= DAYS_MAX:
        raise InvalidInput(f"days must be 1 to {DAYS_MAX:,}", code="argument_invalid")
    return checked


def checked_kind(kind: object) -> str | None:
    """Returns the name of a kind that policies cover, None for all. Raises InvalidInput."""
    if kind is None:
        return None
    name = kind_named(kind).name
    if name not in RETAINED:
        raise InvalidInput(
            f"memories of kind {name} follow what they are made of",
            code="argument_invalid",
            hint="passages go with their folder, descriptions with their source, entities by `forget`",
        )
    return name


def project_id(snap: Reader, service: Service, project: str | None) -> str | None:
    """Returns the id of a project, by which events name it. Raises NotFound."""
    return None if project is None else existing_project(snap, service, project).id


def project_names(snap: Reader, service: Service) -> dict[str, str]:
    """Returns the names of projects by their ids."""
    return {project.id: project.name for project in snap.projects(personal_view(service.principal))}


def with_names(snap: Reader, service: Service, rules: Iterable[T]) -> list[T]:
    """Returns policies or holds with the names of projects in place of ids, as far as they are known."""
    names = project_names(snap, service)
    return [replace(policy, project=names.get(policy.project or "", policy.project)) for policy in rules]


def _add_event(service: Service, tx: Writer, action: str, register: str, detail: dict[str, Any]) -> Any:
    actor = service.principal.label
    return tx.add_event(at=service.clock(), actor=actor, action=action, subject=register, detail=detail)
