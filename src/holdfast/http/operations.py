"""Operations: how a function becomes a route, authorised and documented with every status it may have."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.types import Scope

from holdfast.domain.memories import Kept
from holdfast.engine.access import authorise
from holdfast.http.answers import Problem
from holdfast.http.gate import READING
from holdfast.http.problems import MEDIA_TYPE
from holdfast.memory import Memory

REASONS: Mapping[int, str] = {
    400: "If-Match cannot be read.",
    401: "The credential is missing, not valid or expired.",
    403: "The credential does not allow this, or the origin is foreign.",
    404: "There is no such thing, or it is not yours to see.",
    408: "The body did not arrive in time.",
    409: "The request contradicts what is stored, or the same request is still running.",
    412: "The memory is no longer at the version that was named.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    421: "The service does not answer to this host.",
    422: "What was given cannot be used; nothing was changed.",
    503: "The store cannot be used at the moment.",
}
"""What each status of an error means."""
ALWAYS = (401, 403, 421, 422, 503)
WRITES = (408, 409, 413, 415)


class Call:
    """One authorised request: the memory of its principal."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.memory: Memory = scope["memory"]

    def count(self, kept: Sequence[Kept]) -> None:
        """Counts outcomes in the metrics."""
        for one in kept:
            self._scope["app"].state.watch.outcomes.labels(one.outcome.value).inc()

    def erased(self) -> None:
        """Tells that something was erased, so that no answer of before is kept."""
        self._scope["erased"] = True


def authorised(name: str) -> Callable[[Request], Any]:
    """The dependency that authorises one operation and hands out its call."""

    async def call(request: Request) -> Call:
        request.scope["operation"] = name
        memory = request.scope["memory"]
        authorise(request.scope["grant"], name, memory._service.clock())
        return Call(request.scope)

    return call


Endpoint = Callable[..., Any]


def operation(
    router: APIRouter,
    method: str,
    path: str,
    name: str,
    answer: type[BaseModel] | None,
    *,
    status: int = 200,
    also: Sequence[int] = (),
    others: Mapping[int, type[BaseModel]] | None = None,
    media_type: str | None = None,
) -> Callable[[Endpoint], Endpoint]:
    """Makes a function the route of an operation. Its parameter `call` is given only to who may use it.

    `answer` is the model of the body, for the document; `also` names further statuses of errors; `others`
    further statuses of success; `media_type` what the body is if no JSON.
    """
    statuses = {*ALWAYS, *also, *(WRITES if method not in READING else ())}

    def register(endpoint: Endpoint) -> Endpoint:
        endpoint.__annotations__["call"] = Annotated[Call, Depends(authorised(name))]
        text = inspect.cleandoc(endpoint.__doc__ or "")
        summary, _, rest = text.partition("\n\n")
        good: dict[int | str, dict[str, Any]] = {
            code: {"model": model, "description": "Done."} for code, model in (others or {}).items()
        }
        if answer is not None:
            good[status] = {"model": answer, "description": "Done."}
        elif media_type is not None:
            content = {media_type: {"schema": {"type": "string"}}}
            good[status] = {"description": "Done.", "content": content}
        else:
            good[status] = {"description": "Done; there is no body."}
        router.add_api_route(
            path,
            endpoint,
            methods=[method],
            status_code=status,
            response_class=JSONResponse if media_type is None else Response,
            response_model=None,
            operation_id=name.replace(".", "_"),
            summary=" ".join(summary.split()).rstrip("."),
            description=" ".join(rest.split()),
            responses={**good, **problems(statuses)},
        )
        return endpoint

    return register


def problems(statuses: set[int]) -> dict[int | str, dict[str, Any]]:
    """The documentation of errors by status."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {code: {"description": REASONS[code], "content": content} for code in sorted(statuses)}


__all__ = ["Call", "Problem", "authorised", "operation", "problems"]
