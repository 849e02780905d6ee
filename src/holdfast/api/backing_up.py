"""Making backups of a store while it is used, checking them, letting old ones go, and trying the newest."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from holdfast._version import __version__
from holdfast.api.memory import Memory
from holdfast.bootstrap import backup_place, copies_of, open_service
from holdfast.config import Settings
from holdfast.core.arguments import checked_count
from holdfast.core.errors import Damaged, NotFound, StoreError
from holdfast.core.times import When, to_millis
from holdfast.core.views import personal_view
from holdfast.core.wire import Millis, Plain
from holdfast.features.maintenance.doctor import Report, examine
from holdfast.features.service import wall_clock
from holdfast.stores.base.backup_files import (
    DAYS,
    KEEP,
    Backup,
    backups_in,
    delete,
    digest_of,
    fresh_path,
    note,
    noted,
    roll,
)

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
    settings: Settings, *, folder: Path | None = None, keep: int = KEEP, days: int = DAYS,
    before: str | None = None, advance: Advance = lambda _: None,
) -> tuple[Backup, list[Path]]:  # fmt: skip
    """Makes a backup of a store, which may be in use, checks it as the doctor does, and deletes those that
    are too many: `keep` of the newest stay, and one of each of `days` days. Returns it with the paths of
    those that were deleted; none is deleted for one with problems, nor for a copy `before` a change, which is
    none of the regular backups. Raises StoreError, InvalidInput.
    """
    copies = copies_of(settings)
    keep, days = max(checked_count(keep, "keep"), 1), checked_count(days, "days")
    place = backup_place(settings, folder).folder
    now = wall_clock()
    home = copies.home(settings)
    target = fresh_path(place, home.stem, now)
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        copies.copy(settings, target)
        report = examined(copies.settings_of(settings, target), advance)
        backup = Backup(
            str(target), home.name, now, target.stat().st_size, report.stored or 0,
            report.events, digest_of(target), __version__, report.problems,
            report.encryption.partition(",")[0], before, own=report.memories,
        )  # fmt: skip
        note(backup)
    except BaseException as error:
        delete(target)
        if isinstance(error, OSError):
            raise StoreError(
                f"the backup {target} could not be written: {error.strerror or type(error).__name__}",
                code="store_io",
                hint="check the folder and the space on its disk, or name another folder with --to",
            ) from error
        raise
    return backup, [] if backup.problems or before else roll(place, backup.store, now, keep, days)


def list_backups(settings: Settings, *, folder: Path | None = None) -> list[Backup]:
    """Returns the backups of a store, newest first."""
    return backups_in(backup_place(settings, folder).folder, copies_of(settings).home(settings).name)


def newest(settings: Settings, *, folder: Path | None = None, as_of: When | None = None) -> Backup:
    """Returns the newest sound backup of a store, or the newest that is not later than a time; never a copy
    that was made before a change. Raises NotFound `backup_not_found`."""
    until = None if as_of is None else to_millis(as_of, name="as_of")
    found = list_backups(settings, folder=folder)
    for one in found:
        if one.is_regular and not one.problems and (until is None or one.made_at <= until):
            return one
    hint = "`holdfast backup` makes one, `holdfast backup --list` shows them; --to names another folder"
    if any(not one.is_regular for one in found):
        hint += "; a copy that was made before a change is restored by its path"
    raise NotFound(
        f"there is no backup in {backup_place(settings, folder).folder}"
        + ("" if until is None else " of that time"),
        code="backup_not_found",
        hint=hint,
    )


def read_backup(path: Path) -> Backup:
    """Returns what is noted of a backup, after comparing the file with it. Raises NotFound, Damaged."""
    found = noted(path)
    if found is None or not path.is_file():
        raise NotFound(
            f"{path} is not a backup made by Holdfast, or its note {path.name}.json is missing",
            code="backup_not_found",
            hint="`holdfast backup --list` shows them",
        )
    if digest_of(path) != found.digest:
        raise Damaged(
            f"{path} is not what was written: its digest differs",
            code="store_damaged",
            hint="take another one; `holdfast backup --list` shows them",
        )
    return found


def drill(settings: Settings, *, folder: Path | None = None, advance: Advance = lambda _: None) -> Drill:
    """Restores the newest backup into a scratch folder, checks it there, and compares. Raises NotFound,
    Damaged, StoreError."""
    copies = copies_of(settings)
    started = wall_clock()
    found = newest(settings, folder=folder)
    backup = read_backup(Path(found.path))
    with scratch_of(settings, Path(backup.path)) as scratch:
        report = examined(copies.settings_of(settings, scratch), advance)
    if report.healthy:
        note(replace(backup, tried_at=wall_clock()))
    with Memory.over(open_service(settings, create=False)) as live:
        service = live._service
        with service.store.read() as snap:
            now = snap.count(personal_view(service.principal, closed=True), now=service.clock())
    return Drill(backup.path, backup.made_at, report, now, (wall_clock() - started) / 1_000)


@contextmanager
def scratch_of(settings: Settings, backup: Path) -> Iterator[Path]:
    """Yields a copy of a backup in a scratch folder, so that opening it changes nothing of it. One that was
    made before anything was forgotten gets the key of digests that the store has."""
    with tempfile.TemporaryDirectory(prefix="holdfast-", dir=backup.parent) as scratch:
        copy = Path(scratch) / "store.db"
        for ending in ("", ".head", ".secret"):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{backup}{ending}", f"{copy}{ending}")
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
