"""Members of a tenant, and the role in which a member acts (S4.53)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.places import Role
from holdfast.core.wire import Millis, Plain


@dataclass(frozen=True, slots=True)
class Member(Plain):
    """A user of the tenant.

    Times are UTC epoch milliseconds; `added_by` is the label of the principal who added them, and
    `removed_at` is set once they were removed.
    """

    user: str
    role: Role
    added_by: str
    added_at: Millis
    removed_at: Millis | None = None


_RANK: Mapping[Role, int] = {Role.SERVICE: 0, Role.MEMBER: 1, Role.OWNER: 2, Role.ADMIN: 2}


def lesser(credential: Role, membership: Role) -> Role:
    """Returns the role in which a member acts: the lower of the two. An owner or admin of the tenant may hold
    a credential of any role."""
    return credential if _RANK[credential] <= _RANK[membership] else membership


def role_of(value: object) -> Role:
    """Returns the role of this name. Raises InvalidInput `argument_invalid`."""
    try:
        return Role(value)  # type: ignore[arg-type]
    except Exception:  # the enumeration describes what it refuses, which may fail as well
        raise InvalidInput(
            f"there is no role {safe_repr(value)}",
            code="argument_invalid",
            hint=", ".join(role.value for role in Role),
        ) from None
