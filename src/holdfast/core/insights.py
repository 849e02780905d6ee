"""Insights of conversations: what was found, decided or corrected on one topic, and who said it where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from holdfast.core.record import Memory
from holdfast.core.wire import Plain, wire

INSIGHT = "chat_insight"
"""The kind of an insight. Its title is its topic, and its text the statements that hold."""
STATEMENTS_MAX = 24
"""Most statements of one insight, corrected ones included."""
CONCEPTS_MAX = 5
"""Most concepts of one insight, those of its latest statements first."""


class Knowledge(StrEnum):
    """The sorts of knowledge that a statement of a conversation may be (S3.28)."""

    INSIGHT = "insight"
    DECISION = "decision"
    PATTERN = "pattern"
    SOLUTION = "solution"


@dataclass(frozen=True, slots=True)
class InsightStatement:
    """A statement of an insight: its words, the topic that they name, and the message that says it.

    `message` is None for what a person wrote into the insight. `since` is the version with which it came;
    `corrected` is the text of the statement that took its place; `concepts` are what it relates its topic to.
    """

    text: str
    topic: str
    type: str = Knowledge.INSIGHT.value
    message: str | None = None
    version: int = 1
    by: str = ""
    at: int = 0
    since: int = 1
    corrected: str | None = None
    concepts: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str | None]:
        """Returns what makes it the same statement: its words and its message."""
        return self.text, self.message


def said_in(memory: Memory) -> list[InsightStatement]:
    """Returns the statements of an insight, oldest first. If a person has edited it, its text is one of them,
    and the others are known as said but no longer part of it."""
    statements = [
        _read(statement) for statement in memory.evidence.get("statements", ()) if isinstance(statement, dict)
    ]
    if statements and text_of(statements) == memory.text:
        return statements
    own = InsightStatement(
        memory.text, memory.title or "", by=memory.place.owner, at=memory.at, since=memory.version
    )
    return [own]


def sources_of(memory: Memory) -> frozenset[str]:
    """Returns the ids of all messages that an insight names."""
    statements = memory.evidence.get("statements", ())
    named = {
        str(statement["message"])
        for statement in statements
        if isinstance(statement, dict) and statement.get("message")
    }
    return frozenset(named | set(memory.evidence.get("before", ())))


def parts_of(statements: Sequence[InsightStatement], before: Iterable[str] = ()) -> dict[str, Any]:
    """Returns text, metadata and evidence of an insight. `before` are messages that it quoted
    before."""
    listed = [
        {
            name: value
            for name in InsightStatement.__slots__
            if (value := getattr(statement, name)) not in (None, ())
        }
        for statement in statements
    ]
    sources = {statement.message for statement in statements if statement.message}
    corrections = sum(statement.corrected is not None for statement in statements)
    metadata: dict[str, Any] = {"knowledge_type": statements[-1].type, "messages": len(sources)}
    metadata |= {"concepts": concepts} if (concepts := _concepts_of(statements)) else {}
    left = sorted(set(before) - sources)
    return {
        "text": text_of(statements),
        "metadata": metadata | ({"corrections": corrections} if corrections else {}),
        "evidence": {"statements": listed} | ({"before": left} if left else {}),
    }


def text_of(statements: Sequence[InsightStatement]) -> str:
    """Returns the statements that hold, one a line, each with what it corrects."""
    present = {statement.text for statement in statements}
    lines = []
    for statement in statements:
        if statement.corrected in present:
            continue
        was = dict.fromkeys(old.text for old in statements if old.corrected == statement.text)
        line = f"{statement.text} (corrected; before: {' / '.join(was)})" if was else statement.text
        if line not in lines:
            lines.append(line)
    return "\n".join(lines)


def _concepts_of(statements: Sequence[InsightStatement]) -> list[str]:
    """Returns the concepts of the statements that hold, latest first, each once."""
    present = {statement.text for statement in statements}
    concepts = {
        name.lower(): name
        for statement in reversed(statements)
        if statement.corrected not in present
        for name in statement.concepts
    }
    return list(concepts.values())[:CONCEPTS_MAX]


def _read(value: dict[str, Any]) -> InsightStatement:
    fields = {name: value[name] for name in InsightStatement.__slots__ if name in value}
    return InsightStatement(**{**fields, "concepts": tuple(fields.get("concepts", ()))})


@dataclass(frozen=True, slots=True)
class InsightChange(Plain):
    """The outcome for the statements of a conversation on one topic. `memory` is None if there is none."""

    action: str = field(
        metadata=wire(
            about="`created`, `merged`, `corrected`, `proposed`, `forgotten`, `rejected`, `full` or"
            " `refused`."
        )
    )
    topic: str
    text: str = field(metadata=wire(about="What was said."))
    memory: str | None = None
    why: str | None = field(default=None, metadata=wire(about="What a merge rests on, or why not."))


@dataclass(frozen=True, slots=True)
class Insights(Plain):
    """The result of gathering the insights of a conversation: messages read, its quality, what changed, and
    how many statements were known already. With `dry_run` nothing was stored."""

    messages: int
    quality: str
    changes: tuple[InsightChange, ...] = ()
    known: int = 0
    dry_run: bool = False
