"""The job queue: enqueues jobs in the transaction that causes them, and lists, retries and cancels them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_limit, safe_repr
from holdfast.core.errors import Conflict, HoldfastError, InvalidInput, NotFound
from holdfast.core.jobs import (
    DEAD,
    FINISHED,
    FINISHED_KEPT,
    JOB_KINDS,
    OPEN,
    Job,
    State,
    cancelled,
    estimated,
    failed,
    retried,
    succeeded,
)
from holdfast.core.views import View, personal_view
from holdfast.features.service import Service
from holdfast.stores.base.ports import Spool, Writer

SWEEP_AFTER = 3_600_000
"""Milliseconds after which an entry of the spool without a job counts as left by a crash."""


def enqueue(
    service: Service,
    tx: Writer,
    kind: str,
    *,
    now: int,
    id: str | None = None,
    subject: str | None = None,
    units: int = 1,
) -> Job:
    """Queues a job for the caller within their transaction; `service.bell.ring()` after the commit wakes a
    worker of this process. Raises Conflict `jobs_too_many`."""
    most = JOB_KINDS[kind].most
    if most is not None:
        unfinished = tx.jobs(_own_view(service), states=OPEN | DEAD, kind=kind, limit=most)
        if len(unfinished) >= most:
            raise Conflict(
                f"{len(unfinished)} {kind} job{'s are' if len(unfinished) > 1 else ' is'} unfinished",
                code="jobs_too_many",
                hint=f"wait for {unfinished[0].id}, or retry or cancel the failed ones",
            )
    return tx.add_job(new_job(service, kind, now, id=id, due_at=now, subject=subject, units=max(1, units)))


def enqueue_with_input(
    service: Service, kind: str, content: bytes, *, now: int, subject: str | None = None, units: int = 1
) -> Job:
    """Queues a job in a transaction of its own, with its input in the spool. Raises Conflict
    `jobs_too_many`."""
    spool, id = _spool_of(service), service.new_id(now)
    spool.put(id, content)
    try:
        with service.store.write() as tx:
            job = enqueue(service, tx, kind, now=now, id=id, subject=subject, units=units)
    except BaseException:
        spool.drop(id)
        raise
    service.bell.ring()
    return job


def input_of(service: Service, job: Job) -> bytes:
    """Returns the spooled input of a job."""
    return _spool_of(service).read(job.id)


def _spool_of(service: Service) -> Spool:
    if service.spool is None:
        raise HoldfastError("this store has no spool", code="internal_error")
    return service.spool


def new_job(service: Service, kind: str, now: int, *, id: str | None = None, **values: Any) -> Job:
    """Returns a job of the caller, which is not queued yet."""
    principal = service.principal
    return Job(
        id or service.new_id(now), principal.user, kind, created_at=now, role=principal.role,
        agent=principal.agent, apart=service.is_apart, **values,
    )  # fmt: skip


def list_jobs(service: Service, *, state: str | None = None, limit: int = 50) -> list[Job]:
    """Returns the user's jobs, newest first. Raises InvalidInput."""
    checked_limit(limit)
    states = None if state is None else {_state_named(state)}
    with service.store.read() as snap:
        jobs = snap.jobs(_own_view(service), states=states, limit=limit)
    now = service.clock()
    return [estimated(job, now) for job in jobs]


def get_job(service: Service, id: str) -> Job:
    """Returns a job of the user. Raises NotFound `job_not_found` if there is none, or it is another
    user's."""
    with service.store.read() as snap:
        job = _existing(id, snap.job(_own_view(service), _checked_id(id)))
    return estimated(job, service.clock())


def retry_job(service: Service, id: str) -> Job:
    """Queues a dead job again. Raises NotFound, or Conflict `job_state`."""
    now = service.clock()
    with service.store.write() as tx:
        job = _existing(id, tx.job(_own_view(service), _checked_id(id)))
        if job.state not in DEAD:
            raise Conflict(
                f"job {job.id} has not failed: it is {job.state.value}",
                code="job_state",
                hint="only a job that has failed for good can be retried",
            )
        job = retried(job, now)
        tx.put_job(_own_view(service), job)
        _add_event(service, tx, now, "retry_job", job)
    service.bell.ring()
    return job


def cancel_job(service: Service, id: str) -> Job:
    """Cancels a job that is queued, running or dead: completed work stays, its spooled input is removed.
    Raises NotFound, or Conflict `job_state` if it is finished."""
    now = service.clock()
    with service.store.write() as tx:
        job = _existing(id, tx.job(_own_view(service), _checked_id(id)))
        if job.state in FINISHED:
            raise Conflict(f"job {job.id} is already finished: {job.state.value}", code="job_state")
        job = cancelled(job, now)
        tx.put_job(_own_view(service), job)
        tx.prune_jobs(_own_view(service), keep=FINISHED_KEPT)
        _add_event(service, tx, now, "cancel_job", job)
    clear(service, job)
    return job


def finish(service: Service, tx: Writer, jobs: Sequence[Job]) -> None:
    """Marks queued or dead jobs of the user as succeeded, because nothing is left to do."""
    for job in jobs:
        tx.put_job(_own_view(service), succeeded(job, {}, service.clock()))
    tx.prune_jobs(_own_view(service), keep=FINISHED_KEPT)


def note_failure(service: Service, subject: str, kind: str, error: str) -> None:
    """Records a failed attempt for queued jobs, because their work was tried in another way and failed."""
    now = service.clock()
    with service.store.write() as tx:
        for job in tx.jobs(_own_view(service), states={State.QUEUED}, kind=kind, subject=subject):
            tried = replace(job, attempts=job.attempts + 1)
            tx.put_job(_own_view(service), failed(tried, error, now))


def clear(service: Service, job: Job) -> None:
    """Removes the spooled input of a finished job."""
    if JOB_KINDS[job.kind].is_spooled and service.spool is not None:
        service.spool.drop(job.id)


def sweep(service: Service) -> int:
    """Removes entries of the spool that a crash left: older than an hour and without a job. Returns their
    number."""
    if service.spool is None:
        return 0
    before = service.clock() - SWEEP_AFTER
    old = {id for id, at in service.spool.entries() if at < before}
    if not old:
        return 0
    with service.store.read() as snap:
        for kind in JOB_KINDS.values():
            if kind.is_spooled:
                old -= set(snap.unfinished_jobs(_own_view(service), kind.name))
    for id in old:
        service.spool.drop(id)
    return len(old)


def _own_view(service: Service) -> View:
    return personal_view(service.principal)


def _existing(id: object, job: Job | None) -> Job:
    if job is None:
        raise NotFound(f"there is no job {safe_repr(id, 60)}", code="job_not_found")
    return job


def _checked_id(id: object) -> str:
    return id if isinstance(id, str) and len(id) <= 100 and id.isprintable() else ""


def _state_named(name: object) -> State:
    """Returns the state of jobs with a name. Raises InvalidInput, which lists the states."""
    try:
        return State(name)  # type: ignore[arg-type]
    except ValueError:
        states = ", ".join(State)
        raise InvalidInput(
            f"there is no state {safe_repr(name)}", code="argument_invalid", hint=states
        ) from None


def _add_event(service: Service, tx: Writer, now: int, action: str, job: Job) -> None:
    detail = {"kind": job.kind}
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=job.id, detail=detail)
