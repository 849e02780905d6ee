"""The folders that hits come from: their names where a project has several, and the one that one works in."""

from __future__ import annotations

import os.path
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.folders import Folder
    from holdfast.core.record import Memory as Record


def folder_here(memory: Memory) -> str | None:
    """Returns the id of the innermost indexed folder on this machine around the current one, or None."""
    try:
        return folder_around(memory, os.getcwd())
    except OSError:  # it was removed meanwhile
        return None


def folder_around(memory: Memory, path: str) -> str | None:
    """Returns the id of the innermost indexed folder on this machine around a path, or None."""
    if memory.is_remote:
        return None
    around = [folder for folder in _folders(memory) if folder.contains(path)]
    return max(around, key=lambda folder: len(folder.root)).id if around else None


def folder_names(memory: Memory, records: Iterable[Record]) -> dict[str, str]:
    """Returns the names of the folders that passages come from, by id; none if their projects have one."""
    sources = {record.source for record in records if record.kind == "passage"}
    if not sources:
        return {}
    folders = _folders(memory)
    projects = {number for folder in folders if folder.id in sources for number in folder.projects}
    peers = [folder for folder in folders if not projects.isdisjoint(folder.projects)]
    return {folder.id: folder.slug for folder in peers if folder.id in sources} if len(peers) > 1 else {}


def _folders(memory: Memory) -> list[Folder]:
    """Returns the visible folders; on this machine in one read, without counting their files."""
    if memory.is_remote:
        return [folder.folder for folder in memory.folders.list()]
    from holdfast.features.files.paths import visible_folders

    return visible_folders(memory._service)
