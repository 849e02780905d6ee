"""Hits: recalled memories with score, explanation and citation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import StrEnum
from typing import overload

from holdfast.core.quotations import OtherBelief
from holdfast.core.record import Memory
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Plain, wire


@value_class
class Hit(Plain):
    """A recalled memory.

    `why` holds each signal's share of `score`; `citation` is `[M1]`, `[M2]`, …; `passage` is the part of a
    long text that matched best. `confidence` and `similarity` compare between questions, as the
    score does not.
    """

    memory: Memory
    score: float = field(metadata=wire(digits=6))
    citation: str
    why: dict[str, float] = field(default_factory=dict, metadata=wire(digits=6))
    passage: str = ""
    conversation: str | None = field(
        default=None, metadata=wire(about="The title of the conversation that it is from.")
    )
    confidence: float = field(
        default=0.0, metadata=wire(digits=3, about="How likely it answers the question, from 0 to 1.")
    )
    similarity: float | None = field(
        default=None,
        metadata=wire(digits=3, about="(cosine + 1) / 2 of its vector and the question's; null without one."),
    )
    before: tuple[Memory, ...] = field(
        default=(), metadata=wire(about="What was said just before it in its conversation, with `around`.")
    )
    after: tuple[Memory, ...] = field(default=(), metadata=wire(about="What was said just after it."))
    contradicted_by: tuple[OtherBelief, ...] = field(
        default=(), metadata=wire(about="What says otherwise, with its source and time, newest first.")
    )

    @property
    def stale(self) -> str | None:
        """Returns what changed in the file that the memory is about; None if no change is known."""
        return self.memory.stale


@value_class
class Citation(Plain):
    """A citation of an earlier context, `[M1]`, `[M2]`, …, and its memory, as it is now."""

    citation: str
    memory: Memory


class Missed(StrEnum):
    """The reason why a memory that was found is no hit."""

    RANK = "rank"
    """Better ones filled the limit."""
    CONFIDENCE = "confidence"
    """It hardly answers."""
    REPEATED = "repeated"
    """A better hit says the same."""
    DELIVERED = "delivered"
    """The session was given it before."""


@value_class
class NearMiss(Plain):
    """A memory that was found and just missed, with the reason."""

    memory: Memory
    score: float = field(metadata=wire(digits=6))
    confidence: float = field(metadata=wire(digits=3))
    missed: Missed = field(
        metadata=wire(about="rank (beyond the limit), confidence, repeated, or delivered before.")
    )
    why: dict[str, float] = field(default_factory=dict, metadata=wire(digits=6))
    passage: str = ""
    conversation: str | None = None


@value_class
class Hits(Plain, Sequence[Hit]):
    """The result of `recall`, best first.

    `degraded` gives the reason if less than the full search was possible (an embedder that failed), else
    None. `searched` counts the memories of the view. `withheld` are the ids of memories left out because the
    session was given them before. `confidence` is the chance that something in the view answers, also if the
    hit itself is left out. `near_misses` are the best that were found beside the hits, if asked for.
    """

    items: tuple[Hit, ...] = field(metadata=wire(name="hits"))
    searched: int = field(default=0, metadata=wire(about="How many memories were looked through."))
    degraded: str | None = field(default=None, metadata=wire(about="Why less than the full search was done."))
    withheld: tuple[str, ...] = field(
        default=(), metadata=wire(about="Ids that the session was given before; without `repeat` only.")
    )
    confidence: float = field(
        default=0.0,
        metadata=wire(digits=3, about="How likely something in the view answers the question, from 0 to 1."),
    )
    near_misses: tuple[NearMiss, ...] = field(
        default=(), metadata=wire(about="What was found and just missed, best first; with `near`.")
    )

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Hit]: ...
    def __getitem__(self, index: int | slice) -> Hit | Sequence[Hit]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.items)
