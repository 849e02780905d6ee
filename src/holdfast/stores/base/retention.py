"""The part of the store protocol for retention: registers in the chain of events, what is due and held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.events import Event
    from holdfast.core.retention import Cutoff, Outdated
    from holdfast.core.views import View


class RetentionReader(Protocol):
    """Reads registers, and the ids of memories of the whole tenant that policies and holds cover."""

    def register(self, view: View, name: str) -> list[Event]:
        """Returns the events of a register, oldest first; none for what is no register."""

    def outdated(self, view: View, cutoffs: Sequence[Cutoff], *, after: int, limit: int) -> list[Outdated]:
        """Returns memories whose time is over, of the whole tenant, by their number, from `after` on; held
        and protected ones included."""

    def ids_on_hold(self, view: View, ids: Sequence[str]) -> list[str]:
        """Returns those of some ids that a legal hold keeps, of the whole tenant."""
