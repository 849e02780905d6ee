"""The times when the folders of a project were last read, which determine what is stale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.cli import output
from holdfast.cli.places import EVERYWHERE

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

SHOWN = 3
"""Folders that are named."""


def folders_read(memory: Memory, project: str | None) -> list[dict[str, Any]]:
    """Returns the folders of a project, or all, each with the time when it was last read, None for never."""
    folders = [folder.as_dict() for folder in memory.folders.list()]
    return [
        {"folder": folder["slug"], "read_at": folder["completed_at"]}
        for folder in folders
        if project == EVERYWHERE or project in folder["projects"]
    ]


def note_read(read: list[dict[str, Any]]) -> None:
    """Notes when files were last read, and how to read them again."""
    if not read:
        return
    times = [
        f"{folder['folder']} was "
        + (f"read {output.minute(at)}" if (at := folder["read_at"]) else "never read")
        for folder in read[:SHOWN]
    ]
    more = f", and {len(read) - SHOWN} more" if len(read) > SHOWN else ""
    which = read[0]["folder"] if len(read) == 1 else "FOLDER"
    output.note(
        f"Files are known as of then: {', '.join(times)}{more}. Again: holdfast folders index {which}"
    )
