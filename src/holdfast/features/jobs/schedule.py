"""The schedule: jobs that wait in the queue for their time, one of a kind for each user."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from holdfast.core.jobs import Job, State, retried
from holdfast.core.times import DAY
from holdfast.core.views import personal_view
from holdfast.features.jobs.jobs import new_job
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

LATEST = 2 * DAY
"""Milliseconds within which every job is due that is not done regularly: none is planned for later than in a
day, no attempt waits longer than an hour, and no lease."""


def plan(
    service: Service, tx: Writer, kind: str, *, due: int, units: int = 0, threshold: int | None = None
) -> None:
    """Plans a job for the caller within their transaction. If one of its kind waits, the earlier time counts
    and the units add up, a counter that survives crashes: with `threshold` units it is due now."""
    now = service.clock()
    due = now if threshold is not None and units >= threshold else due
    tx.plan_job(new_job(service, kind, now, due_at=due, units=units), enough=threshold)


def hasten(service: Service, kinds: Collection[str]) -> None:
    """Makes jobs of some kinds due at once that wait longer than anything is planned for: the clock was ahead
    when they were made, tried or begun."""
    now = service.clock()
    with service.store.read() as snap:
        if not snap.has_jobs_after(personal_view(service.principal), now + LATEST, kinds=kinds):
            return
    with service.store.write() as tx:
        tx.hasten_jobs(kinds=kinds, after=now + LATEST, now=now)


def run_now(service: Service, tx: Writer, kind: str) -> Job:
    """Queues a job that is done regularly for at once, within the caller's transaction, and returns it. One
    that waits for its time is brought forward, a failed one tried again, and one that runs is left alone."""
    view, now = personal_view(service.principal), service.clock()
    last = next(iter(tx.jobs(view, kind=kind, limit=1)), None)
    if last is not None and last.state is State.RUNNING:
        return last
    if last is not None and last.is_dead:
        again = retried(last, now)
        tx.put_job(view, again)
        return again
    plan(service, tx, kind, due=now)
    return tx.jobs(view, states={State.QUEUED}, kind=kind, limit=1)[0]


def plan_regular(service: Service, every: Mapping[str, int]) -> None:
    """Plans the next job of each kind that is done regularly, unless one waits or runs: so many milliseconds
    after the last, and for the first time when the store is as old as that. A failed one is tried again then.
    No time is later than so many milliseconds from now: a clock that was ahead for a while delays nothing.
    """
    with service.store.read() as snap:
        missing = [kind for kind, interval in every.items() if _next(service, snap, kind, interval)]
    for kind in missing:
        with service.store.write() as tx:
            following = _next(service, tx, kind, every[kind])  # none if another process was first
            if isinstance(following, Job):
                tx.put_job(personal_view(service.principal), following)
            elif following is not None:
                plan(service, tx, kind, due=following)


def _next(service: Service, snap: Reader, kind: str, interval: int) -> Job | int | None:
    """Returns the failed job that is to be tried again, or when the next is due; None if nothing has to be
    planned now."""
    view, now = personal_view(service.principal), service.clock()
    last = next(iter(snap.jobs(view, kind=kind, limit=1)), None)
    if last is None:
        first = next(iter(snap.events(view, limit=1)), None)
        return None if first is None else min(first.at, now) + interval
    if last.is_open:
        return None if last.due_at <= now + interval else now + interval
    ended = last.finished_at or last.created_at
    if last.is_dead:
        return None if now - interval < ended <= now else retried(last, now)
    return min(ended, now) + interval
