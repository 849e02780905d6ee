"""Payloads that are reconciled later: stored beside the queue, in the order in which they arrived."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from holdfast.core.jobs import RECONCILE, Job
from holdfast.features.jobs import jobs
from holdfast.features.jobs.worker import Progress
from holdfast.features.reconcile.apply import Payload
from holdfast.features.reconcile.reconcile import payload_of, reconcile
from holdfast.features.reconcile.sources import find_described, why_not_reconcile
from holdfast.features.service import Service


def queue(service: Service, payload: Payload, content: Mapping[str, Any], **options: Any) -> Job:
    """Stores a checked payload and queues its reconciliation with the arguments of `reconcile`. Without a
    number it gets one by the time of its arrival. Raises InvalidInput, Refusal `not_yours`."""
    now = service.clock()
    with service.store.read() as snap:
        source = find_described(snap, service, payload.file, options.get("project"))
    if source is not None and (refusal := why_not_reconcile(service.principal, source)) is not None:
        raise refusal
    if payload.sequence is None:
        payload = replace(payload, sequence=max(now, 0 if source is None else source.sequence + 1))
    stored = {"file": payload.file, "sequence": payload.sequence, "payload": content, "options": options}
    encoded, units = json.dumps(stored).encode(), len(payload.entities)
    return jobs.enqueue_with_input(service, RECONCILE, encoded, now=now, units=units)


def run(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Runs a job: reconciles its payload. A retry continues what an earlier attempt began. Returns counts
    only, because a job holds no text."""
    stored = json.loads(jobs.input_of(service, job))
    payload = payload_of(stored["file"], stored["payload"], stored["sequence"])
    progress(0, len(payload.entities))
    result = reconcile(
        service, payload, **stored["options"], progress=progress, hold=progress.check_held
    ).as_dict()
    return {name: value for name, value in result.items() if name not in ("name", "platform", "changes")}
