"""The log of one session with a codebase, and what was learned from it (S4.42, S4.73)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.record import Outcome
from holdfast.core.wire import Plain, wire


class Act(StrEnum):
    """The kinds of steps in a session."""

    READ = "read"
    EDIT = "edit"
    WRITE = "write"
    SEARCH = "search"
    COMMAND = "command"
    WEB = "web"
    """Fetched a page or searched the web: later steps may repeat its content (S4.45)."""
    SAID = "assistant"
    TOLD = "user"


ACCESSES = frozenset({Act.READ, Act.EDIT, Act.WRITE})
CHANGES = frozenset({Act.EDIT, Act.WRITE})
LOOKS = frozenset({Act.READ, Act.SEARCH})


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a session.

    `target` is a path relative to the root of the repository, a query, a command line, an address, or a
    message. `output` of what did not fail is only its lines that describe errors. `number` counts from 1;
    `at` is UTC epoch milliseconds.
    `symbols` are what an edit defines, `size` counts the tokens that a look returned.
    """

    number: int
    act: Act
    target: str
    failed: bool = False
    output: str = ""
    at: int | None = None
    symbols: tuple[str, ...] = ()
    size: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """The position up to which a log was read: bytes, to the end of a line.

    `key` names the file by its path and beginning, `name` is its name; `more` says that there are further
    lines."""

    key: str
    offset: int
    name: str | None = None
    more: bool = False


@dataclass(frozen=True, slots=True)
class SessionLog:
    """The log of a session.

    `id` is the log's own name, else a digest of it. `failed` and `is_complete` are set if the log says so.
    `skipped` counts unusable entries. Steps are numbered from 1 without a gap; the first `read_before` of
    them were read before and are only context. `position` is set for a file that may grow.
    """

    id: str
    steps: tuple[Step, ...]
    branch: str | None = None
    failed: bool = False
    is_complete: bool = False
    skipped: int = 0
    read_before: int = 0
    position: Position | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """Returns the files of the repository that were read or changed, each once, in order (S4.8)."""
        done = (step.target for step in self.steps if step.act in ACCESSES and not step.failed)
        return tuple(dict.fromkeys(done))


@dataclass(frozen=True, slots=True)
class SessionType:
    """The purpose of a session.

    `cap` is the most candidates that one may leave (S4.73). A `runner` writes in its own name (S4.44).
    """

    name: str
    cap: int
    runner: bool = False


SESSION_TYPES = {
    step.name: step
    for step in (
        SessionType("build", 20),
        SessionType("pr_review", 8, runner=True),
        SessionType("insights", 5, runner=True),
        SessionType("roadmap", 3, runner=True),
        SessionType("ideation", 3, runner=True),
        SessionType("terminal", 3),
        SessionType("spec", 3),
        SessionType("changelog", 0),
    )
}
"""Every type of session by its name."""


def session_type_named(name: object) -> SessionType:
    """Returns a type of session. Raises InvalidInput `argument_invalid`."""
    session_type = SESSION_TYPES.get(name) if isinstance(name, str) else None
    if session_type is None:
        raise InvalidInput(
            f"there is no session type {safe_repr(name)}",
            code="argument_invalid",
            hint=", ".join(SESSION_TYPES),
        )
    return session_type


@dataclass(frozen=True, slots=True)
class WorkCandidate(Plain):
    """A possible lesson of a session.

    It has a text, the rule that found it, the `reason` in words, and the numbers of the steps that show it.
    `files` are those concerned, the main one first, `symbols` the names of code, `quote` the words of the log
    that show it, `task` what was worked on, unless it holds for the whole project. `dead_end` marks what does
    not work, which is worth storing from a failed session. `is_proved` marks what exit codes showed at least
    twice.
    """

    kind: str
    text: str
    confidence: float
    rule: str
    reason: str
    steps: tuple[int, ...]
    files: tuple[str, ...] = ()
    dead_end: bool = False
    symbols: tuple[str, ...] = ()
    quote: str = ""
    task: str | None = None
    is_proved: bool = False


@dataclass(frozen=True, slots=True)
class Lesson(Plain):
    """A candidate and its outcome.

    `memory` is the id of the stored or already known memory, None in a dry run; `after_web` marks that web
    content came before it in the session.
    """

    candidate: WorkCandidate = field(metadata=wire(flat=True))
    after_web: bool
    outcome: Outcome
    told: str
    memory: str | None = None


@dataclass(frozen=True, slots=True)
class Learned(Plain):
    """The lessons of one session.

    `bullets` summarize them in three to five lines; `steps` and `files` count what the log contains,
    `skipped` its unusable lines, `left_out` the candidates beyond the cap of the session type. `mapped` are
    the modules whose confidence rose.
    """

    session: str
    session_type: str
    failed: bool
    steps: int
    files: int
    skipped: int = field(metadata=wire(about="Entries of the log that could not be used."))
    lessons: tuple[Lesson, ...]
    left_out: int = field(metadata=wire(about="Candidates beyond what this type of session may leave."))
    bullets: tuple[str, ...] = field(metadata=wire(about="What was learned, in three to five lines."))
    mapped: tuple[str, ...] = field(default=(), metadata=wire(about="Modules with a higher confidence now."))
    dry_run: bool = False
    more: bool = field(
        default=False, metadata=wire(about="The log has further lines; learn again to read them.")
    )
