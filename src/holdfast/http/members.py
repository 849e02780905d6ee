"""Routes of members: who belongs to the team, and in which role."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from holdfast.http import members_models as shapes
from holdfast.http.operations import Call, operation
from holdfast.http.response import JSONResponse

router = APIRouter(prefix="/v1", tags=["members"])

Name = Annotated[str, Path(description="The name of a user.", examples=["ben"])]


@operation(router, "GET", "/members", "members.list", shapes.MembersOut)
def list_members(call: Call) -> JSONResponse:
    """List the members of the team by name."""
    return JSONResponse({"members": [one.as_dict() for one in call.memory.members.list()]})


@operation(router, "POST", "/members", "members.add", shapes.MemberOut)
def add(call: Call, body: shapes.MemberIn) -> JSONResponse:
    """Let a user in, for the first time or again.

    The first member is an owner; from then on every credential of somebody who is no member is refused.
    """
    return JSONResponse(call.memory.members.add(**body.given()).as_dict())


@operation(router, "PATCH", "/members/{name:path}", "members.set_role", shapes.MemberOut, also=(404,))
def set_role(call: Call, name: Name, body: shapes.RoleIn) -> JSONResponse:
    """Give a member another role, from the next request on."""
    return JSONResponse(call.memory.members.set_role(name, body.role).as_dict())


@operation(router, "DELETE", "/members/{name:path}", "members.remove", shapes.MemberOut, also=(404,))
def remove(call: Call, name: Name) -> JSONResponse:
    """Keep a user out from the next request on; what they kept stays."""
    return JSONResponse(call.memory.members.remove(name).as_dict())
