"""The arguments of a memory to be stored, before validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.core.record import Origin
from holdfast.core.times import When


@dataclass(frozen=True, slots=True)
class Draft:
    """The arguments of a memory as the caller passed them: not validated, names not resolved."""

    text: str
    kind: str = "note"
    title: str | None = None
    summary: str | None = None
    project: str | None = None
    session: str | None = None
    workspace: str | None = None
    scope: object = None
    branch: str | None = None
    visibility: str | None = None
    external_id: str | None = None
    role: str | None = None
    name: str | None = None
    position: int | None = None
    origin: str | None = None
    confidence: float | None = None
    status: str | None = None
    tags: Sequence[str] = ()
    metadata: Mapping[str, Any] | None = None
    evidence: Mapping[str, Any] | None = None
    at: When | None = None
    valid_from: When | None = None
    valid_until: When | None = None
    expires_at: When | None = None
    supersedes: str | None = None
    source: str | None = None
    if_absent: bool = False
    """Refuses an external id that is taken, where otherwise its memory gets a new version."""
    about: Sequence[str] = ()
    anew: bool | None = None
    """Whether an import stores it although it was forgotten; None for what is no import."""
    changed_at: int | None = None
    """When the imported file says that its text was changed (UTC epoch milliseconds); None if it does not."""
    taken_from: Origin | None = None
    """The origin if the operation knows it itself, as of an import; it counts before the stated `origin`."""
