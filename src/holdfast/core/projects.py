"""Projects and sessions, the boundaries of conversation memory (S0.1, S0.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, overload

from holdfast.core.certificates import Certificate
from holdfast.core.places import Visibility
from holdfast.core.wire import Millis, Plain, wire

PROJECT_DELETED = "project deleted"
"""The reason of what was forgotten with its project."""


class ProjectState(StrEnum):
    """The state of a project: what is in a closed one is neither recalled nor listed, for nobody."""

    ACTIVE = "active"
    OFF = "off"
    """Memory is switched off in it: nothing is read and nothing is kept (S4.63)."""
    ARCHIVED = "archived"
    """Put away until it is unarchived; not listed either (S1.51)."""


@dataclass(frozen=True, slots=True)
class Project(Plain):
    """An isolated place for sessions and memories; its names and settings are known to the whole tenant.

    `number` is internal. Isolation cannot be switched off. `visibility` is that of what is kept in it without
    one of its own; None leaves it to who keeps it. `purge_at` is when an archived one is purged, None for
    never. `listed` is false once the project was deleted: it is then visible only to those who can still see
    something in it.
    """

    name: str
    created_at: Millis
    updated_at: Millis
    number: int = field(default=0, metadata=wire(hidden=True))
    id: str = ""
    description: str | None = None
    colour: str | None = None
    icon: str | None = None
    notes: str | None = None
    system_prompt: str | None = None
    visibility: Visibility | None = None
    state: ProjectState = ProjectState.ACTIVE
    purge_at: Millis | None = None
    listed: bool = field(default=True, metadata=wire(hidden=True))


@dataclass(frozen=True, slots=True)
class Removed(Project):
    """A project that was removed, with the number of the caller's sessions that moved to the shared pool, and
    of their other memories that were forgotten with it."""

    sessions: int = 0
    memories: int = 0


@dataclass(frozen=True, slots=True)
class Reopened(Project):
    """A project that was restored after it was deleted, with the number of the caller's sessions and memories
    that are back in it, and of those memories that are not, since the same was kept again meanwhile, or what
    they are about is gone."""

    sessions: int = 0
    memories: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Share(Plain):
    """The share of one person in a project, in numbers: live memories and the entities among them, forgotten
    memories, conversations, and indexed folders that are in no other project."""

    owner: str
    memories: int = 0
    entities: int = 0
    forgotten: int = 0
    sessions: int = 0
    folders: int = 0


@dataclass(frozen=True, slots=True)
class Contents(Plain):
    """The shares in a project, by person: all for those who may purge it, else that of the caller, `user`."""

    project: str
    user: str
    shares: tuple[Share, ...]

    @property
    def total(self) -> Share:
        """Returns the sum of all shares."""
        names = ("memories", "entities", "forgotten", "sessions", "folders")
        return Share("", *(sum(getattr(one, name) for one in self.shares) for name in names))

    @property
    def own(self) -> Share:
        """Returns the share of the caller."""
        return next((one for one in self.shares if one.owner == self.user), Share(self.user))


@dataclass(frozen=True, slots=True)
class Purged(Plain):
    """The numbers of what was erased with a project, of everybody. `rows` counts versions of memories. The
    `certificate` can be checked later."""

    name: str
    memories: int
    sessions: int
    folders: int
    rows: int
    certificate: Certificate | None = None


@dataclass(frozen=True, slots=True)
class Moved(Plain):
    """The numbers of the caller's memories, without messages, and of conversations that moved."""

    project: str
    memories: int
    sessions: int


@dataclass(frozen=True, slots=True)
class Session(Plain):
    """One conversation of one owner. `external_id` is the caller's name for it, `number` is internal."""

    external_id: str = field(metadata=wire(name="id"))
    owner: str = field(metadata=wire(hidden=True, absent=""))
    created_at: Millis
    updated_at: Millis
    number: int = field(default=0, metadata=wire(hidden=True))
    name: str | None = None
    project_number: int | None = field(default=None, metadata=wire(hidden=True))
    project: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    message_count: int = field(default=0, metadata=wire(name="messages"))
    archived: bool = field(default=False, metadata=wire(about="What was said in it is not recalled."))


@dataclass(frozen=True, slots=True)
class SessionPage(Plain, Sequence[Session]):
    """One page of conversations, last changed first, and the cursor of the next (None: the last)."""

    sessions: tuple[Session, ...]
    cursor: str | None = None

    @overload
    def __getitem__(self, index: int) -> Session: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Session]: ...
    def __getitem__(self, index: int | slice) -> Session | Sequence[Session]:
        return self.sessions[index]

    def __len__(self) -> int:
        return len(self.sessions)

    def __iter__(self) -> Iterator[Session]:
        return iter(self.sessions)
