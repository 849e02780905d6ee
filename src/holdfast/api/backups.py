"""Backups of a store: made while it is used, checked, rolled off, and tried out."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdfast._version import __version__
from holdfast.api.memory import Memory
from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.core.arguments import checked_count
from holdfast.core.errors import Damaged, InvalidInput, NotFound
from holdfast.core.times import When, to_iso, to_millis
from holdfast.core.views import personal_view
from holdfast.core.wire import Millis, Plain, read_record
from holdfast.features.maintenance.doctor import Report, examine
from holdfast.features.service import wall_clock
from holdfast.stores.base.backend import Copies
from holdfast.stores.base.registry import backend_of

KEEP, DAYS = 3, 7
"""How many backups stay by default: the newest, and the newest of each of the last days that have one."""
DAY = 86_400_000
BESIDE = ("", ".head", ".secret", ".json", ".replays", "-wal", "-shm")

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Backup(Plain):
    """One backup: a copy of a store that opens as one.

    `digest` is the SHA-256 of the file, `problems` is what the doctor found in it: empty if it is sound;
    `encryption` is its cipher, or `off`.
    """

    path: str
    store: str
    made_at: Millis
    size: int
    memories: int
    events: int
    digest: str
    version: str
    problems: tuple[str, ...] = ()
    encryption: str = "off"


@dataclass(frozen=True, slots=True)
class Drill(Plain):
    """The outcome of restoring the newest backup into a scratch folder: what the doctor says of it there, and
    how many memories the store has gained or lost since it was made."""

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
    advance: Advance = lambda _: None,
) -> tuple[Backup, list[Path]]:  # fmt: skip
    """Makes a backup of a store, which may be in use, checks it as the doctor does, and deletes those that
    are too many: `keep` of the newest stay, and one of each of `days` days. Returns it with the paths of
    those that were deleted; none is deleted for one with problems. Raises StoreError, InvalidInput.
    """
    copies = copies_of(settings)
    keep, days = max(checked_count(keep, "keep"), 1), checked_count(days, "days")
    place = folder_of(settings, folder)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = wall_clock()
    stamp = to_iso(now - now % 1_000).replace("-", "").replace(":", "")
    home = copies.home(settings)
    target = place / f"{home.stem}-{stamp}-{os.urandom(2).hex()}.db"
    try:
        copies.copy(settings, target)
        report = examined(copies.settings_of(settings, target), advance)
        backup = Backup(
            str(target), home.name, now, target.stat().st_size, report.memories,
            report.events, _digest(target), __version__, report.problems, report.encryption.partition(",")[0],
        )  # fmt: skip
        _note(backup)
    except BaseException:
        _delete(target)
        raise
    _sweep(place)
    surplus = [] if backup.problems else _surplus(_of(place, backup.store), keep, days)
    for one in surplus:
        _delete(Path(one.path))
    return backup, [Path(one.path) for one in surplus]


def list_backups(settings: Settings, *, folder: Path | None = None) -> list[Backup]:
    """Returns the backups of a store, newest first."""
    return _of(folder_of(settings, folder), copies_of(settings).home(settings).name)


def newest(settings: Settings, *, folder: Path | None = None, as_of: When | None = None) -> Backup:
    """Returns the newest sound backup of a store, or the newest that is not later than a time. Raises
    NotFound `backup_not_found`."""
    until = None if as_of is None else to_millis(as_of, name="as_of")
    for one in list_backups(settings, folder=folder):
        if not one.problems and (until is None or one.made_at <= until):
            return one
    raise NotFound(
        f"there is no backup in {folder_of(settings, folder)}" + ("" if until is None else " of that time"),
        code="backup_not_found",
        hint="`holdfast backup` makes one, `holdfast backup --list` shows them; --to names another folder",
    )


def read_backup(path: Path) -> Backup:
    """Returns what is noted of a backup, after comparing the file with it. Raises NotFound, Damaged."""
    noted = _noted(path)
    if noted is None or not path.is_file():
        raise NotFound(
            f"{path} is not a backup made by Holdfast, or its note {path.name}.json is missing",
            code="backup_not_found",
            hint="`holdfast backup --list` shows them",
        )
    if _digest(path) != noted.digest:
        raise Damaged(
            f"{path} is not what was written: its digest differs",
            code="store_damaged",
            hint="take another one; `holdfast backup --list` shows them",
        )
    return noted


def drill(settings: Settings, *, folder: Path | None = None, advance: Advance = lambda _: None) -> Drill:
    """Restores the newest backup into a scratch folder, checks it there, and compares. Raises NotFound,
    Damaged, StoreError."""
    copies = copies_of(settings)
    started = wall_clock()
    found = newest(settings, folder=folder)
    backup = read_backup(Path(found.path))
    with scratch_of(settings, Path(backup.path)) as scratch:
        report = examined(copies.settings_of(settings, scratch), advance)
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


def copies_of(settings: Settings) -> Copies:
    found = backend_of(settings.store).copies
    if found is None:
        raise InvalidInput(
            "Holdfast makes no backups of this kind of store", code="argument_invalid",
            hint="`holdfast export` writes out what is yours",
        )  # fmt: skip
    return found


def name_of(settings: Settings) -> str:
    """Returns the name of a store as its backups note it, without credentials."""
    return copies_of(settings).home(settings).name


def folder_of(settings: Settings, folder: Path | None) -> Path:
    """Returns the folder of backups: the named one, that of the settings, or `backups` beside a file. Raises
    InvalidInput if there is none."""
    if folder is None and settings.backup_folder is not None:
        folder = Path(settings.backup_folder)
    if folder is not None:
        return folder.absolute()
    file = copies_of(settings).home(settings).file
    if file is None:
        raise InvalidInput(
            "the folder for backups of a database is not named", code="argument_invalid",
            hint="name it with --to or in the setting backup_folder",
        )  # fmt: skip
    return file.parent / "backups"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _note(backup: Backup) -> None:
    path = Path(f"{backup.path}.json")
    descriptor = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(backup.as_dict(), file, indent=1)
        file.flush()
        os.fsync(descriptor)
    os.replace(f"{path}.new", path)


def _noted(path: Path) -> Backup | None:
    try:
        noted: dict[str, Any] = json.loads(Path(f"{path}.json").read_text("utf-8"))
        return read_record(Backup, {**noted, "path": str(path)})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _of(place: Path, store: str) -> list[Backup]:
    found = [one for path in place.glob("*.db") if (one := _noted(path)) is not None and one.store == store]
    return sorted(found, key=lambda one: (one.made_at, one.path), reverse=True)


def _surplus(backups: Sequence[Backup], keep: int, days: int) -> list[Backup]:
    """Returns what is neither among the newest sound ones nor the newest of one of the last days."""
    sound = [one for one in backups if not one.problems]
    newest_of_day: dict[int, str] = {}
    for one in sound:
        newest_of_day.setdefault(one.made_at // DAY, one.path)
    stay = {one.path for one in sound[:keep]} | set(list(newest_of_day.values())[:days])
    return [one for one in backups if one.path not in stay]


def _sweep(place: Path) -> None:
    """Deletes what an interrupted backup left: a copy without a note, older than a day."""
    for path in place.glob("*-????????T??????Z-????.db"):
        with suppress(OSError):
            if not Path(f"{path}.json").exists() and path.stat().st_mtime * 1_000 < wall_clock() - DAY:
                _delete(path)


def _delete(path: Path) -> None:
    for ending in BESIDE:
        with suppress(OSError):
            Path(f"{path}{ending}").unlink()
