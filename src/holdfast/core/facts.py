"""Facts: statements about ranked lists and single preferences, and the values they result in."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.core.wire import Millis, Plain, computed, described, wire

if TYPE_CHECKING:
    from holdfast.core.hits import Hits

RANKED_MAX = 256
SINGLE_MAX = 1_000
"""Maximum number of characters of a value (S1.39)."""
RANK_MAX = 100
"""Highest rank that is read from a text."""
LAST = -1
"""The rank of the end of a list."""
UNREAD = "0"
"""The value of a reading that is still to be done."""


class Act(StrEnum):
    """The operation of a statement on the list or preference of its topic."""

    LIST = "list"
    """One item of a complete list: rank 1 starts the list again (S1.21)."""
    SET = "set"
    """Sets the value of one rank (S1.20)."""
    PLACE = "place"
    """Moves a value to a rank or inserts it there (S1.35)."""
    BEFORE = "before"
    """Moves a value before another or inserts it there."""
    AFTER = "after"
    """Moves a value after another or inserts it there."""
    ADD = "add"
    """Appends a value unless it is in the list (S1.35)."""
    REPLACE = "replace"
    """Puts a value in the place of another."""
    SWAP = "swap"
    """Exchanges the ranks of two values."""
    REMOVE = "remove"
    """Removes a value from the list."""
    SINGLE = "single"
    """Sets the single preference, which has no rank (S1.22)."""
    CLEAR = "clear"
    """Removes all values of the topic."""
    CHANGE = "change"
    """A sentence that may change a list. It is read with the lists of its conversation at hand; one that
    concerns a list and is not understood leaves the list in doubt."""
    CLAIM = "claim"
    """Says something of the person beyond lists and preferences (`core/claims`)."""
    READING = "reading"
    """Notes which rules read the claims of a text; `UNREAD` before any did."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: a value and the operation on it.

    `topic` is a key; empty for a change that names no topic. `other` is the second value of an operation on
    two. A value that is only referred to may be a position, such as `#2`, or `#-1` for the last.
    """

    topic: str
    act: Act
    value: str = ""
    rank: int | None = None
    other: str | None = None


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement with the memory that makes it: a text in which it was said, or a memory of kind `statement`
    that records a call. `at` is the time of the memory, UTC epoch milliseconds."""

    statement: Statement
    memory: str
    at: int
    project: str | None = None
    session: str | None = None
    by: str = ""
    origin: str = ""
    is_said: bool = True


@dataclass(frozen=True, slots=True)
class FactSource(Plain):
    """The origin of a fact or of a change: who stated it, how and when.

    Either `message` is the id of the memory in which it was said, or `statement` that of the memory that
    records the call by which it was stated.
    """

    message: str | None
    statement: str | None
    by: str = field(metadata=wire(about="Who stated it, such as `user:ana` or `agent:coder@ana`."))
    origin: str = field(metadata=wire(about="Whether a person, an agent or an import stated it."))
    at: Millis

    @property
    def memory(self) -> str:
        """Returns the id of the memory that states it."""
        return self.message or self.statement or ""


@dataclass(frozen=True, slots=True)
class Fact(FactSource):
    """A current value: of a rank, or without a rank as the single preference."""

    topic: str
    value: str
    rank: int | None
    project: str | None = None
    session: str | None = None
    doubted_by: str | None = field(
        default=None,
        metadata=wire(
            about="The message after which it may hold no longer: it speaks of a change that was not"
            " understood."
        ),
    )

    @property
    @computed
    def kind(self) -> str:
        """Returns "ranked" or "single"."""
        return "single" if self.rank is None else "ranked"


@dataclass(frozen=True, slots=True)
class FactChange(FactSource):
    """One step in the history of a topic: a value with its rank before and after."""

    topic: str
    act: str
    value: str
    before: int | None = field(metadata=wire(about="Its rank before."))
    after: int | None = field(metadata=wire(about="Its rank after."))
    replaced: str | None = field(metadata=wire(about="The value that gave way."))


@dataclass(frozen=True, slots=True)
class FactEdit(Plain):
    """The result of an edit: the list as it is now, and a note for each value that was left unchanged, such
    as `Blue is already at #1`."""

    facts: tuple[Fact, ...]
    notes: tuple[str, ...] = ()


class QuestionType(StrEnum):
    """The types of questions about a list."""

    ORDINAL = "ordinal"
    """The value of one rank, counted from the top or from the end."""
    BEST = "best"
    """The favourite: rank 1, or the single preference."""
    LEAST = "least"
    """The least favourite: the last of a ranked list."""
    LIST = "list"
    """The whole list, or some ranks of it."""
    COUNT = "count"
    """The number of values."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question about facts.

    `topic` is a key, None if the question names none. `rank` belongs to an ordinal. For a list, `limit` is
    the last rank that is asked for, as in "top three" (S1.28), and `rank` the first, 1 if it is None. With
    `from_end`, ranks are counted from the end: 2 is the second to last.
    """

    question_type: QuestionType
    topic: str | None = None
    rank: int | None = None
    limit: int | None = None
    from_end: bool = False


@dataclass(frozen=True, slots=True)
class Answer(Plain):
    """The result of `ask`.

    Exactly one of these is true: the answer came from facts (`used_facts`), the fact is not stored
    (`fact_not_found`), it is unclear which topic is meant or whether the fact still holds (`clarification`),
    or the question was answered by recall. `hits` holds the hits of recall; for facts, the messages that
    state them.

    `text` is for people; for recall it consists of passages with their citations, and is empty if there are
    none.
    """

    text: str
    used_facts: bool = field(metadata=wire(about="The text comes from what the user stated."))
    fact_not_found: bool = field(metadata=wire(about="Nothing is stored under what was asked."))
    clarification: bool = field(metadata=wire(about="The text asks which topic is meant, or what holds."))
    hits: Hits

    @property
    @described("`Memory` where facts or their absence answered.")
    def label(self) -> str | None:
        """Returns `Memory` for every answer but those of recall, None for recall."""
        return "Memory" if self.used_facts or self.fact_not_found or self.clarification else None
