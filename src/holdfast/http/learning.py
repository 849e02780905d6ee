"""The route of learning: the log of a working session becomes candidate memories."""

from __future__ import annotations

from fastapi import APIRouter

from holdfast.http import learning_models as shapes
from holdfast.http.operations import Call, operation
from holdfast.http.response import JSONResponse

router = APIRouter(prefix="/v1", tags=["memories"])


@operation(router, "POST", "/learn", "learn", shapes.LearnedOut)
def learn(call: Call, body: shapes.LearnIn) -> JSONResponse:
    """Find what a session with a codebase taught, from its log.

    Errors that were overcome, commands found by trial, repeated searches, files that go together, dead ends,
    and corrections by the user or of the assistant itself. All of it waits for review. The same log again
    adds nothing.
    """
    return JSONResponse(call.memory.learn(**body.given()).as_dict())
