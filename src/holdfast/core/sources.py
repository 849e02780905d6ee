"""Sources of imported memories (S2.4). Provenance only, never a filter (S2.5)."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from holdfast.core.places import Place, Pool, Visibility
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, wire

TRANSCRIPT = "transcript"
"""The platform of the sources that record how far the log of a session was read."""
DISCOVERY = "discovery"
"""The metadata of such a source that says how far the session had to look."""


@value_class
class Source(Plain):
    """One import of one owner, the same for the same content: `digest` is that of the file, by the key of
    the store.

    Or a file, database or the like whose content is described: `digest` is then that of its name, and
    `visibility` is set. Its descriptions are in a pool of their own, in `project` (a number), which only the
    owner and `members` read if there are any. `sequence` is the number of the last payload, `applied` that of
    the last one that was applied to its end, and `run` the digest of the last.
    """

    id: str
    owner: str = field(metadata=wire(hidden=True, absent=""))
    platform: str
    digest: str
    ingested_at: Millis
    filename: str | None = None
    message_count: int = field(default=0, metadata=wire(name="messages"))
    conversation_count: int = field(default=0, metadata=wire(name="conversations"))
    metadata: dict[str, Any] = field(default_factory=dict)
    deleted_at: int | None = field(default=None, metadata=wire(hidden=True))
    """Time of removal; the record stays while memories from it can be restored."""
    visibility: Visibility | None = field(default=None, metadata=wire(hidden=True))
    project: int | None = field(default=None, metadata=wire(hidden=True))
    members: tuple[str, ...] | None = field(default=None, metadata=wire(hidden=True))
    sequence: int = field(default=0, metadata=wire(hidden=True))
    applied: int = field(default=0, metadata=wire(hidden=True))
    run: str | None = field(default=None, metadata=wire(hidden=True))

    @property
    def place(self) -> Place:
        """Returns the place of the descriptions of its content."""
        return Place(self.owner, self.visibility or Visibility.PRIVATE, project=self.project, source=self.id)

    @property
    def pool(self) -> Pool:
        """Returns the pool of the descriptions of its content."""
        return self.place.pool("file_summary")

    @property
    def readers(self) -> frozenset[str] | None:
        """Returns the users who may read what it holds; None if it limits nobody."""
        return None if self.members is None else frozenset({self.owner, *self.members})


@value_class
class SourceMoved(Plain):
    """The result of moving all that came from a source: conversations with their messages, and knowledge.

    `left` counts memories that could not be moved, by the code of the reason.
    """

    sessions: int = 0
    memories: int = 0
    left: dict[str, int] = field(default_factory=dict)
