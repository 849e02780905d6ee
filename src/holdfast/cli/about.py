"""The file that a memory is about: reads `--about`, checked against what is indexed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.cli import output
from holdfast.cli.face import Usage

if TYPE_CHECKING:
    from holdfast.api.memory import Memory


def about_given(memory: Memory, about: str, project: str | None, session: str | None) -> dict[str, Any]:
    """Returns the metadata for `--about PATH` or `PATH:SYMBOL`. A path that no indexed folder has is used as
    it is, with a note and `file_known` false: it may be mistyped or not exist yet. Through a service every
    path is used as it is. Raises Usage outside of projects, where it would not be known which repository a
    path is in.
    """
    from holdfast.api.checkout import project_here
    from holdfast.core.folders import about_of
    from holdfast.features.files.paths import find_path

    path, symbol = about_of(about)
    if project is None and session is None and not Path(path).is_absolute():
        raise Usage(
            f"{path} is a path in a project, and this is outside of all",
            "give --project NAME, or give the folder to a project: holdfast projects here NAME",
        )
    lookup = None if project is None or memory.is_remote else find_path(memory._service, project, path)
    is_missing = False
    if lookup is not None and lookup.file is None:
        is_missing = True
        suggestion = f"; did you mean {' or '.join(lookup.similar)}?" if lookup.similar else ""
        output.note(f"no such file in {project}: {path}{suggestion}")
    elif lookup is None and project is not None and not memory.is_remote and project_here(memory) == project:
        is_missing = _is_nowhere(path)
    elif lookup is not None and lookup.file is not None:
        if lookup.is_end:
            path = lookup.file.path
            output.note(f"taken to be about {path}")
        if symbol is not None and not lookup.defines(symbol):
            output.note(f"{lookup.file.path} defines no {symbol}: it counts as about the whole file")
    marks = {"file_known": False} if is_missing else {}
    return {"file": path, **marks} if symbol is None else {"file": path, "symbol": symbol, **marks}


def _is_nowhere(path: str) -> bool:
    """Returns whether a path is neither in this folder nor in the Git checkout around it, and says so with
    similar ones."""
    from difflib import get_close_matches

    from holdfast.api.git_files import checkout_at

    here = Path.cwd()
    checkout = checkout_at(here)
    if checkout is None:
        return False
    places = [here / path, checkout.folder / path]
    if any(os.path.exists(place) for place in places):  # a name may be too long to look for
        return False
    siblings: set[str] = set()
    for place in places:
        with suppress(OSError):
            siblings.update(os.listdir(place.parent))
    names = get_close_matches(places[0].name, siblings, 2, 0.6)
    suggestion = (
        f"; did you mean {' or '.join(str(Path(path).with_name(name)) for name in names)}?" if names else ""
    )
    output.note(f"no such file in {checkout.folder.name}: {path}{suggestion}")
    return True


def branch_here(memory: Memory, project: str | None) -> str | None:
    """Returns the branch that is checked out in the current folder, if it is of the project; None for the
    default branch of the repository."""
    from holdfast.api.checkout import checkout_here, project_here

    if project is None or (checkout := checkout_here()) is None:
        return None
    return checkout.own_branch if project_here(memory) == project else None
