"""The tool with which an agent saves to memory, with plain JSON (S2.38)."""

from __future__ import annotations

from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.errors import HoldfastError
from holdfast.core.kinds import KINDS
from holdfast.core.record import Outcome

_KEPT = (Outcome.CREATED, Outcome.REDACTED, Outcome.PENDING, Outcome.SUPERSEDED)


def save_to_memory(
    memory: Memory,
    content: str,
    *,
    kind: str = "note",
    scope_type: str = "global",
    scope_id: str | None = None,
    confidence: float = 0.8,
) -> dict[str, Any]:
    """Stores a text for the memory's own user and returns the outcome; never raises for invalid input.

    An unknown kind becomes a note (S2.2). The user is that of `memory`, never an argument. Returns saved
    (bool), created and skipped (0 or 1), the outcome, the reason and the id.
    """
    scope = (scope_type, scope_id) if scope_id is not None else scope_type
    try:
        result = memory.remember(
            content,
            kind=kind if kind in KINDS else "note",
            scope=scope,
            confidence=confidence,
        )
    except HoldfastError as error:
        return _result(is_saved=False, outcome="refused", reason=error.in_full, id=None)
    id = result.memory.id if result.memory else None
    return _result(
        is_saved=result.outcome in _KEPT, outcome=result.outcome.value, reason=result.reason, id=id
    )


def _result(*, is_saved: bool, outcome: str, reason: str, id: str | None) -> dict[str, Any]:
    """Returns the result of a tool that stores one text."""
    return {
        "saved": is_saved,
        "created": int(is_saved),
        "skipped": int(not is_saved),
        "outcome": outcome,
        "reason": reason,
        "id": id,
    }
