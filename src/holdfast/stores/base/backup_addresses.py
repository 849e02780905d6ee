"""Addresses of backups and of their locations: paths, and `s3://BUCKET/PREFIX`."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import path_of, scheme_of
from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.setting_values import looks_like_address
from holdfast.stores.base.backup_locations import BackupLocation, FolderLocation


def location_of(address: str | Path) -> BackupLocation:
    """Returns the location with an address: a folder, or `s3://BUCKET/PREFIX`. Raises InvalidInput,
    `extra_missing` if the package for buckets is missing."""
    scheme = scheme_of(str(address))
    if not scheme and looks_like_address(str(address)):
        raise InvalidInput(
            f"{safe_repr(str(address), 100)} is neither a folder nor the address of a bucket",
            code="argument_invalid",
            hint="write s3://BUCKET/PREFIX with small letters and both slashes; for a folder of that name,"
            " write ./ before it",
        )
    if not scheme:
        return FolderLocation(path_of(str(address), "the folder of backups", "argument_invalid").absolute())
    if scheme != "s3":
        raise InvalidInput(
            f"backups cannot be kept by {scheme}",
            code="argument_invalid",
            hint="name a folder or s3://BUCKET",
        )
    try:
        from holdfast.stores.base.bucket import BucketLocation
    except ImportError as error:
        raise InvalidInput(
            f"backups in a bucket need the package {error.name}", code="extra_missing",
            hint="pip install 'holdfast[s3]'",
        ) from error  # fmt: skip
    return BucketLocation.at(str(address))


def located(address: str | Path) -> tuple[BackupLocation, str]:
    """Returns the location and the name of the backup with an address. Raises InvalidInput."""
    if not scheme_of(str(address)):
        return location_of(Path(address).parent), Path(address).name
    parent, _, name = str(address).rpartition("/")
    return location_of(parent), name


def is_gone(store: str) -> bool | None:
    """Returns whether there is no store any more with the name by which backups note it; None where nobody
    here can say so: of a server, or of a folder that may not be looked into."""
    if scheme_of(store):
        return None
    try:
        return not Path(store).exists()
    except OSError:
        return None
