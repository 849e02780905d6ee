"""The changes that a caller requests for a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.core.times import When


@dataclass(frozen=True, slots=True)
class Revision:
    """Changes of a memory; None leaves a field as it is.

    An empty value clears a field: `title=""`, `summary=""`, `tags=()`, `metadata={}`; an entity is then named
    by the beginning of its text, and a long text gets a new summary. `valid_until="never"` and
    `expires_at="never"` remove an end, `valid_from="unstated"` the stated begin: it holds from the revision
    on. A new text resets summary and `valid_from` unless they are part of the revision. Text, kind,
    confidence and status are never empty. A kind with another lifetime, such as a decision made of a note,
    applies it from now on, unless the expiry was stated (S2.18).
    """

    text: str | None = None
    title: str | None = None
    summary: str | None = None
    kind: str | None = None
    tags: Sequence[str] | None = None
    metadata: Mapping[str, Any] | None = None
    confidence: float | None = None
    status: str | None = None
    valid_from: When | None = None
    valid_until: When | None = None
    expires_at: When | None = None
    if_version: int | None = None
    """The version to change, or None for the current one; Conflict if it is not current."""
    external_id: str | None = None
    """The new external id, by which the memory is found from now on."""
