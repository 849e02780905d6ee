"""The registry of store backends by the scheme of their addresses; each is imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from holdfast.config import is_service, scheme_of
from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput, only_local
from holdfast.stores.base.backend import Backend

BACKENDS = {
    "": "holdfast.stores.sqlite.backend",  # a path
    "postgres": "holdfast.stores.postgres.backend",
    "postgresql": "holdfast.stores.postgres.backend",
    "tenants": "holdfast.stores.directory.backend",
}
"""The module of each scheme, whose `BACKEND` is what that kind of store offers."""
LOGGERS = ("psycopg",)
"""Loggers of the libraries of stores, which write about connections."""


def backend_of(location: str) -> Backend:
    """Returns the backend for a path or an address. Raises InvalidInput `config_invalid`."""
    if is_service(location):
        raise only_local()
    scheme = scheme_of(location)
    if scheme not in BACKENDS:
        raise InvalidInput(
            f"no kind of store has the scheme {safe_repr(scheme)}",
            code="config_invalid",
            hint=f"name a file, or an address with one of: {', '.join(sorted(filter(None, BACKENDS)))}",
        )
    return cast(Backend, import_module(BACKENDS[scheme]).BACKEND)
