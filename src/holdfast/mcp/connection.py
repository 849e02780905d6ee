"""The connection to a client: its place, and the memory, opened by the first call that needs it."""

from __future__ import annotations

import os.path
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from holdfast.core.errors import HoldfastError, NotFound, Refusal
from holdfast.core.kinds import AGENT_SESSION_LIMIT
from holdfast.mcp.tools import ClientContext

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.stores.base.ports import Clock


STORING = frozenset({"remember", "record_gotcha"})
"""The tools that store new memories."""
STORED = frozenset({"created", "redacted", "pending", "superseded"})
"""Outcomes of what is stored as a new memory."""


WINDOW = 3_600_000
"""Milliseconds in which clients that have no session store as much as an agent in one."""


class Room:
    """The number of memories that callers stored without a named session: each at most as many as an agent in
    a session, with `window` in any so many milliseconds, else for good."""

    def __init__(self, clock: Clock = lambda: 0, window: int | None = None) -> None:
        self._clock = clock
        self._window = window
        self._lock = threading.Lock()
        self._times: dict[object, list[int]] = {}

    def take(self, caller: object) -> None:
        """Reserves room for one memory. Raises Refusal `session_limit`."""
        now = self._clock()
        with self._lock:
            if self._window is not None:
                since = now - self._window
                recent = {key: [at for at in times if at > since] for key, times in self._times.items()}
                self._times = {key: times for key, times in recent.items() if times}
            times = self._times.setdefault(caller, [])
            if len(times) >= AGENT_SESSION_LIMIT:
                when = "in the session" if self._window is None else "in the last hour, without a session"
                raise Refusal(
                    f"this agent has already stored {AGENT_SESSION_LIMIT} memories {when}",
                    code="session_limit",
                )
            times.append(now)

    def give_back(self, caller: object) -> None:
        """Returns the room of a memory that was not stored."""
        with self._lock:
            if times := self._times.get(caller):
                times.pop()


class Connection:
    """A connection that opens the memory once, whichever thread asks first.

    Listing tools needs no store. If the store cannot be opened, the call fails and the next one tries again.

    `client` holds the project and session of the command line. With `asks_roots`, and no project on the
    command line, the client's place is used: a client that lists its folders is in the project of the first
    of them, or in one of the same name; another client is in that of the server's working directory, by the
    rule of the command line (`checkout.project_at`), or in none. `choice` identifies the chosen store: if it
    changes, as by `holdfast login`, the memory is reopened. `room` is what may be stored without a named
    session, by default as much as in one session.
    """

    def __init__(
        self,
        opener: Callable[[], Memory],
        client: ClientContext,
        *,
        asks_roots: bool,
        choice: Callable[[], object] = lambda: None,
        room: Room | None = None,
    ) -> None:
        self._open = opener
        self._choice = choice
        self._current: object = None
        self._lock = threading.Lock()
        self._memory: Memory | None = None
        self._flags = client
        self._asks_roots = asks_roots and client.project is None
        self._room = room or Room()
        self._caller: object = None
        self.client = client
        self.is_placed = not self._asks_roots

    @property
    def place_note(self) -> str:
        """Returns the sentence that tells a model its place, before any store is opened."""
        if self._asks_roots:
            return "You are in the project of your working folder, if it has one."
        return f"You are in {self._flags.describe({})}."

    def visible_error(self, error: HoldfastError) -> HoldfastError:
        """Returns an error as this client sees it: whole, since it opened the store itself."""
        return error

    def memory(self) -> Memory:
        """Returns the opened memory. Raises StoreError."""
        with self._lock:
            chosen = self._choice()
            if self._memory is not None and chosen != self._current:
                self._memory.close()
                self._memory = None
            if self._memory is None:
                self._memory = self._open()
                if not self._memory.is_remote:
                    self._memory._service.interface = "mcp"
                self._current = chosen
            return self._memory

    def allow(self, operations: Iterable[str]) -> None:
        """Raises AccessDenied if one of these operations is not allowed.

        A server of one's own allows everything, as with the file itself.
        """

    @contextmanager
    def room_for(self, tool: str) -> Iterator[list[Mapping[str, Any]]]:
        """Holds room for what a call stores, which adds its result to the list that it gets. Raises Refusal
        `session_limit` if the client stored as much as an agent may in a session. One with a named session is
        counted there, whatever its connections."""
        if tool not in STORING or self.client.session is not None:
            yield []
            return
        self._room.take(self._caller)
        results: list[Mapping[str, Any]] = []
        try:
            yield results
        finally:
            if not any(result.get("outcome") in STORED for result in results):
                self._room.give_back(self._caller)

    def close(self) -> None:
        """Closes the memory if it is open."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()
                self._memory = None

    def set_roots(self, roots: Sequence[str]) -> None:
        """Sets the folders that the client works in, by their URIs; none if it lists none."""
        folder = self._folder(roots)
        project = None if folder is None else self._project_of_folder(folder, is_listed=bool(roots))
        self.client = replace(
            self._flags, project=project, folder=None if folder is None else os.path.realpath(folder)
        )
        self.is_placed = True

    def _folder(self, roots: Sequence[str]) -> Path | None:
        """Returns the first root, else the server's working directory, or None if it was removed or
        is the name of no folder."""
        try:
            folder = Path(_path_of(roots[0]) or "/") if roots else Path.cwd()
            os.path.realpath(folder)
        except (OSError, ValueError):  # a ValueError for a null byte
            return None
        return folder

    def _project_of_folder(self, folder: Path, *, is_listed: bool) -> str | None:
        """Returns the project of the client's folder, or None; a new one for a folder that it has listed.

        An existing session determines the project itself.
        """
        from holdfast.api.checkout import is_home, new_project, project_at

        try:
            memory = self.memory()
            if self._flags.session is not None and _has_session(memory, self._flags.session):
                return None
            project = project_at(memory, folder)
            if project is None and is_listed and not is_home(folder):
                project = new_project(memory, folder)
        except (HoldfastError, OSError):  # the calling operation fails in the same way and reports it
            return None
        return project

    def forget_roots(self) -> None:
        """Forgets the client's folders after a change, so that the next call asks again."""
        self.is_placed = not self._asks_roots


def _has_session(memory: Memory, id: str) -> bool:
    """Returns whether a session is stored already; if so, it determines the project."""
    try:
        memory.sessions.get(id)
    except NotFound:
        return False
    return True


def _path_of(uri: str) -> str:
    return unquote(urlsplit(uri).path).rstrip("/")
