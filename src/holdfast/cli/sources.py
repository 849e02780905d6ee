"""`holdfast sources`: where imported memories came from, and the removal of an import."""

from __future__ import annotations

from typing import Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, ask, listing_group, pass_face, project_named, yes_option
from holdfast.core.sources import TRANSCRIPT


@listing_group()
def sources() -> None:
    """List imports, or delete one with everything from it."""


@sources.command("list")
@pass_face
def list_(face: Face) -> None:
    """List all imports, oldest first."""
    with face.open() as memory:
        sources = [source.as_dict() for source in memory.sources.list()]
    face.table(
        "sources",
        sources,
        ("source", "platform", "imported", "messages", "conversations", "file"),
        lambda source: (
            source["id"],
            source["platform"],
            output.minute(source["ingested_at"]),
            *_contents(source),
            output.one_line(source["filename"] or ""),
        ),
        "Nothing has been imported yet.",
        "Import something: holdfast import FILE",
    )


def _contents(source: dict[str, Any]) -> tuple[str, str]:
    """Returns the numbers of messages and conversations. A session log has lessons instead."""
    if source["platform"] == TRANSCRIPT:
        return "–", output.pluralize(source["metadata"].get("lessons", 0), "lesson")
    return f"{source['messages']:,}", f"{source['conversations']:,}"


@sources.command()
@click.argument("id")
@project_named("The project that it moves to.")
@click.option("--no-project", is_flag=True, help="Out of all projects.")
@pass_face
def move(face: Face, id: str, project: str | None, no_project: bool) -> None:
    """Move an import to another project, with its conversations and everything else from it."""
    if (project is None) != no_project:
        raise Usage("no target given", "give --project NAME or --no-project")
    with face.open() as memory:
        moved = memory.sources.move(id, project=project)
    sessions = output.pluralize(moved.sessions, "conversation")
    memories = output.pluralize(moved.memories, "memory", "memories")
    result = {"id": id, "project": project, **moved.as_dict()}
    face.done(result, f"Moved to {project or 'no project'}: {sessions} and {memories}")
    if not face.json:
        for code, count in moved.left.items():
            output.note(f"{count:,} stay where they are: {code}")


@sources.command()
@click.argument("id")
@click.option("--hard", is_flag=True, help="Erase every byte of it; this cannot be undone.")
@yes_option
@pass_face
def delete(face: Face, id: str, hard: bool, yes: bool) -> None:
    """Delete an import: forget its messages, episodes and passages, or erase them with --hard.

    What was learned from them stays.
    """
    with face.open() as memory:
        ask(f"{'Erase' if hard else 'Forget'} all that came from import {id}?", yes)
        count = memory.sources.delete(id, hard=hard)
    result = {"id": id, "memories": count, "hard": hard}
    memories = output.pluralize(count, "memory", "memories")
    if hard:
        face.done(result, f"Erased: source {id} with {memories}")
    else:
        again = f"Each can be restored; erase them permanently: holdfast sources delete {id} --hard"
        face.done(result, f"Removed: source {id}; {memories} forgotten", again)
