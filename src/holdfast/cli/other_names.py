"""Suggests a command to somebody who types the name that it has in another program."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

ELSEWHERE = {
    "recall": "search query find lookup retrieve",
    "remember": "add save note put write insert new",
    "show": "get cat view read",
    "list": "ls all",
    "revise": "edit update modify set",
    "forget": "delete remove rm del",
    "restore": "undo undelete recover",
    "import": "load",
    "export": "dump",
    "stats": "status info",
    "folders add": "index ingest",
    "agents install": "install setup init connect",
    "members add": "invite",
    "reconcile --watch": "watch sync",
    "open": "ui web dashboard gui",
    "serve": "server start run daemon",
    "--help": "help commands",
    "--version": "version",
    "doctor": "check verify fsck health",
}
"""For each command, with its subcommand or option, the names that it has in other programs."""
IN_GROUPS = {
    "delete": "erase remove rm del forget purge",
    "purge": "erase",
    "remove": "delete rm del erase",
    "create": "new add make",
    "add": "create new",
    "list": "ls all",
    "show": "get view read cat",
    "rename": "edit name title",
    "update": "edit set change",
}
"""For each command of a group, the names that it has in other programs."""
_COMMANDS = {name: command for command, names in ELSEWHERE.items() for name in names.split()}


def suggestion_in(name: str, commands: Iterable[str]) -> str | None:
    """Returns a hint for a command that a group does not have, or None."""
    known = list(commands)
    matches = [command for command, names in IN_GROUPS.items() if name in names.split() and command in known]
    choices = matches or get_close_matches(name, known, 2, 0.6)
    return f"did you mean {' or '.join(choices)}?" if choices else None


def suggestion(name: str, commands: Iterable[str]) -> str:
    """Returns a hint for a command that does not exist: the one that is meant, one of a similar name, or
    where all are listed."""
    if command := _COMMANDS.get(name.lower()):
        return f"did you mean `holdfast {command}`?"
    choices = get_close_matches(name, commands, 2, 0.6)
    return f"did you mean {' or '.join(choices)}?" if choices else "`holdfast --help` lists the commands"
