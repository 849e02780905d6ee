"""One context of TLS for the clients of httpx in a process, each of which would read all authorities anew."""

from __future__ import annotations

import ssl
from functools import cache, partial
from typing import Any

import httpx._transports.default
import httpx2._transports.default


def share() -> None:
    """Has clients that are made with the usual settings share a context: to make one takes 25 to 50 ms of
    the processor, as long as some ten requests."""
    for module in (httpx._transports.default, httpx2._transports.default):
        module.create_ssl_context = partial(_context, module.create_ssl_context)  # type: ignore[attr-defined]


def _context(usual: Any, verify: Any = True, cert: Any = None, **more: Any) -> ssl.SSLContext:
    if verify is True and cert is None:
        return _shared(usual, **more)
    context: ssl.SSLContext = usual(verify=verify, cert=cert, **more)
    return context


@cache
def _shared(usual: Any, **more: Any) -> ssl.SSLContext:
    context: ssl.SSLContext = usual(**more)
    return context
