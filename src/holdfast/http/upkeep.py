"""Routes of maintenance, health and metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from holdfast.core.jobs import Job
from holdfast.core.views import personal_view
from holdfast.http.jobs import Prefer, accepted, wants_job
from holdfast.http.models import Health
from holdfast.http.operations import Call, problems
from holdfast.http.response import JSONResponse
from holdfast.workers import queue_maintain

health = APIRouter(tags=["health"])


def maintain(call: Call, prefer: Prefer = None) -> JSONResponse:
    """Computes missing vectors.

    Computes as many as one request may; with `Prefer: respond-async` a job computes all of them.
    """
    if wants_job(prefer):
        return accepted(queue_maintain(call.memory._service), requested=True)
    made, failed = call.memory.maintain()
    return JSONResponse({"made": made, "failed": failed})


maintain.others = {202: Job}  # type: ignore[attr-defined]


def metrics(call: Call, request: Request) -> Response:
    """Returns metrics for Prometheus."""
    from prometheus_client import CONTENT_TYPE_LATEST

    service = call.memory._service
    watch, view = request.app.state.watch, personal_view(service.principal)
    with service.store.read() as snap:
        watch.note_jobs(snap.backlog(view, now=service.clock()))
        watch.note_storage(snap.storage_of_all(view), service.quotas)
    return Response(watch.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})


@health.get(
    "/health",
    operation_id="health",
    summary="Whether the service runs, for simple checks",
    response_class=JSONResponse,
    response_model=Health,
    responses=problems({421, 403}),
)
async def alive(request: Request) -> JSONResponse:
    """Reports that the service runs, as `/health/live` does."""
    return await live(request)


@health.get(
    "/health/live",
    operation_id="live",
    summary="Whether the service runs",
    response_class=JSONResponse,
    response_model=Health,
    responses=problems({421, 403}),
)
async def live(request: Request) -> JSONResponse:
    """Reports that the service runs, whatever the state of the store."""
    request.scope["operation"] = "live"
    return JSONResponse({"status": "ok"})


@health.get(
    "/health/ready",
    operation_id="ready",
    summary="Whether the service is ready to work",
    response_class=JSONResponse,
    response_model=Health,
    responses=problems({421, 403, 503}),
)
def ready(request: Request) -> JSONResponse:
    """Reads the store; a problem with status 503 explains why it cannot be used."""
    request.scope["operation"] = "ready"
    service = request.app.state.entrance.service
    if service.store.lost is not None:
        raise service.store.lost
    with service.store.read() as snap:
        snap.head(personal_view(service.principal))
    return JSONResponse({"status": "ready"})
