"""`holdfast mcp`: the memory as a server for agents (MCP), and its entry in the settings of a client."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, group, pass_face, project_named, several, yes_option
from holdfast.cli.settings_changes import agree_to_changes
from holdfast.core.errors import InvalidInput
from holdfast.core.extras import how_to_install

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.mcp.connection import Connection
    from holdfast.mcp.install import Client
    from holdfast.mcp.profiles import Profile

AGENT = "mcp"
"""Label of an agent that was given none: what acts here is never a person."""
HOST, PORT = "127.0.0.1", 5859

_tools_options = several(
    click.option(
        "--profile",
        metavar="NAME",
        default="agent",
        help="The set of tools: agent (default), search-fetch, reference, runner or data.",
    ),
    project_named("A project (default: the one of the folder the client works in, else none)."),
    click.option("--no-project", is_flag=True, help="Outside of all projects, wherever the client works."),
    click.option("--session", metavar="ID", help="A conversation."),
    click.option("--all-projects", is_flag=True, help="Let the agent use any project."),
    click.option("--personal", is_flag=True, help="Include personal notes, not only preferences about work."),
)


@group("mcp", invoke_without_command=True)
@_tools_options
@click.option("--http", is_flag=True, help="Serve streamable HTTP instead of standard input and output.")
@click.option(
    "--host", metavar="ADDRESS", default=HOST, help=f"With --http: the address to listen on (default {HOST})."
)
@click.option(
    "--port", type=click.IntRange(0, 65_535), metavar="N", default=PORT,
    help=f"With --http: the port (default {PORT}; 0 takes a free one).",
)  # fmt: skip
@pass_face
def mcp(
    face: Face, profile: str, project: str | None, no_project: bool, session: str | None,
    all_projects: bool, personal: bool, http: bool, host: str, port: int,
) -> None:  # fmt: skip
    """Serve the memory to an agent over MCP.

    Clients start this command themselves; `holdfast mcp install` sets that up. Without --project, the server
    works in the project of the folder that the client names, or of the folder in which it was started; with
    --http, which serves several clients, in no project. An agent in a project reads that project, and what is
    about work of what you keep outside of projects: conventions, corrections, preferences about software and
    answers, and knowledge with the tag for-agents.
    """
    _check_places(project, no_project)
    if click.get_current_context().invoked_subcommand is not None:
        return
    from holdfast.mcp.connection import WINDOW, Connection, Room
    from holdfast.mcp.profiles import profile_named
    from holdfast.mcp.tools import ClientContext
    from holdfast.stores.base.clock import wall_clock

    if face.debug:
        _show_traces()
    chosen = profile_named(profile)
    connection = Connection(
        lambda: _memory(face),
        ClientContext(project, session, all_projects, personal, folder=None if http else _here()),
        asks_roots=not (http or no_project),
        choice=lambda: _store(face),
        room=Room(wall_clock, WINDOW) if http else None,
    )  # fmt: skip
    try:
        if http:
            _serve_http(chosen, connection, host, port)
        else:
            _serve_stdio(chosen, connection)
    finally:
        connection.close()


def _here() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was removed meanwhile
        return None


def _check_places(project: str | None, no_project: bool) -> None:
    if project is not None and no_project:
        raise Usage("--project and --no-project contradict each other", "give one of them")


def _store(face: Face) -> str:
    """Returns the store in use now: `holdfast login` may have changed it while a client runs."""
    from holdfast import config

    return config.load(store=face.store, user=face.user).store


def _memory(face: Face) -> Memory:
    """Opens the memory as an agent, under the name `AGENT` if none is configured, and creates the store."""
    from holdfast import config

    if config.load(store=face.store, user=face.user, agent=face.agent).agent is None:
        face.agent = AGENT
    return face.open(create=True)


def _show_traces() -> None:
    """Prints traces of unexpected errors of the server only: the SDK would print every text."""
    import logging

    logging.basicConfig()
    logging.getLogger("holdfast.mcp").setLevel(logging.DEBUG)


def _serve_stdio(profile: Profile, connection: Connection) -> None:
    """Serves MCP on standard input and output until they are closed."""
    import signal

    _load_sdk()
    import anyio

    from holdfast.mcp.server import serve_stdio

    # the thread that waits for input cannot be interrupted, so an interrupt ends the process at once
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(serve_stdio, profile, connection)


def _serve_http(profile: Profile, connection: Connection, host: str, port: int) -> None:
    """Serves MCP over HTTP until the process is stopped; prints the URL once the socket is bound."""
    _load_sdk()
    from holdfast.mcp.web import listen, serve

    with listen(host, port) as sock:
        serve(profile, connection, sock, lambda address: output.note(f"MCP at {address}"))


def _load_sdk() -> None:
    """Imports the SDK. It makes some hundred thousand objects that stay, so collecting garbage meanwhile
    only costs time: a fifth of the start."""
    import gc

    gc.disable()
    try:
        import holdfast.mcp.server  # noqa: F401
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("holdfast"):
            raise
        raise _extra_missing() from error
    finally:
        gc.freeze()
        gc.enable()


def _from_anywhere(store: str) -> str:
    """Returns a store as it is named from any folder, without a password, since the file may be copied."""
    from holdfast.stores.base.registry import backend_of

    return backend_of(store).from_anywhere(store)


def store_for_entry(requested: str | None, scope: str) -> tuple[str | None, list[str]]:
    """Returns the store that an entry names, and notes about it. A client that is started elsewhere does not
    have the environment of this shell, and a shared file cannot use a path of this machine.
    """
    from holdfast.config import is_service, store_of_shell
    from holdfast.stores.base.registry import backend_of

    from_shell = None if requested else store_of_shell()
    store = requested or from_shell
    if store is None:
        return None, []
    if is_service(store):
        if from_shell and scope == "project":
            return None, ["HOLDFAST_STORE is not written into a file that is shared; --url URL writes one."]
        return store.rstrip("/"), []
    requested, notes = _from_anywhere(store), []
    if from_shell and scope == "project":
        return None, ["HOLDFAST_STORE is not written into a file that is shared; --store PATH writes one."]
    if from_shell:
        notes.append(f"HOLDFAST_STORE is set here: the entry names the store {requested}")
    if backend_of(store).without_password(store) != store:
        notes.append("The password of the address is left out: PGPASSFILE has a place for it.")
    return requested, notes


def _key_file_of(
    face: Face, store: str | None, key_file: Path | None, scope: str
) -> tuple[dict[str, str], list[str]]:
    """Returns the variable of an entry that names the file with the API key of a service, and notes."""
    from holdfast.config import is_service

    if store is None or not is_service(store):
        if key_file is not None:
            raise Usage("only a service has an API key", "--url https://host")
        return {}, []
    settings = face.settings(store)
    file = str(key_file.absolute()) if key_file is not None else settings.api_key_file
    if scope == "project":
        note = "Everybody who uses this file needs a key: holdfast login, or HOLDFAST_API_KEY_FILE."
        return {}, [note]
    if file is None and settings.api_key:
        return {}, ["The key in HOLDFAST_API_KEY is not written; --api-key-file FILE names one."]
    return ({} if file is None else {"HOLDFAST_API_KEY_FILE": file}), []


def check_installed() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise _extra_missing()


def _extra_missing() -> InvalidInput:
    return InvalidInput(
        "the MCP server needs the package mcp", code="extra_missing",
        hint=how_to_install("mcp"),
    )  # fmt: skip


@mcp.command()
@click.argument("client")
@_tools_options
@click.option(
    "--scope", metavar="WHERE", default="user",
    help="user (default: for all you do), or project: a file in this folder, to be shared.",
)  # fmt: skip
@click.option(
    "--name", metavar="NAME", default="holdfast", help="The name of the server (default: holdfast)."
)
@click.option("--url", metavar="URL", help="The service to use, such as https://host.")
@click.option(
    "--api-key-file", metavar="FILE", type=click.Path(path_type=Path),
    help="The file with the API key of the service (default: HOLDFAST_API_KEY_FILE, or else the keychain).",
)  # fmt: skip
@click.option(
    "--direct", is_flag=True,
    help="With --url: let the client call the service directly, with the key in HOLDFAST_API_KEY.",
)  # fmt: skip
@click.option("--print", "only_print", is_flag=True, help="Print the entry and write nothing.")
@yes_option
@pass_face
def install(
    face: Face, client: str, profile: str, project: str | None, no_project: bool, session: str | None,
    all_projects: bool, personal: bool, scope: str, name: str, only_print: bool, yes: bool, url: str | None,
    api_key_file: Path | None, direct: bool,
) -> None:  # fmt: skip
    """Add the server to the settings of CLIENT.

    CLIENT is claude-code, cursor, vscode, codex, gemini, copilot or opencode. On a terminal it shows the
    change, and asks before it writes. The rest of the file stays as it is. Store, user and agent are written
    if they are given here, and the store also if HOLDFAST_STORE sets it (but not into a shared file).
    Passwords and API keys are never written: the entry names the file with the key, and only in the settings
    of this user.
    """
    from holdfast import config
    from holdfast.api.transport import service_address
    from holdfast.mcp import install as installing

    _check_places(project, no_project)
    target = installing.CLIENTS.get(client)
    if target is None:
        raise Usage(f"there is no client {client!r}", "one of " + ", ".join(installing.CLIENTS))
    if scope not in ("user", "project"):
        raise Usage(f"there is no scope {scope!r}", "user or project")
    path = target.user() if scope == "user" else Path.cwd() / target.project
    options = {
        "--profile": None if profile == "agent" else profile,
        "--project": project,
        "--session": session,
    }
    if url is not None and not config.is_service(url):
        raise Usage(f"{url!r} is not the address of a service", "--url https://host, or --store PATH")
    if url is not None:
        service_address(url)
    wider = {"--all-projects": all_projects, "--personal": personal}
    if direct:
        place = _direct_address(url, profile, project, session, api_key_file, wider)
        entry = target.http_entry(place, face.agent or client)
        notes = [
            f"{target.title} sends the API key in {installing.KEY_VARIABLE}: set it where it is started."
        ]
        _write(face, target, path, name, entry, notes, scope, only_print, yes=yes)
        return
    store, notes = store_for_entry(url or face.store, scope)
    env, more = _key_file_of(face, store, api_key_file, scope)
    notes += more
    options |= {"--store": store, "--user": face.user}
    options |= {"--agent": face.agent or client}
    args = ["mcp", *(word for option, value in options.items() if value for word in (option, value))]
    args += ["--no-project"] if no_project else []
    args += [option for option, is_set in wider.items() if is_set]
    # a folder that is shared has no use for where this machine keeps its programs
    entry = target.entry("holdfast" if scope == "project" else own_command(), args, env)
    _write(face, target, path, name, entry, notes, scope, only_print, yes=yes)


def _direct_address(
    url: str | None, profile: str, project: str | None, session: str | None, api_key_file: Path | None,
    wider: dict[str, bool],
) -> str:  # fmt: skip
    """Returns the address of the MCP server of a service, with its profile, project and what makes the view
    of the agent wider."""
    from urllib.parse import quote

    if url is None:
        raise Usage("--direct needs the address of a service", "--url https://host")
    if session or api_key_file:
        raise Usage("--direct takes no session and no key file", "the key is in HOLDFAST_API_KEY")
    path = "/mcp" if profile == "agent" else f"/mcp/{quote(profile, safe='')}"
    query = [] if project is None else [f"project={quote(project, safe='')}"]
    query += [f"{option[2:].replace('-', '_')}=1" for option, is_set in wider.items() if is_set]
    return f"{url.rstrip('/')}{path}{'?' * bool(query)}{'&'.join(query)}"


def _write(
    face: Face, target: Client, path: Path, name: str, entry: dict[str, Any], notes: list[str], scope: str,
    only_print: bool, *, yes: bool,
) -> None:  # fmt: skip
    """Adds the server to the configuration of a client, or only prints what would be added."""
    from holdfast.integrations.settings_file import change_of
    from holdfast.mcp import install as installing

    if only_print:
        output.say(installing.snippet(target, name, entry).rstrip("\n"))
        _say_all(notes)
        return
    if "command" in entry:
        check_installed()
    root = Path.cwd() if scope == "project" else None
    change = change_of(installing.edit(target, path, name, entry), root=root)
    if change.new != change.old:
        agree_to_changes(face, [change], yes=yes)
    changed = change.apply()
    if face.json:
        values = {"client": target.name, "file": str(path), "changed": changed}
        output.json({**values, "entry": entry, "notes": notes})
        return
    _print_result(target.title, str(path), changed, entry)
    _say_all(notes)


def _say_all(notes: list[str]) -> None:
    for note in notes:
        output.note(note)


def _print_result(title: str, file: str, changed: bool, entry: dict[str, Any]) -> None:
    """Says what was changed in the configuration of a client."""
    if not changed:
        output.done(f"Nothing to do: {file} already has this entry")
        return
    if "command" in entry:
        output.done(f"{title} now starts Holdfast: {file}")
        command = entry["command"]
        output.say(f"  {' '.join(command if isinstance(command, list) else [command, *entry['args']])}")
    else:
        output.done(f"{title} now uses the service: {file}")
    output.note(f"Restart {title} to use it.")


def own_command() -> str:
    """Returns the absolute path of the installed command, as graphical programs lack the PATH of a shell."""
    executable = Path(sys.executable).with_name("holdfast")
    return str(executable) if executable.exists() else "holdfast"
