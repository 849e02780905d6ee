"""Authorisation: the permissions of a credential, and the one check that every interface calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from holdfast.core.errors import AccessDenied
from holdfast.core.places import Principal, Role
from holdfast.core.value_classes import value_class


class Need(StrEnum):
    """The permission that an operation requires."""

    READ = "read"
    """Read what the principal's view shows."""
    WRITE = "write"
    """Store memories, and change the principal's own."""
    REVIEW = "review"
    """Decide on memories that wait for review."""
    IMPORTS = "imports"
    """Read or change the list of imports, which belongs to no project."""
    JOBS = "jobs"
    """Read or change the principal's own background jobs, which belong to no project."""
    AUDIT = "audit"
    """Read the chain of events, which records what every user did."""
    PROJECTS = "projects"
    """Archive, switch off, rename, delete or purge a project as a whole."""
    MANAGE = "manage"
    """Change or examine what belongs to the tenant as a whole."""


@value_class
class Permission:
    """The permission that one operation requires. With `changes` False, a read-only credential may use it
    even if it needs more than READ."""

    operation: str
    need: Need
    changes: bool = True


_OWN = frozenset({Need.READ, Need.WRITE, Need.REVIEW, Need.IMPORTS, Need.JOBS})
ALLOWED: Mapping[Role, frozenset[Need]] = {
    Role.OWNER: frozenset(Need),
    Role.ADMIN: frozenset(Need),
    Role.MEMBER: _OWN,
    Role.SERVICE: _OWN - {Need.REVIEW},
}
"""The permissions of each role (S4.53). `features/access/permission` decides on other users' memories."""

OF_TENANT = frozenset({Need.AUDIT, Need.MANAGE})
"""The permissions that none of many users has who share nothing, whatever role they act in."""

IN_PROJECTS = frozenset({Need.READ, Need.WRITE, Need.REVIEW})
"""The permissions of a credential limited to some projects: nothing that reaches beyond projects."""


LOCAL = "local"
"""The credential name of a user who opened the store directly, without a credential."""


TOKEN = "token"
"""The credential name of a user with a token of an identity provider."""


@value_class
class Grant:
    """The permissions of one credential: the principal, whether it may write, and its projects (None: all).

    `expires_at` is UTC epoch milliseconds; `credential` is its name in logs, such as `key:…`. A credential
    without a role has that of its user's membership, if the tenant has members. `is_apart` says that the user
    is one of many who are no team.
    """

    principal: Principal
    write: bool = True
    projects: frozenset[str] | None = None
    expires_at: int | None = None
    credential: str = LOCAL
    names_role: bool = True
    is_apart: bool = False

    def lasting(self) -> Grant:
        """Returns the grant without its expiry, which stays equal when a token is renewed."""
        return replace(self, expires_at=None)


def allowed_needs(grant: Grant) -> frozenset[Need]:
    """Returns the permissions of a credential in full, for changes as well: what an interface may offer."""
    needs = ALLOWED[grant.principal.role]
    if grant.is_apart:
        needs -= OF_TENANT
    if grant.projects is not None:
        needs &= IN_PROJECTS
    return needs if grant.write else needs & {Need.READ}


def authorise(grant: Grant, permission: Permission, now: int) -> None:
    """Checks that a credential allows an operation, before anything is read (S4.53).

    The principal comes from the credential, never from the request (S4.52). Raises AccessDenied
    `credential_expired` or `not_permitted`.
    """
    operation, need = permission.operation, permission.need
    if grant.expires_at is not None and now >= grant.expires_at:
        raise AccessDenied("the credential has expired", code="credential_expired", hint="request a new one")
    if need not in ALLOWED[grant.principal.role]:
        raise AccessDenied(
            f"the role {grant.principal.role.value} may not use {operation}", code="not_permitted"
        )
    if grant.is_apart and need in OF_TENANT:
        raise AccessDenied(
            f"where users share nothing, {operation} is for who runs the store", code="not_permitted",
            hint="call it on the memory that was opened, not on that of one of its users",
        )  # fmt: skip
    if not grant.write and need is not Need.READ and permission.changes:
        raise AccessDenied(f"{operation} needs a credential that may write", code="not_permitted")
    if grant.projects is not None and need not in IN_PROJECTS:
        raise AccessDenied(
            f"{operation} needs a credential that is not limited to projects", code="not_permitted"
        )
