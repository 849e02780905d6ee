"""The parts of `Client`: projects, sessions, sources, audit, with the signatures of `holdfast.parts`."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.client_wire import Wire, event_of, given, part_of, project_of, session_of, source_of
from holdfast.domain.events import Event
from holdfast.domain.projects import Project, Session
from holdfast.domain.sources import Source

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
