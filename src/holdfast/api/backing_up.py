"""Making backups of a store while it is used, checking them, letting old ones go, and trying the newest."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from holdfast._version import __version__
from holdfast.api.memory import Memory
from holdfast.bootstrap import backup_place, copies_of, open_service
from holdfast.config import Settings
from holdfast.core.arguments import checked_count
from holdfast.core.errors import Damaged, HoldfastError, NotFound, StoreError
from holdfast.core.times import When, to_millis
from holdfast.core.views import personal_view
from holdfast.core.wire import Millis, Plain
from holdfast.features.backups.places import note_place, origin_of
from holdfast.features.maintenance.doctor import Report, examine
from holdfast.stores.base.backup_addresses import located
from holdfast.stores.base.backup_files import (
    DAYS,
    KEEP,
    Backup,
    BackupPlace,
    backups_in,
    digest_beside,
    digest_of,
    fresh_name,
    next_number,
    note_again,
    note_of,
    noted,
    roll,
)
from holdfast.stores.base.backup_locations import COPIED
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.scratch import scratch as scratch_folder

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Drill(Plain):
    """The outcome of restoring the newest backup into a scratch folder: what the doctor says of it there, and
    how many memories the caller sees in the store now."""

    backup: str
    made_at: Millis
    report: Report
    memories_now: int
    seconds: float = field(default=0.0)

    @property
    def is_sound(self) -> bool:
        return self.report.healthy


def back_up(
    settings: Settings, *, to: str | Path | None = None, keep: int = KEEP, days: int = DAYS,
    before: str | None = None, advance: Advance = lambda _: None,
) -> tuple[Backup, list[str]]:  # fmt: skip
    """Makes a backup of a store, which may be in use, in a folder or a bucket, checks it as the doctor does,
    and deletes those that are too many: `keep` of the newest stay, and one of each of `days` days. Returns it
    with the addresses of those that were deleted; none is deleted for one with problems, nor for a copy
    `before` a change, which is none of the regular backups. Raises StoreError, InvalidInput.
    """
    copies = copies_of(settings)
    keep, days = max(checked_count(keep, "keep"), 1), checked_count(days, "days")
    place = backup_place(settings, to)
    now = wall_clock()
    home = copies.home(settings)
    name = fresh_name(place.stem, now)
    number = next_number(place.location, home.name)
    address = place.location.address_of(name)
    if before is None:  # before the copy, which then has the event, too
        note_backups(settings, place)
    try:
        with place.location.drafting(name, place.scratch) as file:
            copies.copy(settings, file)
            with Memory.over(open_service(copies.settings_of(settings, file), create=False)) as memory:
                report = examine(memory._service, advance=advance)
                origin = origin_of(memory._service)
            backup = Backup(
                address, home.name, now, file.stat().st_size, report.stored or 0,
                report.events, digest_of(file), __version__, report.problems,
                report.encryption.partition(",")[0], before, own=report.memories, number=number,
                beside=digest_beside(file), origin=origin,
            )  # fmt: skip
            place.location.publish(file, note_of(backup))
    except OSError as error:
        raise StoreError(
            f"the backup {address} could not be written: {error.strerror or type(error).__name__}",
            code="store_io",
            hint="check the folder and the space on its disk, or name another folder with --to",
        ) from error
    if backup.problems or before:
        return backup, []
    return backup, roll(place, now, keep, days, spared=(address,))


def note_backups(settings: Settings, place: BackupPlace) -> None:
    """Records in a store where its backups are, so that deleting everything finds them; one that cannot be
    written is backed up all the same."""
    with suppress(HoldfastError), Memory.over(open_service(settings, create=False)) as live:
        note_place(live._service, place)


def list_backups(settings: Settings, *, to: str | Path | None = None) -> list[Backup]:
    """Returns the backups of a store, newest first."""
    place = backup_place(settings, to)
    return backups_in(place.location, place.store, place.stem)


def newest(settings: Settings, *, to: str | Path | None = None, as_of: When | None = None) -> Backup:
    """Returns the newest sound backup of a store, or the newest that is not later than a time; never a copy
    that was made before a change. Raises NotFound `backup_not_found`."""
    until = None if as_of is None else to_millis(as_of, name="as_of")
    backups = list_backups(settings, to=to)
    for backup in backups:
        if backup.is_regular and not backup.problems and (until is None or backup.made_at <= until):
            return backup
    hint = "`holdfast backup` makes one, `holdfast backup --list` shows them; --to names another folder"
    if any(not backup.is_regular for backup in backups):
        hint += "; a copy that was made before a change is restored by its path"
    raise NotFound(
        f"there is no backup in {backup_place(settings, to).location.address}"
        + ("" if until is None else " of that time"),
        code="backup_not_found",
        hint=hint,
    )


def read_backup(address: str | Path) -> Backup:
    """Returns what is noted of a backup, by its path or its address in a bucket. Raises NotFound."""
    backup = noted(*located(address))
    if backup is None:
        raise NotFound(
            f"{address} is not a backup made by Holdfast, or its note {located(address)[1]}.json is missing"
            " or cannot be read",
            code="backup_not_found",
            hint="`holdfast backup --list` shows them",
        )
    return backup


def drill(settings: Settings, *, to: str | Path | None = None, advance: Advance = lambda _: None) -> Drill:
    """Restores the newest backup into a scratch folder, checks it there, and compares. Raises NotFound,
    Damaged, StoreError."""
    copies = copies_of(settings)
    started = wall_clock()
    backup = newest(settings, to=to)
    with scratch_of(settings, backup) as scratch:
        report = examined(copies.settings_of(settings, scratch), advance)
    if report.healthy:
        with suppress(OSError, StoreError):  # the place may be read-only, and the drill is as good
            note_again(located(backup.path)[0], replace(backup, tried_at=wall_clock()))
    with Memory.over(open_service(settings, create=False)) as live:
        service = live._service
        with service.store.read() as snap:
            now = snap.count(personal_view(service.principal, closed=True), now=service.clock())
    return Drill(backup.path, backup.made_at, report, now, (wall_clock() - started) / 1_000)


def _not_copied(path: str, error: OSError) -> StoreError:
    """Returns the error of a backup that cannot be copied: no room, a pipe, a damaged disk."""
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return StoreError(
        f"{path} cannot be copied: {error.strerror or error}",
        code="store_full" if is_full else "store_io",
        hint="free some space and try again" if is_full else "take another one: `holdfast backup --list`",
    )


@contextmanager
def scratch_of(settings: Settings, backup: Backup) -> Iterator[Path]:
    """Yields a copy of a backup in a scratch folder, so that opening it changes nothing of it: beside the
    backup, or where that place is read-only, beside the store, or in the system's folder. One that was made
    before anything was forgotten gets the key of digests that the store has. Raises NotFound; Damaged for a
    copy that is not what was noted; StoreError if it cannot be copied."""
    location, name = located(backup.path)
    place = backup_place(settings, location.address)
    place.clear_scratch()
    with scratch_folder(*place.scratch_places) as scratch:
        copy = scratch / "store.db"
        try:
            location.fetch(name, copy)
        except FileNotFoundError as error:
            raise NotFound(
                f"{backup.path} is gone", code="backup_not_found", hint="`holdfast backup --list` shows them"
            ) from error
        except OSError as error:
            raise _not_copied(backup.path, error) from error
        differs = digest_of(copy) != backup.digest
        if differs or backup.beside not in (None, digest_beside(copy)):
            what = "its digest" if differs else f"that of the files next to it ({', '.join(COPIED[1:])})"
            raise Damaged(
                f"{backup.path} is not what was written: {what} differs",
                code="store_damaged",
                hint="take another one; `holdfast backup --list` shows them",
            )
        file = copies_of(settings).home(settings).file
        if file is not None and not Path(f"{copy}.secret").exists():
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{file}.secret", f"{copy}.secret")
        yield copy


def examined(settings: Settings, advance: Advance) -> Report:
    with Memory.over(open_service(settings, create=False)) as memory:
        return examine(memory._service, advance=advance)


def name_of(settings: Settings) -> str:
    """Returns the name of a store as its backups note it, without credentials."""
    return copies_of(settings).home(settings).name
