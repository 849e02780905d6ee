"""The parts of `Client`: projects, sessions, entities, sources, audit, as in `holdfast.parts`."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.client_wire import (
    Wire,
    entity_of,
    event_of,
    given,
    graph_of,
    kept_of,
    part_of,
    project_of,
    session_of,
    source_of,
)  # fmt: skip
from holdfast.domain.errors import InvalidInput
from holdfast.domain.events import Event
from holdfast.domain.graph import Entity, EntityPage, Graph
from holdfast.domain.memories import Kept
from holdfast.domain.projects import Project, Session
from holdfast.domain.sources import Source
from holdfast.domain.times import When

PAGE = 1_000
"""Entries that are fetched at once where all are asked for."""


class ClientProjects:
    """Projects of the tenant: isolated places for sessions and memories."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def create(self, name: str, **settings: str | None) -> Project:
        """The project with this name and these settings: made, or returned with them changed."""
        return project_of(self._wire.send("POST", "projects", {"name": name, **settings}))

    def get(self, name: str) -> Project:
        """One project. Raises NotFound."""
        return project_of(self._wire.send("GET", f"projects/{part_of(name)}"))

    def list(self) -> Sequence[Project]:
        """All projects by name."""
        return [project_of(one) for one in self._wire.send("GET", "projects")["projects"]]

    def update(self, name: str, **settings: str | None) -> Project:
        """Changes the settings given and leaves the others."""
        return project_of(self._wire.send("PATCH", f"projects/{part_of(name)}", settings))

    def delete(self, name: str) -> Project:
        """Removes a project from the list. See `Memory.projects.delete`."""
        return project_of(self._wire.send("DELETE", f"projects/{part_of(name)}"))

    def retag(self, source: str, target: str, *, kinds: Sequence[str] = ("entity",)) -> int:
        """Moves entities (or other kinds of knowledge) from one project to another."""
        body = {"target": target, "kinds": [kinds] if isinstance(kinds, str) else [*kinds]}
        return int(self._wire.send("POST", f"projects/{part_of(source)}/retag", body)["moved"])


class ClientSessions:
    """Conversations of the user."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def create(
        self,
        id: str,
        *,
        project: str | None = None,
        name: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Session:
        """The session with this id, made if there is none."""
        return session_of(self._wire.send("POST", "sessions", given(locals())))

    def get(self, id: str) -> Session:
        """One session. Raises NotFound."""
        return session_of(self._wire.send("GET", f"sessions/{part_of(id)}"))

    def list(
        self, *, project: str | None = None, limit: int | None = None, offset: int = 0
    ) -> Sequence[Session]:
        """Sessions, last changed first; all of them unless a limit is given."""
        found: builtins.list[Session] = []
        while True:
            asked = PAGE if limit is None else limit
            query = {"project": project, "limit": asked, "offset": offset + len(found)}
            part = self._wire.send("GET", "sessions", query=query)["sessions"]
            found += [session_of(one) for one in part]
            if limit is not None or len(part) < PAGE:
                return found

    def move(self, id: str, *, project: str | None) -> Session:
        """Moves a session into a project, or with None back to the shared pool."""
        return session_of(self._wire.send("PATCH", f"sessions/{part_of(id)}", {"project": project}))

    def rename(self, id: str, name: str) -> Session:
        """Gives a session a name for people."""
        return session_of(self._wire.send("PATCH", f"sessions/{part_of(id)}", {"name": name}))

    def delete(self, id: str) -> int:
        """Erases a session with its messages and episodes. Returns how many went."""
        return int(self._wire.send("DELETE", f"sessions/{part_of(id)}")["memories"])


class ClientSources:
    """Import batches of the user: where memories came from."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

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
        return source_of(self._wire.send("POST", "sources", given(locals())))

    def list(self) -> Sequence[Source]:
        """All sources, oldest first."""
        return [source_of(one) for one in self._wire.send("GET", "sources")["sources"]]

    def delete(self, id: str, *, hard: bool = False) -> int:
        """Removes a source and forgets, or with `hard` erases, the evidence that came from it."""
        return int(self._wire.send("DELETE", f"sources/{part_of(id)}", query={"hard": hard})["memories"])


class ClientEntities:
    """The entity graph. An entity is given by its id, or by its name in a place."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

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
        """The entity with this name and type: made, or the one that is known (S0.26). See
        `Memory.entities.create`."""
        return self._wire.kept("entities", given(locals()))

    def get(
        self,
        entity: str,
        *,
        type: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
    ) -> Entity:
        """One entity with what is known of it. Raises NotFound, Conflict."""
        query = given(locals(), without=("entity",))
        return entity_of(self._wire.send("GET", f"entities/{part_of(entity)}", query=query))

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
        """Entities of a place with what is known of them, newest first, page by page."""
        told = self._wire.send("GET", "entities", query=given(locals()))
        return EntityPage(tuple(entity_of(one) for one in told["entities"]), told["cursor"])

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
        """The entities that answer a question best, best first (S0.36)."""
        told = self._wire.send("POST", "entities/search", given(locals()))
        return tuple(entity_of(one) for one in told["entities"])

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
        """Keeps what is known of an entity, one outcome for each text. At most 1,000 at once."""
        _check_texts(texts)
        body = given(locals(), without=("entity",))
        told = self._wire.send("POST", f"entities/{part_of(entity)}/observe", body)
        return [kept_of(one) for one in told["results"]]

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
        """Takes observations out of sight by their texts, or with `hard` erases them. Returns how many."""
        _check_texts(texts)
        body = given(locals(), without=("entity",))
        return int(self._wire.send("POST", f"entities/{part_of(entity)}/unobserve", body)["memories"])

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
        """Keeps how one entity stands to another, as in ("Ada", "works_at", "Acme")."""
        return self._wire.kept("entities/relate", given(locals()))

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
        """Takes a relation out of sight, or with `hard` erases it. Returns how many."""
        return int(self._wire.send("POST", "entities/unrelate", given(locals()))["memories"])

    def neighbourhood(
        self,
        entities: str | Sequence[str],
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        limit: int = 50,
    ) -> Graph:
        """Entities with all that stand one relation away, and these relations (S0.36, S0.41)."""
        return graph_of(self._wire.send("POST", "entities/neighbourhood", given(locals())))

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
        """Takes an entity out of sight with all that speaks of it, or with `hard` erases both."""
        query = given(locals(), without=("entity",))
        self._wire.send("DELETE", f"entities/{part_of(entity)}", query=query)


class ClientAudit:
    """The hash-chained record of who did what."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def verify(self) -> int:
        """Checks the whole chain; returns the number of events. Raises Damaged."""
        return int(self._wire.send("GET", "audit/verify")["events"])

    def list(self, *, after: int = 0, limit: int | None = 100) -> Sequence[Event]:
        """Events in their order."""
        found: builtins.list[Event] = []
        while True:
            query = {"after": after, "limit": PAGE if limit is None else limit}
            part = self._wire.send("GET", "audit/events", query=query)["events"]
            found += [event_of(one) for one in part]
            if limit is not None or len(part) < PAGE:
                return found
            after = found[-1].sequence

    def __iter__(self) -> Iterator[Event]:
        return iter(self.list(limit=None))


def _check_texts(texts: object) -> None:
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise InvalidInput("observations are a list of texts", code="argument_invalid")
