"""Places of backups that a store has used: a register, folded from the chain of events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from holdfast.core.events import Event

BACKUP_PLACES = "backups"
"""The subject of the events of this register."""
USED, LEFT = "use_backup_place", "leave_backup_place"
"""The actions of its events: a first backup was made there, or the last one was deleted with everything."""


@dataclass(frozen=True, slots=True)
class UsedPlace:
    """A folder or bucket with backups of a store, which was called `store` then; `origin` is the hash of the
    first event of its chain."""

    location: str
    store: str
    origin: str


def places_of(events: Iterable[Event]) -> list[UsedPlace]:
    """Folds the events of the register to the places that hold backups, as far as the store knows."""
    places: dict[UsedPlace, bool] = {}
    for event in events:
        places[UsedPlace(**event.detail)] = event.action == USED
    return [place for place, is_used in places.items() if is_used]
