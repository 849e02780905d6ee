"""API keys as a store holds them, and the protocol of their storage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, Protocol

from holdfast.core.places import Role
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, wire

API, SESSION = "api", "session"
"""What a key is for: calls of programs, or the session of a browser, whose cookie is no API key."""


@value_class
class Key(Plain):
    """One key without its secret: its user and permissions. Times are UTC epoch milliseconds. A session has a
    `parent`, the name of the credential that opened it."""

    id: str
    digest: str = field(metadata=wire(hidden=True, absent=""))
    user: str
    role: Role
    created_at: Millis
    name: str | None = None
    agent: str | None = None
    projects: tuple[str, ...] | None = None
    write: bool = True
    expires_at: Millis | None = None
    revoked_at: Millis | None = None
    purpose: str = field(default=API, metadata=wire(hidden=True, absent=API))
    parent: str | None = field(default=None, metadata=wire(hidden=True, absent=None))


class KeyRing(Protocol):
    """Storage for the keys of one tenant. Changes are made only inside a transaction of its store, so
    that several processes do not overwrite each other.
    """

    def all(self) -> Sequence[Key]:
        """Returns all keys, oldest first, including the latest changes of other processes."""

    def put(self, key: Key) -> None:
        """Adds a key, or replaces the one with its id; durable on return."""

    def drop(self, id: str) -> None:
        """Removes a key, if there is one; durable on return."""


class MemoryKeys:
    """API keys in memory, for the lifetime of the process."""

    def __init__(self) -> None:
        self._keys: dict[str, Key] = {}

    def all(self) -> Sequence[Key]:
        return sorted(self._keys.values(), key=lambda key: (key.created_at, key.id))

    def put(self, key: Key) -> None:
        self._keys[key.id] = key

    def drop(self, id: str) -> None:
        self._keys.pop(id, None)


def key_of(values: dict[str, Any]) -> Key:
    """Returns a key from its JSON. Raises KeyError, TypeError, ValueError."""
    projects = values["projects"]
    role = Role(values["role"])
    return Key(**{**values, "role": role, "projects": None if projects is None else tuple(projects)})
