"""`holdfast agents`: sets up coding agents, so that they get what helps, and what they teach is stored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from holdfast.cli import output
from holdfast.cli.completed_names import complete_clients
from holdfast.cli.face import Face, Usage, group, pass_face, project_named, yes_option
from holdfast.cli.settings_changes import agree_to_changes, show_changes

if TYPE_CHECKING:
    from holdfast.integrations.agents.pauses import Pause
    from holdfast.integrations.settings_file import Change

_scope_option = click.option(
    "--scope", metavar="WHERE", default="user",
    help="user (default: for all you do), or project: files in this folder, to be shared.",
)  # fmt: skip
_NEXT = {
    "codex": "Restart Codex, and approve the hooks when it asks: it runs none before. "
    "It asks again after each change."
}
"""The next step after a set-up, for clients that need more than a restart."""
_SEEN = {
    "claude-code": "in it, `/mcp` shows the server and `/hooks` the hooks",
    "codex": "in it, `/mcp` shows the server",
    "gemini": "in it, `/mcp` shows the server and `/hooks` the hooks",
    "cursor": "its settings show the server under MCP",
    "opencode": "`opencode mcp list` shows the server",
    "copilot": "in it, `/mcp show` names the server",
}
"""How to check in each client that the MCP server and the hooks are installed."""
_DURATION = re.compile(r"\s*(\d{1,4})\s*([mhd])\w*\s*", re.IGNORECASE)
_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
"""Milliseconds of the units of a duration."""
_dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")


@group("agents")
def agents() -> None:
    """Set up coding agents: hooks and the MCP server together.

    The agent then gets the state of the project when a session starts, memories that answer a prompt, and
    known traps of a file when it opens it. Lessons are extracted from its sessions.
    """


@agents.command()
@click.argument("client", shell_complete=complete_clients)
@project_named("A project (default: the one of the folder the agent works in).")
@_scope_option
@_dry_run_option
@yes_option
@pass_face
def install(face: Face, client: str, project: str | None, scope: str, dry_run: bool, yes: bool) -> None:
    """Write hooks and the MCP server into the settings of CLIENT, and show the change.

    On a terminal it asks before it writes. The rest of these files stays as it is. Running it again changes
    nothing, and `holdfast agents uninstall` undoes it. Store, user and project are written if they are given
    here.
    """
    from holdfast.api.checkout import give_folder, is_home
    from holdfast.cli.mcp import check_installed, own_command
    from holdfast.integrations.agents import setup
    from holdfast.integrations.agents.clients import CLIENTS
    from holdfast.integrations.agents.cut_off import note_set_up
    from holdfast.integrations.settings_file import plan
    from holdfast.mcp import install as mcp
    from holdfast.stores.base.clock import wall_clock

    folder = _folder(client, scope)
    executable = "holdfast" if scope == "project" else own_command()
    store, notes = _store(face, scope)
    options = {"--store": store, "--user": face.user, "--project": project}
    named = [word for option, value in options.items() if value for word in (option, value)]
    edits = [setup.edit(client, lambda event: [executable, "hook", client, event, *named], folder)]
    if (target := mcp.CLIENTS.get(client)) is not None:
        check_installed()
        path = target.user() if folder is None else folder / target.project
        entry = target.entry(executable, ["mcp", *named, "--agent", face.agent or client])
        edits.append(mcp.edit(target, path, "holdfast", entry))
    changes = [change for change in plan(edits, root=folder) if change.new != change.old]
    shown = not dry_run and agree_to_changes(face, changes, yes=yes)
    if not dry_run:
        _make_store(face, store)
    _write(changes, dry_run)
    if not dry_run:
        note_set_up(wall_clock())
    title = CLIENTS[client].title
    # an agent gives no folder to a project; `--agent` also names the one in the entry of the MCP server
    if project is not None and not dry_run and face.settings().agent is None and not is_home(Path.cwd()):
        notes.append(f"{give_folder(Path.cwd(), project)} now belongs to project {project}.")
    if project is not None and folder is None:
        notes.append(
            f"{title} uses project {project} in every folder. To use the project of each folder instead: "
            f"holdfast agents install {client}"
        )
    if (other := _other_scope(client, folder)) is not None:
        where, option = other
        notes.append(
            f"It is set up {where}, too, and one is enough: holdfast agents uninstall {client}{option}"
        )
    messages = _Messages(
        unchanged="Nothing to do: it is already set up.", success=f"{title} is set up.",
        next_steps=_next_steps(client, title, folder),
    )  # fmt: skip
    _report(
        face, client, changes, messages, notes, dry_run=dry_run, shown=shown, store=face.settings(store).store
    )


@agents.command()
@click.argument("client", shell_complete=complete_clients)
@_scope_option
@_dry_run_option
@yes_option
@pass_face
def uninstall(face: Face, client: str, scope: str, dry_run: bool, yes: bool) -> None:
    """Remove hooks and the MCP server from the settings of CLIENT, and show the change.

    On a terminal it asks before it writes. Memories stay, and so does the rest of these files.
    """
    from holdfast.integrations.agents import setup
    from holdfast.integrations.agents.clients import CLIENTS
    from holdfast.integrations.settings_file import plan
    from holdfast.mcp import install as mcp

    folder = _folder(client, scope)
    edits = [setup.removal(client, folder)]
    if (target := mcp.CLIENTS.get(client)) is not None:
        path = target.user() if folder is None else folder / target.project
        edits.append(mcp.removal(target, path, "holdfast"))
    changes = [change for change in plan(edits, root=folder) if change.new != change.old]
    shown = not dry_run and agree_to_changes(face, changes, yes=yes)
    _write(changes, dry_run)
    title, place = CLIENTS[client].title, "in this folder" if folder is not None else "for all you do"
    notes = []
    if (other := _other_scope(client, folder)) is not None:
        where, option = other
        notes.append(f"It is still set up {where}: holdfast agents uninstall {client}{option}")
    messages = _Messages(
        unchanged=f"Nothing to do: {title} is not set up {place}.",
        success=f"{title} no longer uses Holdfast {place}. Memories stay.",
        next_steps=(f"Restart {title}: sessions that are open still use it.",),
    )
    _report(face, client, changes, messages, notes, dry_run=dry_run, shown=shown)


@agents.command()
@click.option(
    "--for", "duration", metavar="TIME", help="How long, such as 2h, 30m or 1d (default: until resumed)."
)
@click.option("--here", is_flag=True, help="Only in this repository or folder (default: everywhere).")
@pass_face
def pause(face: Face, duration: str | None, here: bool) -> None:
    """Silence the hooks: agents get nothing by themselves, and nothing is learned from their sessions.

    What is said meanwhile is not learned later, either. The MCP server goes on answering agents that ask it.
    """
    from holdfast.integrations.agents.pauses import pause

    folder = Path.cwd() if here else None
    made = pause(folder, None if duration is None else _end_of(duration))
    record = _as_dict(made)
    face.done(record, f"Hooks are paused {_described(record)}.", "Go on with: holdfast agents resume")


@agents.command()
@pass_face
def resume(face: Face) -> None:
    """End all pauses of hooks."""
    from holdfast.integrations.agents.pauses import resume
    from holdfast.stores.base.clock import wall_clock

    ended = [_as_dict(pause) for pause in resume(wall_clock())]
    line = "Hooks go on." if ended else "Nothing to do: hooks are not paused."
    face.done({"ended": ended}, line)


@agents.command("list")
@pass_face
def list_(face: Face) -> None:
    """List the supported clients, which are set up for you or for this folder, and pauses of hooks."""
    from holdfast.integrations.agents import setup
    from holdfast.integrations.agents.clients import CLIENTS
    from holdfast.integrations.agents.pauses import pauses
    from holdfast.stores.base.clock import wall_clock

    scopes = {"user": None, "project": Path.cwd()}
    installations = {
        client: {scope: setup.installed(client, folder) for scope, folder in scopes.items()}
        for client in setup.HOOKS
    }
    paused = [_as_dict(pause) for pause in pauses(wall_clock())]
    if face.json:
        clients = [
            {"client": client, "title": CLIENTS[client].title}
            | {scope: {"file": str(path), "events": events} for scope, (path, events) in places.items()}
            for client, places in installations.items()
        ]
        output.json({"clients": clients, "pauses": paused})
        return
    rows = [
        (client, CLIENTS[client].title, *(_events_in_words(events) for _, events in places.values()))
        for client, places in installations.items()
    ]
    output.table(("client", "program", "for all you do", "in this folder"), rows)
    if not any(events for places in installations.values() for _, events in places.values()):
        output.note("None is set up yet. Set one up: holdfast agents install claude-code")
    for record in paused:
        output.note(f"Hooks are paused {_described(record)}: holdfast agents resume")


def _end_of(duration: str) -> int:
    """Returns the end of a pause that begins now, in epoch milliseconds. Raises Usage."""
    from holdfast.stores.base.clock import wall_clock

    match = _DURATION.fullmatch(duration)
    if match is None:
        raise Usage(f"{duration!r} is no duration", "such as 30m, 2h or 1d")
    return wall_clock() + int(match[1]) * _UNITS[match[2].lower()]


def _as_dict(pause: Pause) -> dict[str, str | None]:
    """Returns a pause for JSON; its folder is None where it holds everywhere."""
    from holdfast.core.times import to_iso

    return {
        "folder": None if pause.folder is None else str(pause.folder),
        "until": None if pause.until is None else to_iso(pause.until),
    }


def _described(pause: dict[str, str | None]) -> str:
    """Returns where and until when a pause holds, in words."""
    where = f"in {pause['folder']}" if pause["folder"] else "everywhere"
    return f"{where} until {output.minute(pause['until']) if pause['until'] else 'they are resumed'}"


def _events_in_words(events: list[str] | None) -> str:
    if events is None:
        return "cannot be read"
    return f"at {len(events)} event{'s' if len(events) != 1 else ''}" if events else "-"


def _folder(client: str, scope: str) -> Path | None:
    """Returns the folder whose settings are meant, None for those of the user. Raises Usage."""
    from holdfast.integrations.agents.setup import HOOKS

    if client not in HOOKS:
        raise Usage(f"there is no client {client!r}", "one of " + ", ".join(HOOKS))
    if scope not in ("user", "project"):
        raise Usage(f"there is no scope {scope!r}", "user or project")
    return Path.cwd() if scope == "project" else None


def _store(face: Face, scope: str) -> tuple[str | None, list[str]]:
    """Returns the store that the settings name, and notes about it. Raises Usage for one that hooks do not
    use."""
    from holdfast.cli.mcp import store_for_entry
    from holdfast.config import config_file
    from holdfast.integrations.agents.places import is_local

    store, notes = store_for_entry(face.store, scope)
    settings = face.settings(store)
    if settings.hook_network == "off" and not is_local(settings.store):
        raise Usage(
            "this store is on another machine, which hooks use only if you allow it",
            f'hook_network = "on" in {config_file()} lets them send prompts and lessons there',
        )
    return store, notes


def _other_scope(client: str, folder: Path | None) -> tuple[str, str] | None:
    """Returns the other scope, in words and as an option, if a client is set up there too."""
    from holdfast.integrations.agents import setup

    other = Path.cwd() if folder is None else None
    if not setup.installed(client, other)[1]:
        return None
    return ("for all you do", "") if other is None else ("in this folder", " --scope project")


def _make_store(face: Face, store: str | None) -> None:
    """Makes the file of memories if there is none: a hook never does, and would never give anything."""
    from holdfast.config import is_service
    from holdfast.stores.base.registry import backend_of

    location = face.settings(store).store
    if not is_service(location) and backend_of(location).makes_file(location):
        face.open(store, create=True).close()


def _next_steps(client: str, title: str, folder: Path | None) -> tuple[str, ...]:
    """Returns what its user does after a set-up, and how they see that it works."""
    approve = (
        ()
        if folder is None
        else (f"If {title} asks whether to trust this folder and its MCP server, agree.",)
    )
    return (
        _NEXT.get(client, f"Restart {title} to use it."),
        *approve,
        f"To see that it works: {_SEEN[client]}.",
        "In a repository, `holdfast list` shows what your sessions taught, and `holdfast review` what waits.",
        "`holdfast agents pause` silences the hooks, for a while or in one repository.",
    )


def _write(changes: list[Change], dry_run: bool) -> None:
    from holdfast.integrations.settings_file import apply_all

    if not dry_run:
        apply_all(changes)


class _Messages(NamedTuple):
    """The messages about a change of settings."""

    unchanged: str
    success: str
    next_steps: tuple[str, ...]


def _report(
    face: Face, client: str, changes: list[Change], messages: _Messages, notes: list[str], *,
    dry_run: bool, shown: bool, store: str | None = None,
) -> None:  # fmt: skip
    """Prints what changed, unless it was shown before, and what to do next."""
    if face.json:
        files = [{"file": str(change.path), "diff": change.diff} for change in changes]
        record = {"client": client, "changed": bool(changes), "dry_run": dry_run, "changes": files}
        output.json(record | ({} if store is None else {"store": store}))
        return
    if not shown:
        show_changes(changes)
    if not changes:
        output.done(messages.unchanged)
    elif dry_run:
        output.note("Nothing was written.")
    else:
        output.done(messages.success)
        for step in messages.next_steps:
            output.note(step)
    for note in notes:
        output.note(note)
