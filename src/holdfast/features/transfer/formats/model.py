"""Items of an import: conversations, notes, entities, relations, and skipped items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

PLATFORMS = ("chatgpt", "claude", "gemini", "messages", "text")
"""The platforms of chat exports. Provenance only: never a filter on memories (S2.5)."""


MESSAGE, ATTACHMENT, PART = "message", "attachment", "part"
CONVERSATION, FILE, ITEM = "conversation", "file", "item"
"""What an import counts, beside the types of knowledge: a part is a piece of a message that is no text."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message that was visible in the chat, or the text of a file that was attached to one.

    `role` is user, assistant, system or unknown (S2.22). `name` is the author's name, or the label of an
    unknown role. `at` is UTC epoch milliseconds, or None if the export does not say. `id` is unique within
    the conversation and the same every time the export is read: the export's own id, or else a hash of the
    conversation, role, time and text.
    """

    role: str
    content: str
    name: str | None
    at: int | None
    id: str
    index: int
    item_type: str = MESSAGE
    attached: tuple[str, ...] = ()
    """Names of the files that were attached to it."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One chat, in the order of the screen. `project` is the name of the project of the other program that it
    belongs to. `updated_at` says which of two exports of it is the newer one, None if the format does not
    tell; `replaced` holds the ids of its messages that are not on the screen, because a later version of them
    is. Times are UTC epoch milliseconds.
    """

    id: str
    title: str | None
    messages: tuple[ChatMessage, ...]
    created_at: int | None
    project: str | None = None
    updated_at: int | None = None
    replaced: tuple[str, ...] = ()

    @property
    def ended_at(self) -> int | None:
        """Returns the time of the last message, or when it was created if no message has one."""
        return max(
            (message.at for message in self.messages if message.at is not None), default=self.created_at
        )


@dataclass(frozen=True, slots=True)
class Skipped:
    """Items of one place in the export that were skipped for one reason (S2.20).

    `where` is the conversation, the line or the file; `count` is the number of items, `item_type` their type.
    """

    where: str
    reason: str
    count: int
    item_type: str = MESSAGE


REST = "the rest after item"
"""Prefix of the reason why a file was not read to its end."""


NOT_TEXT = "not Markdown or text; `holdfast folders add` reads PDF and Word"
"""Why a file among notes is left out."""


UNCLOSED = "a block marked private is never closed"
"""Prefix of the reason why the rest of a text was left out."""


def unclosed_reason(characters: int) -> str:
    """Returns the reason with the number of characters left out."""
    return f"{UNCLOSED}: its last {characters:,} characters were left out"


@dataclass(frozen=True, slots=True)
class Draft:
    """A message as read from a format, before repeats are dropped and missing ids are generated."""

    role: str
    content: str
    name: str | None = None
    at: int | None = None
    id: str | None = None
    item_type: str = MESSAGE
    attached: tuple[str, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    """Its attachments and other parts that are no text: the type of each, and why it is not taken."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation as read from a format; the reader fills `drafts` and `replaced`."""

    id: str | None = None
    title: str | None = None
    created_at: int | None = None
    drafts: list[Draft] = field(default_factory=list)
    project: str | None = None
    updated_at: int | None = None
    replaced: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """Returns the place of skipped items of this conversation."""
        return self.id or self.title or "conversation without a title"


class Skip(Protocol):
    """The form of a function that counts an item which a format cannot use, by place, reason and type."""

    def __call__(self, where: str, reason: str, item_type: str = ..., /) -> None: ...


class Rows(Protocol):
    """The form of a function that yields the rows of a table in the order of writing."""

    def __call__(self, table: str, /, *, newest_first: bool = ...) -> Iterator[dict[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Note:
    """A statement held to be true. `id` is the same every time it is read; `at` is UTC epoch milliseconds.

    `item_type` is its type in the report; `project` is the name of the project that it belongs to.
    `changed_at` is when its file was changed. `user` is who it is about, if the other program has several
    users.
    """

    text: str
    id: str
    kind: str = "note"
    title: str | None = None
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    at: int | None = None
    item_type: str = "note"
    project: str | None = None
    changed_at: int | None = None
    scope: tuple[str, str] | None = None
    expires_at: int | None = None
    user: str | None = None


@dataclass(frozen=True, slots=True)
class ForeignProject:
    """A project of another program; its documents and conversations name it. `mark` is a part of the
    description by which the project is found again after it was renamed."""

    name: str
    description: str | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """One observation of an entity."""

    text: str
    tags: tuple[str, ...] = ()
    category: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedEntity:
    """An entity with its observations."""

    name: str
    type: str
    observations: tuple[Observed, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two entities, by name. With `make` a missing entity is created."""

    subject: str
    type: str
    target: str
    make: bool = False


Item = Conversation | Note | ForeignProject | ImportedEntity | Link | Mapping[str, Any]
"""The items of an import; a mapping is a record of Holdfast's own export."""


@dataclass(slots=True)
class Meter:
    """The progress of reading an export: `done` of `total` bytes or files. Who takes its items counts them in
    `items`; `items_done` is how many of them were in what is done.
    """

    total: int = 0
    done: int = 0
    items: int = 0
    items_done: int = 0

    def add(self, size: int) -> None:
        """Counts bytes or files whose items were taken."""
        self.done += size
        self.items_done = self.items

    @property
    def expected(self) -> int | None:
        """Returns the estimated number of all items; None as long as nothing is done."""
        if not self.items_done or not self.total:
            return None
        return max(self.items, round(self.items_done * self.total / self.done))
