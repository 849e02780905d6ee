"""Says what is in a place of which nothing is shown: what is superseded, forgotten or archived there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.cli import output
from holdfast.cli.places import EVERYWHERE

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

HIDDEN = ("superseded", "rejected", "expired", "deleted")


def hidden_here(memory: Memory, place: dict[str, Any]) -> list[str]:
    """Returns notes about what lists and recall leave out in the place of a command, with the commands that
    show it; none for the place of a conversation."""
    if place.get("session") is not None:
        return []
    project, notes = place.get("project"), []
    here: dict[str, Any] = {"project": project, "workspace": place.get("workspace")}
    visible = memory.facets(**here).total
    every = memory.facets(**here, include=HIDDEN)
    option = "" if project is None else f" --project {project}"
    if visible:
        counted = output.pluralize(visible, "memory does", "memories do")
        notes.append(f"{counted} not fit these filters: holdfast list{option}")
    # what waits is said elsewhere
    if hidden := every.total - visible - every.statuses.get("pending", 0):
        counted = output.pluralize(hidden, "memory", "memories")
        shown = "".join(f" --include {state}" for state in HIDDEN)
        notes.append(f"{counted} superseded, rejected, expired or forgotten: holdfast list{option}{shown}")
    sessions = memory.sessions.list(
        project=None if project == EVERYWHERE else project, archived=True
    ).sessions
    archived = [
        session for session in sessions if session.archived and project in (session.project, EVERYWHERE)
    ]
    if archived:
        counted = output.pluralize(len(archived), "archived conversation")
        notes.append(f"{counted}: holdfast sessions list{option} --archived")
    return notes
