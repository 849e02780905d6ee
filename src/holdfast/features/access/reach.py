"""Parts that belong to a project or the tenant as a whole, and who reaches them where users share nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.errors import Refusal
from holdfast.core.places import approves
from holdfast.core.projects import Project
from holdfast.core.views import View
from holdfast.features.access.access import Grant, Need, Permission, authorise
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

if TYPE_CHECKING:
    from holdfast.core.module_map import ModuleMap


def decides_with_others(service: Service) -> bool:
    """Returns whether the principal decides about what others keep: an owner or admin in person, where users
    share. Where they share nothing, everybody may have that role, such as each user of one process."""
    return service.shares and approves(service.principal)


def administers(service: Service) -> bool:
    """Returns whether the principal decides about the tenant as a whole: an owner or admin in person, who is
    not one of many users that share nothing."""
    return not service.is_apart and approves(service.principal)


def check_administers(service: Service, operation: str) -> None:
    """Raises AccessDenied `not_permitted` unless the principal may use an operation on the tenant as a
    whole."""
    grant = Grant(service.principal, is_apart=service.is_apart)
    authorise(grant, Permission(operation, Need.MANAGE), service.clock())


def reaches(service: Service, project: Project) -> bool:
    """Returns whether what belongs to a project as a whole is the principal's to read: where users share
    nothing, only in a project of their own."""
    return service.shares or project.owner == service.principal.user


def check_reaches(service: Service, project: Project) -> None:
    """Raises Refusal `sharing_off` for a project of another user where users share nothing."""
    if not reaches(service, project):
        raise Refusal(
            f"project {project.name!r} was created by another user, and nothing is shared between users here",
            code="sharing_off",
            hint="use a project of your own; whoever runs the store decides by the setting `sharing`",
        )


def seen_map(reader: Reader, service: Service, view: View, number: int) -> ModuleMap | None:
    """Returns the module map of a project that the principal reaches, None if there is none."""
    if not service.shares:
        visible = next((project for project in reader.projects(view) if project.number == number), None)
        if visible is None or not reaches(service, visible):
            return None
    return reader.module_map(view, number)
