"""The note that backups still hold what was erased from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.cli import output
from holdfast.core.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.api.memory import Memory


def still_in_backups(memory: Memory) -> list[str]:
    """Returns the note after an erasure; none where there are no backups, or the caller may not see them."""
    try:
        count = len(memory.backups.list().backups)
    except HoldfastError:
        return []
    if not count:
        return []
    older = f"{output.pluralize(count, 'backup')} made before may hold it until they are deleted by their age"
    return [f"{older}, and a restore does not bring it back: holdfast backup --list"]
