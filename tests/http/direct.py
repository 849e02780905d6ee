"""Requests to a service in this process and in the event loop of the caller: cheaper than `TestClient`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any
from urllib.parse import unquote, urlencode

import httpx
import pytest
from fastapi import FastAPI


async def answered(
    app: FastAPI, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str], body: Any
) -> httpx.Response:
    """Returns the whole response of an application that was started; what it raises is raised here."""
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
    given = b"".join(part.get("body", b"") for part in parts)
    return httpx.Response(start["status"], headers=start["headers"], content=given)


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
