"""The parts of the Python face: projects, sessions, sources, entities, audit. Each calls the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.domain.events import Event
from holdfast.domain.graph import Entity, EntityPage, Graph
from holdfast.domain.memories import Kept
from holdfast.domain.projects import Project, Session
from holdfast.domain.sources import Source
from holdfast.domain.times import When
from holdfast.engine import audit, graph, projects, sources
from holdfast.engine.locate import Where
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


class Entities:
    """The entity graph: things that are talked about, what is known of them, how they stand to each other.

    An entity is given by its id, or by its name in a place: a project, that of a session, or the shared pool.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    def create(
        self,
        name: str,
        type: str = "concept",
        *,
        notes: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        visibility: str | None = None,
        origin: str | None = None,
        confidence: float | None = None,
        evidence: Mapping[str, Any] | None = None,
        source: str | None = None,
    ) -> Kept:
        """The entity with this name and type: made, or the one that is known, whose notes are replaced if any
        are given (S0.26)."""
        return graph.create(
            self._service, name, type, notes, Where(project, session, workspace),
            graph.Provenance(visibility, origin, confidence, evidence, source),
        )  # fmt: skip

    def get(
        self,
        entity: str,
        *,
        type: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
    ) -> Entity:
        """One entity with what is known of it. Raises NotFound, or Conflict if entities of several types have
        the name and no type is given."""
        return graph.get(self._service, entity, type, Where(project, session, workspace))

    def list(
        self,
        *,
        name: str | None = None,
        type: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> EntityPage:
        """Entities of a place with what is known of them, newest first, page by page; with a `name`, all that
        have it, on one page."""
        where = Where(project, session, workspace)
        return graph.page(self._service, name, type, where, limit=limit, cursor=cursor)

    def search(
        self,
        query: str,
        *,
        type: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        limit: int = 10,
    ) -> Sequence[Entity]:
        """The entities that answer a question best, best first, found by name and notes, by what is known of
        them and by their relations (S0.36)."""
        where = Where(project, session, workspace)
        return graph.search(self._service, query, type, where, limit=limit)

    def observe(
        self,
        entity: str,
        texts: Sequence[str],
        *,
        type: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        visibility: str | None = None,
        origin: str | None = None,
        confidence: float | None = None,
        evidence: Mapping[str, Any] | None = None,
        source: str | None = None,
        at: When | None = None,
    ) -> Sequence[Kept]:
        """Keeps what is known of an entity, one memory and one outcome for each text. Each is recalled,
        revised and forgotten like any other memory. Raises NotFound."""
        return graph.observe(
            self._service, entity, texts, type, Where(project, session, workspace),
            graph.Provenance(visibility, origin, confidence, evidence, source, at),
        )  # fmt: skip

    def unobserve(
        self,
        entity: str,
        texts: Sequence[str],
        *,
        type: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        hard: bool = False,
    ) -> int:
        """Takes observations out of sight by their texts, or with `hard` erases them. Returns how many there
        were. Raises NotFound if there is no such entity."""
        where = Where(project, session, workspace)
        return graph.unobserve(self._service, entity, texts, type, where, hard=hard)

    def relate(
        self,
        subject: str,
        type: str,
        target: str,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        visibility: str | None = None,
        origin: str | None = None,
        confidence: float | None = None,
        evidence: Mapping[str, Any] | None = None,
        source: str | None = None,
        at: When | None = None,
    ) -> Kept:
        """Keeps how one entity stands to another, as in ("Ada", "works_at", "Acme"); the same again is a
        duplicate. Both stand in the same project, and nobody sees the relation who does not see both. Raises
        NotFound, InvalidInput."""
        return graph.relate(
            self._service, subject, type, target, Where(project, session, workspace),
            graph.Provenance(visibility, origin, confidence, evidence, source, at),
        )  # fmt: skip

    def unrelate(
        self,
        subject: str,
        type: str,
        target: str,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        hard: bool = False,
    ) -> int:
        """Takes a relation out of sight, or with `hard` erases it. Returns how many: what was said privately
        and to the team is two relations. Raises NotFound."""
        where = Where(project, session, workspace)
        return graph.unrelate(self._service, subject, type, target, where, hard=hard)

    def neighbourhood(
        self,
        entities: str | Sequence[str],
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        limit: int = 50,
    ) -> Graph:
        """One or several entities with all that stand one relation away, and these relations, newest first up
        to a limit (S0.36, S0.41). Raises NotFound."""
        where = Where(project, session, workspace)
        return graph.neighbourhood(self._service, entities, where, limit=limit)

    def delete(
        self,
        entity: str,
        *,
        type: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        hard: bool = False,
        reason: str | None = None,
    ) -> None:
        """Takes an entity out of sight with all that speaks of it; `Memory.restore` brings both back. With
        `hard` every byte is erased. Raises NotFound."""
        where = Where(project, session, workspace)
        graph.delete(self._service, entity, type, where, hard=hard, reason=reason)


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
