"""The part of the store protocol about conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.core.cursors import SessionMark
    from holdfast.core.projects import Session
    from holdfast.core.record import Memory
    from holdfast.core.views import View


class SessionReader(Protocol):
    """Reads sessions and what belongs to them."""

    def session(self, view: View, external_id: str) -> Session | None:
        """Returns the user's session with this id: of the context's project, else the oldest visible."""

    def sessions(
        self, view: View, *, project: int | None = None, limit: int | None = None,
        after: SessionMark | None = None, archived: bool | None = None,
    ) -> list[Session]:  # fmt: skip
        """Returns the sessions of the view's user, last changed first, of one project if one is given; those
        behind the one that `after` marks; archived ones or others, or both."""

    def session_names(self, view: View, numbers: Collection[int]) -> dict[int, str]: ...
    def titled(self, view: View, session: int) -> list[Memory]:
        """Returns the memories of a session that have a title, oldest first."""

    def agent_count(self, view: View, session: int, actor: str) -> int:
        """Returns the number of memories of knowledge that an agent stored in a session (S4.26)."""


class SessionWriter(Protocol):
    """Writes sessions and their evidence."""

    def put_session(self, session: Session) -> Session:
        """Creates or updates a session; a changed project moves its evidence at once (S0.16, S0.17)."""

    def drop_session(self, view: View, number: int) -> list[str]:
        """Erases a session with its evidence and returns the erased ids (S0.3)."""

    def retag(self, view: View, kinds: frozenset[str], source: int, target: int) -> int:
        """Moves the user's memories of some kinds from one project to another (S0.19)."""
