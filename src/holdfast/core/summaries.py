"""Summaries of conversations and projects: which messages stand for the others, by reference."""

from __future__ import annotations

from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain


@value_class
class Quotation:
    """A part of one version of a message. It holds no text, so that none outlives the message."""

    id: str
    version: int
    start: int
    end: int


@value_class
class SummaryRow:
    """One stored row of the rolling summary of a conversation: the messages after the row before, up to that
    of the cursor `last`, and the quotations that represent them, chosen by rules or a `model`."""

    last: str
    messages: int
    since: int
    until: int
    quotations: tuple[Quotation, ...]
    model: str | None = None


@value_class
class SummaryLine(Plain):
    """One line of a summary: what somebody said, word for word, and the message that says it."""

    id: str
    at: Millis
    said_by: str
    text: str


@value_class
class SummaryPart(Plain):
    """The summary of a part of a conversation, from its first message to its last; `model` chose the lines,
    None: rules did."""

    since: Millis
    until: Millis
    messages: int
    lines: tuple[SummaryLine, ...]
    model: str | None = None


@value_class
class SessionSummary(Plain):
    """The summary of a conversation: its parts in their order, the number of messages that they cover, and
    how many more wait for the next call."""

    session: str
    name: str | None
    project: str | None
    updated_at: Millis
    messages: int
    left: int
    parts: tuple[SummaryPart, ...]


@value_class
class ProjectSummary(Plain):
    """The overview of a project: the number of the user's conversations in it, and a short summary of each of
    the latest."""

    project: str
    conversations: int
    sessions: tuple[SessionSummary, ...]
