"""TLS certificate authorities for outgoing calls, loaded once in a process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


@cache
def authorities() -> ssl.SSLContext:
    """Returns the trusted certificate authorities; loading them takes as long as a short call."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)
