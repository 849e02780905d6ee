"""The backups of a store: what there is, until when it stays, and asking for one or for a drill."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, fields
from glob import escape

from holdfast.core.backup_places import UsedPlace
from holdfast.core.errors import HoldfastError, StoreError
from holdfast.core.jobs import Job
from holdfast.core.wire import Millis, Plain, wire
from holdfast.features.access.permission import check_in_person
from holdfast.features.backups.places import elsewhere, leave_place, used_places
from holdfast.features.jobs.schedule import run_now
from holdfast.features.service import Service
from holdfast.stores.base.backup_files import (
    DAYS,
    KEEP,
    Backup,
    BackupPlace,
    backups_in,
    expiries,
    look,
    unfinished,
)

_ACT = "looks after backups"
_LOOKS = 10


@dataclass(frozen=True, slots=True)
class ListedBackup(Backup):
    """A backup with the time until which it stays and the command that restores it."""

    expires_at: Millis | None = field(
        default=None,
        metadata=wire(about="When it is deleted, if one is made as scheduled; null if none is."),
    )
    restore: str = field(default="", metadata=wire(about="The command that restores it."))


@dataclass(frozen=True, slots=True)
class BackupList(Plain):
    """The backups of a store, newest first, with the folder they are in and the rule by which they stay: the
    newest `keep`, and the newest of each of `days` days that have one. A service makes one every `every_days`
    days by itself; 0: never."""

    folder: str
    every_days: int
    keep: int
    days: int
    backups: tuple[ListedBackup, ...]


def list_backups(service: Service) -> BackupList:
    """Returns the backups in the configured folder. Raises InvalidInput `backup_folder_missing`, Refusal
    `person_needed`."""
    check_in_person(service.principal, _ACT)
    place = service.backup_place()
    backups = backups_in(place.location, place.store, place.stem)
    ends = expiries(backups, service.clock(), place.every_days)
    return BackupList(
        place.location.address, place.every_days, KEEP, DAYS,
        tuple(
            ListedBackup(
                **{
                    attribute.name: getattr(backup, attribute.name)
                    for attribute in fields(Backup)
                    if attribute.name != "memories"
                },
                memories=backup.memories if backup.own is None else backup.own,
                expires_at=ends.get(backup.path),
                restore=shlex.join(("holdfast", "--store", place.store, "restore", backup.path))
                if backup.is_noted
                else "",
            )
            for backup in backups
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Holding:
    """The backups of a store that hold what it holds now, wherever it has made some: their number, and when
    the last of them is deleted if new ones are made as planned; None if somebody has to delete it. At the
    places `unreached` were some, and now none can be seen: a disk may not be connected."""

    count: int
    until: int | None = None
    unreached: tuple[str, ...] = ()


def holding(service: Service) -> Holding | None:
    """Returns which backups would still hold what is erased now; None if no place of them is known."""
    place = _present(service)
    others = elsewhere(service, place)
    if place is None and not others:
        return None
    backups = [] if place is None else backups_in(place.location, place.store, place.stem)
    unreached = [other.used.location for other in others if not other.backups]
    if place is not None and not backups and _of_place(service, place):
        unreached.append(place.location.address)
    ends = {} if place is None else expiries(backups, service.clock(), place.every_days)
    count = len(backups) + sum(len(other.backups) for other in others)
    is_planned = backups and len(ends) == count  # no plan lets go of those at an earlier place
    return Holding(count, max(ends.values()) if is_planned else None, tuple(sorted({*unreached})))


def _present(service: Service) -> BackupPlace | None:
    try:
        return service.backup_place()
    except HoldfastError:
        return None


def _of_place(service: Service, place: BackupPlace) -> list[UsedPlace]:
    """Returns what is recorded of a place."""
    return [
        used
        for used in used_places(service)
        if (used.location, used.store) == (place.location.address, place.store)
    ]


def delete_backups(service: Service) -> int:
    """Deletes all backups of the store in the configured folder or bucket, and at every other place that it
    has recorded and can reach, and returns their number. One that is being made fails. Raises InvalidInput
    `backup_folder_missing`, StoreError if one is left."""
    place = service.backup_place()
    others = [other for other in elsewhere(service, place) if other.backups]
    recorded = _of_place(service, place) if look(place.location, place.store, place.stem).backups else []
    count = _delete_present(place)
    for other in others:
        assert other.location is not None
        for backup in other.backups:
            try:
                other.location.delete(backup.name)
            except OSError as error:
                raise _not_deleted(backup.path) from error
        count += len(other.backups)
    for used in (*recorded, *(other.used for other in others)):
        leave_place(service, used)
    return count


def _delete_present(place: BackupPlace) -> int:
    """Deletes all backups of a store at the configured place. Raises StoreError if one is left."""
    location, count = place.location, 0
    place.clear_scratch()
    for _ in range(_LOOKS):  # one that was being made may have been finished since the first look
        found = look(location, place.store, place.stem)
        copies = unfinished(location, escape(place.stem))
        left = found.doubtful.union(copies if found.is_shared else ())
        names = {*copies, *(backup.name for backup in found.backups)} - left
        if left and not names:
            raise _doubtful(location.address_of(min(left)))
        if not names:
            return count
        for name in sorted(names):
            try:
                location.delete(name)
            except OSError as error:
                raise _not_deleted(location.address_of(name)) from error
        count += sum(backup.name in names for backup in found.backups)
    raise _not_deleted(location.address)


def _not_deleted(address: str) -> StoreError:
    return StoreError(
        f"the backup {address} cannot be deleted, so not everything was erased", code="store_io",
        hint="delete it yourself, or look at the rights of its folder, then try again",
    )  # fmt: skip


def _doubtful(address: str) -> StoreError:
    return StoreError(
        f"{address} has no note that can be read, and may be another store's, so it was left",
        code="store_io",
        hint="delete it yourself if it is of this store, or let its note be read, then try again",
    )


def request(service: Service, kind: str) -> Job:
    """Asks a worker for a backup or a drill, of the folder that is configured, and returns the job. Raises
    InvalidInput `backup_folder_missing`, Refusal `person_needed`."""
    check_in_person(service.principal, _ACT)
    service.backup_place()
    with service.store.write() as tx:
        job = run_now(service, tx, kind)
    service.bell.ring()
    return job
