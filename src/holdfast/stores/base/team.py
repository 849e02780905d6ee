"""The part of the store protocol for the tenant: its members, their requests, what scans found, its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.members import Member
    from holdfast.core.scanning import Finding
    from holdfast.core.sharing import Request
    from holdfast.core.views import View


class TeamReader(Protocol):
    """Reads members, requests, findings and the key. None of it contains text."""

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

    def findings(
        self, view: View, *, id: str | None = None, after: str = "", limit: int = 1
    ) -> list[Finding]:
        """Returns findings of scans that the user of the view has not decided on, in the order of the ids of
        their memories, those after one id; or that of one memory.
        """

    def owners(self, view: View) -> list[str]:
        """Returns whose memories the tenant holds, by name."""

    def signing_key(self, view: View) -> bytes:
        """Returns the key of the tenant by which exports are signed. It never leaves the store."""


class TeamWriter(TeamReader, Protocol):
    """Writes members, requests and findings."""

    def put_member(self, member: Member) -> None:
        """Adds a member, or updates the one with this name."""

    def put_request(self, request: Request) -> None:
        """Stores a request, replacing an earlier one for the same memory."""

    def drop_request(self, id: str) -> bool:
        """Deletes the request for a memory. Returns whether there was one."""

    def put_finding(self, finding: Finding) -> None:
        """Stores a finding. One for the same memory is replaced, and stays one of personal data."""

    def drop_finding(self, id: str) -> bool:
        """Deletes the finding about a memory. Returns whether there was one."""
