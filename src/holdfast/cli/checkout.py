"""Where a command is run: the folder of a git repository, its branch, and the project that is worked on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.memory import Memory

HEAD_MAX = 1_024
"""Bytes that are read of a file of git's, which has a line."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder that git looks after. `branch` is None where none is checked out."""

    folder: Path
    branch: str | None


def checkout_at(start: Path) -> Checkout | None:
    """The checkout around a folder, found without running git; None outside of any."""
    for folder in (start, *start.parents):
        home = folder / ".git"
        if home.is_file():  # a worktree names the folder where its state is
            told = _line(home)
            home = folder / told.removeprefix("gitdir:").strip() if told.startswith("gitdir:") else home
        if home.is_dir():
            head = _line(home / "HEAD")
            is_branch = head.startswith("ref: refs/heads/")
            return Checkout(folder, head.removeprefix("ref: refs/heads/") if is_branch else None)
    return None


def project_at(memory: Memory, folder: Path, checkout: Checkout | None) -> str | None:
    """The project that is worked on in a folder: that of the indexed folder around it, else the one that is
    called like the checkout or the folder itself; None if there is none, or several."""
    from holdfast.engine.naming import projects_at

    connected = projects_at(memory._service, folder.resolve().as_posix())
    if len(connected) == 1:
        return connected[0]
    known = connected or {one.name for one in memory.projects.list()}
    called = [checkout.folder.name] if checkout else []
    return next((name for name in (*called, folder.name) if name in known), None)


def _line(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(HEAD_MAX).decode("utf-8", "replace").strip()
    except OSError:
        return ""
