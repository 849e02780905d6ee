"""The worker: claims due jobs under a lease, runs them as their owners, and retries or buries failed ones."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput, NotFound
from holdfast.core.jobs import (
    FINISHED,
    FINISHED_KEPT,
    JOB_KINDS,
    REGULAR,
    Job,
    failed,
    released,
    succeeded,
    time_allowed,
)
from holdfast.core.views import personal_view
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.features.jobs.jobs import clear, sweep
from holdfast.features.jobs.schedule import hasten, plan_regular
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer

LEASE = 30_000
"""Milliseconds that a job belongs to a worker; renewed while the job runs. Another worker takes over the jobs
of a dead one after this time."""
POLL = 1.0
"""Seconds between checks for jobs that another process queued; those of this process ring the bell."""
REPORT_INTERVAL = 500
"""Milliseconds between two reports of the progress of a job."""
SCHEDULE_INTERVAL = 60_000
"""Milliseconds between two looks at the schedule."""
GRACE = 10.0
"""Seconds in which running jobs may end by themselves when the worker stops; then they are released."""
LOST = "worker_lost"
"""The error of a job whose workers died or disappeared at every attempt."""

log = logging.getLogger("holdfast.jobs")


class Progress:
    """The progress of a job, reported by its handler; every call raises if the job has to end.

    Every report renews the job's lease. What it raises passes through the handler to the worker.
    """

    def __init__(self, service: Service, job: Job, *, lease: int, may_go_on: Callable[[], bool]) -> None:
        self._service = service
        self._lease = lease
        self._may_go_on = may_go_on
        self._view = personal_view(service.principal)
        self._lock = threading.Lock()
        self._renewed_at = service.clock()
        self._deadline = self._renewed_at + time_allowed(job.kind, job.units)
        self._ended: type[Exception] | None = None
        self.job = job

    def __call__(self, done: int, total: int | None = None) -> None:
        """Reports the progress of the job, and its total if that is known."""
        with self._lock:
            total = self.job.total if total is None else total
            self.job = replace(self.job, done=done, total=total)
        self.check()
        if self._service.clock() - self._renewed_at >= REPORT_INTERVAL or done == 0:
            self.renew()
            self.check()

    def check(self) -> None:
        """Raises if the job was taken away or timed out, or the worker stops."""
        if self._ended is not None:
            raise self._ended
        if self._service.clock() > self._deadline:
            raise AttemptTimeout
        if not self._may_go_on():
            raise Released

    def check_held(self, tx: Writer) -> None:
        """Raises, which rolls back the transaction, unless the job still belongs to this worker: a job that
        was given to another must have no effect."""
        job = tx.job(self._view, self.job.id)
        if job is None or job.token != self.job.token:
            raise LeaseLost

    def renew(self) -> None:
        """Renews the lease; after the deadline it ends the attempt instead."""
        with self._lock:
            now = self._service.clock()
            self._renewed_at = now
            if self._ended is not None:
                return
            if now > self._deadline:
                self._end(failed(self.job, TIMED_OUT, now, timed_out=True), AttemptTimeout)
                return
            renewed = replace(self.job, due_at=now + self._lease)
            with self._service.store.write() as tx:
                is_held = tx.put_job(self._view, renewed, token=self.job.token)
            if is_held:
                self.job = renewed
            else:
                self._ended = LeaseLost

    def settle(self, job: Job) -> Job | None:
        """Writes the result of the attempt and returns the job; None if the job no longer belonged to this
        worker."""
        with self._lock:
            return self._end(job, LeaseLost)

    def _end(self, job: Job, reason: type[Exception]) -> Job | None:
        """Stores the end of a job. Returns it; None if its lease was lost."""
        with self._service.store.write() as tx:
            is_held = tx.put_job(self._view, job, token=self.job.token)
            if is_held and job.state in FINISHED:
                tx.prune_jobs(self._view, keep=FINISHED_KEPT)
        self._ended = self._ended or reason
        return job if is_held else None


Handler = Callable[[Service, Job, Progress], Mapping[str, Any]]
"""Runs one job as its owner and returns counts and codes to store with it. It may be called again for the
same job, so it has to be idempotent. It checks its progress often."""

TIMED_OUT = "timed_out"


class LeaseLost(Exception):
    """The job was given to another worker, cancelled, or erased."""


class AttemptTimeout(Exception):
    """The attempt took longer than its kind allows."""


class Released(Exception):
    """The worker stops; the job returns to the queue."""


@contextmanager
def log_store_errors(task: str) -> Iterator[None]:
    """Suppresses an error of the store and logs it: the lease returns the job."""
    try:
        yield
    except HoldfastError as error:
        log.warning("%s: %s", task, error.code)


PERMANENT = (AccessDenied, InvalidInput, NotFound)
"""Errors that another attempt would only raise again."""


class Worker:
    """Runs the due jobs of a tenant, whoever queued them, each as its owner.

    `on_finished` is called with every job after an attempt. `lease` is in milliseconds. `schedule` says every
    how many milliseconds a kind of job is done without being asked for. Several workers, in one process or
    many, share a store; only one runs a job at a time.
    """

    def __init__(
        self,
        service: Service,
        handlers: Mapping[str, Handler],
        *,
        threads: int = 2,
        lease: int = LEASE,
        schedule: Mapping[str, int] | None = None,
        on_finished: Callable[[Job], None] | None = None,
    ) -> None:
        self._service = service
        self._schedule = schedule or {}
        self._scheduled_at = 0
        self._handlers = handlers
        self._lease = lease
        self._on_finished = on_finished or (lambda _: None)
        self._running: dict[str, Progress] = {}
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._run_loop, name=f"holdfast-worker-{n}", daemon=True)
            for n in range(threads)
        ]
        self.stop_requested = False
        """To be set by a signal handler, which may do no more: no further job is begun."""

    def run_due(self) -> int:
        """Runs in this thread all jobs that are due or become due meanwhile. Returns the number of
        attempts."""
        self._start_renewing()
        tries = 0
        try:
            while not self.stop_requested and (job := self._claim_job()) is not None:
                self._run_job(job)
                tries += 1
        finally:
            self._ended.set()
        return tries

    def start(self) -> None:
        """Runs due jobs in threads of its own until `stop`."""
        self._start_renewing()
        for thread in self._threads:
            thread.start()

    def stop(self, grace: float = GRACE) -> None:
        """Starts no more jobs, and waits up to `grace` seconds: a job ends, or is released at its next step.
        One that does neither is released for another worker, and has no effect from then on."""
        self.stop_requested = True
        self._service.bell.ring()
        until = time.monotonic() + grace
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        self._ended.set()
        for progress in list(self._running.values()):
            with log_store_errors("a job could not be released"):
                job = progress.settle(released(progress.job, self._service.clock()))
                if job is not None:
                    self._on_finished(job)

    def _start_renewing(self) -> None:
        """Removes leftovers of a crash and starts the thread that renews leases."""
        self._ended = threading.Event()
        with log_store_errors("leftovers of a crash could not be removed"):
            sweep(self._service)
        keeper = threading.Thread(
            target=self._renew_leases, args=(self._ended,), name="holdfast-leases", daemon=True
        )
        keeper.start()

    def _run_loop(self) -> None:
        """Runs jobs as they are due until it is asked to stop."""
        rings, trouble = -1, ""
        while not self.stop_requested:
            try:
                rings, before = self._service.bell.rung, rings
                job = self._claim_job()
                if job is not None:
                    self._run_job(job)
                elif rings == before:
                    self._service.bell.wait(rings, POLL)
            except Exception as error:
                # a busy or full store may recover; the lease returns the job
                if trouble != (trouble := getattr(error, "code", type(error).__name__)):
                    log.warning("a worker has to wait: %s", trouble)
                self._ended.wait(POLL)

    def _renew_leases(self, over: threading.Event) -> None:
        """Renews leases while handlers are busy, and ends attempts that take too long."""
        while not over.wait(self._lease / 3_000):
            for progress in list(self._running.values()):
                with log_store_errors("a lease could not be renewed"):
                    progress.renew()

    def _claim_job(self) -> Job | None:
        """Returns the next job with a new lease. A job that no worker survived is buried instead."""
        service = self._service
        now = service.clock()
        if not 0 <= now - self._scheduled_at < SCHEDULE_INTERVAL:
            self._scheduled_at = now
            hasten(service, self._handlers.keys() - REGULAR)
            if self._schedule:
                plan_regular(service, self._schedule)
                service.replays.drop_old(now)
        with service.store.read() as snap:
            due = snap.next_job_at(personal_view(service.principal))
        if due is None or due > now:
            return None
        token = service.randomness(16).hex()
        with service.store.write() as tx:
            while job := tx.claim_job(kinds=self._handlers, now=now, until=now + self._lease, token=token):
                if job.attempts <= JOB_KINDS[job.kind].tries:
                    return job
                tx.put_job(personal_view(job.principal), failed(job, LOST, now, final=True), token=token)
        return None

    def _run_job(self, job: Job) -> None:
        """Runs a job with the rights of its principal."""
        service = service_for(self._service, Grant(job.principal, is_apart=job.apart))
        progress = Progress(service, job, lease=self._lease, may_go_on=lambda: not self.stop_requested)
        self._running[job.id] = progress
        try:
            ended = self._run_attempt(service, job, progress)
        finally:
            del self._running[job.id]
        if ended is not None:
            self._on_finished(ended)

    def _run_attempt(self, service: Service, job: Job, progress: Progress) -> Job | None:
        """Runs one attempt. Returns the job afterwards, None if it no longer belonged to this worker."""
        clock = service.clock
        try:
            result = self._handlers[job.kind](service, job, progress)
        except LeaseLost:
            return None
        except Released:
            return progress.settle(released(progress.job, clock()))
        except AttemptTimeout:
            return progress.settle(failed(progress.job, TIMED_OUT, clock(), timed_out=True))
        except PERMANENT as error:
            ended = progress.settle(failed(progress.job, error.code, clock(), final=True))
        except HoldfastError as error:
            return progress.settle(failed(progress.job, error.code, clock()))
        except Exception as error:  # its text may contain data, so only its type is logged
            log.warning("a job of kind %s failed: %s", job.kind, type(error).__name__)
            return progress.settle(failed(progress.job, type(error).__name__, clock()))
        else:
            ended = progress.settle(succeeded(progress.job, result, clock()))
        if ended is not None:
            clear(service, ended)
        return ended
