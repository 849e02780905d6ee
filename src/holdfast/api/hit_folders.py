"""The folders that hits come from: their names where a project has several, and the one that one works in."""

from __future__ import annotations

import os.path
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Memory as Record


def folder_around(memory: Memory, place: Path) -> str | None:
    """Returns the id of the innermost indexed folder on this machine around a place, or None."""
    if memory.is_remote:
        return None
    here = os.path.realpath(place)
    around = [one.folder for one in memory.folders.list() if one.folder.contains(here)]
    return max(around, key=lambda folder: len(folder.root)).id if around else None


def folder_names(memory: Memory, records: Iterable[Record]) -> dict[str, str]:
    """Returns the names of the folders that passages come from, by id; none if their projects have one."""
    sources = {record.source for record in records if record.kind == "passage"}
    if not sources:
        return {}
    folders = [one.folder for one in memory.folders.list()]
    projects = {number for folder in folders if folder.id in sources for number in folder.projects}
    beside = [folder for folder in folders if not projects.isdisjoint(folder.projects)]
    return {folder.id: folder.slug for folder in beside if folder.id in sources} if len(beside) > 1 else {}
