"""Requests to a service in this process and in the event loop of the caller: cheaper than `TestClient`."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote

import httpx
from fastapi import FastAPI


async def answered(app: FastAPI, request: httpx.Request) -> httpx.Response:
    """Returns the whole response of an application that was started; what it raises is raised here."""
    url = request.url
    path = url.raw_path.partition(b"?")[0]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method,
        "scheme": url.scheme, "path": unquote(path.decode("ascii")), "raw_path": path, "root_path": "",
        "query_string": url.query, "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("testclient", 50_000), "server": (url.host, url.port), "state": {},
    }  # fmt: skip
    waiting = [{"type": "http.request", "body": request.read(), "more_body": False}]
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
    body = b"".join(part.get("body", b"") for part in parts)
    return httpx.Response(start["status"], headers=start["headers"], content=body)
