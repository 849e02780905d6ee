"""Writes the entry of the server into the settings of a client, and changes nothing else."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.config import settings_folder
from holdfast.integrations.settings_file import CannotMerge, Edit, read_json, written_json

Entry = dict[str, Any]
AGENT_HEADER = "Holdfast-Agent"
KEY_VARIABLE = "HOLDFAST_API_KEY"
"""The environment variable in which a client over HTTP finds the API key."""
_OF_A_PROCESS = ("command", "args", "env", "environment")
_OF_HTTP = ("url", "httpUrl", "serverUrl", "headers", "http_headers", "bearer_token_env_var")


@dataclass(frozen=True, slots=True)
class Client:
    """A program that starts MCP servers.

    `user` and `project` are its settings files: for everything its user does, or for one folder. `key` is the
    object in the file that lists servers.
    """

    name: str
    title: str
    user: Callable[[], Path]
    project: str
    key: str = "mcpServers"
    typed: bool = False
    address: str = "url"
    """The field with the address of a server over HTTP."""
    variable: str = "${%s}"
    """The form in which a header takes the value of an environment variable, if it takes one."""
    names_tools: bool = False
    """Whether an entry says which tools are used: all of them."""
    types: tuple[str, str] | None = None
    """The words for a process and for HTTP of a client that has a form of its own: the command and its
    arguments in one list, variables in `environment`."""

    comments: bool = False
    """True if the client accepts comments in its settings."""

    @property
    def is_toml(self) -> bool:
        return self.project.endswith(".toml")

    def entry(self, command: str, args: list[str], env: dict[str, str] | None = None) -> Entry:
        """Returns the settings entry for a server started as a process, with further variables of its
        environment."""
        if self.types is not None:
            entry: Entry = {"type": self.types[0], "command": [command, *args], "enabled": True}
            return entry | {"environment": env} if env else entry
        entry = {**({"type": "stdio"} if self.typed else {}), "command": command, "args": args}
        entry |= {"tools": ["*"]} if self.names_tools else {}
        return entry | {"env": env} if env else entry

    def http_entry(self, url: str, agent: str) -> Entry:
        """Returns the settings entry for a server over HTTP, which the client calls as an agent. The API key
        stays in a variable of the environment of the client."""
        named = {AGENT_HEADER: agent}
        if self.is_toml:
            return {self.address: url, "bearer_token_env_var": KEY_VARIABLE, "http_headers": named}
        headers = {"Authorization": f"Bearer {self.variable % KEY_VARIABLE}", **named}
        kind = self.types[1] if self.types is not None else "http" if self.typed else None
        entry: Entry = {**({"type": kind} if kind else {}), self.address: url, "headers": headers}
        return entry | ({"tools": ["*"]} if self.names_tools else {})


def _vscode() -> Path:
    if sys.platform == "darwin":
        return settings_folder("HOME", "") / "Library" / "Application Support" / "Code" / "User" / "mcp.json"
    return settings_folder("XDG_CONFIG_HOME", ".config") / "Code" / "User" / "mcp.json"


CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client(
            "claude-code", "Claude Code", lambda: settings_folder("CLAUDE_CONFIG_DIR", "") / ".claude.json",
            ".mcp.json", typed=True,
        ),
        Client(
            "cursor", "Cursor", lambda: settings_folder("HOME", "") / ".cursor" / "mcp.json",
            ".cursor/mcp.json", variable="${env:%s}",
        ),
        Client(
            "vscode", "Visual Studio Code", _vscode, ".vscode/mcp.json", key="servers", typed=True,
            variable="${env:%s}", comments=True,
        ),
        Client(
            "codex", "Codex", lambda: settings_folder("CODEX_HOME", ".codex") / "config.toml",
            ".codex/config.toml", key="mcp_servers",
        ),
        Client(
            "gemini", "Gemini CLI", lambda: settings_folder("HOME", "") / ".gemini" / "settings.json",
            ".gemini/settings.json", address="httpUrl", variable="$%s", comments=True,
        ),
        Client(
            "copilot", "Copilot CLI", lambda: settings_folder("COPILOT_HOME", ".copilot") / "mcp-config.json",
            ".github/mcp.json", typed=True, names_tools=True,
        ),
        Client(
            "opencode", "OpenCode",
            lambda: settings_folder("XDG_CONFIG_HOME", ".config") / "opencode" / "opencode.json",
            "opencode.json", key="mcp", variable="{env:%s}", types=("local", "remote"),
            comments=True,
        ),
    )
}  # fmt: skip
"""Clients whose settings can be written, with the paths from their documentation."""


def snippet(client: Client, name: str, entry: Entry) -> str:
    """Returns the entry as a complete file, for pasting."""
    return _with_toml("", client.key, name, entry) if client.is_toml else _with_json("", client, name, entry)


def edit(client: Client, path: Path, name: str, entry: Entry) -> Edit:
    """Returns the edit that adds the entry to a file."""
    by_hand = snippet(client, name, entry)
    if client.is_toml:
        return Edit(path, lambda old: _with_toml(old, client.key, name, entry), by_hand)
    return Edit(path, lambda old: _with_json(old, client, name, entry), by_hand)


def removal(client: Client, path: Path, name: str) -> Edit:
    """Returns the edit that takes the entry out of a file."""
    if client.is_toml:
        return Edit(path, lambda old: _without_toml(old, client.key, name))
    return Edit(path, lambda old: _without_json(old, client, name))


def _with_json(old: str, client: Client, name: str, entry: Entry) -> str:
    """Returns a JSON document with the entry, in the file's own order and indentation."""
    document = read_json(old, comments=client.comments)
    servers = document.setdefault(client.key, {})
    existing = servers.setdefault(name, {}) if isinstance(servers, dict) else None
    if not isinstance(existing, dict):
        raise CannotMerge(f"its {client.key!r} is not an object of servers")
    entry = _with_env(entry, existing)
    others = _of_other_transport(entry, existing)
    if entry.items() <= existing.items() and not others:
        return old
    for field in others:
        del existing[field]
    existing.update(entry)
    return written_json(document, old)


def _without_json(old: str, client: Client, name: str) -> str:
    """Returns a JSON document without the entry."""
    document = read_json(old, comments=client.comments)
    servers = document.get(client.key)
    if not isinstance(servers, dict) or name not in servers:
        return old
    del servers[name]
    if not servers:
        del document[client.key]
    return written_json(document, old)


def _of_other_transport(entry: Entry, existing: Entry) -> list[str]:
    """Returns the fields of a known entry that contradict a new one: of a process, or of HTTP."""
    fields = _OF_HTTP if "command" in entry else _OF_A_PROCESS
    return [field for field in fields if field in existing]


def _with_env(entry: Entry, existing: Entry) -> Entry:
    """Returns the entry with the variables that are there already."""
    for field in ("env", "environment"):
        if field in entry and isinstance(existing.get(field), dict):
            entry = {**entry, field: {**existing[field], **entry[field]}}
    return entry


def _with_toml(old: str, key: str, name: str, entry: Entry) -> str:
    """Returns a TOML document with the entry: the lines of its table are replaced or added, all others
    stay."""
    import tomllib

    try:
        before = tomllib.loads(old)
    except ValueError as error:
        raise CannotMerge(f"it is not TOML ({error})") from error
    servers = before.get(key, {})
    existing = servers.get(name, {}) if isinstance(servers, dict) else None
    if not isinstance(existing, dict):
        raise CannotMerge(f"its {key!r} is not a table of servers")
    entry = _with_env(entry, existing)
    if others := _of_other_transport(entry, existing):
        raise CannotMerge(f"its entry for {name} has {', '.join(others)}: remove it first")
    if entry.items() <= existing.items():
        return old
    table = f"[{key}.{name}]" if re.fullmatch(r"[\w-]+", name) else f"[{key}.{json.dumps(name)}]"
    new = _table_changed(old, table, {field: _toml(value) for field, value in entry.items()})
    expected = {**before, key: {**servers, name: {**existing, **entry}}}
    try:
        if tomllib.loads(new) == expected:
            return new
    except ValueError:
        pass
    raise CannotMerge(f"its {table} has a form that cannot be changed safely")


def _without_toml(old: str, key: str, name: str) -> str:
    """Returns a TOML document without the table of the entry and those below it; all other lines stay."""
    import tomllib

    try:
        before = tomllib.loads(old)
    except ValueError as error:
        raise CannotMerge(f"it is not TOML ({error})") from error
    servers = before.get(key, {})
    if not isinstance(servers, dict) or name not in servers:
        return old
    table = re.escape(f"{key}.{name}")
    new = re.sub(
        rf"^\n?\[{table}(?:\.[^\]\n]*)?\][^\n]*\n(?:(?![ \t]*\[).*\n?)*", "", old, flags=re.MULTILINE
    )
    rest = {other: value for other, value in servers.items() if other != name}
    expected = {**before, key: rest} if rest else {k: v for k, v in before.items() if k != key}
    try:
        if tomllib.loads(new) == expected:
            return new
    except ValueError:
        pass
    raise CannotMerge(f"its [{key}.{name}] has a form that cannot be removed safely")


def _table_changed(old: str, table: str, fields: dict[str, str]) -> str:
    """Returns a TOML document with fields of a table replaced or added, line by line: the caller has to check
    that it means what it should."""
    header = re.search(rf"^{re.escape(table)}[ \t]*(?:#.*)?$", old, re.MULTILINE)
    if header is None:
        lines = "".join(f"{field} = {value}\n" for field, value in fields.items())
        gap = "" if not old else "\n" if old.endswith("\n") else "\n\n"
        return f"{old}{gap}{table}\n{lines}"
    head, rest = old[: header.end()], old[header.end() :]
    after = re.search(r"^[ \t]*\[", rest, re.MULTILINE)
    body, tail = (rest[: after.start()], rest[after.start() :]) if after else (rest, "")
    for field, value in fields.items():
        there = re.search(rf"^{field}[ \t]*=[ \t]*(?:\[[^\]]*\]|.*)", body, re.MULTILINE)
        start, end = there.span() if there else (0, 0)
        line = f"{field} = {value}" if there else f"\n{field} = {value}"
        body = body[:start] + line + body[end:]
    return head + body + tail


def _toml(value: str | list[str] | dict[str, str]) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(name)} = {_toml(item)}" for name, item in value.items()) + " }"
    # a JSON string is a TOML string except for one character, which the check in _with_toml detects
    return json.dumps(value, ensure_ascii=False)
