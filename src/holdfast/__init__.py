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
from holdfast.core.masking import mask_with

if TYPE_CHECKING:
    from holdfast.api.asynchronous import AsyncMemory
    from holdfast.api.memory import Memory
    from holdfast.core.errors import (
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
    from holdfast.core.hits import Hit, Hits
    from holdfast.core.record import Change, Kept, Outcome, Status
    from holdfast.core.record import Memory as Record

_HOMES = {
    "AccessDenied": "holdfast.core.errors",
    "AsyncMemory": "holdfast.api.asynchronous",
    "Memory": "holdfast.api.memory",
    "Hit": "holdfast.core.hits",
    "Hits": "holdfast.core.hits",
    "Change": "holdfast.core.record",
    "Kept": "holdfast.core.record",
    "Outcome": "holdfast.core.record",
    "Status": "holdfast.core.record",
    "Conflict": "holdfast.core.errors",
    "Damaged": "holdfast.core.errors",
    "HoldfastError": "holdfast.core.errors",
    "InvalidInput": "holdfast.core.errors",
    "NotFound": "holdfast.core.errors",
    "Refusal": "holdfast.core.errors",
    "StoreBusy": "holdfast.core.errors",
    "StoreError": "holdfast.core.errors",
}

__all__ = [
    "AccessDenied",
    "AsyncMemory",
    "Change",
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
        return import_module("holdfast.core.record").Memory
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _without_secrets(text: str) -> str:
    return str(import_module("holdfast.language.secrets.find").redact_secrets(text)[0])


mask_with(_without_secrets)


def __dir__() -> list[str]:
    return __all__
