"""Resolves a path that a user gives in a project, and finds the projects of a path on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.places import usable_name
from holdfast.core.staleness import symbol_key
from holdfast.core.value_classes import value_class
from holdfast.core.views import Context, compile_view, personal_view
from holdfast.features.staleness.staleness import file_at, folders_shown

if TYPE_CHECKING:
    from holdfast.core.folders import File, Folder
    from holdfast.features.service import Service

COMPARED = 20_000
"""Most files that a path is compared with."""
NEAR = 0.7
"""Least similarity of two file names for a suggestion, 0 to 1."""
SUGGESTED = 3
"""Most files that are suggested."""


@value_class
class PathMatch:
    """The match of a path in the folders of a project: its file, or else similar paths.

    `is_end`: only the end of the file's path was given.
    """

    file: File | None = None
    is_end: bool = False
    similar: tuple[str, ...] = ()

    def defines(self, symbol: str) -> bool:
        """Returns whether the file defines a symbol, as far as its definitions are known."""
        symbols = {} if self.file is None else self.file.symbols
        return not symbols or symbol_key(symbol) in symbols


def find_path(service: Service, project: str, path: str) -> PathMatch | None:
    """Resolves a path in a project; None if no folder is indexed for it."""
    from holdfast.core.folders import FileState  # not for `projects_at`, which runs on every prompt

    with service.store.read() as snap:
        known_project = snap.project(personal_view(service.principal), usable_name(project, "project"))
        if known_project is None:
            return None
        view = compile_view(service.principal, Context(project=known_project.number))
        folders = folders_shown(snap, view)
        for folder in folders:
            if (file := file_at(snap, view, folder, path)) is not None:
                return PathMatch(file)
        paths = [
            file.path
            for candidate in folders
            for file in snap.files(view, candidate.id, states={FileState.INDEXED})
        ]
        normalized = path.strip().replace("\\", "/").removeprefix("./")
        ends = [candidate for candidate in paths if candidate.endswith(f"/{normalized}")]
        if len(ends) == 1:
            matches = (file_at(snap, view, folder, ends[0]) for folder in folders)
            return PathMatch(next(filter(None, matches)), is_end=True)
    return PathMatch(similar=_similar_paths(normalized, ends or paths[:COMPARED])) if paths else None


def visible_folders(service: Service) -> list[Folder]:
    """Returns all visible folders, oldest first, without their status."""
    with service.store.read() as snap:
        return snap.folders(personal_view(service.principal))


def projects_at(service: Service, path: str) -> tuple[str, ...]:
    """Returns the projects of one's innermost connected folder that contains a path on disk."""
    return _projects_of(path, _own_folders(service))


def project_of_first(service: Service, paths: Sequence[str]) -> str | None:
    """Returns the project of the first of these paths on disk that is in one, or None."""
    own = _own_folders(service)
    candidates = (_projects_of(path, own) for path in paths)
    return next((projects[0] for projects in candidates if len(projects) == 1), None)


def _own_folders(service: Service) -> list[Folder]:
    return [folder for folder in visible_folders(service) if folder.owner == service.principal.user]


def _projects_of(path: str, folders: list[Folder]) -> tuple[str, ...]:
    around = [folder for folder in folders if folder.contains(path)]
    return max(around, key=lambda folder: len(folder.root)).projects if around else ()


def _similar_paths(path: str, paths: list[str]) -> tuple[str, ...]:
    """Returns similar paths: those with the same end, else those with the most similar file name."""
    from difflib import get_close_matches

    last = path.rpartition("/")[2]
    by_name: dict[str, list[str]] = {}
    for candidate in paths:
        by_name.setdefault(candidate.rpartition("/")[2], []).append(candidate)
    names = [last] if last in by_name else get_close_matches(last, by_name, 1, NEAR)
    return tuple(path for name in names for path in by_name[name])[:SUGGESTED]
