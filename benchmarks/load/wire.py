"""Sends requests over a number of kept-alive connections for some seconds and takes their times.

A bare HTTP/1.1 client on sockets: a comfortable one would be what is measured.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """One request, ready to be sent."""

    path: str
    body: dict[str, Any]

    def encoded(self, host: str) -> bytes:
        """Its bytes."""
        body = json.dumps(self.body).encode()
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


@dataclass(slots=True)
class Taken:
    """What came of a load: seconds of each request that was answered 2xx, and what else happened."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    wall: float = 0.0

    def row(self) -> dict[str, float]:
        """Requests per second, and 50th, 95th and 99th percentile in milliseconds."""
        taken = sorted(self.seconds) or [float("nan")]
        last = len(taken) - 1
        points = {name: taken[round(last * share)] * 1_000 for name, share in PERCENTILES.items()}
        return {"rate": len(self.seconds) / self.wall, **points, "failed": len(self.failures)}


PERCENTILES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


def load(port: int, requests: Iterator[Request], *, connections: int, seconds: float) -> Taken:
    """Keeps `connections` busy for `seconds`; each sends its next request when the last is answered."""
    return asyncio.run(_load(port, requests, connections, seconds))


async def _load(port: int, requests: Iterator[Request], connections: int, seconds: float) -> Taken:
    taken = Taken()
    began = time.perf_counter()
    await asyncio.gather(*(_user(port, requests, began + seconds, taken) for _ in range(connections)))
    taken.wall = time.perf_counter() - began
    return taken


async def _user(port: int, requests: Iterator[Request], until: float, times: Taken) -> None:
    host = f"127.0.0.1:{port}"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while time.perf_counter() < until:
            content = next(requests).encoded(host)
            start = time.perf_counter()
            writer.write(content)
            status, body = await _answer(reader)
            if 200 <= status < 300:
                times.seconds.append(time.perf_counter() - start)
            else:
                times.failures.append(f"{status} {body[:200]!r}")
    except (OSError, asyncio.IncompleteReadError) as error:
        times.failures.append(f"{type(error).__name__}: {error}")
    finally:
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split(" ", 2)[1])
    for line in head.split("\r\n"):
        name, _, value = line.partition(":")
        if name == "content-length":
            return status, await reader.readexactly(int(value))
        if name == "transfer-encoding" and "chunked" in value:
            return status, await _chunks(reader)
    return status, b""


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return body
