"""What a chat export holds once it is read: conversations of messages, and what was left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

PLATFORMS = ("chatgpt", "claude", "gemini", "generic", "text")
"""Where an export can come from. Provenance only: it is never a filter on memories (S2.5)."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message that a person could read in the chat.

    `role` is user, assistant, system or unknown (S2.22). `name` is the author's name, or the label
    that stands behind an unknown role. `at` is UTC epoch milliseconds, or None where the export does
    not say. `id` is unique within the conversation and the same every time the export is read: the
    export's own id, or else a hash of the conversation, role, time and text.
    """

    role: str
    content: str
    name: str | None
    at: int | None
    id: str
    index: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """One chat, in the order in which it was read on the screen; `created_at` is UTC epoch milliseconds."""

    id: str
    title: str | None
    messages: tuple[ChatMessage, ...]
    created_at: int | None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Items of one place in the export that were left out for one reason (S2.20).

    `where` names the conversation, the line or the file; `count` is how many items.
    """

    where: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class ChatExport:
    """All of one export. `sha256` is that of the file as it was given (S2.4)."""

    platform: str
    sha256: str
    conversations: tuple[Conversation, ...]
    skipped: tuple[Skipped, ...]

    @property
    def message_count(self) -> int:
        return sum(len(conversation.messages) for conversation in self.conversations)

    @property
    def skipped_count(self) -> int:
        return sum(skipped.count for skipped in self.skipped)


@dataclass(frozen=True, slots=True)
class Draft:
    """A message as a format gives it, before repeats are dropped and a missing id is made."""

    role: str
    content: str
    name: str | None = None
    at: int | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation as a format gives it; its reader fills `drafts`."""

    id: str | None = None
    title: str | None = None
    created_at: int | None = None
    drafts: list[Draft] = field(default_factory=list)

    @property
    def label(self) -> str:
        """How a skipped item of this conversation is located."""
        return self.id or self.title or "conversation without a title"


Skip = Callable[[str, str], None]
"""Called with where and why for every item that a format cannot use."""
