"""A backup of a store before it is changed as a whole: before a migration, and before its key changes."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import Settings
from holdfast.stores.base.backup_addresses import location_of
from holdfast.stores.base.backup_locations import BackupLocation
from holdfast.stores.base.safeguard import kept_before, stopping
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.copies import backup_key, copy_whole, encryption_by, numbers_in


def save_before(change: str, settings: Settings, old: StoreKey | None, new: StoreKey | None) -> None:
    """Makes a backup of the store that the settings name, unless they say otherwise. The backup has the key
    of backups, or the one that the store has afterwards. Raises StoreError `backup_failed`: then nothing may
    be changed."""
    if settings.backup_before_changes == "off":
        return
    path = Path(settings.store).resolve()
    with stopping(change):
        location = location_of(settings.backup_folder or path.parent / "backups")
        _save(change, path, location, old, backup_key(settings) or new)


def _save(
    change: str, path: Path, location: BackupLocation, old: StoreKey | None, new: StoreKey | None
) -> None:
    """Makes a backup with the key `new` of a store with the key `old`; None means no encryption."""
    with kept_before(change, location, str(path), path.stem, scratch=path.parent) as target:
        copy_whole(path, target.path, old, new)
        target.memories, target.events = numbers_in(target.path, new)
        target.encryption = encryption_by(new)
