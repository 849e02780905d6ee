"""Insights that are gathered later, in a job: by rules, and by the first model if it is asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.core.arguments import checked_flag
from holdfast.core.errors import HoldfastError
from holdfast.core.jobs import INSIGHTS, Job, State
from holdfast.core.record import Kept, Outcome
from holdfast.core.views import personal_view
from holdfast.features.insights.gather import Destination, conversation, gather
from holdfast.features.jobs import jobs
from holdfast.features.jobs.worker import Progress
from holdfast.features.models.calls import model_for
from holdfast.features.service import Service
from holdfast.features.sessions import conversations
from holdfast.features.sessions.conversations import default_session

NOT_NEW = frozenset({Outcome.REFUSED, Outcome.DUPLICATE})
"""Outcomes of messages that say nothing new."""


def queue(
    service: Service, session: str, *, scope: Any = None, visibility: str | None = None, model: bool = False
) -> Job:
    """Queues the insights of a conversation with the arguments of `gather`, and returns the job: one that
    waits already, if it is for the same. Raises InvalidInput, NotFound `session_not_found`, or
    `model_not_found`, and Conflict `model_not_accepted`."""
    where = Destination(scope, visibility)
    if checked_flag(model, "model"):
        model_for(service, None, INSIGHTS)
    with service.store.read() as snap:
        session_record, messages = conversation(snap, service, session)
        where.topics(snap, service, session_record, messages, ())
        waiting = snap.jobs(
            personal_view(service.principal), states={State.QUEUED}, kind=INSIGHTS, subject=session, limit=10
        )
    stored = {"session": session, "scope": where.pair, "visibility": visibility, "model": model}
    content = json.dumps(stored).encode()
    for job in waiting:
        if job.agent == service.principal.agent and _input_of(service, job) == content:
            return job
    return jobs.enqueue_with_input(service, INSIGHTS, content, now=service.clock(), subject=session)


def add_messages(
    service: Service, messages: Sequence[Mapping[str, Any]], *, scope: Any, session: str | None,
    project: str | None, visibility: str | None, workspace: str | None, **options: Any,
) -> list[Kept]:  # fmt: skip
    """Stores messages of a conversation and queues its insights, if a message is new (S3.26)."""
    where = Destination(scope, None)
    session = default_session(session, project, workspace)
    place: dict[str, Any] = {"project": project, "visibility": visibility, "workspace": workspace}
    outcomes = conversations.add_messages(service, messages, session=session, **place, **options)
    if any(outcome.outcome not in NOT_NEW for outcome in outcomes):
        queue(service, session, scope=where.pair, visibility=visibility)
    return outcomes


def _input_of(service: Service, job: Job) -> bytes | None:
    """Returns the input of a job that waits; None if it has run meanwhile."""
    try:
        return jobs.input_of(service, job)
    except HoldfastError:
        return None


def run(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
    """Runs a job. A retry finds what an earlier attempt stored. Returns counts only, because a job holds no
    text."""
    from holdfast.features.insights.propose import propose

    stored = json.loads(jobs.input_of(service, job))
    session, scope, visibility = stored["session"], stored["scope"], stored["visibility"]
    progress(0)
    insights = gather(service, session, scope=scope, visibility=visibility, hold=progress.check_held)
    counts = Counter(change.action for change in insights.changes)
    result = {"messages": insights.messages, "quality": insights.quality, "known": insights.known, **counts}
    if stored["model"]:
        result["model"] = propose(service, session, Destination(scope, visibility), hold=progress.check_held)
    return result
