"""The project that a command works in: the named one, or that of the current folder; mistyped names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import OUTSIDE, Usage
from holdfast.core.errors import StoreError

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

EVERYWHERE = "*"


def with_project(memory: Memory, options: dict[str, Any], folder: Path | None = None) -> dict[str, Any]:
    """Returns the options with their project: the named one, none with --no-project, otherwise that of a
    folder, by default the current one. An existing session has a project of its own, or none.
    """
    project, outside = options.get("project"), click.get_current_context().meta.get(OUTSIDE, False)
    if project is not None and outside:
        raise Usage("--project and --no-project contradict each other", "give one of them")
    if project is None and not outside and not _has_session(memory, options.get("session")):
        from holdfast.api.checkout import project_at, project_here

        at = project_here(memory) if folder is None else project_at(memory, folder)
        if at is None and folder is None:
            note_unconfirmed(memory)
        return {**options, "project": at}
    if project not in (None, EVERYWHERE):
        trust_if_new(memory, project, folder)
    return options


def note_unconfirmed(memory: Memory) -> None:
    """Notes for a person a project that the current folder merely has the name of, or a remote in common
    with."""
    from holdfast.api.checkout import project_like

    if _is_machine(memory):
        return
    with suppress(OSError):
        if (similar := project_like(memory, Path.cwd())) is not None:
            output.note(
                f"{similar.reason} To use that project here: holdfast projects here {quote(similar.project)}"
            )


def check_may_give(memory: Memory, folder: Path, projects: Iterable[str]) -> None:
    """Raises Refusal `person_needed` if an agent gives a folder to a project that exists and is not its own:
    the folder would receive what is known there, and its maker may be who told the agent to."""
    from holdfast.api.checkout import project_at
    from holdfast.features.access.permission import check_in_person

    if not _is_machine(memory):
        return
    existing = {project.name for project in memory.projects.list()} - {project_at(memory, folder)}
    if not existing.isdisjoint(projects):
        check_in_person(memory._service.principal, "gives a folder to a project that exists")


def trust_if_new(memory: Memory, project: str, folder: Path | None = None) -> None:
    """Gives the folder to a project of the same name that the command is about to make: nothing is in it that
    the folder could take."""
    from holdfast.api.checkout import name_of, root_of
    from holdfast.api.folder_trust import trust_folder

    with suppress(OSError, StoreError):
        root = root_of(folder or Path.cwd())
        if name_of(root) == project and near_project(memory, project) is not None:
            trust_folder(root, project)


def project_meant(memory: Memory, project: str | None, problem: str) -> str:
    """Returns the project of a command that needs one. Raises Usage."""
    name: str | None = with_project(memory, {"project": project})["project"]
    if name is None:
        raise Usage(problem, "give --project NAME, or run it in a folder of a project")
    return name


def project_of_folder(memory: Memory, path: str, project: str | None) -> str:
    """Returns the project of a command that takes a folder: the named one, otherwise that of this folder,
    whatever the current folder is; if it has none, a new one with its name. Raises Usage.
    """
    folder = Path(path).resolve()
    from holdfast.api.checkout import name_of, project_like, root_of
    from holdfast.api.git_files import checkout_at

    name: str | None = with_project(memory, {"project": project}, folder)["project"]
    if name is None and not click.get_current_context().meta.get(OUTSIDE, False):
        if (other := project_like(memory, folder)) is not None:
            own = "" if _is_machine(memory) else f"if it does: --project {quote(other.project)}; else "
            raise Usage(
                f"{other.reason.rstrip('.')}, but does not belong to it",
                f"{own}give it another one: --project NAME",
            )
        checkout = checkout_at(folder)
        name = name_of(root_of(folder) if checkout and checkout.folder == folder else folder) or None
    if name is None:
        raise Usage("a folder belongs to a project", "give --project NAME")
    trust_if_new(memory, name, folder)
    return name


def by_folder(options: dict[str, Any], place: dict[str, Any]) -> str | None:
    """Returns the project that the folder determined, None if the options name one."""
    name: str | None = place["project"] if options["project"] is None else None
    return name


def note_placed(by_folder: str | None) -> None:
    """Notes the project in use if the folder determined it."""
    if by_folder is not None:
        output.note(f"Using project {by_folder}, the current folder's. For none: --no-project")


def look_elsewhere(by_folder: str | None) -> str:
    """Returns a hint if nothing was found: without --project a command does not show where it searched."""
    if by_folder is None:
        return "Search every project with --project '*'."
    return (
        f"This searched project {by_folder}, the current folder's. Search every project with --project '*'."
    )


def near_project(memory: Memory, name: str) -> str | None:
    """Returns `did you mean 'flask'?` for a project that does not exist, "" if no name is similar; None if it
    exists.
    """
    existing = {project.name for project in memory.projects.list()}
    if name in existing:
        return None
    from difflib import get_close_matches

    folded = {known_name.casefold(): known_name for known_name in sorted(existing)}
    similar = [folded[match] for match in get_close_matches(name.casefold(), folded, 2, 0.6)]
    return f"did you mean {' or '.join(map(repr, similar))}?" if similar else ""


def note_missing(memory: Memory, options: dict[str, Any], results: object = ()) -> list[str]:
    """Notes a session that does not exist, also beside JSON, and returns this note. If something was found, a
    session may well be new. Raises NotFound for a project that does not exist, and Conflict for one that is
    archived or switched off: an empty result would look like an answer.
    """
    project = options["project"]
    if project not in (None, EVERYWHERE):
        from holdfast.core.projects import ProjectState
        from holdfast.features.access.places import closed_project

        there = memory.projects.get(project)
        if there.state is not ProjectState.ACTIVE:
            raise closed_project(there)
    session = None if results else options.get("session")
    if session is None or _has_session(memory, session):
        return []
    note = f"there is no session {session!r}"
    output.note(note)
    return [note]


@contextmanager
def looked_up(memory: Memory, project: str) -> Iterator[None]:
    """Adds to an error about a missing project which one may be meant."""
    from holdfast.core.errors import NotFound

    try:
        yield
    except NotFound as error:
        if error.code == "project_not_found" and (suggestion := near_project(memory, project)):
            error.hint = suggestion
        raise


def _is_machine(memory: Memory) -> bool:
    """Returns whether an agent calls; through a service its key says that, and not to this command."""
    return not memory.is_remote and memory._service.principal.is_machine


def _has_session(memory: Memory, session: str | None) -> bool:
    """Returns whether a session of this name exists."""
    from holdfast.core.errors import NotFound

    if session is None:
        return False
    try:
        memory.sessions.get(session)
    except NotFound:
        return False
    return True
