"""Arguments of operations that say where something is."""

from __future__ import annotations

from typing import TypedDict


class Place(TypedDict, total=False):
    """The place that an operation reads from or writes to; without any of them the shared pool."""

    project: str | None
    session: str | None
    workspace: str | None
