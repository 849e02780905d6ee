"""Folders that belong to a project by their path.

One that merely has the name of a project gets nothing from it: anybody can name a folder, as the author of a
repository that is cloned does.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from holdfast.api.local_state import read_state, write_state
from holdfast.core.errors import StoreError

_FILE = "folders.json"


def trusted_project(folder: Path) -> str | None:
    """Returns the name of the project that a folder was given to, or None."""
    project = _entries().get(folder.as_posix())
    return project if isinstance(project, str) else None


def trusted_folders() -> list[tuple[Path, str]]:
    """Returns the folders that were given to projects, with their names."""
    return [(Path(path), name) for path, name in _entries().items() if isinstance(name, str)]


def trust_folder(folder: Path, project: str | None) -> None:
    """Gives a folder to a project, for commands and agents of this user; with None, takes it back. Raises
    StoreError `store_read_only` if that cannot be noted."""
    entries = _entries()
    entries.pop(folder.as_posix(), None)
    if project is not None:
        entries[folder.as_posix()] = project
    try:
        write_state(_FILE, entries)
    except OSError as error:
        raise StoreError(
            f"the project of {folder} cannot be noted: {error.strerror}",
            code="store_read_only",
            hint="name the project in each command: --project NAME",
        ) from error


def follow_rename(name: str, to: str) -> None:
    """Gives the folders of a project to its new name."""
    entries = _entries()
    if name in entries.values():
        with suppress(OSError):
            write_state(_FILE, {path: to if entry == name else entry for path, entry in entries.items()})


def _entries() -> dict[str, object]:
    entries = read_state(_FILE)
    return entries if isinstance(entries, dict) else {}
