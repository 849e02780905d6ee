"""Projects and sessions, the boundaries of conversation memory (S0.1, S0.2)."""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum
from typing import Any

from holdfast.core.places import Visibility
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, wire

TEXTS = ("description", "colour", "icon", "notes", "system_prompt")
"""The settings of a project that are text (S0.2)."""
PROJECT_DELETED = "project deleted"
"""The reason of what was forgotten with its project."""


class ProjectState(StrEnum):
    """The state of a project: what is in a closed one is neither recalled nor listed, for nobody."""

    ACTIVE = "active"
    OFF = "off"
    """Memory is switched off in it: nothing is read and nothing is kept (S4.63)."""
    ARCHIVED = "archived"
    """Put away until it is unarchived; not listed either (S1.51)."""


@value_class
class Project(Plain):
    """An isolated place for sessions and memories. Its name is known to the whole tenant, and its settings
    are too, unless its visibility is private: then only its owner sees them. One that was created where users
    share nothing is its owner's alone, with its name.

    `number` is internal. Isolation cannot be switched off. `visibility` is that of what is kept in it without
    one of its own; None leaves it to who keeps it. `purge_at` is when an archived one is purged, None for
    never. `owner` is who created it: the settings are theirs. `listed` is false once the project was deleted:
    it is then visible only to those who can still see something in it. `space` is the user whose name it is,
    empty for a name of everybody.
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
    owner: str | None = field(default=None, metadata=wire(about="Who created it and owns its settings."))
    space: str = field(default="", metadata=wire(hidden=True))

    def seen_by(self, user: str, *, shares: bool = True) -> Project:
        """Returns the project as a user may see it: without its settings if these are private to another, and
        without its owner and settings where users share nothing."""
        if self.owner in (None, user) or (shares and self.visibility is not Visibility.PRIVATE):
            return self
        if not shares:
            return replace(self, owner=None, visibility=None, **dict.fromkeys(TEXTS))  # type: ignore[arg-type]
        return replace(self, **dict.fromkeys(TEXTS))  # type: ignore[arg-type]


@value_class
class Removed(Project):
    """A project that was removed, with the number of the caller's sessions that moved to the shared pool, and
    of their other memories that were forgotten with it."""

    sessions: int = 0
    memories: int = 0


@value_class
class Reopened(Project):
    """A project that was restored after it was deleted, with the number of the caller's sessions and memories
    that are back in it, and of those memories that are not, since the same was kept again meanwhile, or what
    they are about is gone."""

    sessions: int = 0
    memories: int = 0
    left_out: int = 0


@value_class
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
