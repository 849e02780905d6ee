"""Notes of backups, wherever these are kept, and the rules by which backups stay or go."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput, StoreError
from holdfast.core.times import DAY, to_iso
from holdfast.core.wire import Millis, Plain, from_plain, read_record, wire
from holdfast.stores.base.backup_locations import COPIED, MAKING, NOTE, BackupLocation
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.scratch import clear

_NAMED = "{}-????????T??????Z-????.db"
KEEP, DAYS = 3, 7
"""How many backups stay by default: the newest, and the newest of each of the last days that have one."""


@dataclass(frozen=True, slots=True)
class Backup(Plain):
    """One backup: a copy of a store that opens as one.

    `memories` counts those of everybody, and `own` those that the owner of the store or service sees.
    `digest` is the SHA-256 of the file, `problems` is what was found in it: empty if it is sound;
    `encryption` is its cipher, or `off`. `number` orders the backups of a store in one place, whatever the
    clock said; it is 0 in notes of earlier versions.
    `beside` is the digest of the files next to it, `origin` the hash of the first event of the store, by
    which it is recognised under another name; None in notes of earlier versions.
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
    before: str | None = field(
        default=None, metadata=wire(about="The change it was made before, such as `migration`.")
    )
    tried_at: Millis | None = field(
        default=None, metadata=wire(about="When a drill restored it last and found it sound.")
    )
    own: int | None = field(default=None, metadata=wire(hidden=True))
    number: int = field(default=0, metadata=wire(hidden=True))
    beside: str | None = field(default=None, metadata=wire(hidden=True))
    origin: str | None = field(default=None, metadata=wire(hidden=True))

    @property
    def name(self) -> str:
        """Returns the name of its file."""
        return self.path.rpartition("/")[2]

    @property
    def is_regular(self) -> bool:
        """Returns whether it is a backup of its own, not a copy made before a change such as a restore."""
        return self.before is None

    @property
    def is_noted(self) -> bool:
        """Returns whether its note can be read. What it holds, and of which store, is unknown otherwise."""
        return bool(self.store)


@dataclass(frozen=True, slots=True)
class BackupPlace:
    """The location of the backups of a store, the name by which they note it, every how many days a service
    makes one by itself (0: never), what the names of their files begin with, and the folder for what has to
    be on this machine while one is made or read."""

    location: BackupLocation
    store: str
    every_days: int
    stem: str
    scratch: Path

    @property
    def scratch_places(self) -> tuple[Path, ...]:
        """Returns the folders in which a copy may be tried, in the order of preference."""
        first = self.location.folder
        return (*(() if first is None else (first,)), self.scratch, Path(tempfile.gettempdir()))

    def clear_scratch(self) -> None:
        """Removes what killed processes left of copies that they tried, wherever that was."""
        for place in self.scratch_places:
            clear(place)


@dataclass(frozen=True, slots=True)
class BackupListing:
    """Listing of a store in a location: its backups, newest first; whether another store has backups
    there whose names begin alike; and the names of the backups that may be another store's or sound, since
    their notes cannot be read."""

    backups: list[Backup]
    is_shared: bool
    doubtful: frozenset[str]


def fresh_name(stem: str, now: int) -> str:
    """Returns the name of a new backup of a store."""
    stamp = to_iso(now - now % 1_000).replace("-", "").replace(":", "")
    return f"{stem}-{stamp}-{os.urandom(2).hex()}.db"


def digest_of(path: Path) -> str:
    """Returns the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_beside(path: Path) -> str:
    """Returns a digest of the files that belong to a copy and are next to it, and of which are there."""
    there = ((ending, Path(f"{path}{ending}")) for ending in COPIED[1:])
    parts = [f"{ending} {digest_of(file) if file.exists() else None}" for ending, file in there]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def note_of(backup: Backup) -> bytes:
    """Returns the note of a backup, which makes it one."""
    hidden = {"own": backup.own, "number": backup.number, "beside": backup.beside, "origin": backup.origin}
    return json.dumps({**backup.as_dict(), **hidden}, indent=1).encode()


def note_again(location: BackupLocation, backup: Backup) -> None:
    """Replaces the note of a backup."""
    location.write(f"{backup.name}{NOTE}", note_of(backup))


def noted(location: BackupLocation, name: str) -> Backup | None:
    """Returns what is noted of a backup; None of what is none."""
    if name not in location.names():
        return None
    content = location.read([f"{name}{NOTE}"]).get(f"{name}{NOTE}")
    return None if content is None else _backup(location.address_of(name), content)


def backups_in(location: BackupLocation, store: str, stem: str | None = None) -> list[Backup]:
    """Returns the backups of a store in a location, newest first; with the stem of their names also those
    whose notes cannot be read, as damaged."""
    return look(location, store, stem).backups


def look(location: BackupLocation, store: str, stem: str | None = None) -> BackupListing:
    """Returns what `backups_in` does, and what is uncertain about it."""
    there = location.names()
    names = [name for name in there if name.endswith(".db") and f"{name}{NOTE}" in there]
    notes = location.read([f"{name}{NOTE}" for name in names])
    read = {
        name: _backup(location.address_of(name), content)
        for name in names
        if (content := notes.get(f"{name}{NOTE}")) is not None
    }
    backups = [backup for backup in read.values() if backup is not None and backup.store == store]
    alike = [] if stem is None else [name for name in names if fnmatchcase(name, _NAMED.format(escape(stem)))]
    unread = [name for name in alike if read.get(name) is None]
    present = location.names() if unread else {}  # one may have been deleted since the first look
    unread = [name for name in unread if name in present and f"{name}{NOTE}" in present]
    backups += [
        Backup(location.address_of(name), "", there[name], 0, 0, 0, "", "", ("its note cannot be read",))
        for name in unread
    ]
    is_shared = any(backup is not None and backup.store != store for backup in map(read.get, alike))
    refused = {name for name in unread if notes.get(f"{name}{NOTE}", b"") is None}
    return BackupListing(
        _newest_first(backups, wall_clock()),
        is_shared,
        frozenset(unread if is_shared else refused),
    )


def _newest_first(backups: Sequence[Backup], now: int) -> list[Backup]:
    """Returns backups in the order of their numbers. One without a number, as earlier versions note them,
    counts as made after those that are not later, unless its time is still to come."""

    def place(backup: Backup) -> tuple[int, int, str]:
        number = backup.number
        if backup.is_noted and not number and backup.made_at <= now:
            number = max(other.number for other in backups if other.made_at <= backup.made_at)
        return number, backup.made_at, backup.path

    return sorted(backups, key=place, reverse=True)


def next_number(location: BackupLocation, store: str) -> int:
    """Returns the number of a backup of a store that is made now."""
    return 1 + max((backup.number for backup in backups_in(location, store)), default=0)


def _backup(address: str, note: bytes) -> Backup | None:
    """Returns what a note says of a backup; None if it cannot be read as one."""
    try:
        content: dict[str, Any] = json.loads(note)
        backup = read_record(Backup, {"before": None, "tried_at": None, **content, "path": address})
        own, number = from_plain(int | None, content.get("own")), int(content.get("number", 0))
        beside, origin = (from_plain(str | None, content.get(key)) for key in ("beside", "origin"))
        backup = replace(backup, own=own, number=number, beside=beside, origin=origin)
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError, InvalidInput):
        return None
    needed = (attribute.name for attribute in fields(Backup) if attribute.default is not None)
    return None if any(getattr(backup, name) is None for name in needed) else backup


def unfinished(location: BackupLocation, stem: str = "*") -> dict[str, int]:
    """Returns the copies without a note, each with the time since when it is there: it is being made, or was
    interrupted."""
    there = location.names()
    copies: dict[str, int] = {}
    for file, at in there.items():
        name = file.removesuffix(MAKING)
        if f"{name}{NOTE}" not in there and fnmatchcase(name, _NAMED.format(stem)):
            copies[name] = max(at, copies.get(name, 0))
    return copies


def roll(
    place: BackupPlace, now: int, keep: int = KEEP, days: int = DAYS, *, spared: Collection[str] = ()
) -> list[str]:
    """Deletes the backups of a store that are too many, but the `spared` ones, and what an interrupted one
    left: a copy without a note, older than a day. Returns the addresses of the former, without those that
    cannot be deleted."""
    place.clear_scratch()
    for name, at in unfinished(place.location).items():
        if at < now - DAY:
            with suppress(OSError, StoreError):
                place.location.delete(name)
    too_many = surplus(backups_in(place.location, place.store), keep, days)
    return _deleted(place.location, [backup for backup in too_many if backup.path not in spared])


def roll_before_changes(location: BackupLocation, store: str, *, spared: Collection[str] = ()) -> None:
    """Deletes the copies made before changes that are too many, but the `spared` ones, and no other backup:
    how many of those stay, only who makes them knows."""
    _deleted(
        location,
        [
            backup
            for backup in surplus(backups_in(location, store), KEEP, DAYS)
            if not backup.is_regular and backup.path not in spared
        ],
    )


def _deleted(location: BackupLocation, backups: Sequence[Backup]) -> list[str]:
    """Deletes backups and returns the addresses of those that went; failures are passed over."""
    deleted = []
    for backup in backups:
        with suppress(OSError, StoreError):
            location.delete(backup.name)
            deleted.append(backup.path)
    return deleted


def surplus(backups: Sequence[Backup], keep: int, days: int) -> list[Backup]:
    """Returns what may go of backups, newest first: regular ones that are neither among the newest sound ones
    nor the newest of one of the last days; copies made before changes but the newest few; without those that
    `beyond` names, and those whose notes cannot be read."""
    stay = {backup.path for backup in beyond(backups, keep, days)} | _staying(backups, keep, days)
    return [backup for backup in backups if backup.is_noted and backup.path not in stay]


def beyond(backups: Sequence[Backup], keep: int, days: int) -> list[Backup]:
    """Returns the backups that are too many and stay all the same: sound ones with more than twice as many
    memories as each newer one that stays. What they hold may be nowhere else."""
    stay, most, excess = _staying(backups, keep, days), 0, []
    for backup in backups:
        if not backup.problems and backup.path not in stay and backup.memories > 2 * most:
            excess.append(backup)
        if backup.path in stay or backup in excess:
            most = max(most, backup.memories)
    return excess


def _staying(backups: Sequence[Backup], keep: int, days: int) -> set[str]:
    """Returns the paths of the backups that stay: the newest, the newest of each of the last days, and those
    made before a change."""
    sound = [backup for backup in backups if not backup.problems]
    regular = [backup for backup in sound if backup.is_regular]
    newest_of_day: dict[int, Backup] = {}
    for backup in regular:
        newest_of_day.setdefault(backup.made_at // DAY, backup)
    # with problems, too: of what a restore replaced there is no other copy
    before_changes = [backup for backup in backups if not backup.is_regular][:KEEP]
    return {
        backup.path for backup in (*regular[:keep], *list(newest_of_day.values())[:days], *before_changes)
    }


def expiries(
    backups: Sequence[Backup], now: int, every_days: int, keep: int = KEEP, days: int = DAYS
) -> dict[str, int]:
    """Returns when each backup is deleted, by its path, if a sound one with as many memories as the newest is
    made every so many days from now on. What is not in it stays until somebody deletes it."""
    deleted_at: dict[str, int] = {}
    backups = [backup for backup in backups if backup.is_noted]
    regular = [backup for backup in backups if backup.is_regular]
    made, at = list(backups), now
    if regular:
        at = max(now, min(regular[0].made_at, now) + every_days * DAY)
    for _ in range(max(keep, days) + 1 if every_days and backups else 0):
        made.insert(0, replace(backups[0], path=f"next-{len(made)}", made_at=at, problems=(), before=None))
        for surplus_backup in surplus(made, keep, days):
            deleted_at.setdefault(surplus_backup.path, at)
        at += every_days * DAY
    return {backup.path: deleted_at[backup.path] for backup in backups if backup.path in deleted_at}
