"""Opening of sources: each path or address is given to the reader that turns it into a payload."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from holdfast.core.arguments import shown
from holdfast.core.errors import InvalidInput


def name_of(path: str | os.PathLike[str]) -> str:
    """Returns what a source is called: its path without links. Raises InvalidInput `file_not_found`."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidInput(f"path must be a path, not {shown(path)}", code="argument_invalid")
    try:
        is_there = Path(path).exists()
        real = str(Path(path).resolve())
    except (OSError, ValueError) as error:  # such as a NUL, or a name that is too long
        raise InvalidInput(f"{shown(path, 200)} cannot be a path", code="file_not_found") from error
    if not is_there:
        raise InvalidInput(f"there is no file or folder {shown(path, 200)}", code="file_not_found")
    return real


def read_source(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads a source on this machine and returns its payload.

    Raises InvalidInput `file_not_found`, `format_unknown`, `file_unreadable`, `extra_missing`.
    """
    from holdfast.readers import databases, tabular

    real = Path(name_of(path))
    if real.is_dir():
        return tabular.read_folder(real)
    suffix = real.suffix.lower()
    if suffix in tabular.SUFFIXES:
        return tabular.read_file(real)
    if databases.is_database(real):
        return databases.read(real)
    raise InvalidInput(
        f"{real.name} is nothing that can be reconciled", code="format_unknown",
        hint="a database file, a .csv or .tsv file, or a folder of them",
    )  # fmt: skip


def stamp_of(path: str | os.PathLike[str]) -> tuple[tuple[str, int, int], ...]:
    """Returns names, sizes and times of the files of a source, by which a change is noticed."""
    root = Path(path)
    files = sorted(root.rglob("*")) if root.is_dir() else [root, Path(f"{root}-wal")]
    stamps = []
    for file in files:
        try:
            found = file.stat()
        except OSError:
            continue
        stamps.append((str(file), found.st_size, found.st_mtime_ns))
    return tuple(stamps)
