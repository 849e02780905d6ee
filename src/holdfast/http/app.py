"""The ASGI application: routes, request checks and authentication over one opened store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import cache
from typing import Any, Protocol

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from holdfast import __version__
from holdfast.api import catalogue
from holdfast.core.jobs import Job
from holdfast.features.files.folder_watcher import Watcher
from holdfast.features.jobs.worker import Worker
from holdfast.http import browser, imports, jobs, memory_stores, observe, operations, problems, stream, upkeep
from holdfast.http.gate import Gate, Limits
from holdfast.http.idempotency import Idempotency
from holdfast.http.models import ImportOut, Problem
from holdfast.http.pages import Pages
from holdfast.http.rates import Rates
from holdfast.http.response import JSONResponse
from holdfast.http.schemas import Schemas
from holdfast.http.signin import Entrance, SignIn

TITLE = "Holdfast"
THREADS = 16
"""Requests that are worked on at once: more would wait for each other, each holding a connection."""
TAGS = [
    {"name": "memories", "description": "Keep, recall, look, change, forget."},
    {"name": "sessions", "description": "Conversations with their messages and episodes."},
    {"name": "projects", "description": "Isolated places for sessions and memories."},
    {"name": "entities", "description": "Things that are talked about, and how they stand to each other."},
    {"name": "facts", "description": "Ranked lists and preferences of the user, and questions."},
    {"name": "review", "description": "What waits for a person, decisions, feedback, clearing."},
    {"name": "agents", "description": "What coding agents are told at the events of their sessions."},
    {"name": "imports", "description": "What was brought in from other programs."},
    {"name": "jobs", "description": "What is done later, and how far it is."},
    {"name": "keys", "description": "Credentials of people and programs who use the service."},
    {"name": "consents", "description": "What users have consented to."},
    {"name": "retention", "description": "How long memories stay, and legal holds."},
    {"name": "members", "description": "Who belongs to the team, and in which role."},
    {"name": "audit", "description": "The hash-chained record of who did what."},
    {"name": "backups", "description": "Copies of the whole store, made, listed and tried."},
    {"name": "upkeep", "description": "Kinds, checks and repairs."},
    {"name": "health", "description": "Whether the service runs, and how it does."},
]
ABOUT = (
    "A memory for people, assistants and agents. Who calls is known from the credential alone; what the"
    " caller may not see looks as if it did not exist. Errors are problem+json with stable codes. A write may"
    " carry an `Idempotency-Key`: sent again within the hour, it is answered again and not done again."
    " `Holdfast-Agent` names the agent that acts for the person of a credential: it may do less."
)
IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent again with the same key, the request is answered again and not done again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}


class MountedApp(Protocol):
    """Another ASGI application behind the same request checks and authentication. It serves POST at its
    paths while it runs.
    """

    @property
    def paths(self) -> tuple[str, ...]: ...
    def run(self) -> AbstractAsyncContextManager[None]: ...
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


def create_app(
    entrance: Entrance,
    *,
    limits: Limits | None = None,
    watch: observe.Watch | None = None,
    rates: Rates | None = None,
    mcp_app: MountedApp | None = None,
    worker: Worker | None = None,
    watcher: Watcher | None = None,
    roots: Collection[str] = (),
) -> FastAPI:
    """Returns the application over one tenant, with its job worker and folder watcher. It closes the
    entrance, and with it the store, on shutdown. Only folders below `roots` may be indexed by request.
    """
    app = FastAPI(
        title=TITLE,
        version=__version__,
        description=ABOUT,
        openapi_tags=TAGS,
        openapi_url=None,  # which would build the document in the event loop, where other requests wait
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(entrance, mcp_app, worker, watcher),
    )
    app.state.entrance = entrance
    app.state.watch = watch or observe.Watch()
    app.state.heads = stream.Heads(entrance.service)
    app.state.is_ending = False
    app.state.roots = tuple(roots)
    # not `include_router`, which builds each route anew for each application, at its first request
    app.router.routes.extend([Route("/openapi.json", _send_document, include_in_schema=False), *_served()])
    if mcp_app is not None:
        routes = [Route(path, mcp_app, methods=["POST"], include_in_schema=False) for path in mcp_app.paths]
        app.router.routes.extend(routes)
    app.router.default = Pages()
    problems.install(app)
    _add_middleware(app, entrance, limits or Limits(), rates or Rates())
    app.openapi = _document  # type: ignore[method-assign]
    return app


def _lifespan(
    entrance: Entrance, mcp_app: MountedApp | None, worker: Worker | None, watcher: Watcher | None
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Returns what starts and stops what runs with an application; the entrance is closed last."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = THREADS
        if worker is not None:
            await run_in_threadpool(worker.start)
        if watcher is not None:
            await run_in_threadpool(watcher.start)
        async with mcp_app.run() if mcp_app is not None else nullcontext():
            yield
        app.state.is_ending = True
        if watcher is not None:
            await run_in_threadpool(watcher.stop)
        if worker is not None:
            await run_in_threadpool(worker.stop)
        await run_in_threadpool(entrance.close)

    return lifespan


def _add_middleware(app: FastAPI, entrance: Entrance, limits: Limits, rates: Rates) -> None:
    """Adds the checks of requests; the last one added is the first to see a request."""
    store = entrance.service.store
    app.add_middleware(Idempotency)
    app.add_middleware(SignIn, entrance=entrance, rates=rates)
    app.state.watch.follow_reads(lambda: store.reads)
    app.add_middleware(
        Gate, limits=limits, watch=app.state.watch, spans=entrance.service.spans, find_loss=lambda: store.lost
    )
    app.add_middleware(memory_stores.ErrorForm)


@cache
def _served() -> tuple[BaseRoute, ...]:
    """Returns the routes of every application of a process."""
    schemas = Schemas()
    return operations.Operations(schemas), *_other_routes(schemas)


def _other_routes(schemas: Schemas) -> Iterator[BaseRoute]:
    yield from _by_hand(schemas)
    for router in (upkeep.health, browser.router, memory_stores.router):
        yield from router.routes


def _by_hand(schemas: Schemas) -> Iterator[APIRoute]:
    """Yields the routes that no declaration describes (`catalogue.EXCEPTIONS`)."""
    endpoints: dict[str, tuple[str, Callable[..., Any], dict[int | str, dict[str, Any]]]] = {
        "import": ("imports", imports.import_, {
            200: {"model": ImportOut, "description": "Done."},
            202: operations.json_response("Queued.", schemas.of(Job)),
        }),
        "jobs.events": ("jobs", jobs.job_events, {200: operations.stream_response()}),
        "stream": ("memories", stream.changes_stream, {200: operations.stream_response()}),
        "metrics": ("health", upkeep.metrics, {200: operations.text_response("text/plain")}),
    }  # fmt: skip
    for exception in catalogue.EXCEPTIONS:
        if exception.route is None:
            continue
        method, _, path = exception.route.partition(" ")
        tag, endpoint, success = endpoints[exception.name]
        yield operations.route_to(
            method, path, exception.name, endpoint, operations.permitted(exception.permission),
            success=success, errors=frozenset({404} if "{" in path else ()), tag=tag,
            about=endpoint.__doc__ or "",
            plain=exception.name != "import",
        )  # fmt: skip


def _send_document(_: Request) -> Response:
    """Returns the OpenAPI document; not a coroutine, so it is called in a thread."""
    return JSONResponse(_document())


@cache
def _document() -> dict[str, Any]:
    """Returns the OpenAPI document: FastAPI's, with credentials, problems and idempotency keys added to
    every operation. It is the same for every application of a process.
    """
    results = Schemas()
    # built anew in their order, on which the names of schemas depend where two are called the same
    routes = [*(route.built for route in operations.Operations(results).routes), *_other_routes(results)]
    document = get_openapi(
        title=TITLE, version=__version__, description=ABOUT, tags=TAGS, routes=routes
    )  # fmt: skip
    parts = document.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    schemas |= results.definitions
    schemas["Problem"] = Problem.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    parts["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A key, or a token of your provider."},
        "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    }
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            if path.startswith("/health"):
                described["security"] = []
                continue
            described["security"] = [{"bearer": []}, {"key": []}, {}]
            if method != "get":
                described.setdefault("parameters", []).append(IDEMPOTENCY)
    return document
