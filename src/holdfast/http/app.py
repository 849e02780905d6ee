"""The application: routes, gate and sign-in put together over one opened store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.concurrency import run_in_threadpool

from holdfast import __version__
from holdfast.http import entities, memories, observe, places, problems, upkeep
from holdfast.http.answers import Problem
from holdfast.http.gate import Gate, Limits
from holdfast.http.replays import Replays
from holdfast.http.signin import Desk, SignIn

TAGS = [
    {"name": "memories", "description": "Keep, recall, look, change, forget."},
    {"name": "sessions", "description": "Conversations with their messages and episodes."},
    {"name": "projects", "description": "Isolated places for sessions and memories."},
    {"name": "entities", "description": "Things that are talked about, and how they stand to each other."},
    {"name": "imports", "description": "What was brought in from other programs."},
    {"name": "audit", "description": "The hash-chained record of who did what."},
    {"name": "upkeep", "description": "Kinds, checks and repairs."},
    {"name": "health", "description": "Whether the service runs, and how it does."},
]
ABOUT = (
    "A memory for people, assistants and agents. Who calls is known from the credential alone; what the"
    " caller may not see looks as if it did not exist. Errors are problem+json with stable codes. A write may"
    " carry an `Idempotency-Key`: sent again within the hour, it is answered again and not done again."
)
IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent again with the same key, the request is answered again and not done again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}


def create_app(desk: Desk, *, limits: Limits | None = None, watch: observe.Watch | None = None) -> FastAPI:
    """The service over one tenant. It closes the desk, and with it the store, when it ends."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(desk.close)

    app = FastAPI(
        title="Holdfast",
        version=__version__,
        description=ABOUT,
        openapi_tags=TAGS,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.desk = desk
    app.state.watch = watch or observe.Watch()
    for router in (
        memories.router, places.sessions, places.projects, entities.router, places.sources, upkeep.audit,
        upkeep.upkeep, upkeep.health,
    ):  # fmt: skip
        app.include_router(router)
    problems.install(app)
    # the last one added is the first to see a request
    app.add_middleware(Replays)
    app.add_middleware(SignIn, desk=desk)
    app.add_middleware(Gate, limits=limits or Limits(), watch=app.state.watch)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document: FastAPI's, with credentials, problems and idempotency keys told everywhere."""
    if app.openapi_schema:
        return app.openapi_schema
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, tags=app.openapi_tags,
        routes=app.routes,
    )  # fmt: skip
    parts = document.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    parts["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A key, or a token of your provider."},
        "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    }
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            if path.startswith("/health/"):
                told["security"] = []
                continue
            told["security"] = [{"bearer": []}, {"key": []}, {}]
            if method != "get":
                told.setdefault("parameters", []).append(IDEMPOTENCY)
    app.openapi_schema = document
    return document
