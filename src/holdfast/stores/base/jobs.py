"""The part of the store protocol for jobs: the durable queue of background work."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.jobs import Backlog, Job, State
    from holdfast.core.views import View


class JobReader(Protocol):
    """Reads the queue of a tenant."""

    def job(self, view: View, id: str) -> Job | None:
        """Returns a job of the view's user."""

    def jobs(
        self,
        view: View,
        *,
        states: Collection[State] | None = None,
        kind: str | None = None,
        subject: str | None = None,
        limit: int = 100,
    ) -> list[Job]:
        """Returns jobs of the view's user, newest first."""

    def backlog(self, view: View, *, now: int) -> Backlog:
        """Returns the numbers of queued, running and failed jobs of the whole tenant, without those that are
        only planned for later."""

    def next_job_at(self, view: View) -> int | None:
        """Returns when the next job of the whole tenant may be claimed."""

    def has_jobs_after(self, view: View, after: int, *, kinds: Collection[str]) -> bool:
        """Returns whether a job of some kinds, of the whole tenant, is due after a time, or its lease ends
        after it."""

    def unfinished_jobs(self, view: View, kind: str) -> list[str]:
        """Returns the ids of jobs of a kind, of the whole tenant, that may still need their payload."""


class JobWriter(JobReader, Protocol):
    """Writes the queue."""

    def add_job(self, job: Job) -> Job:
        """Queues a job and returns it. A queued or failed job of the same user and kind about the same
        memory is queued again instead."""

    def plan_job(self, job: Job, *, enough: int | None = None) -> None:
        """Queues a job for later. One of the same user and kind that is queued takes over its units instead,
        and the earlier time; with `enough` units in all it is due when the new one was made."""

    def count_changes(self, view: View, project: int, changes: int, *, enough: int) -> bool:
        """Adds to the number of changes of the view's user in a project, 0 for none. Returns whether
        `enough` came together, after which it is 0 again."""

    def put_job(self, view: View, job: Job, *, token: str | None = None) -> bool:
        """Stores the progress of a job of the view's user; with a `token`, only if it still holds the
        lease. Returns whether it was stored.
        """

    def claim_job(self, *, kinds: Collection[str], now: int, until: int, token: str) -> Job | None:
        """Claims the tenant's job that has been due for longest: a queued one, or one whose lease has
        ended. It runs under this token until the time `until`.
        """

    def hasten_jobs(self, *, kinds: Collection[str], after: int, now: int) -> None:
        """Makes the tenant's jobs of some kinds that are due after a time, or whose lease ends after it, due
        now."""

    def prune_jobs(self, view: View, *, keep: int) -> None:
        """Deletes finished jobs of the view's user except the last `keep`."""
