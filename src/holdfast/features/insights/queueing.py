"""Insights that are gathered later, in a job: by rules, and by the first model if it is asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from holdfast.core.arguments import checked_flag
from holdfast.core.jobs import INSIGHTS, Job
from holdfast.features.insights.gather import Destination, conversation, gather
from holdfast.features.jobs import jobs
from holdfast.features.jobs.worker import Progress
from holdfast.features.models.calls import model_for
from holdfast.features.service import Service


def queue(
    service: Service, session: str, *, scope: Any = None, visibility: str | None = None, model: bool = False
) -> Job:
    """Queues the insights of a conversation with the arguments of `gather`. Raises InvalidInput, NotFound
    `session_not_found`, or `model_not_found`, and Conflict `model_not_accepted`."""
    where = Destination(scope, visibility)
    if checked_flag(model, "model"):
        model_for(service, None, INSIGHTS)
    with service.store.read() as snap:
        known, messages = conversation(snap, service, session)
        where.topics(snap, service, known, messages, ())
    stored = {"session": session, "scope": where.pair, "visibility": visibility, "model": model}
    content = json.dumps(stored).encode()
    return jobs.enqueue_with_input(service, INSIGHTS, content, now=service.clock())


def run(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Runs a job. A retry finds what an earlier attempt stored. Returns counts only, because a job holds no
    text."""
    from holdfast.features.insights.propose import propose

    stored = json.loads(jobs.input_of(service, job))
    session, scope, visibility = stored["session"], stored["scope"], stored["visibility"]
    progress(0)
    found = gather(service, session, scope=scope, visibility=visibility, hold=progress.check_held)
    counts = Counter(one.action for one in found.changes)
    result = {"messages": found.messages, "quality": found.quality, "known": found.known, **counts}
    if stored["model"]:
        result["model"] = propose(service, session, Destination(scope, visibility), hold=progress.check_held)
    return result
