"""`holdfast projects`: isolated places for sessions and memories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.certificates import certificate_file, certificate_option
from holdfast.cli.face import Face, Usage, ask, listing_group, pass_face, several, yes_option
from holdfast.cli.places import check_may_give, looked_up, note_unconfirmed, trust_if_new
from holdfast.core.times import to_iso

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.project_results import Contents, Share

_settings = several(
    click.option("--description", metavar="TEXT", help="What it is about."),
    click.option("--colour", metavar="COLOUR", help="A colour to show it in."),
    click.option("--icon", metavar="ICON", help="An icon to show it with."),
    click.option("--notes", metavar="TEXT", help="Notes."),
    click.option("--system-prompt", metavar="TEXT", help="Instructions for assistants in it."),
    click.option(
        "--visibility",
        metavar="WHO",
        help="Who sees what is kept in it from now on: private, project, team; default: by who keeps it.",
    ),
)


@listing_group()
def projects() -> None:
    """List, create, change and delete projects."""


@projects.command("list")
@click.option("--archived", is_flag=True, help="List archived projects.")
@pass_face
def list_(face: Face, archived: bool) -> None:
    """List all projects."""
    with face.open() as memory:
        projects = [
            {**project.as_dict(), "memories": memory.count(project=project.name)}
            for project in memory.projects.list(archived=archived)
        ]
    face.table(
        "projects",
        projects,
        ("project", "state", "visible", "created", "description"),
        lambda project: (
            project["name"],
            project["state"],
            f"{project['memories']:,}",
            output.day(project["created_at"]),
            project["description"] or "",
        ),
        "No project is archived." if archived else "There are no projects yet.",
        ""
        if archived
        else "Make one: holdfast projects create NAME, or remember something with --project NAME",
    )


@projects.command()
@click.argument("name")
@_settings
@pass_face
def create(face: Face, name: str, **settings: str | None) -> None:
    """Create a project, or change the given settings of an existing one."""
    with face.open(create=True) as memory:
        trust_if_new(memory, name)
        project = memory.projects.create(name, **_without_unset(settings))
    face.done(project.as_dict(), f"Ready: project {project.name}")


@projects.command()
@click.argument("name")
@pass_face
def show(face: Face, name: str) -> None:
    """Show a project, and how much each user has in it."""
    with face.open() as memory:
        project, usage = memory.projects.get(name), memory.projects.contents(name)
    if face.json:
        output.json({**project.as_dict(), "contents": [share.as_dict() for share in usage.shares]})
        return
    output.say(project.name, bold=True)
    output.fields({name: value for name, value in project.as_dict().items() if value and name != "name"})
    output.fields({f"of {share.owner}": _amount(share) for share in usage.shares})


@projects.command(operation="projects.summary")
@click.argument("name")
@pass_face
def summary(face: Face, name: str, **options: Any) -> None:
    """Show what your latest conversations in a project are about."""
    with face.open() as memory:
        overview = memory.projects.summary(name, **options)
    if face.json:
        output.json(overview.as_dict())
        return
    for session in overview.as_dict()["sessions"]:
        title = output.one_line(session["name"] or session["session"])
        output.say(f"{title}  {output.pluralize(session['messages'], 'message')}", bold=True)
        for line in (line for part in session["parts"] for line in part["lines"]):
            output.say(output.wrapped(f"{line['said_by']}: {line['text']}", 4))
    if not overview.sessions:
        output.say("You have no conversations in it.")
    elif overview.conversations > len(overview.sessions):
        output.note(
            f"{len(overview.sessions)} of {output.pluralize(overview.conversations, 'conversation')}; --limit"
        )


@projects.command()
@click.argument("name", required=False)
@click.option("--none", "nothing", is_flag=True, help="Remove the folder from its project.")
@pass_face
def here(face: Face, name: str | None, nothing: bool) -> None:
    """Show the project of the current folder, or assign the folder to project NAME.

    Commands and agents in the folder and below it then work in that project, and so they do in every
    worktree of its Git repository. A folder that merely has the name of a project, or the same remote as
    another clone, does not belong to it: the author of a repository can choose both.
    """
    from holdfast.api.checkout import give_folder, project_here, root_of

    if name is not None and nothing:
        raise Usage("NAME and --none contradict each other", "give one of them")
    folder = root_of(Path.cwd())
    with face.open() as memory:
        if nothing:
            give_folder(Path.cwd(), None)
        elif name is not None:
            with looked_up(memory, name):
                name = memory.projects.get(name).name
            check_may_give(memory, folder, (name,))
            give_folder(Path.cwd(), name)
        project = project_here(memory)
        if project is None:
            note_unconfirmed(memory)
    belongs = f"project {project}" if project else "no project; give it to one: holdfast projects here NAME"
    face.done({"folder": str(folder), "project": project}, f"{folder} belongs to {belongs}")


@projects.command()
@click.argument("name")
@_settings
@pass_face
def update(face: Face, name: str, **settings: str | None) -> None:
    """Change the given settings of a project."""
    with face.open() as memory:
        project = memory.projects.update(name, **_without_unset(settings))
    face.done(project.as_dict(), f"Changed: project {project.name}")


@projects.command()
@click.argument("name")
@yes_option
@pass_face
def delete(face: Face, name: str, yes: bool) -> None:
    """Delete a project and forget your memories in it; your conversations continue without a project.

    See also `archive`, which only hides it, and `purge`, which erases it completely.
    """
    with face.open() as memory:
        usage = memory.projects.contents(name)
        _consent(memory, usage, "Delete", f"forget {_amount(usage.own, 'sessions')} of {usage.user}", yes)
        deleted = memory.projects.delete(name)
    left = f"{output.pluralize(deleted.sessions, 'session')} to the shared pool"
    forgotten = f"{output.pluralize(deleted.memories, 'memory', 'memories')} forgotten"
    back = f"Undo: holdfast projects restore {deleted.name}"
    face.done(deleted.as_dict(), f"Deleted: project {deleted.name}; {left}, {forgotten}", back)


@projects.command()
@click.argument("name")
@pass_face
def restore(face: Face, name: str) -> None:
    """Restore a deleted project with your conversations and memories.

    Its settings, module map and folders are not restored.
    """
    with face.open() as memory:
        project = memory.projects.restore(name)
    memories = output.pluralize(project.memories, "memory", "memories")
    notes = [
        f"Not restored: {project.left_out} memories, which were stored again since or are about something"
        f" deleted."
    ]
    face.done(
        project.as_dict(),
        f"Restored: project {project.name} with {output.pluralize(project.sessions, 'session')}, {memories}",
        *notes[: project.left_out],
    )


@projects.command()
@click.argument("name")
@click.option(
    "--purge-after",
    metavar="DAYS",
    type=int,
    help="Erase it with everything in it after this many days.",
)
@yes_option
@pass_face
def archive(face: Face, name: str, purge_after: int | None, yes: bool) -> None:
    """Hide a project and everything in it from everybody, until it is unarchived.

    With --purge-after, a running service or `holdfast worker` purges it after that time, which permanently
    erases what anybody has in it. Archiving it again does not cancel that; unarchiving it does.
    """
    from holdfast.features.projects.closing import checked_days

    days = checked_days(purge_after)
    with face.open() as memory:
        usage = memory.projects.contents(name)
        everything = f"{_amount(usage.total)} of {_people(usage)}"
        does, last = f"hide {everything}", ""
        if days is not None:
            last = f" and ERASE it after {output.pluralize(days, 'day')}"
            does += f"{last}, with all that everybody has in it, for good"
        _consent(memory, usage, "Archive", does, yes, last, erases=days is not None)
        project = memory.projects.archive(name, purge_after=purge_after)
    face.done(project.as_dict(), f"Archived: project {project.name}")
    if not face.json:
        if project.purge_at is not None:
            output.note(f"Will be purged on {output.minute(to_iso(project.purge_at))}.")
        output.note(f"Undo: holdfast projects unarchive {project.name}")


@projects.command()
@click.argument("name")
@pass_face
def unarchive(face: Face, name: str) -> None:
    """Restore an archived project as it was."""
    with face.open() as memory:
        project = memory.projects.unarchive(name)
    face.done(project.as_dict(), f"Restored: project {project.name}")


@projects.command()
@click.argument("name")
@pass_face
def on(face: Face, name: str) -> None:
    """Switch memory on in a project again."""
    with face.open() as memory:
        project = memory.projects.switch(name, True)
    face.done(project.as_dict(), f"On: project {project.name}")


@projects.command()
@click.argument("name")
@pass_face
def off(face: Face, name: str) -> None:
    """Switch memory off in a project: nothing is stored or recalled; what is stored stays."""
    with face.open() as memory:
        project = memory.projects.switch(name, False)
    face.done(project.as_dict(), f"Off: project {project.name}; holdfast projects on {project.name}")


@projects.command()
@click.argument("name")
@click.argument("to")
@pass_face
def rename(face: Face, name: str, to: str) -> None:
    """Rename a project. API keys that are limited to it stay valid."""
    from holdfast.api.folder_trust import follow_rename

    with face.open() as memory:
        project = memory.projects.rename(name, to)
    follow_rename(name, project.name)
    face.done(project.as_dict(), f"Renamed: project {name} to {project.name}")


@projects.command()
@click.argument("name")
@certificate_option
@yes_option
@pass_face
def purge(face: Face, name: str, certificate: Path | None, yes: bool) -> None:
    """Permanently erase a project with what anybody has in it. Only owners and admins can."""
    with face.open() as memory, certificate_file(certificate) as file:
        usage = memory.projects.contents(name)
        does = f"erase {_amount(usage.total)} of {_people(usage)} for good"
        _consent(memory, usage, "Purge", does, yes, erases=True)
        purged = memory.projects.purge(name)
        file.write(purged.certificate)
    memories = output.pluralize(purged.memories, "memory", "memories")
    sessions, folders = (
        output.pluralize(purged.sessions, "session"),
        output.pluralize(purged.folders, "folder"),
    )
    face.done(purged.as_dict(), f"Erased: project {purged.name} with {memories}, {sessions}, {folders}")


@projects.command()
@click.argument("source")
@click.argument("target")
@yes_option
@pass_face
def move(face: Face, source: str, target: str, yes: bool) -> None:
    """Move everything of yours in a project to another: sessions, memories, entities."""
    with face.open() as memory:
        own = memory.projects.contents(source).own
        ask(f"Move {_amount(own)} of {own.owner} from project {source!r} to {target!r}?", yes)
        moved = memory.projects.move(source, target)
    counts = (
        output.pluralize(moved.memories, "memory", "memories"),
        output.pluralize(moved.sessions, "session"),
    )
    face.done(moved.as_dict(), f"Moved {' and '.join(counts)} to project {moved.project}")


@projects.command()
@click.argument("source")
@click.argument("target")
@click.option("--kind", "kinds", metavar="KIND", multiple=True, default=("entity",), help="Default: entity.")
@pass_face
def retag(face: Face, source: str, target: str, kinds: tuple[str, ...]) -> None:
    """Move entities (or other kinds of knowledge) from one project to another."""
    with face.open() as memory:
        moved = memory.projects.retag(source, target, kinds=kinds)
    face.done(
        {"moved": moved, "from": source, "to": target, "kinds": list(kinds)},
        f"Moved {output.pluralize(moved, 'memory', 'memories')} from {source} to {target}",
    )


def _without_unset(settings: dict[str, str | None]) -> dict[str, Any]:
    passed: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    if passed.get("visibility") == "default":
        passed["visibility"] = None
    return passed


def _consent(
    memory: Memory,
    contents: Contents,
    way: str,
    does: str,
    yes: bool,
    last: str = "",
    *,
    erases: bool = False,
) -> None:
    """Asks whether a project is to be archived, deleted or purged, and says what each of these would do;
    `last` is added to the final question. With `erases`, it says how much belongs to others."""
    everybody = f"{_amount(contents.total)} of {_people(contents)}"
    own, others = contents.own, [share.owner for share in contents.shares if share.owner != contents.user]
    left = f"; what is of {' and '.join(others)} stays" if others else ""
    ask(
        f"{way} project {contents.project!r}: {does}?\n"
        f"  archive  hides {everybody}, until it is unarchived\n"
        f"  delete   forgets {_amount(own, 'sessions')} of {own.owner}, of which each can be restored;"
        f" {output.pluralize(own.sessions, 'session')} of {own.owner} go on outside of projects{left}\n"
        f"  purge    erases {everybody}, for good\n{_of_others(memory, contents) if erases else ''}"
        f"{way} {contents.project!r}{last}?",
        yes,
    )


def _of_others(memory: Memory, contents: Contents) -> str:
    """Returns how much of others would be erased, with a note that the store itself enforces no roles."""
    others = [share.owner for share in contents.shares if share.owner != contents.user]
    if not others:
        return ""
    theirs = contents.others
    memories = output.pluralize(theirs.memories, "memory", "memories")
    people = output.pluralize(len(others), "other person", "other people")
    roles = (
        ""
        if memory.is_remote
        else ("  Roles are enforced by a service only: whoever can open the store itself may do this.\n")
    )
    return f"  Of {people}: {memories}, {theirs.private:,} of them private.\n{roles}"


def _amount(share: Share, leave_out: str = "") -> str:
    """Returns the numbers of a share: `12 memories (2 entities among them), 3 forgotten, 2 sessions`."""
    parts = [output.pluralize(share.memories, "memory", "memories")]
    if share.entities:
        parts[0] += f" ({output.pluralize(share.entities, 'entity', 'entities')} among them)"
    if share.forgotten:
        parts.append(f"{share.forgotten:,} forgotten")
    if leave_out != "sessions":
        parts.append(output.pluralize(share.sessions, "session"))
    if share.folders:
        parts.append(output.pluralize(share.folders, "folder"))
    return ", ".join(parts)


def _people(contents: Contents) -> str:
    return output.one_line(" and ".join(share.owner for share in contents.shares)) or "nobody"
