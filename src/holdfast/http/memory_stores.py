"""Anthropic's memory stores API below `/v1/memory_stores`, over the public operations of a memory."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Header, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.api import catalogue
from holdfast.core.cursors import bad_cursor
from holdfast.core.times import to_millis
from holdfast.http.operations import check_authorised
from holdfast.http.problems import MEDIA_TYPE
from holdfast.integrations.memory_stores import MemoryStores

PREFIX = "/v1/memory_stores"
PAGE_MAX, FULL_MAX = 100, 20
"""Items of a page, and of one with contents."""

_STATUS = {405: 404, 408: 400, 412: 409, 415: 400, 421: 403, 422: 400}
"""The statuses that the API has in place of others."""
_OF_STATUS: dict[int, str] = {
    400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
    404: "not_found_error", 409: "conflict_error", 413: "request_too_large", 429: "rate_limit_error",
}  # fmt: skip
_OF_CODE = {
    "external_id_taken": "memory_path_conflict_error", "duplicate_text": "memory_path_conflict_error",
    "version_mismatch": "memory_precondition_failed_error",
    "changed_meanwhile": "memory_precondition_failed_error",
}  # fmt: skip
"""The types of errors by status, and those of some codes."""

View = Literal["basic", "full"]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Workspace = Annotated[str | None, Header(alias="anthropic-workspace-id")]
Since = Annotated[str | None, Query(alias="created_at[gte]")]
Until = Annotated[str | None, Query(alias="created_at[lte]")]

router = APIRouter(prefix=PREFIX, include_in_schema=False)


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewStore(_Body):
    name: str
    description: str = ""
    metadata: dict[str, str] = {}


class ChangedStore(_Body):
    name: str | None = None
    description: str | None = None
    metadata: dict[str, str | None] | None = None


class NewMemory(_Body):
    path: str
    content: str | None


class Precondition(_Body):
    type: Literal["content_sha256"]
    content_sha256: str | None = None


class ChangedMemory(_Body):
    content: str | None = None
    path: str | None = None
    precondition: Precondition | None = None


def needs(operation: str) -> Any:
    """Returns the dependency that authorises a request as the operation that it comes down to, and returns
    the stores that its credential and its workspace open."""
    permission = catalogue.permissions()[operation]

    async def authorised_stores(request: Request, workspace: Workspace = None) -> MemoryStores:
        await check_authorised(request, permission, passed_over=("beta",))
        return MemoryStores(request.scope["memory"], workspace)

    return Depends(authorised_stores)


@router.post("")
def create_store(body: NewStore, stores: Annotated[MemoryStores, needs("remember")]) -> Any:
    return stores.create_store(body.name, body.description, body.metadata)


@router.get("")
def list_stores(
    stores: Annotated[MemoryStores, needs("list")],
    include_archived: bool = False,
    limit: Limit = 20,
    page: str | None = None,
    since: Since = None,
    until: Until = None,
) -> Any:
    records = stores.list_stores(archived=include_archived)
    within = _created(records, lambda store: to_millis(store["created_at"]), since, until)
    return _page(within, lambda store: [-to_millis(store["created_at"]), store["id"]], page, limit)


@router.get("/{store}")
def show_store(store: str, stores: Annotated[MemoryStores, needs("get")]) -> Any:
    return stores.show_store(store)


@router.post("/{store}")
def update_store(store: str, body: ChangedStore, stores: Annotated[MemoryStores, needs("revise")]) -> Any:
    return stores.update_store(store, body.name, body.description, body.metadata)


@router.post("/{store}/archive")
def archive_store(store: str, stores: Annotated[MemoryStores, needs("revise")]) -> Any:
    return stores.archive_store(store)


@router.delete("/{store}")
def delete_store(store: str, stores: Annotated[MemoryStores, needs("forget")]) -> Any:
    return stores.delete_store(store)


@router.post("/{store}/memories")
def create_memory(
    store: str, body: NewMemory, stores: Annotated[MemoryStores, needs("remember")], view: View = "basic"
) -> Any:
    return stores.create(store, body.path, body.content or "", full=view == "full")


@router.get("/{store}/memories")
def list_memories(
    store: str,
    stores: Annotated[MemoryStores, needs("list")],
    depth: Annotated[int, Query(ge=0)] = 0,
    limit: Limit = 20,
    page: str | None = None,
    path_prefix: str | None = None,
    view: View = "basic",
) -> Any:
    full = view == "full"
    listed = stores.list_memories(store, prefix=path_prefix, depth=depth, full=full)
    return _page(listed, lambda entry: [entry["path"], entry.get("id", "")], page, limit, full=full)


@router.get("/{store}/memories/{memory}")
def show_memory(
    store: str, memory: str, stores: Annotated[MemoryStores, needs("get")], view: View = "full"
) -> Any:
    return stores.show(store, memory, full=view == "full")


@router.post("/{store}/memories/{memory}")
def update_memory(
    store: str,
    memory: str,
    body: ChangedMemory,
    stores: Annotated[MemoryStores, needs("revise")],
    view: View = "basic",
) -> Any:
    expected = None if body.precondition is None else body.precondition.content_sha256
    return stores.update(
        store, memory, content=body.content, path=body.path, expected=expected, full=view == "full"
    )


@router.delete("/{store}/memories/{memory}")
def delete_memory(
    store: str,
    memory: str,
    stores: Annotated[MemoryStores, needs("forget")],
    expected_content_sha256: str | None = None,
) -> Any:
    return stores.delete(store, memory, expected=expected_content_sha256)


@router.get("/{store}/memory_versions")
def list_versions(
    store: str,
    stores: Annotated[MemoryStores, needs("history")],
    memory_id: str | None = None,
    operation: Literal["created", "modified", "deleted"] | None = None,
    api_key_id: str | None = None,
    service_account_id: str | None = None,
    session_id: str | None = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 20,
    page: str | None = None,
    view: View = "basic",
) -> Any:
    versions = stores.list_versions(store, memory_id)
    if api_key_id or service_account_id or session_id:
        versions = []  # versions name the user who wrote them, and no key, service account or session
    versions = [version for version in versions if operation in (None, version.operation)]
    within = _created(versions, lambda version: version.step.at, since, until)
    full = view == "full"
    shown = _page(within, lambda version: version.place, page, limit, full=full)
    return {**shown, "data": [version.answer(store, full=full) for version in shown["data"]]}


@router.get("/{store}/memory_versions/{version}")
def show_version(
    store: str, version: str, stores: Annotated[MemoryStores, needs("history")], view: View = "full"
) -> Any:
    stored_version = stores.version(store, version)
    return stored_version.answer(store, full=view == "full")


@router.post("/{store}/memory_versions/{version}/redact")
def redact_version(store: str, version: str, stores: Annotated[MemoryStores, needs("redact")]) -> Any:
    return stores.redact(store, version).answer(store, full=False)


T = TypeVar("T")


def _created(items: Sequence[T], at: Callable[[T], int], since: str | None, until: str | None) -> list[T]:
    """Returns what was created from one time to another, both included."""
    first = None if since is None else to_millis(since)
    last = None if until is None else to_millis(until)
    return [
        item for item in items if (first is None or at(item) >= first) and (last is None or at(item) <= last)
    ]


def _page(
    items: Sequence[Any], place: Callable[[Any], list[Any]], page: str | None, limit: int, *,
    full: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Returns a page of sorted items, and the cursor of the next, which holds the place of the last item."""
    limit = min(limit, FULL_MAX) if full else limit
    try:
        after = [] if page is None else json.loads(base64.urlsafe_b64decode(page))
        left = [item for item in items if place(item) > after]
    except (ValueError, TypeError, RecursionError):
        raise bad_cursor(page) from None
    last = json.dumps(place(left[limit - 1])) if len(left) > limit else None
    return {
        "data": left[:limit],
        "next_page": None if last is None else base64.urlsafe_b64encode(last.encode()).decode(),
    }


class ErrorForm:
    """Middleware that gives the errors of these routes the form and the statuses that the API has."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_below(scope["path"]):
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def answer(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                kind = dict(message["headers"]).get(b"content-type", b"")
                if kind != MEDIA_TYPE.encode():
                    await send(message)
                else:
                    start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    await _send_error(start, json.loads(body), send)

        await self._app(scope, receive, answer)


def is_below(path: str) -> bool:
    """Returns whether a path is one of memory stores."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


async def _send_error(start: Message, problem: Mapping[str, Any], send: Send) -> None:
    """Sends an error in the format of the memory store API."""
    original: int = start["status"]
    status = _STATUS.get(original, original)
    error = {
        "type": _OF_CODE.get(problem["code"]) or _OF_STATUS.get(status, "api_error"),
        "message": ": ".join(filter(None, (problem["detail"], problem["hint"]))),
    }
    raw = json.dumps({"type": "error", "error": error, "request_id": problem["request_id"]}).encode()
    replaced = {b"content-type": b"application/json", b"content-length": str(len(raw)).encode()}
    headers = [(name, replaced.get(name, value)) for name, value in start["headers"]]
    await send({**start, "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": raw})
