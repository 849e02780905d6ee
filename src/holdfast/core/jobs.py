"""Background jobs: their kinds with time limits and retry rules, and their states (S1.44)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any

from holdfast.core.places import Principal, Role
from holdfast.core.times import to_millis
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, described, read_record, wire

SECOND = 1_000
"""Milliseconds in a second."""
FIRST_WAIT = 5 * SECOND
WAIT_MAX = 3_600 * SECOND
FINISHED_KEPT = 1_000
"""Number of finished jobs that are kept for each user (S1.44). Dead ones stay until they are retried or
cancelled."""


class State(StrEnum):
    """The state of a job."""

    QUEUED = "queued"
    """Waits for a worker, or for the next attempt."""
    RUNNING = "running"
    """Claimed by a worker as long as the lease lasts."""
    SUCCESS = "success"
    TIMEOUT = "timeout"
    """Dead: the last attempt timed out."""
    ERROR = "error"
    """Dead: the last attempt failed, or another would not help."""
    CANCELLED = "cancelled"


DEAD = frozenset({State.TIMEOUT, State.ERROR})
"""States of dead jobs: nothing happens to them until somebody retries or cancels them."""
OPEN = frozenset({State.QUEUED, State.RUNNING})
FINISHED = frozenset({State.SUCCESS, State.CANCELLED})


@value_class
class JobKind:
    """One kind of job.

    `tries` is the maximum number of attempts; `seconds` is the time limit of an attempt, None for indexing,
    where it depends on the units; `most` is how many jobs a user may have open or dead, None for no limit;
    `is_spooled` says that the input is stored until the job is finished.
    """

    name: str
    meaning: str
    tries: int
    seconds: float | None
    most: int | None = None
    is_spooled: bool = False


EMBED = "embed"
IMPORT = "import"
MAINTAIN = "maintain"
INDEX = "index"
REINDEX = "reindex"
PROPOSE = "propose"
INSIGHTS = "insights"
NAMES = "names"
SUMMARISE = "summarise"
DESCRIBE = "describe"
RECONCILE = "reconcile"
BACKUP = "backup"
DRILL = "drill"
UPKEEP = "upkeep"
TIDY = "tidy"
SCAN = "scan"
REGULAR = frozenset({UPKEEP, BACKUP, DRILL})
"""Kinds that are done regularly and may wait for weeks, also where the schedule of one worker lacks them."""
_LONG = 4 * 3_600.0
"""Time limit of a long job in seconds (S1.66)."""

JOB_KINDS: dict[str, JobKind] = {
    kind.name: kind
    for kind in (
        JobKind(EMBED, "makes the vectors of one memory", tries=20, seconds=None),
        JobKind(IMPORT, "keeps the messages of an export", tries=5, seconds=_LONG, most=20, is_spooled=True),
        JobKind(INDEX, "reads what is new or changed in a folder", tries=5, seconds=_LONG),
        JobKind(REINDEX, "reads every file of a folder again", tries=5, seconds=_LONG),
        JobKind(PROPOSE, "lets a language model propose memories of a conversation", tries=5, seconds=_LONG),
        JobKind(INSIGHTS, "gathers the insights of a conversation", tries=5, seconds=_LONG, is_spooled=True),
        JobKind(NAMES, "reads which people, places and things new messages name", tries=5, seconds=_LONG),
        JobKind(SUMMARISE, "lets a language model sum a conversation up", tries=5, seconds=_LONG),
        JobKind(
            DESCRIBE,
            "lets a language model describe the cells and the whole of a source",
            tries=5,
            seconds=_LONG,
            is_spooled=True,
        ),
        JobKind(RECONCILE, "describes what a source holds", tries=5, seconds=_LONG, is_spooled=True),
        JobKind(TIDY, "merges what says the same and puts away what nobody uses", tries=5, seconds=_LONG),
        JobKind(
            SCAN,
            "looks with today's rules at what was stored before",
            tries=5,
            seconds=_LONG,
            most=1,
            is_spooled=True,
        ),
        JobKind(MAINTAIN, "makes all vectors that are missing", tries=5, seconds=_LONG, most=1),
        JobKind(BACKUP, "makes a backup, checks it and lets old ones go", tries=3, seconds=_LONG, most=1),
        JobKind(DRILL, "tries the newest backup in a scratch folder", tries=3, seconds=_LONG, most=1),
        JobKind(
            UPKEEP,
            "erases what projects and retention policies let go, and gives free space back",
            tries=3,
            seconds=_LONG,
            most=1,
        ),
    )
}


def time_allowed(kind: str, units: int) -> int:
    """Returns the time limit of one attempt in milliseconds.

    Indexing gets 8 s and 3.5 s for each passage, at least 15 s and at most 300 s (S1.44).
    """
    seconds = JOB_KINDS[kind].seconds
    return round(1_000 * (min(max(8 + 3.5 * units, 15.0), 300.0) if seconds is None else seconds))


def wait_after(attempts: int) -> int:
    """Returns the delay before the next attempt in milliseconds: 5 s, doubled after each failure, up to an
    hour."""
    return int(min(WAIT_MAX, FIRST_WAIT * 2 ** min(max(attempts, 1) - 1, 20)))


@value_class
class Job(Plain):
    """A durable background job of one user. It holds ids, counts and codes, never text of a memory.

    `apart` says that its user came as one of many who are no team. `subject` is the memory it is about, if
    any. `due_at` is when it may be claimed: the next attempt if it is queued, the end of the lease if it is
    running; `token` identifies the holder of the lease. `units` is its size in passages. `attempts` counts
    the attempts that were begun; `done` and `total` are the progress of the present one; `total` of an import
    is an estimate until its end. `remaining_seconds` is computed on reading, not stored.
    """

    id: str
    owner: str = field(metadata=wire(hidden=True, absent=""))
    kind: str
    created_at: Millis
    due_at: int = field(metadata=wire(hidden=True, absent=0))
    role: Role = field(default=Role.OWNER, metadata=wire(hidden=True))
    agent: str | None = field(default=None, metadata=wire(hidden=True))
    apart: bool = field(default=False, metadata=wire(hidden=True))
    subject: str | None = field(
        default=None, metadata=wire(name="memory", about="The memory or folder it is about, if one.")
    )
    units: int = field(default=1, metadata=wire(hidden=True))
    state: State = State.QUEUED
    attempts: int = 0
    started_at: Millis | None = None
    finished_at: Millis | None = None
    token: str | None = field(default=None, metadata=wire(hidden=True))
    done: int = 0
    total: int | None = None
    error: str | None = field(default=None, metadata=wire(about="The code of the last failure."))
    result: dict[str, Any] = field(default_factory=dict)
    remaining_seconds: int | None = field(
        default=None,
        metadata=wire(
            optional=True, about="Estimate of the time that a running job still takes, in seconds."
        ),
    )

    @property
    @described("When it is tried next.", name="due_at")
    def next_try(self) -> Millis | None:
        """Returns the time of the next attempt of a queued job, None for others."""
        return self.due_at if self.state is State.QUEUED else None

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Job:
        """Reads a job from JSON; who holds its lease stays with the service."""
        job = read_record(cls, value)
        due = value["due_at"]
        return replace(job, due_at=job.created_at if due is None else to_millis(due))

    @property
    def principal(self) -> Principal:
        """Returns the principal who caused the job, as whom it runs."""
        return Principal(self.owner, self.role, self.agent)

    @property
    def is_open(self) -> bool:
        """Returns whether it is queued or running."""
        return self.state in OPEN

    @property
    def is_dead(self) -> bool:
        """Returns whether it has failed for good."""
        return self.state in DEAD


@value_class
class Backlog:
    """The number of jobs of a whole tenant, and the time when the next may be claimed (None: no job
    waits)."""

    queued: int = 0
    running: int = 0
    dead: int = 0
    due_at: int | None = None


def estimated(job: Job, now: int) -> Job:
    """Returns the job with an estimate of the time that it still takes, if it runs and its total is known."""
    if job.state is not State.RUNNING or not job.total or not job.done or job.started_at is None:
        return job
    left = max(0, job.total - job.done) / job.done
    return replace(job, remaining_seconds=round(max(0, now - job.started_at) * left / SECOND))


# what becomes of a job


def succeeded(job: Job, result: Mapping[str, Any], now: int) -> Job:
    """Returns the job as finished with a result."""
    done = job.done if job.total is None else job.total
    return replace(
        job, state=State.SUCCESS, token=None, error=None, finished_at=now, done=done, result=dict(result)
    )


def failed(job: Job, error: str, now: int, *, timed_out: bool = False, final: bool = False) -> Job:
    """Returns the job after a failed attempt: queued again, or dead after the last attempt or if `final`."""
    if final or job.attempts >= JOB_KINDS[job.kind].tries:
        state = State.TIMEOUT if timed_out else State.ERROR
        return replace(job, state=state, token=None, error=error, finished_at=now)
    due_at = now + wait_after(job.attempts)
    return replace(job, state=State.QUEUED, token=None, error=error, due_at=due_at)


def released(job: Job, now: int) -> Job:
    """Returns the job as if the attempt had not begun, because the worker stops before the job is
    finished."""
    return replace(job, state=State.QUEUED, token=None, attempts=max(0, job.attempts - 1), due_at=now)


def retried(job: Job, now: int) -> Job:
    """Returns the job queued for its first attempt, due at once."""
    return replace(job, state=State.QUEUED, attempts=0, error=None, finished_at=None, due_at=now)


def cancelled(job: Job, now: int) -> Job:
    """Returns the job as cancelled; what was already done stays."""
    return replace(job, state=State.CANCELLED, token=None, finished_at=now)
