"""`holdfast projects`: isolated places for sessions and memories."""

from __future__ import annotations

from typing import Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, ask, listing_group, pass_face, several, yes_option
from holdfast.cli.places import looked_up

_settings = several(
    click.option("--description", metavar="TEXT", help="What it is about."),
    click.option("--colour", metavar="COLOUR", help="A colour to show it in."),
    click.option("--icon", metavar="ICON", help="An icon to show it with."),
    click.option("--notes", metavar="TEXT", help="Notes."),
    click.option("--system-prompt", metavar="TEXT", help="Instructions for assistants in it."),
)


@listing_group()
def projects() -> None:
    """List, make, change and remove projects."""


@projects.command("list")
@pass_face
def list_(face: Face) -> None:
    """List all projects."""
    with face.open() as memory:
        found = [
            {**one.as_dict(), "memories": memory.count(project=one.name)} for one in memory.projects.list()
        ]
    face.table(
        "projects",
        found,
        ("project", "in sight", "made", "description"),
        lambda one: (
            one["name"],
            f"{one['memories']:,}",
            output.day(one["created_at"]),
            one["description"] or "",
        ),
        "There are no projects yet.",
        "Make one: holdfast projects create NAME, or remember something with --project NAME",
    )


@projects.command()
@click.argument("name")
@_settings
@pass_face
def create(face: Face, name: str, **settings: str | None) -> None:
    """Make a project, or change the settings given if it is there."""
    with face.open(create=True) as memory:
        project = memory.projects.create(name, **_passed(settings))
    face.done(project.as_dict(), f"Ready: project {project.name}")


@projects.command()
@click.argument("name")
@pass_face
def show(face: Face, name: str) -> None:
    """Show one project."""
    with face.open() as memory, looked_up(memory, name):
        found = memory.projects.get(name)
    if face.json:
        output.json(found.as_dict())
        return
    output.say(found.name, bold=True)
    output.fields({name: value for name, value in found.as_dict().items() if value and name != "name"})


@projects.command()
@click.argument("name")
@_settings
@pass_face
def update(face: Face, name: str, **settings: str | None) -> None:
    """Change the settings given and leave the others."""
    with face.open() as memory, looked_up(memory, name):
        project = memory.projects.update(name, **_passed(settings))
    face.done(project.as_dict(), f"Changed: project {project.name}")


@projects.command()
@click.argument("name")
@yes_option
@pass_face
def delete(face: Face, name: str, yes: bool) -> None:
    """Remove a project: its sessions live on in the shared pool, its other memories are forgotten."""
    with face.open() as memory:
        with looked_up(memory, name):
            found = memory.projects.get(name)
        ask(f"Remove project {found.name!r} and forget its memories?", yes)
        gone = memory.projects.delete(name)
    left = f"{output.counted(gone.sessions, 'session')} to the shared pool"
    forgotten = f"{output.counted(gone.memories, 'memory', 'memories')} forgotten"
    face.done(gone.as_dict(), f"Removed: project {gone.name}; {left}, {forgotten}")


@projects.command()
@click.argument("source")
@click.argument("target")
@click.option("--kind", "kinds", metavar="KIND", multiple=True, default=("entity",), help="Default: entity.")
@pass_face
def retag(face: Face, source: str, target: str, kinds: tuple[str, ...]) -> None:
    """Move entities (or other kinds of knowledge) from one project to another."""
    with face.open() as memory, looked_up(memory, source):
        moved = memory.projects.retag(source, target, kinds=kinds)
    face.done(
        {"moved": moved, "from": source, "to": target, "kinds": list(kinds)},
        f"Moved {output.counted(moved, 'memory', 'memories')} from {source} to {target}",
    )


def _passed(settings: dict[str, str | None]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}
