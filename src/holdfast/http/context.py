"""Routes of the context: what an agent should know before a task, and what that did."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from holdfast.http import context_models as shapes
from holdfast.http.operations import Call, operation
from holdfast.http.response import JSONResponse

router = APIRouter(prefix="/v1", tags=["memories"])


@operation(router, "POST", "/context", "context", shapes.ContextOut, also=(409,))
def context(call: Call, body: shapes.ContextIn) -> JSONResponse:
    """Pack what matters to a task into a budget of tokens.

    Where the modules are that it is about, what stands in the project, and what was learned about them. What
    the session was given before is left out.
    """
    return JSONResponse(call.memory.context(**body.given()).as_dict())


@operation(router, "GET", "/stats/usage", "stats", shapes.StatsOut, also=(409,))
def stats(
    call: Call,
    project: str | None = None,
    session: str | None = None,
    measure: Annotated[bool, Query(description="Time an embedding, a search and a durable write.")] = False,
) -> JSONResponse:
    """See what memory did for a session, a project, or everything in sight."""
    return JSONResponse(call.memory.stats(project=project, session=session, measure=measure).as_dict())
