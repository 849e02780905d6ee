"""Conversations of a user: the operations of `Memory.sessions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

from holdfast.api.operation import Area, Parameter, operation
from holdfast.core.episodes import EpisodePage
from holdfast.core.project_results import SessionPage
from holdfast.core.projects import Session
from holdfast.core.record import Memory
from holdfast.core.summaries import SessionSummary
from holdfast.features.access.access import Need
from holdfast.features.sessions import sessions
from holdfast.stores.base.ports import Page


class Changes(TypedDict, total=False):
    """Changes to a session; a project of None is the shared pool."""

    name: str | None
    project: str | None
    archived: bool


def _after_page(params: dict[str, Any], page: SessionPage) -> dict[str, Any] | None:
    return None if page.cursor is None else {**params, "cursor": page.cursor}


def _page_of_all(sessions: list[Session]) -> SessionPage:
    return SessionPage(tuple(sessions))


class Sessions(Area):
    """Conversations of the user."""

    @operation("POST /sessions", Need.WRITE, command="sessions create")
    def create(
        self,
        id: str,
        *,
        project: str | None = None,
        name: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Session:
        """Creates a session, or updates the name and metadata of an existing one."""
        return sessions.create_session(self._service, id, project=project, name=name, metadata=metadata)

    @operation("GET /sessions/{id}", Need.READ, command="sessions show", tail=True)
    def get(self, id: str) -> Session:
        """Returns one session. Raises NotFound."""
        return sessions.get_session(self._service, id)

    @operation(
        "GET /sessions",
        Need.READ,
        command="sessions list",
        errors=(404,),
        next_page=_after_page,
        assemble=_page_of_all,
        params={"limit": Parameter(default=20, minimum=1, maximum=1000)},
    )
    def list(
        self,
        *,
        project: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        archived: bool = False,
    ) -> SessionPage:
        """Returns sessions, last changed first, page by page; all of them unless `limit` is given. With
        `archived`, those that are archived. Raises NotFound, or InvalidInput `cursor_invalid`.
        """
        return sessions.list_sessions(
            self._service, project=project, limit=limit, cursor=cursor, archived=archived
        )

    @operation("GET /sessions/{id}/messages", Need.READ, command="sessions messages", tail=True)
    def messages(
        self, id: str, *, limit: int = 50, cursor: str | None = None, around: str | None = None
    ) -> Page:
        """Returns the messages, episodes and passages of a session in their order, page by page. With
        `around`, the id of one of them, returns that one with at most `limit` on each side. Raises NotFound.
        """
        return sessions.session_messages(self._service, id, limit=limit, cursor=cursor, around=around)

    @operation(
        "GET /sessions/{id}/memories", Need.READ, why="for programs: what was learned from a conversation",
        key="memories", tail=True,
    )  # fmt: skip
    def memories(self, id: str) -> Sequence[Memory]:
        """Returns what was taken from a conversation, as far as the user sees it: memories whose evidence
        names it or one of its messages, waiting ones included, oldest first. Raises NotFound.
        """
        return sessions.session_memories(self._service, id)

    @operation("GET /sessions/{id}/summary", Need.READ, command="sessions summary", tail=True)
    def summary(self, id: str) -> SessionSummary:
        """Returns the summary of a conversation, up to its latest message: for each part of at most 40
        messages those that say most, word for word. Rules choose them, or a model that was asked to. What is
        erased, forgotten or out of sight is in no summary. Raises NotFound.
        """
        from holdfast.features.sessions.summaries import session_summary

        return session_summary(self._service, id)

    @operation("GET /sessions/{session}/episodes", Need.READ, command="sessions episodes", tail=True)
    def episodes(self, session: str, *, limit: int = 50, cursor: str | None = None) -> EpisodePage:
        """Returns the exchanges of a session in their parts, oldest first: user message, response, and their
        estimated tokens. Raises NotFound.
        """
        return sessions.session_episodes(self._service, session, limit=limit, cursor=cursor)

    @operation(
        "PATCH /sessions/{id}",
        Need.WRITE,
        command=("sessions move", "sessions rename", "sessions archive", "sessions unarchive"),
        tail=True,
        patch=True,
    )
    def update(self, id: str, **changes: Unpack[Changes]) -> Session:
        """Changes the display `name` of a session, moves it to a `project` (None: the shared pool), or
        archives and restores it (`archived`), in one transaction. Its messages move with it. Messages of an
        archived session are in no recall, list or context, nothing can be added to it, and it is restored as
        it was; knowledge that came of it stays. Raises NotFound, InvalidInput.
        """
        return sessions.update_session(self._service, id, changes)

    def move(self, id: str, *, project: str | None) -> Session:
        """Moves a session with its messages to a project, or with None to the shared pool. Raises NotFound,
        InvalidInput.
        """
        return self.update(id, project=project)

    @operation(
        "DELETE /sessions/{id}", Need.WRITE, command="sessions delete", key="memories", erases=True, tail=True
    )
    def delete(self, id: str) -> int:
        """Erases a session with its messages and episodes. Returns the number of memories erased."""
        return sessions.delete_session(self._service, id)
