"""Arguments of operations that say where something is."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict


class Place(TypedDict, total=False):
    """The place that an operation reads from or writes to; without any of them the shared pool."""

    project: str | None
    session: str | None
    workspace: str | None


class Whereabouts(Place, total=False):
    """The place of a memory that an external id names; without any of them it is looked for everywhere."""

    scope: str | tuple[str, str | None] | None
    branch: str | None
    visibility: str | None
    kinds: Collection[str] | str | None
