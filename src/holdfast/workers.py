"""Handlers for background jobs. A new kind is a row here and one in `core/jobs.JOB_KINDS`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from holdfast.api.memory import Memory
from holdfast.config import Settings
from holdfast.core.errors import Damaged, HoldfastError
from holdfast.core.jobs import (
    BACKUP,
    DESCRIBE,
    DRILL,
    EMBED,
    IMPORT,
    INDEX,
    INSIGHTS,
    MAINTAIN,
    NAMES,
    PROPOSE,
    RECONCILE,
    REINDEX,
    SCAN,
    SUMMARISE,
    TIDY,
    UPKEEP,
    Job,
    State,
    cancelled,
)
from holdfast.core.places import usable_name, visibility_of
from holdfast.core.times import DAY
from holdfast.core.views import personal_view
from holdfast.features.jobs import jobs
from holdfast.features.jobs.schedule import plan
from holdfast.features.jobs.worker import Handler, Progress, Worker
from holdfast.features.memories import embed
from holdfast.features.service import Service
from holdfast.stores.base.registry import backend_of

RESUMED_WITHIN = 24 * 3_600_000
"""Milliseconds after which interrupted indexing is cancelled instead of resumed (S1.66)."""


def worker_for(
    service: Service, settings: Settings | None = None, *, threads: int,
    on_finished: Callable[[Job], None] | None = None,
) -> Worker:  # fmt: skip
    """Returns a worker for every kind of job. With the settings of the store it also does what is due by
    schedule: upkeep each day, and backups as they say, with a drill each week."""
    if settings is None:
        return Worker(service, HANDLERS, threads=threads, on_finished=on_finished)
    handlers = dict(HANDLERS) | {UPKEEP: partial(_upkeep, settings)}
    schedule = {UPKEEP: DAY}
    if _backs_up(settings):
        handlers |= {BACKUP: partial(_back_up, settings), DRILL: partial(_drill, settings)}
    if settings.backup_days and _backs_up(settings):
        schedule |= {BACKUP: settings.backup_days * DAY, DRILL: max(7, settings.backup_days) * DAY}
    return Worker(service, handlers, threads=threads, schedule=schedule, on_finished=on_finished)


def indexer_for(service: Service, *, on_finished: Callable[[Job], None] | None = None) -> Worker:
    """Returns a worker that only indexes folders."""
    return Worker(service, {INDEX: _index, REINDEX: _reindex}, threads=1, on_finished=on_finished)


def queue_import(service: Service, content: bytes, **options: Any) -> Job:
    """Spools an export and queues its import.

    `options` are those of a request: filename, format, project, visibility, workspace and others. Raises
    InvalidInput for invalid names, Conflict `jobs_too_many`.
    """
    for name in ("project", "workspace"):
        if (value := options.get(name)) is not None:
            usable_name(value, name)
    if (value := options.get("visibility")) is not None:
        visibility_of(value)
    spooled = json.dumps(options).encode() + b"\n" + content
    return jobs.enqueue_with_input(service, IMPORT, spooled, now=service.clock())


def queue_maintain(service: Service) -> Job:
    """Queues the computation of all missing vectors. Raises Conflict `jobs_too_many`."""
    with service.store.write() as tx:
        job = jobs.enqueue(service, tx, MAINTAIN, now=service.clock())
    service.bell.ring()
    return job


def read_names(service: Service) -> list[Job]:
    """Does at once what is planned of reading the names in new messages. Returns the jobs that were done."""
    view = personal_view(service.principal)
    with service.store.write() as tx:
        if not tx.jobs(view, states={State.QUEUED}, kind=NAMES, limit=1):
            return []
        plan(service, tx, NAMES, due=service.clock())
    done: list[Job] = []
    Worker(service, {NAMES: _names}, threads=1, on_finished=done.append).run_due()
    return done


def _import(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Imports a spooled export. A retry skips what an earlier attempt stored, by its ids."""
    from holdfast.api.importing import keep
    from holdfast.features.transfer.formats.opening import opened_bytes

    head, _, content = jobs.input_of(service, job).partition(b"\n")
    options = json.loads(head)
    done = 0

    progress(0)
    with opened_bytes(content, options.pop("filename", ""), options.pop("format", None)) as export:

        def advance(count: int) -> None:
            nonlocal done
            done += count
            progress(done, export.meter.expected)

        report = keep(Memory.over(service), export, advance=advance, **options)
    progress(done, done)
    result = report.as_dict()
    # refusals are only counted by reason: a job contains no content
    del result["refused"], result["name"]
    result["missing"]["conversations"] = []
    for row in result["account"].values():
        row["reasons"] = {}
    return result | {"skipped": sum(skipped.count for skipped in report.skipped)}


def _maintain(service: Service, _: Job, progress: Progress) -> Mapping[str, Any]:
    """Computes missing vectors in rounds, until a round computes none."""
    made = 0
    progress(0)
    while True:
        now, failed = embed.repair(service)
        made += now
        progress(made)
        if failed:
            raise HoldfastError(f"{failed} vectors could not be computed", code="embedder_failed")
        if not now:
            return {"made": made}


def _index(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Indexes new and changed files of a folder.

    A retry recognizes by hash what an earlier attempt stored; one more than a day old is cancelled (S1.66).
    """
    return _indexed(service, job, progress, id=job.id)


def _reindex(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Reads every file of a folder again, changed or not; a retry begins anew."""
    return _indexed(service, job, progress, anew=True)


def _indexed(
    service: Service, job: Job, progress: Progress, *, id: str | None = None, anew: bool = False
) -> Mapping[str, Any]:
    """Indexes a folder and returns the counts; a retry of a job more than a day old is cancelled instead,
    with nothing to return."""
    from holdfast.features.files.indexing import index_folder

    now = service.clock()
    if job.attempts > 1 and now - job.created_at > RESUMED_WITHIN:
        progress.settle(cancelled(progress.job, now))
        return {}
    hold = progress.check_held
    return index_folder(service, job.subject or "", job=id, anew=anew, progress=progress, hold=hold).as_dict()


def _propose(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Lets a language model propose memories of a conversation; a retry asks only about what is left."""
    from holdfast.features.models.propose import propose

    return propose(service, job.subject or "", progress=progress, hold=progress.check_held)


def _insights(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Gathers the insights of a conversation."""
    from holdfast.features.insights.queueing import run

    return run(service, job, progress)


def _names(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Reads which people, places and things new messages name."""
    from holdfast.features.graph.gathering import run

    return run(service, job, progress)


def _summarise(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Lets a language model sum a conversation up; a retry asks only about what is left."""
    from holdfast.features.models.summarise import summarise

    return summarise(service, job.subject or "", progress=progress, hold=progress.check_held)


def _reconcile(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Reconciles a stored payload with what is known of its source."""
    from holdfast.features.reconcile.queueing import run

    return run(service, job, progress)


def _back_up(settings: Settings, _: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
    """Makes a backup; one with problems fails, and lets no old one go."""
    from holdfast.api.backing_up import back_up

    backup, deleted = back_up(settings, advance=_counting(progress))
    if backup.problems:
        raise Damaged(backup.problems[0], code="store_damaged")
    return {"memories": backup.own, "bytes": backup.size, "deleted": len(deleted)}


def _drill(settings: Settings, _: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
    """Restores the newest backup into a scratch folder, and fails if it would not work. Where there is none
    yet, as on the first day of a service over an older store, one is made first."""
    from holdfast.api.backing_up import back_up, drill, list_backups

    if not any(backup.is_regular and backup.is_noted for backup in list_backups(settings)):
        back_up(settings, advance=_counting(progress))
    report = drill(settings, advance=_counting(progress)).report
    if not report.healthy:
        raise Damaged(report.problems[0], code="store_damaged")
    return {"memories": report.memories}


def _backs_up(settings: Settings) -> bool:
    """Returns whether backups are made: of a file always, of a tenant where a folder is named."""
    copies = backend_of(settings.store).copies
    return copies is not None and (
        settings.backup_folder is not None or copies.home(settings).file is not None
    )


def _counting(progress: Progress) -> Callable[[int], None]:
    """Returns a function that adds to the progress of a job."""
    done = 0
    progress(0)

    def advance(count: int) -> None:
        nonlocal done
        done += count
        progress(done)

    return advance


def _upkeep(settings: Settings, service: Service, _: Job, progress: Progress) -> Mapping[str, Any]:
    """Purges archived projects whose time is over, and what was forgotten with deleted ones; erases what
    retention policies let go; then compacts the file. On the day after a jump of the clock it only
    compacts."""
    from holdfast.features.projects.closing import purge_archived
    from holdfast.features.projects.restoring import purge_deleted
    from holdfast.features.retention.applying import apply_policies
    from holdfast.features.retention.steady_clock import holds_back

    days = settings.purge_days
    if holds_back(service, days):
        return {"projects": 0, "memories": 0, "waits_for_clock": True, "freed_bytes": service.store.compact()}
    purged = purge_archived(service, progress.check)
    progress(len(purged))
    erased = purge_deleted(service, days, progress.check) if days else 0
    erased += apply_policies(service, progress.check)
    return {
        "projects": len(purged), "memories": sum(project.memories for project in purged) + erased,
        "freed_bytes": service.store.compact(),
    }  # fmt: skip


def _tidy(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Merges what says the same and puts away what nobody uses, or only counts that."""
    from holdfast.features.review.tidy import run

    return run(service, job, progress)


def _scan(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Looks with today's rules at what was stored before, and proposes redactions."""
    from holdfast.features.review.scan_job import run

    return run(service, job, progress)


def _describe(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Lets the first language model describe the cells and the whole of a source."""
    from holdfast.features.models.describe import describe

    return describe(service, job, progress)


HANDLERS: Mapping[str, Handler] = {
    DESCRIBE: _describe,
    EMBED: embed.make,
    IMPORT: _import,
    INDEX: _index,
    INSIGHTS: _insights,
    MAINTAIN: _maintain,
    NAMES: _names,
    PROPOSE: _propose,
    RECONCILE: _reconcile,
    REINDEX: _reindex,
    SCAN: _scan,
    SUMMARISE: _summarise,
    TIDY: _tidy,
}
"""The handler of each kind of job."""
