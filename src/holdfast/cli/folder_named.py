"""Folders as people name them: by the name in the list, by id or by path; and the project of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.cli.places import project_of_folder
from holdfast.config import at_home

if TYPE_CHECKING:
    from holdfast.domain.folders import FolderStatus
    from holdfast.memory import Memory


def homes_of(memory: Memory, path: str) -> tuple[str, ...] | None:
    """The project of a folder that is added without naming one; a folder that was added keeps its own."""
    from holdfast.indexing import root_of

    root = root_of(path)
    is_known = any(one.folder.root == root and _is_own(memory, one) for one in memory.folders.list())
    return None if is_known else (project_of_folder(memory, path, None),)


def folder_given(memory: Memory, given: str) -> str:
    """What the engine knows a folder by: its slug or id as they were given, else those of the folder that
    stands at this path, one's own first."""
    known = memory.folders.list()
    if any(given in (one.folder.slug, one.folder.id) for one in known):
        return given
    try:
        path = at_home(given).resolve().as_posix()
    except (OSError, RuntimeError, ValueError):  # no path at all
        return given
    for one in sorted(known, key=lambda one: not _is_own(memory, one)):
        if one.folder.root == path:
            return one.folder.slug if _is_own(memory, one) else one.folder.id
    return given


def _is_own(memory: Memory, one: FolderStatus) -> bool:
    return one.folder.owner == memory._service.principal.user
