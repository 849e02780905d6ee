"""The parts of the Python face: projects, sessions, sources, audit. Each method is one engine call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.domain.events import Event
from holdfast.domain.projects import Project, Session
from holdfast.domain.sources import Source
from holdfast.engine import audit, projects, sources
from holdfast.engine.service import Service


class Projects:
    """Projects of the tenant: isolated places for sessions and memories."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def create(self, name: str, **settings: str | None) -> Project:
        """The project with this name and these settings (description, colour, icon, notes, system_prompt):
        made, or returned with them changed."""
        return projects.create_project(self._service, name, settings)

    def get(self, name: str) -> Project:
        """One project. Raises NotFound."""
        return projects.get_project(self._service, name)

    def list(self) -> Sequence[Project]:
        """All projects by name."""
        return projects.list_projects(self._service)

    def update(self, name: str, **settings: str | None) -> Project:
        """Changes the settings given and leaves the others."""
        return projects.update_project(self._service, name, settings)

    def delete(self, name: str) -> Project:
        """Removes a project: your sessions in it live on in the shared pool, your other memories in it are
        forgotten. What others keep in it stays theirs and in their sight. Raises NotFound."""
        return projects.delete_project(self._service, name)

    def retag(self, source: str, target: str, *, kinds: Sequence[str] = ("entity",)) -> int:
        """Moves entities (or other kinds of knowledge) from one project to another."""
        return projects.retag(self._service, source, target, kinds)


class Sessions:
    """Conversations of the user."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def create(
        self,
        id: str,
        *,
        project: str | None = None,
        name: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Session:
        """The session with this id, made if there is none."""
        return projects.create_session(self._service, id, project=project, name=name, metadata=metadata)

    def get(self, id: str) -> Session:
        """One session. Raises NotFound."""
        return projects.get_session(self._service, id)

    def list(
        self, *, project: str | None = None, limit: int | None = None, offset: int = 0
    ) -> Sequence[Session]:
        """Sessions, last changed first; all of them unless a limit is given."""
        return projects.list_sessions(self._service, project=project, limit=limit, offset=offset)

    def move(self, id: str, *, project: str | None) -> Session:
        """Moves a session into a project, or with None back to the shared pool; its messages move with it
        at once."""
        return projects.move_session(self._service, id, project)

    def rename(self, id: str, name: str) -> Session:
        """Gives a session a name for people."""
        return projects.rename_session(self._service, id, name)

    def delete(self, id: str) -> int:
        """Erases a session with its messages and episodes. Returns how many went."""
        return projects.delete_session(self._service, id)


class Sources:
    """Import batches of the user: where memories came from."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def add(
        self,
        platform: str,
        sha256: str,
        *,
        filename: str | None = None,
        message_count: int = 0,
        conversation_count: int = 0,
        metadata: Mapping[str, Any] | None = None,
    ) -> Source:
        """The source with this content: registered, or the one registered before (S2.4)."""
        return sources.add_source(
            self._service,
            platform,
            sha256,
            filename=filename,
            message_count=message_count,
            conversation_count=conversation_count,
            metadata=metadata,
        )

    def list(self) -> Sequence[Source]:
        """All sources, oldest first."""
        return sources.list_sources(self._service)

    def delete(self, id: str, *, hard: bool = False) -> int:
        """Removes a source; the messages, episodes and passages that came from it are forgotten, or with
        `hard` erased. Knowledge stays. Returns how many memories went. Raises NotFound."""
        return sources.delete_source(self._service, id, hard=hard)


class Audit:
    """The hash-chained record of who did what."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def verify(self) -> int:
        """Checks the whole chain; returns the number of events. Raises Damaged."""
        return audit.verify_audit(self._service)

    def list(self, *, after: int = 0, limit: int | None = 100) -> Sequence[Event]:
        """Events in their order."""
        return audit.list_events(self._service, after=after, limit=limit)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.list(limit=None))
