"""A backup of a store before it is changed as a whole: before a migration, and before its key changes."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import apsw

from holdfast._version import __version__
from holdfast.config import Settings
from holdfast.core.errors import Damaged, HoldfastError, StoreError
from holdfast.stores.base.backup_files import Backup, delete, digest_of, fresh_path, note, roll
from holdfast.stores.sqlite.cipher import SCHEME_SHOWN, StoreKey
from holdfast.stores.sqlite.connection import connect, translated
from holdfast.stores.sqlite.copies import backup_key, copy_whole
from holdfast.stores.sqlite.sql import statements


def save_before(change: str, settings: Settings, old: StoreKey | None, new: StoreKey | None) -> None:
    """Makes a backup of the store that the settings name, unless they say otherwise. The backup has the key
    of backups, or the one that the store has afterwards. Raises StoreError `backup_failed`: then nothing may
    be changed."""
    if settings.backup_before_changes == "off":
        return
    path = Path(settings.store).resolve()
    folder = settings.backup_folder
    place = path.parent / "backups" if folder is None else Path(folder).absolute()
    try:
        _save(change, path, place, old, backup_key(settings) or new)
    except (OSError, HoldfastError, apsw.Error) as error:
        why = error.message if isinstance(error, HoldfastError) else str(error) or type(error).__name__
        raise StoreError(
            f"no backup could be made before the {change}, so nothing was changed: {why}",
            code="backup_failed",
            hint="free space, or name another folder: HOLDFAST_BACKUP_FOLDER=DIR; to go on without a backup:"
            " HOLDFAST_BACKUP_BEFORE_CHANGES=off",
        ) from error


def _save(change: str, path: Path, place: Path, old: StoreKey | None, new: StoreKey | None) -> None:
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = time.time_ns() // 1_000_000
    target = fresh_path(place, path.stem, now)
    try:
        copy_whole(path, target, old, new)
        memories, events = _checked(target, new)
        encryption = "off" if new is None else SCHEME_SHOWN
        made = Backup(
            str(target), str(path), now, target.stat().st_size, memories, events, digest_of(target),
            __version__, (), encryption, change,
        )  # fmt: skip
        note(made)
    except BaseException:
        delete(target)
        raise
    roll(place, made.store, now)


def _checked(copy: Path, key: StoreKey | None) -> tuple[int, int]:
    """Returns the numbers of memories and events in a copy, which stays at its schema. Raises Damaged."""
    with translated(copy), closing(connect(copy, writable=False, key=key)) as connection:
        if connection.execute("PRAGMA integrity_check(1)").get != "ok":
            raise Damaged(
                f"the copy of {copy} is damaged",
                code="store_damaged",
                hint="holdfast doctor looks at the store",
            )
        memories, events = connection.execute(statements("converting.sql")["numbers"]).fetchone() or (0, 0)
        return int(memories), int(events)
