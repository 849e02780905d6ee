"""Folders as people name them: by the name in the list, by id or by path; and the project of a new one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.cli.face import Usage
from holdfast.cli.places import project_of_folder
from holdfast.config import at_home
from holdfast.core.errors import NotFound

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.folders import FolderStatus

TO_ADD = "holdfast folders add ."


def homes_of(memory: Memory, path: str) -> tuple[str, ...] | None:
    """Returns the project for a folder that is added without one; None for a known folder, which keeps its
    own. Folders of a service are on its own machine.
    """
    from holdfast.features.files.indexing import root_of

    root = path if memory.is_remote else root_of(path)
    is_known = any(
        folder.folder.root == root and (memory.is_remote or _is_own(memory, folder))
        for folder in memory.folders.list()
    )
    return None if is_known else (project_of_folder(memory, path, None),)


def folder_given(memory: Memory, name: str) -> str:
    """Returns the slug or id of a folder: as it was passed, otherwise that of the folder at this path,
    preferably an own one. Raises NotFound for the current folder if it was not added.
    """
    statuses = memory.folders.list()
    if any(name in (status.folder.slug, status.folder.id) for status in statuses):
        return name
    try:
        path = at_home(name).resolve().as_posix()
    except (OSError, RuntimeError, ValueError):  # no path at all
        return name
    for status in sorted(statuses, key=lambda status: not _is_own(memory, status)):
        if status.folder.root == path:
            return status.folder.slug if _is_own(memory, status) else status.folder.id
    if path == Path.cwd().resolve().as_posix():
        raise NotFound("this folder was not added", code="source_not_found", hint=TO_ADD)
    return name


def folder_here(memory: Memory) -> str:
    """Returns the innermost added folder that contains the current one, own ones first. Raises Usage."""
    here = Path.cwd().resolve()
    inside = [status for status in memory.folders.list() if here.is_relative_to(status.folder.root)]
    if not inside:
        raise Usage("you are in no folder that was added", TO_ADD)
    innermost = max(inside, key=lambda status: (len(status.folder.root), _is_own(memory, status)))
    return innermost.folder.slug if _is_own(memory, innermost) else innermost.folder.id


def _is_own(memory: Memory, status: FolderStatus) -> bool:
    """Returns whether a folder is owned by the caller. A service does not say who calls: there the id, which
    names any folder, is used in place of the slug.
    """
    return not memory.is_remote and status.folder.owner == memory._service.principal.user
