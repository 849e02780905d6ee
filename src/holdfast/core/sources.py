"""Sources of imported memories (S2.4). Provenance only, never a filter (S2.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from holdfast.core.wire import Millis, Plain, wire


@dataclass(frozen=True, slots=True)
class Source(Plain):
    """One import of one owner, the same for the same content: `digest` is that of the file, by the key of
    the store."""

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


@dataclass(frozen=True, slots=True)
class SourceMoved(Plain):
    """The result of moving all that came from a source: conversations with their messages, and knowledge.

    `left` counts memories that could not be moved, by the code of the reason.
    """

    sessions: int = 0
    memories: int = 0
    left: dict[str, int] = field(default_factory=dict)
