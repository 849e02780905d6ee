"""Loads whose certificates count where an address is called."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


@cache
def authorities() -> ssl.SSLContext:
    """Returns the authorities whose certificates count, loaded once: that takes as long as a short call."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)
