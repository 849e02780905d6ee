"""Requests to a service in this process that are cheaper than those of `TestClient`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any
from urllib.parse import unquote, urlencode

import httpx
import httpx2
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

Response = tuple[int, list[tuple[bytes, bytes]], bytes]


class DirectClient(TestClient):
    """A `TestClient` that asks the event loop of the service once for each request, and not seven times. A
    response that is read while it comes takes the usual way."""

    def __init__(self, app: FastAPI, **options: Any) -> None:
        super().__init__(app, **options)
        self._transport = _Transport(self, self._transport)

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        request.extensions["is_streamed"] = stream
        return super().send(request, stream=stream, **options)


class _Transport(httpx2.BaseTransport):
    """The way of a whole response."""

    def __init__(self, client: DirectClient, usual: httpx2.BaseTransport) -> None:
        self._client = client
        self._usual = usual

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        client, url = self._client, request.url
        if client.portal is None or request.extensions["is_streamed"]:
            return self._usual.handle_request(request)
        headers = [(name.lower(), value) for name, value in request.headers.raw]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method,
            "scheme": url.scheme, "path": unquote(url.path), "raw_path": url.raw_path.partition(b"?")[0],
            "root_path": "", "query_string": url.query, "headers": headers, "client": ("testclient", 50_000),
            "server": (url.host, url.port), "state": client.app_state.copy(),
        }  # fmt: skip
        status, named, content = client.portal.call(_exchanged, client.app, scope, request.read())
        return httpx2.Response(status, headers=named, content=content, request=request)

    def close(self) -> None:
        self._usual.close()


async def answered(
    app: FastAPI, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str], body: Any
) -> httpx.Response:
    """Returns the whole response of an application that was started, to a request in the event loop of the
    caller; what it raises is raised here."""
    content = b"" if body is None else json.dumps(body).encode()
    described = {"host": "127.0.0.1:5858", "content-length": str(len(content))}
    described |= {} if body is None else {"content-type": "application/json"}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "scheme": "http", "path": unquote(path), "raw_path": path.encode("ascii"), "root_path": "",
        "query_string": urlencode([(name, _plain(one)) for name, one in _each(query)]).encode("ascii"),
        "headers": [
            (name.lower().encode("ascii"), value.encode("latin-1"))
            for name, value in {**described, **headers}.items()
        ],
        "client": ("testclient", 50_000), "server": ("127.0.0.1", 5858), "state": {},
    }  # fmt: skip
    status, named, given = await _exchanged(app, scope, content)
    return httpx.Response(status, headers=named, content=given)


async def _exchanged(app: Any, scope: dict[str, Any], content: bytes) -> Response:
    waiting = [{"type": "http.request", "body": content, "more_body": False}]
    has_ended = asyncio.Event()
    sent: list[Any] = []

    async def receive() -> Any:
        if not waiting:
            await has_ended.wait()
            return {"type": "http.disconnect"}
        return waiting.pop()

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            has_ended.set()

    await app(scope, receive, send)
    start, *parts = sent
    return start["status"], start["headers"], b"".join(part.get("body", b"") for part in parts)


def _each(query: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in query.items():
        yield from ((name, one) for one in (value if isinstance(value, list) else [value]))


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Has services do at once what they would do in other threads, for one who asks one thing after the
    other: to wait for another thread costs more than most of what is done there."""

    async def at_once(work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        return copy_context().run(work, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("anyio.to_thread.run_sync", at_once)
        yield
