"""The files of backups: what is noted beside each, and which of them stay."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from holdfast.core.times import DAY, to_iso
from holdfast.core.wire import Millis, Plain, read_record, wire
from holdfast.stores.base.whole_file import write_whole

KEEP, DAYS = 3, 7
"""How many backups stay by default: the newest, and the newest of each of the last days that have one."""
BESIDE = ("", ".head", ".secret", ".json", ".replays", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Backup(Plain):
    """One backup: a copy of a store that opens as one.

    `memories` counts those of everybody, and `own` those that the owner of the store or service sees.
    `digest` is the SHA-256 of the file, `problems` is what was found in it: empty if it is sound;
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
    before: str | None = field(
        default=None, metadata=wire(about="The change it was made before, such as `migration`.")
    )
    tried_at: Millis | None = field(
        default=None, metadata=wire(about="When a drill restored it last and found it sound.")
    )
    own: int | None = field(default=None, metadata=wire(hidden=True))

    @property
    def is_regular(self) -> bool:
        """Returns whether it is a backup of its own, not a copy made before a change such as a restore."""
        return self.before is None


@dataclass(frozen=True, slots=True)
class BackupPlace:
    """The folder of the backups of a store, the name by which they note it, every how many days a service
    makes one by itself (0: never), and what the names of their files begin with."""

    folder: Path
    store: str
    every_days: int = 0
    stem: str = ""


def fresh_path(place: Path, stem: str, now: int) -> Path:
    """Returns the path of a new backup of a store."""
    stamp = to_iso(now - now % 1_000).replace("-", "").replace(":", "")
    return place / f"{stem}-{stamp}-{os.urandom(2).hex()}.db"


def digest_of(path: Path) -> str:
    """Returns the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def note(backup: Backup) -> None:
    """Writes what is known of a backup beside it, which makes it one."""
    content = {**backup.as_dict(), "own": backup.own}
    write_whole(Path(f"{backup.path}.json"), json.dumps(content, indent=1).encode(), synced=True)


def noted(path: Path) -> Backup | None:
    """Returns what is noted of a backup; None of what is none."""
    try:
        content: dict[str, Any] = json.loads(Path(f"{path}.json").read_text("utf-8"))
        found = read_record(Backup, {"before": None, "tried_at": None, **content, "path": str(path)})
        return replace(found, own=content.get("own"))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def backups_in(place: Path, store: str) -> list[Backup]:
    """Returns the backups of a store in a folder, newest first."""
    found = [one for path in place.glob("*.db") if (one := noted(path)) is not None and one.store == store]
    return sorted(found, key=lambda one: (one.made_at, one.path), reverse=True)


def unfinished(place: Path, stem: str = "*") -> list[Path]:
    """Returns the copies without a note in a folder: each is being made, or was interrupted."""
    found = place.glob(f"{stem}-????????T??????Z-????.db")
    return [path for path in found if not Path(f"{path}.json").exists()]


def roll(place: Path, store: str, now: int, keep: int = KEEP, days: int = DAYS) -> list[Path]:
    """Deletes the backups of a store that are too many, and what an interrupted one left: a copy without a
    note, older than a day. Returns the paths of the former."""
    for path in unfinished(place):
        with suppress(OSError):
            if path.stat().st_mtime * 1_000 < now - DAY:
                delete(path)
    gone = [Path(one.path) for one in surplus(backups_in(place, store), keep, days)]
    for path in gone:
        delete(path)
    return gone


def roll_before_changes(place: Path, store: str, *, spared: Collection[str] = ()) -> None:
    """Deletes the copies made before changes that are too many, but the `spared` ones, and no other backup:
    how many of those stay, only who makes them knows."""
    for one in surplus(backups_in(place, store), KEEP, DAYS):
        if not one.is_regular and one.path not in spared:
            delete(Path(one.path))


def surplus(backups: Sequence[Backup], keep: int, days: int) -> list[Backup]:
    """Returns what may go of backups, newest first: regular ones that are neither among the newest sound ones
    nor the newest of one of the last days; copies made before changes but the newest few; without those that
    `beyond` names."""
    stay = {one.path for one in beyond(backups, keep, days)} | _staying(backups, keep, days)
    return [one for one in backups if one.path not in stay]


def beyond(backups: Sequence[Backup], keep: int, days: int) -> list[Backup]:
    """Returns the backups that are too many and stay all the same: sound ones with more than twice as many
    memories as each newer one that stays. What they hold may be nowhere else."""
    stay, most, found = _staying(backups, keep, days), 0, []
    for one in backups:
        if not one.problems and one.path not in stay and one.memories > 2 * most:
            found.append(one)
        if one.path in stay or one in found:
            most = max(most, one.memories)
    return found


def _staying(backups: Sequence[Backup], keep: int, days: int) -> set[str]:
    sound = [one for one in backups if not one.problems]
    regular = [one for one in sound if one.is_regular]
    newest_of_day: dict[int, Backup] = {}
    for one in regular:
        newest_of_day.setdefault(one.made_at // DAY, one)
    # with problems, too: of what a restore replaced there is no other copy
    before_changes = [one for one in backups if not one.is_regular][:KEEP]
    return {one.path for one in (*regular[:keep], *list(newest_of_day.values())[:days], *before_changes)}


def expiries(
    backups: Sequence[Backup], now: int, every_days: int, keep: int = KEEP, days: int = DAYS
) -> dict[str, int]:
    """Returns when each backup is deleted, by its path, if a sound one with as many memories as the newest is
    made every so many days from now on. What is not in it stays until somebody deletes it."""
    gone: dict[str, int] = {}
    regular = [one for one in backups if one.is_regular]
    made, at = list(backups), max(now, regular[0].made_at + every_days * DAY) if regular else now
    for _ in range(max(keep, days) + 1 if every_days and backups else 0):
        made.insert(0, replace(backups[0], path=f"next-{len(made)}", made_at=at, problems=(), before=None))
        for one in surplus(made, keep, days):
            gone.setdefault(one.path, at)
        at += every_days * DAY
    return {one.path: gone[one.path] for one in backups if one.path in gone}


def delete(path: Path) -> None:
    """Deletes a backup with the files beside it, as far as they can be deleted."""
    for ending in BESIDE:
        with suppress(OSError):
            Path(f"{path}{ending}").unlink()
