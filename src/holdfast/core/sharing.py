"""Requests to widen the visibility of a memory (S4.53)."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.core.graph import narrowest
from holdfast.core.places import Visibility
from holdfast.core.record import Memory, Status


@dataclass(frozen=True, slots=True)
class Request:
    """An owner's request that more people may see a memory, which an approver decides on.

    It is about one text in one place, identified by `version` and `content_hash`. `asked_at` is UTC epoch
    milliseconds.
    """

    id: str
    version: int
    content_hash: str
    owner: str
    visibility: Visibility
    asked_by: str
    asked_at: int

    def is_about(self, memory: Memory) -> bool:
        """Returns whether the memory is unchanged since the request: the same text in the same place, and
        recalled."""
        same = (memory.id, memory.version, memory.content_hash) == (self.id, self.version, self.content_hash)
        return same and memory.status is Status.APPROVED and widens(memory.place.visibility, self.visibility)


def widens(before: Visibility, after: Visibility) -> bool:
    """Returns whether more people see a memory after a change of visibility."""
    return after is not before and narrowest((before, after)) is before
