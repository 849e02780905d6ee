"""Holdfast: a memory that AI assistants, coding agents and teams can trust.

from holdfast import Memory

with Memory() as memory:
    memory.remember("We chose JWT over sessions: the API is public", kind="decision", project="shop")
    print(memory.recall("why not sessions?", project="shop")[0].memory.text)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from holdfast._version import __version__

if TYPE_CHECKING:
    from holdfast.aio import AsyncMemory
    from holdfast.client import Client
    from holdfast.domain.errors import (
        AccessDenied,
        Conflict,
        Damaged,
        HoldfastError,
        InvalidInput,
        NotFound,
        Refusal,
        StoreBusy,
        StoreError,
    )
    from holdfast.domain.hits import Hit, Hits
    from holdfast.domain.memories import Change, Kept, Outcome, Status
    from holdfast.domain.memories import Memory as Record
    from holdfast.memory import Memory

_HOMES = {
    "AccessDenied": "holdfast.domain.errors",
    "AsyncMemory": "holdfast.aio",
    "Client": "holdfast.client",
    "Memory": "holdfast.memory",
    "Hit": "holdfast.domain.hits",
    "Hits": "holdfast.domain.hits",
    "Change": "holdfast.domain.memories",
    "Kept": "holdfast.domain.memories",
    "Outcome": "holdfast.domain.memories",
    "Status": "holdfast.domain.memories",
    "Conflict": "holdfast.domain.errors",
    "Damaged": "holdfast.domain.errors",
    "HoldfastError": "holdfast.domain.errors",
    "InvalidInput": "holdfast.domain.errors",
    "NotFound": "holdfast.domain.errors",
    "Refusal": "holdfast.domain.errors",
    "StoreBusy": "holdfast.domain.errors",
    "StoreError": "holdfast.domain.errors",
}

__all__ = [
    "AccessDenied",
    "AsyncMemory",
    "Change",
    "Client",
    "Conflict",
    "Damaged",
    "Hit",
    "Hits",
    "HoldfastError",
    "InvalidInput",
    "Kept",
    "Memory",
    "NotFound",
    "Outcome",
    "Record",
    "Refusal",
    "Status",
    "StoreBusy",
    "StoreError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used: importing the package costs nothing."""
    if name == "Record":
        return import_module("holdfast.domain.memories").Memory
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
