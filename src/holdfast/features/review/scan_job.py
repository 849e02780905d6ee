"""The scan as a background job: over all that somebody keeps, or for an administrator over a whole tenant.

What it finds waits in the inbox of whose memory it is. Who asked for it learns numbers only.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from holdfast.core.arguments import checked_flag
from holdfast.core.errors import AccessDenied
from holdfast.core.jobs import SCAN, Job
from holdfast.core.places import Principal, Role
from holdfast.core.scanning import SCANNED, Finding
from holdfast.core.views import personal_view
from holdfast.features.access.permission import check_in_person
from holdfast.features.access.reach import administers
from holdfast.features.admission.recheck import Recheck
from holdfast.features.jobs import jobs
from holdfast.features.jobs.worker import Progress
from holdfast.features.review import findings
from holdfast.features.review.scan import found_projects, found_sessions, own_view, proposals
from holdfast.features.service import Service

PAGE = 500
"""Memories that are looked at in one snapshot."""


def queue(service: Service, *, personal: bool = False, everyone: bool = False, dry_run: bool = False) -> Job:
    """Queues a scan of all that the user keeps, or of the whole tenant. Raises InvalidInput; Refusal
    `person_needed` or AccessDenied for a whole tenant; Conflict `jobs_too_many`."""
    options = {"personal": personal, "everyone": everyone, "dry_run": dry_run}
    for name, value in options.items():
        checked_flag(value, name)
    if everyone:
        check_in_person(service.principal, "has everybody's memories scanned")
        if not administers(service):
            raise AccessDenied(
                "only an owner or admin may have everybody's memories scanned", code="not_permitted"
            )
    return jobs.enqueue_with_input(service, SCAN, json.dumps(options).encode(), now=service.clock())


def run(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Runs a job: looks at everything, and unless it is a dry run puts proposals into the inboxes. Returns
    counts. A retry begins anew, and proposes nothing twice."""
    options = json.loads(jobs.input_of(service, job))
    recheck_personal, everyone = options["personal"], options["everyone"]
    users = [service.principal.user]
    progress(0)
    if everyone:
        with service.store.read() as snap:
            users = snap.owners(personal_view(service.principal))
    people = [_person(service, user) for user in users]
    tally = _Tally(progress, sum(map(_kept_by, people)))
    for person in people:
        tally.scan(person, personal=recheck_personal, dry_run=options["dry_run"])
    with service.store.read() as snap:
        recheck = Recheck(service.admission, personal=recheck_personal)
        tally.names["project"] = sum(1 for _ in found_projects(snap, service, recheck))
    result = {**tally.counts, "types": dict(sorted(tally.types.items())), "names": dict(tally.names)}
    if everyone:
        result["people"] = len(people)
    with service.store.write() as tx:
        progress.check_held(tx)
        detail = {**options, "memories": tally.counts["memories"], "found": tally.counts["found"]}
        tx.add_event(
            at=service.clock(), actor=service.principal.label, action=SCANNED, subject=None, detail=detail
        )
    return result


class _Tally:
    """The counts of a scan that goes through the memories of one or more people."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self.counts = Counter(memories=0, versions=0, found=0, kept=0)
        self.types: Counter[str] = Counter()
        self.names = Counter(project=0, session=0)

    def scan(self, service: Service, *, personal: bool, dry_run: bool) -> None:
        """Looks at all that the user of the service keeps, and proposes redactions to them."""
        recheck = Recheck(service.admission, personal=personal)
        cursor: str | None = None
        while True:
            with service.store.read() as snap:
                page = snap.page(own_view(service), limit=PAGE, cursor=cursor, now=0)
                looked = proposals(snap, service, recheck, page.memories)
            proposed = [shown.proposal for shown in looked.proposals]
            self.counts.update(
                memories=len(page.memories),
                versions=looked.versions,
                found=len(proposed),
                kept=looked.dismissed,
            )
            for proposal in proposed:
                self.types.update(proposal.types)
            if proposed and not dry_run:
                with service.store.write() as tx:
                    self._progress.check_held(tx)
                    for proposal in proposed:
                        tx.put_finding(
                            Finding(proposal.id, service.principal.user, service.clock(), personal)
                        )
            self._progress(self.counts["memories"], max(self._total, self.counts["memories"]))
            cursor = page.cursor
            if cursor is None:
                break
        with service.store.read() as snap:
            self.names["session"] += sum(1 for _ in found_sessions(snap, service, recheck))
        if not dry_run:
            with service.store.write() as tx:
                self._progress.check_held(tx)
                findings.prune(service, tx)


def _person(service: Service, user: str) -> Service:
    """Returns the service as one of the people of the tenant, whose texts nobody else is shown."""
    return service if user == service.principal.user else service.acting_as(Principal(user, Role.MEMBER))


def _kept_by(service: Service) -> int:
    with service.store.read() as snap:
        return snap.count(own_view(service), now=0)
