"""The part of the store protocol for the tenant: its members, their requests to share, its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.members import Member
    from holdfast.core.sharing import Request
    from holdfast.core.views import View


class TeamReader(Protocol):
    """Reads members, requests and the key. They are of the whole tenant and contain no text."""

    def member(self, view: View, user: str) -> Member | None:
        """Returns the present or former member with this name."""

    def members(self, view: View) -> list[Member]:
        """Returns all present and former members, by name."""

    def has_members(self, view: View) -> bool:
        """Returns whether the tenant is a team: it has members, and only they have access."""

    def requests(self, view: View, id: str | None = None) -> list[Request]:
        """Returns requests to share that wait for an approver, oldest first; of one memory if `id` is
        given.
        """

    def signing_key(self, view: View) -> bytes:
        """Returns the key of the tenant by which exports are signed. It never leaves the store."""


class TeamWriter(TeamReader, Protocol):
    """Writes members and requests."""

    def put_member(self, member: Member) -> None:
        """Adds a member, or updates the one with this name."""

    def put_request(self, request: Request) -> None:
        """Stores a request, replacing an earlier one for the same memory."""

    def drop_request(self, id: str) -> bool:
        """Deletes the request for a memory. Returns whether there was one."""
