"""A backup before a change of a whole store, whatever keeps it: without the backup, nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from holdfast._version import __version__
from holdfast.core.errors import HoldfastError, StoreError
from holdfast.stores.base.backup_files import (
    Backup,
    digest_beside,
    digest_of,
    fresh_name,
    next_number,
    note_of,
    roll_before_changes,
)
from holdfast.stores.base.backup_locations import BackupLocation
from holdfast.stores.base.clock import wall_clock


@dataclass(slots=True)
class Target:
    """A backup that is being made at `path`, and what is found in it."""

    path: Path
    memories: int = 0
    events: int = 0
    encryption: str = "off"


@contextmanager
def stopping(change: str) -> Iterator[None]:
    """Raises StoreError `backup_failed` if a backup fails: then nothing may be changed."""
    try:
        yield
    except Exception as error:  # of the file system, of either database, or ours
        why = error.message if isinstance(error, HoldfastError) else str(error) or type(error).__name__
        raise StoreError(
            f"no backup could be made before the {change}, so nothing was changed: {why}",
            code="backup_failed",
            hint="free space, or name another folder: HOLDFAST_BACKUP_FOLDER=DIR; to go on without a backup:"
            " HOLDFAST_BACKUP_BEFORE_CHANGES=off",
        ) from error


@contextmanager
def kept_before(
    change: str, location: BackupLocation, store: str, stem: str, *, scratch: Path
) -> Iterator[Target]:
    """Names the file of a new backup, and notes it once the caller has made and checked it; then lets go
    such copies that are too many. If the caller fails, nothing of it is left."""
    now, number = wall_clock(), next_number(location, store)
    with location.drafting(fresh_name(stem, now), scratch) as path:
        target, address = Target(path), location.address_of(path.name)
        yield target
        made = Backup(
            address, store, now, path.stat().st_size, target.memories, target.events, digest_of(path),
            __version__, (), target.encryption, change, number=number,
            beside=digest_beside(path),
        )  # fmt: skip
        location.publish(path, note_of(made))
    roll_before_changes(location, store, spared=(address,))
