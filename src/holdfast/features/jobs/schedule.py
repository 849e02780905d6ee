"""The schedule: queues what is to be done every so often, once for all processes that share a store."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.core.jobs import Job, retried
from holdfast.core.views import personal_view
from holdfast.features.jobs import jobs
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

HOUR = 3_600_000
DAY = 24 * HOUR


def queue_due(service: Service, every: Mapping[str, int]) -> list[Job]:
    """Queues the kinds of jobs whose last one is longer ago than `every` says, in milliseconds; for the first
    time when the store is as old as that. A failed one is tried again then. Returns what was queued."""
    now = service.clock()
    with service.store.read() as snap:
        due = [kind for kind, interval in every.items() if _is_due(service, snap, kind, now - interval)]
    queued = []
    for kind in due:
        with service.store.write() as tx:
            if not _is_due(service, tx, kind, now - every[kind]):  # another process was first
                continue
            last = _last(service, tx, kind)
            if last is not None and last.is_dead:
                again = retried(last, now)
                tx.put_job(personal_view(service.principal), again)
            else:
                again = jobs.enqueue(service, tx, kind, now=now)
            queued.append(again)
    return queued


def _is_due(service: Service, snap: Reader, kind: str, before: int) -> bool:
    last = _last(service, snap, kind)
    if last is not None:
        return not last.is_open and (last.finished_at or last.created_at) <= before
    first = next(iter(snap.events(personal_view(service.principal), limit=1)), None)
    return first is not None and first.at <= before


def _last(service: Service, snap: Reader, kind: str) -> Job | None:
    return next(iter(snap.jobs(personal_view(service.principal), kind=kind, limit=1)), None)
