"""The shapes of requests and answers about members, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from holdfast.http.answers import Told
from holdfast.http.models import Given

ROLES = "owner, admin, member or service."


class MemberIn(Given):
    """Who is let in."""

    user: str = Field(examples=["ben"], description="Whose keys, or tokens by their `sub`.")
    role: str = Field("member", description=ROLES)


class RoleIn(Given):
    """The role that a member gets."""

    role: str = Field(examples=["admin"], description=ROLES)


class MemberOut(Told):
    """A member of the team."""

    user: str
    role: Literal["owner", "admin", "member", "service"]
    added_by: str
    added_at: str
    removed_at: str | None


class MembersOut(Told):
    """The members by name."""

    members: list[MemberOut]
