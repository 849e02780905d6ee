"""Detection of the Git checkout around a folder and of the project that belongs to it."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.config import home_folder

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

HEAD_MAX = 1_024
"""Bytes that are read of a file of git's, which has a line."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A Git working tree. `branch` is None if no branch is checked out."""

    folder: Path
    branch: str | None


def checkout_at(start: Path) -> Checkout | None:
    """Returns the Git checkout that contains a folder, found without running git; None if there is none."""
    for folder in (start, *start.parents):
        home = folder / ".git"
        told = _line(home)
        if told.startswith("gitdir:"):  # a worktree names the folder where its state is
            home = folder / told.removeprefix("gitdir:").strip()
        if os.path.isdir(home):
            head = _line(home / "HEAD")
            is_branch = head.startswith("ref: refs/heads/")
            return Checkout(folder, head.removeprefix("ref: refs/heads/") if is_branch else None)
    return None


def project_at(memory: Memory, folder: Path) -> str | None:
    """Returns the project of a folder, or None if there is none or more than one.

    That is the project to which the folder, or the innermost indexed folder around it, is connected; else
    the one that a person gave the folder or its Git checkout to (`folder_trust`), if it exists. The home
    folder and the folders above it have no project, since programs are started there that work elsewhere. The
    indexed folders of a service are on its own machine and do not count.
    """
    from holdfast.features.files.paths import projects_at

    here = Path(os.path.realpath(folder))
    if is_home(here):
        return None
    connected = () if memory.is_remote else projects_at(memory._service, here.as_posix())
    if len(connected) == 1:
        return connected[0]
    trusted = trusted_at(here)
    known = connected or ({one.name for one in memory.projects.list()} if trusted else ())
    names = (*trusted, *(one.name for one in _places(here))) if connected else trusted
    return next((name for name in names if name in known), None)


def trusted_at(here: Path) -> list[str]:
    """Returns the projects that a folder or those around it were given to, the innermost first."""
    from holdfast.api.folder_trust import trusted_project

    return [name for one in _inside(here) if (name := trusted_project(one)) is not None]


def project_called_like(memory: Memory, folder: Path) -> tuple[Path, str] | None:
    """Returns the folder, or its Git checkout, with the project of the same name, which it may not belong to;
    None if there is no such project."""
    here = Path(os.path.realpath(folder))
    if is_home(here):
        return None
    known = {one.name for one in memory.projects.list()}
    return next(((one, one.name) for one in _places(here) if one.name in known), None)


def root_of(folder: Path) -> Path:
    """Returns the folder that represents all below it: the Git checkout, else the folder itself."""
    return _places(Path(os.path.realpath(folder)))[0]


def _inside(here: Path) -> list[Path]:
    """Returns a folder and those around it, up to its Git checkout, or up to the home folder."""
    root = _places(here)[0]
    end = root if root != here or (here / ".git").exists() else None
    around: list[Path] = []
    for folder in (here, *here.parents):
        if is_home(folder):
            break
        around.append(folder)
        if folder == end:
            break
    return around


def _places(here: Path) -> list[Path]:
    checkout = checkout_at(here)
    return [checkout.folder, here] if checkout and not is_home(checkout.folder) else [here]


def project_here(memory: Memory) -> str | None:
    """Returns the project of the current working directory, or None."""
    try:
        return project_at(memory, Path.cwd())
    except OSError:  # it was removed meanwhile, or may not be looked at
        return None


def is_home(folder: Path) -> bool:
    """Returns whether a folder is the user's home folder or above it."""
    home = home_folder()
    if home is None:
        return folder == Path(folder.anchor)
    return folder == home or folder in home.parents


def _line(path: Path) -> str:
    """Returns the line in a file of Git's; an empty text if it is no file or cannot be read."""
    if not os.path.isfile(path):  # a pipe would be waited for
        return ""
    try:
        with path.open("rb") as stream:
            return stream.read(HEAD_MAX).decode("utf-8", "replace").strip()
    except OSError:
        return ""
