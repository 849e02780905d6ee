"""The desk of a server: the memory, opened by the first call that needs it, and where the client is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from holdfast.domain.errors import HoldfastError, InvalidInput
from holdfast.domain.places import usable_name
from holdfast.mcp.tools import Here

if TYPE_CHECKING:
    from holdfast.memory import Memory


class Desk:
    """Opens the memory once, whichever thread asks first: listing tools needs no store, and a store that
    cannot be opened is an error of the call, which is tried again with the next one.

    `here` holds the project and session of the flags. With `asks_roots` a client that names the folders it
    works in, and no project by flag, is in the project that the first of them is indexed for, else the one
    called like it. `choice` tells which store is meant: where that changes, as by `holdfast login`, the
    memory is opened anew (S4.49).
    """

    def __init__(
        self,
        opener: Callable[[], Memory],
        here: Here,
        *,
        asks_roots: bool,
        choice: Callable[[], object] = lambda: None,
    ) -> None:
        self._open = opener
        self._choice = choice
        self._chosen: object = None
        self._lock = threading.Lock()
        self._memory: Memory | None = None
        self._flags = here
        self._asks_roots = asks_roots and here == Here()
        self.here = here
        self.is_placed = not self._asks_roots

    def memory(self) -> Memory:
        """The opened memory. Raises StoreError."""
        with self._lock:
            chosen = self._choice()
            if self._memory is not None and chosen != self._chosen:
                self._memory.close()
                self._memory = None
            if self._memory is None:
                self._memory = self._open()
                self._chosen = chosen
            return self._memory

    def allow(self, operations: Iterable[str]) -> None:
        """Raises AccessDenied if one of these is not allowed here. Whoever started a server of their own may
        do with it what they may do with their file."""

    def close(self) -> None:
        """Closes the memory if it was opened."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()
                self._memory = None

    def place(self, roots: Iterable[str]) -> None:
        """Takes the folders that a client works in."""
        found = list(roots)
        name = self._indexed_for(found) or project_of(found)
        self.here = Here(name, None) if name else self._flags
        self.is_placed = True

    def _indexed_for(self, roots: Sequence[str]) -> str | None:
        """The one project that the first root is indexed for; None without, or if it cannot be told."""
        from holdfast.engine.naming import projects_at

        try:
            names = [projects_at(self.memory()._service, _path_of(uri)) for uri in roots[:1]]
        except HoldfastError:  # the call that asked for it meets the same, and tells it
            return None
        return names[0][0] if names and len(names[0]) == 1 else None

    def leave(self) -> None:
        """The client's folders have changed: the next call asks again."""
        self.is_placed = not self._asks_roots


def _path_of(uri: str) -> str:
    return unquote(urlsplit(uri).path).rstrip("/")


def project_of(roots: Iterable[str]) -> str | None:
    """The project of the first root: the name of its folder, if that can be one."""
    for uri in roots:
        folder = _path_of(uri).rpartition("/")[2]
        try:
            return usable_name(folder, "project")
        except InvalidInput:
            return None
    return None
