"""The project of a folder: the one place that decides it, for commands, hooks and the MCP server."""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.api.git_files import Checkout, address_of, checkout_at
from holdfast.config import home_folder
from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from holdfast.api.memory import Memory


def project_at(memory: Memory, folder: Path) -> str | None:
    """Returns the project of a folder, or None if there is none or more than one.

    That is the project to which the folder, or the innermost indexed folder around it, is connected; else
    the one that a person gave the folder or its Git checkout to (`folder_trust`), if it exists; else that of
    the same folder in another working tree of its repository. The home folder and the folders above it have
    no project, since programs are started there that work elsewhere. The indexed folders of a service are on
    its own machine and do not count.
    """
    return next(filter(None, (_project_of(memory, place) for place in same_places(folder))), None)


def same_places(folder: Path) -> Iterator[Path]:
    """Yields the real path of a folder, then of the same folder in the other working trees of its repository,
    the main one first; nothing for the home folder and those above it."""
    here = Path(os.path.realpath(folder))
    if is_home(here):
        return
    yield here
    if (checkout := checkout_at(here)) is not None and not is_home(checkout.folder):
        inside = here.relative_to(checkout.folder)
        yield from (tree / inside for tree in checkout.other_worktrees() if not is_home(tree))


def trusted_at(folder: Path) -> str | None:
    """Returns the project that a folder, or the same in another working tree, was given to, or None."""
    names = (name for place in same_places(folder) for name in _trusted_around(place))
    return next(names, None)


def _project_of(memory: Memory, here: Path) -> str | None:
    """Returns the project of a folder: by an indexed folder, else by a name that its user trusts; None
    without."""
    from holdfast.features.files.paths import projects_at

    connected = () if memory.is_remote else projects_at(memory._service, here.as_posix())
    if len(connected) == 1:
        return connected[0]
    trusted = _trusted_around(here)
    projects = connected or ({project.name for project in memory.projects.list()} if trusted else ())
    names = (*trusted, *(place.name for place in _places(here))) if connected else trusted
    return next((name for name in names if name in projects), None)


def _trusted_around(here: Path) -> list[str]:
    """Returns the projects that a folder or those around it were given to, the innermost first."""
    from holdfast.api.folder_trust import trusted_project

    return [name for folder in _inside(here) if (name := trusted_project(folder)) is not None]


@value_class
class Likeness:
    """A folder that seems to belong to a project, which only a person can say: `reason` is a sentence."""

    project: str
    reason: str


def project_like(memory: Memory, folder: Path) -> Likeness | None:
    """Returns the project that a folder or its Git checkout has the name of, or a remote in common with; it
    may not belong to it, since whoever made the folder chose both. None if there is no such project."""
    here = Path(os.path.realpath(folder))
    if is_home(here):
        return None
    projects = {project.name for project in memory.projects.list()}
    for place in _places(here):
        if place.name in projects:
            return Likeness(place.name, f"{place} has the name of project {place.name}.")
    checkout = checkout_at(here)
    if checkout is None or not (remotes := checkout.remotes()):
        return None
    for root, project in _folders_of_projects(memory):
        other = checkout_at(root) if project in projects else None
        if other is None or (other.folder != root and other.root != root):
            continue
        if remotes & (other.remotes() | {address_of(str(other.folder))}):
            return Likeness(
                project, f"{checkout.folder} has the same remote as {other.folder} of project {project}."
            )
    return None


def _folders_of_projects(memory: Memory) -> Iterator[tuple[Path, str]]:
    """Yields the folders on this machine that belong to a project, with its name."""
    from holdfast.api.folder_trust import trusted_folders
    from holdfast.features.files.paths import visible_folders

    yield from trusted_folders()
    if not memory.is_remote:
        for folder in visible_folders(memory._service):
            yield from ((Path(folder.root), project) for project in folder.projects)


def root_of(folder: Path) -> Path:
    """Returns the folder that represents all below it: the repository of its Git checkout, else the folder
    itself."""
    here = Path(os.path.realpath(folder))
    checkout = checkout_at(here)
    if checkout is None or is_home(checkout.folder):
        return here
    return checkout.folder if is_home(checkout.root) else checkout.root


def name_of(root: Path) -> str:
    """Returns what a project is called by default that a folder or repository is given to."""
    return root.name.removesuffix(".git")


def give_folder(folder: Path, project: str | None) -> Path:
    """Gives a folder, or the repository of its checkout, to a project; with None, takes it back. Returns what
    was given. Raises StoreError `store_read_only`."""
    from holdfast.api.folder_trust import trust_folder

    root, tree = root_of(folder), _places(Path(os.path.realpath(folder)))[0]
    if tree != root:  # it may have been given to another project by itself
        trust_folder(tree, None)
    trust_folder(root, project)
    return root


def new_project(memory: Memory, folder: Path) -> str | None:
    """Gives a folder, or the repository of its checkout, to a new project of the same name. Returns the
    name, or None if it is no valid name, or if the folder may belong to another project."""
    from holdfast.api.folder_trust import trust_folder
    from holdfast.core.errors import InvalidInput
    from holdfast.core.places import usable_name

    root = root_of(folder)
    try:
        name = usable_name(name_of(root), "project")
    except InvalidInput:
        return None
    if is_home(root) or name in {project.name for project in memory.projects.list()}:
        return None
    if project_like(memory, folder) is not None:
        return None
    trust_folder(root, name)
    return name


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


def checkout_here() -> Checkout | None:
    """Returns the Git checkout around the current working directory, or None."""
    try:
        return checkout_at(Path.cwd())
    except OSError:
        return None


def is_home(folder: Path) -> bool:
    """Returns whether a folder is the user's home folder or above it."""
    home = home_folder()
    if home is None:
        return folder == Path(folder.anchor)
    return folder == home or folder in home.parents
