"""MCP inside the HTTP service, for authenticated callers, within the permissions of their credential."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Scope

from holdfast.api.catalogue import permissions
from holdfast.core.errors import HoldfastError, for_callers
from holdfast.features.access.access import Grant, authorise
from holdfast.mcp.connection import Connection, Room
from holdfast.mcp.profiles import profile_named
from holdfast.mcp.server import Context, build
from holdfast.mcp.tools import ClientContext

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

AGENT = "mcp"
"""Name of an agent whose credential has none, since MCP clients are never persons."""
PLACE_NOTE = "You are in the project of the URL (?project=NAME), or in none."


class AuthorizedConnection(Connection):
    """The connection of one request: the memory of its principal, within the credential's permissions."""

    def __init__(self, grant: Grant, memory: Memory, client: ClientContext, scope: Scope, room: Room) -> None:
        super().__init__(lambda: memory, client, asks_roots=False, room=room)
        self._caller = grant.credential, grant.principal.label
        self._grant = grant
        self._clock = memory._service.clock
        self._scope = scope
        self._doing = ""

    def allow(self, operations: Iterable[str]) -> None:
        """Authorizes each operation. Raises AccessDenied."""
        for operation in operations:
            authorise(self._grant, permissions()[operation], self._clock())
            self._doing = operation

    def visible_error(self, error: HoldfastError) -> HoldfastError:
        """Returns an error as callers of the service see it."""
        return for_callers(error)

    def memory(self) -> Memory:
        """Returns the memory, and names the last allowed operation in the log."""
        self._scope["operation"] = f"mcp {self._doing}"
        return super().memory()


def manager_of(profile: str, room: Room) -> StreamableHTTPSessionManager:
    """Returns what answers the requests of one profile, each for itself, but for the room that they share: a
    request is no session, so what a credential stores is counted by time."""
    server = build(profile_named(profile), partial(_authorized_connection, room), PLACE_NOTE)
    return StreamableHTTPSessionManager(server, json_response=True, stateless=True)


def _authorized_connection(room: Room, context: Context) -> Connection:
    """Returns the connection of a request. The caller is authenticated already; operations are authorized
    here."""
    assert context.request is not None
    scope: Scope = context.request.scope
    grant: Grant = scope["grant"]
    if grant.principal.agent is None:
        grant = replace(grant, principal=replace(grant.principal, agent=AGENT))
    query = context.request.query_params
    wide, personal = ("all_projects" in query, "personal" in query)
    client = ClientContext(query.get("project") or None, query.get("session") or None, wide, personal)
    memory = scope["app"].state.entrance.memory(grant, "mcp")
    return AuthorizedConnection(grant, memory, client, scope, room)
