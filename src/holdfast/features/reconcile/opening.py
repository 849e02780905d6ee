"""Opening of sources: each path or address is given to the reader that turns it into a payload."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from holdfast.core.arguments import checked_names, safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.readers import SOURCES, dbt, leftovers, servers

TABLES = "tables"
_OWN = {f"{kind}s": kind for kind in leftovers.OWN_KINDS}
"""The kinds of files in a folder of tables that are sources of their own, as callers name them."""
OWN_MAX = 1_000
"""Most files of a folder that are read as sources of their own; the others are listed as left out."""
_LEFT_OUT = frozenset({"node_modules", "__pycache__"})


def name_of(source: str | os.PathLike[str]) -> str:
    """Returns what a source is called: its path without links, or its address without credentials. Raises
    InvalidInput `file_not_found` for what cannot be a path, `format_unknown` for other addresses."""
    if not isinstance(source, str | os.PathLike):
        raise InvalidInput(f"path must be a path, not {safe_repr(source)}", code="argument_invalid")
    if isinstance(source, str) and servers.is_address(source):
        return servers.name_of(source)
    if isinstance(source, str):
        servers.check_known(source)
    try:
        Path(source).exists()
        return str(Path(source).resolve())
    except (OSError, ValueError) as error:  # such as a NUL, or a name that is too long
        raise InvalidInput(f"{safe_repr(source, 200)} cannot be a path", code="file_not_found") from error


def read_source(source: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads a source of this machine, or a database, and returns its payload.

    Raises InvalidInput `file_not_found`, `format_unknown`, `file_unreadable`, `file_too_large`,
    `extra_missing`.
    """
    if isinstance(source, str) and servers.is_address(source):
        return servers.read(source)
    real = Path(name_of(source))
    if not real.exists():
        raise InvalidInput(
            f"there is no file or folder {safe_repr(source, 200)}",
            code="file_not_found",
            hint=f"name {SOURCES}",
        )
    if not real.is_file() and not real.is_dir():
        raise InvalidInput(f"{real.name} is neither a file nor a folder", code="file_unreadable")
    from holdfast.features.reconcile import codebase, reader_process

    if real.is_dir() and not (real / dbt.PROJECT).is_file() and codebase.is_codebase(real):
        return codebase.read(real)
    return reader_process.read(real)


def checked_kinds(only: Collection[str]) -> frozenset[str]:
    """Returns the kinds of files that are read of a folder of tables; all if none is chosen. Raises
    InvalidInput."""
    chosen = frozenset(checked_names(only, "only"))
    if unknown := chosen - {TABLES, *_OWN}:
        raise InvalidInput(
            f"only may name {TABLES}, {', '.join(_OWN)}, not {safe_repr(min(unknown))}",
            code="argument_invalid",
        )
    return chosen or frozenset({TABLES, *_OWN})


def is_folder_of_tables(source: str) -> bool:
    """Returns whether a source is a folder that is neither a dbt project nor a codebase."""
    from holdfast.features.reconcile import codebase

    real = Path(source)
    return real.is_dir() and not (real / dbt.PROJECT).is_file() and not codebase.is_codebase(real)


def own_sources(folder: str, kinds: Collection[str]) -> list[str]:
    """Returns the files of these kinds below a folder that are sources of their own."""
    requested = {_OWN[kind] for kind in kinds if kind in _OWN}
    paths = (str(path) for path, kind in leftovers.own_sources(Path(folder)) if kind in requested)
    return list(islice(paths, OWN_MAX))


def is_gone_below(file: str, stamp: str | None, folder: str, kinds: Collection[str]) -> bool:
    """Returns whether a file below a folder that had this stamp was of one of these kinds, by its name, and
    is gone."""
    kind = leftovers.kind_named(Path(file))
    is_chosen = any(_OWN[reader] == kind for reader in kinds if reader in _OWN)
    return is_chosen and file.startswith(folder + os.sep) and is_gone(file, stamp)


def stamp_of(source: str | os.PathLike[str]) -> str | None:
    """Returns a digest of the names below it, sizes and times of the files of a source, by which a change is
    noticed, after one of the machine; None for a database on a server, which has to be read."""
    if isinstance(source, str) and servers.is_address(source):
        return None
    files = repr(list(_stamps(Path(source)))).encode("utf-8", "surrogateescape")
    return f"{_machine()}:{hashlib.blake2b(files, digest_size=16).hexdigest()}"


def may_have_changed(file: str, stamp: str | None) -> bool:
    """Returns whether a source of this machine has changed, is gone or cannot be read since it had
    this stamp. One that is not there counts only if it was read on this machine."""
    if not _is_path(file):
        return False
    return stamp_of(file) != stamp and (_was_here(stamp) or os.path.exists(file))


def is_here(file: str, stamp: str | None) -> bool:
    """Returns whether a file or folder that had this stamp was read on this machine and is still there."""
    return _is_path(file) and _was_here(stamp) and os.path.exists(file)


def is_gone(file: str, stamp: str | None) -> bool:
    """Returns whether a file or folder that had this stamp on this machine is no longer in its folder. If
    that folder is not there either, it may be on a disk that is not mounted."""
    return _is_missing(file, stamp) and os.path.isdir(os.path.dirname(file))


def may_be_renamed(file: str, stamp: str | None, now: str) -> bool:
    """Returns whether what had this stamp may be the file or folder `now`: it is gone; if its folder is as
    well, both have the same stamp."""
    return is_gone(file, stamp) or (_is_missing(file, stamp) and stamp_of(now) == stamp)


def renamed_to(file: str, stamp: str | None, source_files: Collection[str]) -> str | None:
    """Returns the only file or folder beside one that is gone which has its stamp, and is no source yet."""
    folder, suffix = os.path.split(file)[0], Path(file).suffix.lower()
    try:
        with os.scandir(folder) as entries:
            siblings = [entry.path for entry in entries if Path(entry.name).suffix.lower() == suffix]
    except OSError:
        return None
    matches = [path for path in siblings if path not in source_files and stamp_of(path) == stamp]
    return matches[0] if len(matches) == 1 else None


def _is_path(file: str) -> bool:
    return not servers.is_address(file) and os.path.isabs(file)


def _is_missing(file: str, stamp: str | None) -> bool:
    return _is_path(file) and _was_here(stamp) and not os.path.lexists(file)


def _was_here(stamp: str | None) -> bool:
    return stamp is not None and stamp.partition(":")[0] == _machine()


def _machine() -> str:
    return hashlib.blake2b(platform.node().encode(), digest_size=4).hexdigest()


def _stamps(root: Path) -> Iterator[tuple[str, int, int, bool]]:
    """Yields the name below the root, the size and the time of each file, and whether it can be read."""
    for file in sorted(_below(root)) if root.is_dir() else [str(root), f"{root}-wal"]:
        try:
            status = os.stat(file)
        except OSError:
            continue
        if status.st_size or not file.endswith("-wal"):
            name = file.removeprefix(str(root))
            yield name, status.st_size, status.st_mtime_ns, os.access(file, os.R_OK)


def _below(root: Path) -> Iterator[str]:
    """Yields the files of a folder without those that are hidden, installed or made by running it."""
    for folder, folders, files in os.walk(root):
        folders[:] = [folder for folder in folders if not folder.startswith(".") and folder not in _LEFT_OUT]
        yield from (os.path.join(folder, file) for file in files if not file.startswith("."))
