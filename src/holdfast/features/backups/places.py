"""Places where a store has backups: recorded in its chain, looked at, and emptied as far as reachable."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.core.backup_places import BACKUP_PLACES, LEFT, USED, UsedPlace, places_of
from holdfast.core.errors import HoldfastError
from holdfast.core.views import personal_view
from holdfast.features.service import Service
from holdfast.stores.base.backup_addresses import is_gone, location_of
from holdfast.stores.base.backup_files import Backup, BackupPlace, backups_in
from holdfast.stores.base.backup_locations import BackupLocation


def origin_of(service: Service) -> str | None:
    """Returns the hash of the first event of a store; None where there is none."""
    with service.store.read() as snap:
        return next((event.hash for event in snap.events(personal_view(service.principal), limit=1)), None)


def note_place(service: Service, place: BackupPlace) -> None:
    """Records a place of backups, unless it is recorded already. Raises StoreError."""
    origin = origin_of(service)
    if origin is None:
        return
    used = UsedPlace(place.location.address, place.store, origin)
    if used not in used_places(service):
        _record(service, USED, used)


def used_places(service: Service) -> list[UsedPlace]:
    """Returns the places that hold backups of the store, as far as it knows."""
    with service.store.read() as snap:
        return places_of(snap.register(personal_view(service.principal), BACKUP_PLACES))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A recorded place of backups that is not the configured one, or under an earlier name of the store.
    `backups` are those of the store that are there, empty if it cannot be reached or is not recognised, as
    where a disk is not connected."""

    used: UsedPlace
    location: BackupLocation | None
    backups: tuple[Backup, ...] = ()


def elsewhere(service: Service, present: BackupPlace | None) -> list[Elsewhere]:
    """Returns what there is at each recorded place but the present one. What is noted under an earlier name
    belongs to the store if its chain began as this one and no store has that name any more."""
    places = []
    for used in used_places(service):
        if present is not None and (used.location, used.store) == (present.location.address, present.store):
            continue
        is_renamed = present is None or used.store != present.store
        if is_renamed and is_gone(used.store) is False:
            continue  # another store, such as the one that this is a copy of: its backups are its own
        try:
            location = location_of(used.location)
            there = backups_in(location, used.store)
        except (HoldfastError, OSError):
            places.append(Elsewhere(used, None))
            continue
        if is_renamed:
            there = [backup for backup in there if is_gone(used.store) and backup.origin == used.origin]
        places.append(Elsewhere(used, location, tuple(there)))
    return places


def leave_place(service: Service, used: UsedPlace) -> None:
    """Records that no backup of the store is at a place any more. Raises StoreError."""
    _record(service, LEFT, used)


def _record(service: Service, action: str, used: UsedPlace) -> None:
    detail = {"location": used.location, "store": used.store, "origin": used.origin}
    with service.store.write() as tx:
        tx.add_event(
            at=service.clock(), actor=service.principal.label, action=action, subject=BACKUP_PLACES,
            detail=detail,
        )  # fmt: skip
