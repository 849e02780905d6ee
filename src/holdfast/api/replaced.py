"""The memory that another one replaced: forgetting the replacement leaves it superseded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.errors import NotFound
from holdfast.core.record import Memory as Record
from holdfast.core.record import Status

if TYPE_CHECKING:
    from holdfast.api.memory import Memory


def replaced_by(memory: Memory, replacement: Record) -> Record | None:
    """Returns the memory that another one replaced and that is superseded by it; None if there is none."""
    if replacement.supersedes is None:
        return None
    try:
        former = memory.get(replacement.supersedes)
    except NotFound:
        return None
    return former if former.status is Status.SUPERSEDED and former.superseded_by == replacement.id else None
