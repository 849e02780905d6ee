"""Hand-written routes of background jobs: a stream of progress events, and the 202 response."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated

from fastapi import Header, Path, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from holdfast.api.memory import Memory
from holdfast.core.errors import HoldfastError, NotFound
from holdfast.core.jobs import Job
from holdfast.http.operations import Call
from holdfast.http.problems import log_failure
from holdfast.http.response import JSONResponse
from holdfast.http.signin import Entrance

JobId = Annotated[str, Path(description="The id of a job.")]
Prefer = Annotated[
    str | None, Header(description="`respond-async` makes a job of it: 202, with its place in Location.")
]
LOOK_SECONDS = 0.5
"""Between two looks how far a job is."""
BEAT_SECONDS = 15.0
"""Of silence after which a stream says that it is still there."""
STREAM_SECONDS = 600.0
"""After which a stream ends; who still listens comes again, and shows a credential that is valid then."""


async def job_events(call: Call, id: JobId, request: Request) -> Response:
    """Streams the progress of a job until it ends, as server-sent events.

    Each event `progress`, and the last one `ended`, has the job as JSON. Comments in between keep the
    connection alive.
    """
    entrance: Entrance = request.app.state.entrance
    job = await run_in_threadpool(call.memory.jobs.get, id)
    stream = _progress_events(call.memory, job, request, partial(entrance.still_admits, request.scope))
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _progress_events(
    memory: Memory, job: Job, request: Request, is_allowed: Callable[[], bool]
) -> AsyncIterator[str]:
    """Polls the job and yields changes, without blocking a thread. Ends with the job, with the service, or
    when the request is no longer allowed."""

    def now() -> Job | None:
        current = memory.jobs.get(job.id)
        return current if is_allowed() else None

    seconds = asyncio.get_running_loop().time
    until = seconds() + STREAM_SECONDS
    last, at = "", seconds()
    while True:
        state = json.dumps(job.as_dict())
        if state != last:
            yield f"event: {'progress' if job.is_open else 'ended'}\ndata: {state}\n\n"
            last, at = state, seconds()
        elif seconds() - at >= BEAT_SECONDS:
            yield ": still there\n\n"
            at = seconds()
        if not job.is_open or seconds() >= until or request.app.state.is_ending:
            return
        await asyncio.sleep(LOOK_SECONDS)
        try:
            latest = await run_in_threadpool(now)
        except NotFound:  # its memory was erased, and it with it
            return
        except HoldfastError as error:  # who still listens comes again, and is told then
            log_failure(error, request.scope.get("request_id"))
            return
        if latest is None:
            return
        job = latest


def wants_job(prefer: str | None) -> bool:
    """Returns whether a request prefers an asynchronous response, that is a job (RFC 7240)."""
    return "respond-async" in {part.strip().lower() for part in (prefer or "").replace(";", ",").split(",")}


def accepted(job: Job, *, requested: bool) -> JSONResponse:
    """Returns the 202 response with the job and its location."""
    headers = {"Location": f"/v1/jobs/{job.id}"}
    if requested:
        headers["Preference-Applied"] = "respond-async"
    return JSONResponse(job.as_dict(), 202, headers)
