"""`holdfast sessions`: conversations, and the project each belongs to."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import (
    Face,
    Usage,
    ask,
    listing_group,
    only_project_option,
    page_options,
    pass_face,
    project_named,
    project_option,
    yes_option,
)
from holdfast.cli.json_option import json_object
from holdfast.cli.places import EVERYWHERE, note_missing, with_project
from holdfast.core.project_results import SessionPage

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.projects import Session


@listing_group()
def sessions() -> None:
    """List, create, move, rename, archive and erase sessions."""


@sessions.command("list")
@only_project_option
@page_options
@click.option("--archived", is_flag=True, help="List archived sessions instead.")
@pass_face
def list_(face: Face, project: str | None, limit: int, cursor: str | None, archived: bool) -> None:
    """List sessions, last changed first."""
    with face.open() as memory:
        missing = note_missing(memory, {"project": project})
        only = None if project == EVERYWHERE else project
        page = SessionPage(())
        if not missing:
            page = memory.sessions.list(project=only, limit=limit, cursor=cursor, archived=archived)
    sessions = [session.as_dict() for session in page]
    if face.json:
        output.json(page.as_dict())
    elif not sessions and cursor is not None:
        output.say("There are no more.")
    elif not sessions and archived:
        output.say("No session is archived here.")
    elif not sessions:
        output.say("There are no sessions here.")
        output.note("Import conversations: holdfast import FILE. Start one: holdfast remember --session ID")
    else:
        drawn = sys.stdout.isatty()
        rows = []
        for listed in sessions:
            rest = (listed["project"] or "", f"{listed['messages']:,}", output.minute(listed["updated_at"]))
            name = output.one_line(listed["name"] or "")
            rows.append((f"{name}\n{listed['id']}", *rest) if drawn else (listed["id"], *rest, name))
        names = ("session", "project", "messages", "changed")
        output.table(names if drawn else (*names, "name"), rows)
    if page.cursor:
        within = f" --project {shlex.quote(project)}" if project else ""
        within += " --archived" if archived else ""
        output.note(f"More: holdfast sessions list{within} --limit {limit} --cursor {page.cursor}")


@sessions.command()
@click.argument("id")
@project_option
@click.option("--name", metavar="TEXT", help="A display name.")
@click.option("--metadata", metavar="JSON", callback=json_object, help="A JSON object of your own.")
@pass_face
def create(face: Face, id: str, project: str | None, name: str | None, metadata: Any) -> None:
    """Create a session, or change the name or metadata of an existing one."""
    with face.open(create=True) as memory:
        at = with_project(memory, {"project": project, "session": id})["project"]
        _print(face, memory.sessions.create(id, project=at, name=name, metadata=metadata), "Ready")


@sessions.command()
@click.argument("id")
@pass_face
def show(face: Face, id: str) -> None:
    """Show one session."""
    with face.open() as memory:
        session = memory.sessions.get(id).as_dict()
    if face.json:
        output.json(session)
        return
    output.fields({name: value for name, value in session.items() if value not in (None, {})})
    output.note(f"Its messages: holdfast sessions messages {id}")


@sessions.command()
@click.argument("id")
@page_options
@pass_face
def messages(face: Face, id: str, limit: int, cursor: str | None) -> None:
    """Show the messages of a session, in order."""
    with face.open() as memory:
        page = memory.sessions.messages(id, limit=limit, cursor=cursor)
    if face.json:
        output.json({"memories": [memory.as_dict() for memory in page.memories], "cursor": page.cursor})
        return
    for message in page.memories:
        head = (message.name or message.role or message.kind, output.minute(str(message.as_dict()["at"])))
        output.say("  ".join(map(output.one_line, head)), bold=True)
        output.say(output.wrapped(message.text, 4))
    if not page.memories:
        output.say("There are no messages." if cursor is None else "There are no more.")
    if page.cursor:
        output.note(f"More: holdfast sessions messages {id} --limit {limit} --cursor {page.cursor}")


@sessions.command()
@click.argument("id")
@pass_face
def summary(face: Face, id: str) -> None:
    """Summarise a session by quoting from it, part by part."""
    with face.open() as memory:
        overview = memory.sessions.summary(id)
    if face.json:
        output.json(overview.as_dict())
        return
    for part in overview.as_dict()["parts"]:
        by = f", chosen by {part['model']}" if part["model"] else ""
        head = f"{output.minute(part['since'])} to {output.minute(part['until'])}"
        output.say(f"{head}  {output.pluralize(part['messages'], 'message')}{by}", bold=True)
        for line in part["lines"]:
            output.say(output.wrapped(f"{line['said_by']}: {line['text']}", 4))
    if not overview.parts:
        output.say("There are no messages.")
    if overview.left:
        output.note(f"{output.pluralize(overview.left, 'later message')} left: run it again")


@sessions.command()
@click.argument("id")
@page_options
@pass_face
def episodes(face: Face, id: str, limit: int, cursor: str | None) -> None:
    """Show the exchanges of a session."""
    with face.open() as memory:
        page = memory.sessions.episodes(id, limit=limit, cursor=cursor)
    if face.json:
        output.json(page.as_dict())
        return
    for episode in page.episodes:
        output.say(
            f"{output.minute(episode.as_dict()['created_at'])}  {episode.token_count:,} tokens", bold=True
        )
        output.say(output.wrapped(episode.user_message, 4))
        output.say(output.wrapped(episode.ai_response, 8))
    if not page.episodes:
        output.say("There are no exchanges here.")
    if page.cursor:
        output.note(f"More: holdfast sessions episodes {id} --limit {limit} --cursor {page.cursor}")


@sessions.command()
@click.argument("id")
@project_named("The project it moves to.")
@click.option("--no-project", is_flag=True, help="Back to the shared pool.")
@pass_face
def move(face: Face, id: str, project: str | None, no_project: bool) -> None:
    """Move a session with its messages to a project, or out of its project."""
    if (project is None) != no_project:
        raise Usage("no target given", "give --project NAME or --no-project")
    with face.open() as memory:
        _print(face, memory.sessions.update(_full_id(memory, id), project=project), "Moved")


@sessions.command()
@click.argument("id")
@click.argument("name")
@pass_face
def rename(face: Face, id: str, name: str) -> None:
    """Set the display name of a session."""
    with face.open() as memory:
        _print(face, memory.sessions.update(_full_id(memory, id), name=name), "Renamed")


@sessions.command()
@click.argument("id")
@pass_face
def archive(face: Face, id: str) -> None:
    """Archive a session: its messages are not recalled until it is unarchived."""
    with face.open() as memory:
        session = memory.sessions.update(_full_id(memory, id), archived=True)
    _print(face, session, "Archived")
    if not face.json:
        output.note(f"Undo: holdfast sessions unarchive {session.external_id}")


@sessions.command()
@click.argument("id")
@pass_face
def unarchive(face: Face, id: str) -> None:
    """Restore an archived session as it was."""
    with face.open() as memory:
        _print(face, memory.sessions.update(_full_id(memory, id), archived=False), "Back")


@sessions.command()
@click.argument("id")
@yes_option
@pass_face
def delete(face: Face, id: str, yes: bool) -> None:
    """Erase a session with its messages; this cannot be undone."""
    with face.open() as memory:
        session = memory.sessions.get(id)
        messages = output.pluralize(session.message_count, "message")
        ask(f"Erase session {session.external_id!r} with {messages} for good?", yes)
        id = session.external_id
        count = memory.sessions.delete(id)
    memories = output.pluralize(count, "memory", "memories")
    face.done({"id": id, "erased": count}, f"Erased: session {id} with {memories}")


def _full_id(memory: Memory, id: str) -> str:
    """Returns the whole id of a session that may be named by the beginning of it."""
    return memory.sessions.get(id).external_id


def _print(face: Face, session: Session, verb: str) -> None:
    place = f"in project {session.project}" if session.project else "in the shared pool"
    name = f" ({session.name})" if session.name else ""
    face.done(session.as_dict(), f"{verb}: session {session.external_id}{name}, {place}")
