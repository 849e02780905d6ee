"""Routes of declared operations: requests, permissions, responses, and documentation with every status."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib import import_module
from itertools import chain, islice
from operator import attrgetter
from typing import Annotated, Any, cast

from fastapi import Depends, Header, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match, compile_path
from starlette.types import Receive, Scope, Send

from holdfast.api import catalogue
from holdfast.api.memory import Memory
from holdfast.api.operation import UNSET, Operation
from holdfast.api.parameters import parameter_of
from holdfast.core.errors import InvalidInput, Refusal
from holdfast.core.places import scope_named
from holdfast.core.record import Kept, Outcome
from holdfast.core.record import Memory as Record
from holdfast.core.wire import to_plain
from holdfast.features.access.access import Permission, authorise
from holdfast.http.gate import READING
from holdfast.http.problems import MEDIA_TYPE, check_in_query, check_no_fields, unknown_parameter
from holdfast.http.response import JSONResponse
from holdfast.http.schemas import Schemas, argument_type, body_model, field_options

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
    429: "You have sent more requests than the service allows in this time.",
    503: "The store, or the language model that is needed, cannot be used at the moment.",
}
"""What each status of an error means."""
RETRY_AFTER = {"description": "Seconds after which to try again.", "schema": {"type": "integer"}}
ALWAYS = frozenset({401, 403, 421, 422, 429, 503})
"""Statuses of errors that every operation may have."""
WRITES = frozenset({408, 409, 413, 415})
"""Statuses of errors that every request with a body may have."""
NEW = (Outcome.CREATED, Outcome.REDACTED, Outcome.PENDING, Outcome.SUPERSEDED)
"""Outcomes of a text that is something new."""
_ETAG = re.compile(r'"(\d{1,9})"', re.ASCII)
IN_QUERY = ("GET", "DELETE")
API_VERSION = "v1"
"""The first name in the path of every operation."""


class Call:
    """One authorised request, with the memory of its principal."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.memory: Memory = scope["memory"]

    @property
    def roots(self) -> tuple[str, ...]:
        """Returns the folders below which the service may index."""
        return tuple(self._scope["app"].state.roots)

    def count(self, outcomes: Sequence[Kept]) -> None:
        """Counts outcomes in the metrics."""
        for result in outcomes:
            self._scope["app"].state.watch.outcomes.labels(result.outcome.value).inc()


def authorised(permission: Permission) -> Callable[[Request], Any]:
    """Returns the dependency that authorises one operation and returns its call."""

    async def call(request: Request) -> Call:
        await check_authorised(request, permission)
        return Call(request.scope)

    return call


async def check_authorised(
    request: Request, permission: Permission, *, passed_over: Sequence[str] = ()
) -> None:
    """Raises AccessDenied unless the credential allows an operation, and InvalidInput for a query parameter
    or a body that its route does not take; but for parameters that are passed over."""
    request.scope["operation"] = permission.operation
    authorise(request.scope["grant"], permission, request.scope["memory"]._service.clock())
    accepted = [field.alias for field in request.scope["route"].dependant.query_params]
    for name in request.query_params:
        if name not in accepted and name not in passed_over:
            raise unknown_parameter(name, accepted)
    if request.method in IN_QUERY:
        check_in_query(await request.body())
    elif request.scope["route"].body_field is None:
        check_no_fields(await request.body())


class Below(APIRoute):
    """A route below a name that may contain slashes. These are sent as %2F, so that only a literal slash
    separates the last segment of the path from the name.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        last = "/" + self.path.rpartition("/")[2]
        if not scope.get("raw_path", b"").partition(b"?")[0].endswith(last.encode()):
            return Match.NONE, {}
        return super().matches(scope)


Endpoint = Callable[..., Any]


class OnDemand:
    """A route that is built at the first request to its path, or for the document: building all of them would
    take half of what a service needs to start.
    """

    def __init__(self, path: str, build: Callable[[], APIRoute]) -> None:
        self.fits = compile_path(path)[0].match
        self._build = build

    @cached_property
    def built(self) -> APIRoute:
        return self._build()


class Operations(BaseRoute):
    """The routes of all declared operations, looked up by the first name in the path: trying each of them
    would take a tenth of a millisecond. Longer paths come first, since a name may contain slashes.
    """

    def __init__(self, schemas: Schemas) -> None:
        self.routes: list[OnDemand] = []
        self._below: dict[str, list[OnDemand]] = defaultdict(list)
        for operation in sorted(catalogue.operations().values(), key=_specificity):
            if operation.path:
                route = OnDemand(_path(operation), partial(_route, operation, schemas))
                self.routes.append(route)
                self._below[operation.path.split("/")[1]].append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        best: tuple[Match, Scope] = (Match.NONE, {})
        path = scope["path"].removeprefix(scope.get("root_path", "")) if scope["type"] == "http" else ""
        names = path.split("/", 3)
        if names[1:2] != [API_VERSION]:
            return best
        for route in self._below.get(names[2] if names[2:] else "", ()):
            if not route.fits(path):
                continue
            result = route.built.matches(scope)
            if result[0] is Match.FULL:
                return result
            if best[0] is Match.NONE:
                best = result
        return best

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["route"].handle(scope, receive, send)


def _specificity(operation: Operation) -> tuple[bool, bool]:
    return "{" in operation.path, operation.path.endswith("}")


def _path(operation: Operation) -> str:
    path = operation.path.replace("}", ":path}", 1) if operation.tail else operation.path
    return f"/{API_VERSION}{path}"


def _route(operation: Operation, schemas: Schemas) -> APIRoute:
    """Returns the route of an operation, with its responses for the OpenAPI document."""
    endpoint = _by_hand(operation) if operation.handler else _derived(operation)
    success: dict[int | str, dict[str, Any]] = {}
    if operation.stream is not None:
        success[operation.status] = text_response(operation.stream)
    elif operation.status == 204:
        success[204] = {"description": "Done; there is no body."}
    else:
        statuses = (201, 200) if operation.keeps else (operation.status,)
        done = json_response("Done.", _answer(endpoint, operation, schemas))
        success |= dict.fromkeys(statuses, done)
    for status, declared in getattr(endpoint, "others", {}).items():
        success[status] = json_response("Done.", schemas.of(declared))
    is_below = operation.tail and not operation.path.endswith("}")
    return route_to(
        operation.method, _path(operation), operation.name, endpoint, permitted(operation.permission),
        success=success, errors=operation.statuses, status=201 if operation.keeps else operation.status,
        tag=operation.tag, about=operation.function.__doc__ or "",
        route=Below if is_below else APIRoute,
        plain=operation.stream is not None,
    )  # fmt: skip


def _answer(endpoint: Endpoint, operation: Operation, schemas: Schemas) -> Mapping[str, Any]:
    """Returns the schema of the response; a route that is written by hand may say what it `returns`."""
    declared = getattr(endpoint, "returns", None)
    return schemas.response(operation) if declared is None else schemas.of(declared)


def permitted(permission: Permission) -> Any:
    """Returns the FastAPI dependency that authorises an operation and returns its call."""
    return Depends(authorised(permission))


def text_response(media_type: str) -> dict[str, Any]:
    """Returns the documentation of a response that is text."""
    return {"description": "Done.", "content": {media_type: {"schema": {"type": "string"}}}}


def stream_response() -> dict[str, Any]:
    """Returns the documentation of server-sent events, which have no schema as a whole."""
    return {"description": "Events.", "content": {"text/event-stream": {"schema": {}}}}


def json_response(about: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the documentation of a JSON response."""
    return {"description": about, "content": {"application/json": {"schema": schema}}}


def _by_hand(operation: Operation) -> Endpoint:
    module, _, name = (operation.handler or "").partition(":")
    endpoint: Endpoint = getattr(import_module(f"holdfast.http.{module}"), name)
    return endpoint


def route_to(
    method: str,
    path: str,
    name: str,
    endpoint: Endpoint,
    permitted: Any,
    *,
    success: dict[int | str, dict[str, Any]],
    errors: frozenset[int] = frozenset(),
    status: int = 200,
    tag: str,
    about: str,
    route: type[APIRoute] = APIRoute,
    plain: bool = False,
) -> APIRoute:
    """Returns one route. The parameter `call` of its endpoint is passed only to authorised requests."""
    signature = inspect.signature(endpoint)
    call = signature.parameters["call"].replace(annotation=Annotated[Call, permitted])
    endpoint.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[call, *list(signature.parameters.values())[1:]]
    )
    summary, _, rest = inspect.cleandoc(about).partition("\n\n")
    first, _, more = " ".join(summary.split()).partition(". ")
    return route(
        path,
        endpoint,
        methods=[method],
        status_code=status,
        response_class=Response if plain else JSONResponse,
        response_model=None,
        operation_id=name.replace(".", "_"),
        summary=first.rstrip("."),
        description=" ".join(f"{more} {rest}".split()),
        responses={**success, **problems({*ALWAYS, *errors, *(WRITES if method not in READING else ())})},
        tags=[tag],
    )


def _derived(operation: Operation) -> Endpoint:
    """Returns the endpoint of an operation, which reads arguments from the request, calls the method, and
    responds.
    """
    params = [inspect.Parameter("call", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    in_body: list[str] = []
    for name, declared in operation.signature.parameters.items():
        options = field_options(parameter_of(operation, name))
        if f"{{{name}}}" in operation.path:
            annotation, default = Annotated[str, Path(**options)], inspect.Parameter.empty
        elif name in operation.headers:
            about = 'The ETag that was read, such as `"3"`.'
            annotation = Annotated[
                str | None, Header(alias=operation.headers[name].lower(), description=about)
            ]
            default = None
        elif operation.method in IN_QUERY or name in operation.query:
            kind = argument_type(declared.annotation, in_query=True)
            default = parameter_of(operation, name).default or declared.default
            if default in ((), UNSET):
                default = None
            annotation = Annotated[kind | None if default is None else kind, Query(**options)]
        else:
            in_body.append(name)
            continue
        params.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        )
    if in_body:
        model = body_model(operation, in_body)
        required = any(field.is_required() for field in model.model_fields.values())
        no_body = inspect.Parameter.empty if required else model()
        params.append(
            inspect.Parameter("body", inspect.Parameter.KEYWORD_ONLY, default=no_body, annotation=model)
        )

    def endpoint(call: Call, **values: Any) -> Response:
        body = values.pop("body", None)
        arguments = {name: _from_request(operation, name, value) for name, value in values.items()}
        arguments |= {} if body is None else body.params()
        result = _method(call.memory, operation)(**arguments)
        return respond(call, operation, result) if operation.stream is None else streamed(operation, result)

    endpoint.__signature__ = inspect.Signature(params)  # type: ignore[attr-defined]
    return endpoint


def _from_request(operation: Operation, name: str, value: Any) -> Any:
    """Returns a parameter of a request as the argument of an operation."""
    if name in operation.headers:
        return _version(value)
    if name == "scope" and isinstance(value, str):
        scope = scope_named(value)
        return scope.type, scope.id
    default = operation.signature.parameters[name].default
    return () if value is None and default == () else value


def _method(memory: Memory, operation: Operation) -> Callable[..., Any]:
    return cast("Callable[..., Any]", attrgetter(operation.attribute)(memory))


def _version(if_match: str | None) -> int | None:
    """Returns the version in an If-Match header, None for any. Raises InvalidInput."""
    if if_match is None or if_match == "*":
        return None
    match = _ETAG.fullmatch(if_match)
    if match is None:
        raise InvalidInput("If-Match holds one ETag of a memory", code="precondition_invalid", hint='"3"')
    return int(match[1])


def respond(call: Call, operation: Operation, result: Any) -> Response:
    """Returns the response to an operation. A text refused by policy is an error, so that no client takes
    it for stored: raises Refusal.
    """
    if operation.status == 204:
        return Response(status_code=204)
    status = operation.status
    if isinstance(result, Kept):
        call.count([result])
        if result.memory is None:
            raise Refusal(result.reason, code=result.code or "text_empty")
        if operation.keeps:
            status = 201 if result.outcome in NEW else 200
        return JSONResponse(result.as_dict(), status, _tagged(result.memory))
    if isinstance(result, Record):
        return JSONResponse(result.as_dict(), status, _tagged(result))
    if isinstance(result, list) and result and isinstance(result[0], Kept):
        call.count(result)
    if isinstance(operation.key, tuple):
        return JSONResponse(dict(zip(operation.key, result, strict=True)), status)
    plain = to_plain(result)
    return JSONResponse(plain if operation.key is None else {operation.key: plain}, status)


def streamed(operation: Operation, lines: Iterator[str]) -> Response:
    """Returns a response whose lines are sent as they are generated. An error before the first is one of the
    request."""
    first = list(islice(lines, 1))
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(chain(first, lines), media_type=operation.stream, headers=headers)


def _tagged(memory: Record) -> dict[str, str]:
    return {"ETag": f'"{memory.version}"'}


def problems(statuses: set[int]) -> dict[int | str, dict[str, Any]]:
    """Returns the documentation of errors by status."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    documented: dict[int | str, dict[str, Any]] = {
        code: {"description": REASONS[code], "content": content} for code in sorted(statuses)
    }
    if 429 in documented:
        documented[429]["headers"] = {"Retry-After": RETRY_AFTER}
    return documented
