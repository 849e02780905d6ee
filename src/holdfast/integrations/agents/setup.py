"""Set-up of hooks: which events of a client are hooked, in which file and form, and how that file changes."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.config import settings_folder
from holdfast.core.errors import InvalidInput
from holdfast.integrations.settings_file import CannotMerge, Edit, change_of, read_json, written_json

_READS = "Read|Edit|MultiEdit|Write|NotebookEdit"
SECONDS = 5
"""Seconds after which a client gives up on a hook, which ends by itself within one."""
_OURS = re.compile(r"\bholdfast\b.* hook (?P<client>[a-z-]+) \w+")
Command = Callable[[str], Sequence[str]]
"""The command line for an event."""


def _group(matcher: str | None, command: str) -> dict[str, Any]:
    """Returns a hook of Claude Code and of clients that took over its form."""
    entry = {"type": "command", "command": command, "timeout": SECONDS}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [entry]}


def _named_group(matcher: str | None, command: str) -> dict[str, Any]:
    """Returns a hook of Gemini CLI, whose time is in milliseconds."""
    entry = {"type": "command", "command": command, "name": "holdfast", "timeout": 1_000 * SECONDS}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [entry]}


def _line(matcher: str | None, command: str) -> dict[str, Any]:
    """Returns a hook of Cursor."""
    return {"command": command, **({"matcher": matcher} if matcher else {}), "timeout": SECONDS}


def _shell_line(_: str | None, command: str) -> dict[str, Any]:
    """Returns a hook of Copilot CLI."""
    return {"type": "command", "bash": command, "timeoutSec": SECONDS}


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of a client: its events with the tools that each is for, the files of its settings, for
    everything its user does or for one folder, and the form of an entry. `version` starts a new file."""

    events: Sequence[tuple[str, str | None]]
    user: Callable[[], Path]
    project: str
    entry: Callable[[str | None, str], dict[str, Any]] = _group
    version: int | None = None
    comments: bool = False
    """True if the client accepts comments in its settings."""

    def path(self, folder: Path | None) -> Path:
        """Returns the file of settings, of the user or of a folder."""
        return self.user() if folder is None else folder / self.project

    def merged(self, old: str, client: str, command: Command) -> str:
        """Returns settings with our hooks in place of earlier ones of ours. Raises CannotMerge."""
        return self._changed(old, client, command)

    def removed(self, old: str, client: str) -> str:
        """Returns settings without our hooks. Raises CannotMerge."""
        return self._changed(old, client, None)

    def _changed(self, old: str, client: str, command: Command | None) -> str:
        """Returns a settings file with the hooks of this client set, or removed without a command. Raises
        CannotMerge."""
        document = read_json(old, comments=self.comments)
        hooks = document.setdefault("hooks", {})
        if not isinstance(hooks, dict):
            raise CannotMerge("its 'hooks' is not an object of events")
        entries: dict[str, list[dict[str, Any]]] = {}
        if command is not None:
            for event, matcher in self.events:
                entries.setdefault(event, []).append(self.entry(matcher, shlex.join(command(event))))
        for event in [*hooks, *(event for event in entries if event not in hooks)]:
            groups = hooks.get(event, [])
            if not isinstance(groups, list):
                raise CannotMerge(f"its hooks for {event!r} are not a list")
            # in their old place, so that the same again changes nothing
            others = [group for group in groups if not is_ours(group, client)]
            hooks[event] = others + entries.get(event, [])
            if not hooks[event]:
                del hooks[event]
        if not hooks:
            del document["hooks"]
        if self.version is not None:
            if hooks:
                document.setdefault("version", self.version)
            elif document == {"version": self.version}:
                document.clear()
        return written_json(document, old)

    def installed(self, text: str, client: str) -> list[str]:
        """Returns the events that are hooked in settings. Raises CannotMerge."""
        hooks = read_json(text, comments=self.comments).get("hooks", {})
        groups = hooks.items() if isinstance(hooks, dict) else ()
        return [event for event, some in groups if any(is_ours(hook, client) for hook in some)]


@dataclass(frozen=True, slots=True)
class Plugin:
    """The plugin of a client that takes a file in place of hooks: it is written as a whole."""

    events: Sequence[tuple[str, str | None]]
    user: Callable[[], Path]
    project: str
    source: str
    """The file beside this module; its command is replaced."""
    version: int | None = None

    def path(self, folder: Path | None) -> Path:
        """Returns the file of the plugin, of the user or of a folder."""
        return self.user() if folder is None else folder / self.project

    def merged(self, old: str, client: str, command: Command) -> str:
        """Returns the plugin with our command. Raises CannotMerge for a file that is not ours."""
        self._check(old)
        executable, _, _, _, *options = command("EVENT")
        text = Path(__file__).with_name(self.source).read_text("utf-8")
        text = text.replace('["holdfast", "hook", ', f'[{json.dumps(executable)}, "hook", ')
        return text.replace("const OPTIONS = []", f"const OPTIONS = {json.dumps(options)}")

    def removed(self, old: str, client: str) -> str:
        """Returns nothing in place of our plugin. Raises CannotMerge for a file that is not ours."""
        self._check(old)
        return ""

    def installed(self, text: str, client: str) -> list[str]:
        """Returns the events that are hooked by a plugin."""
        return [event for event, _ in self.events] if self._mark in text else []

    @property
    def _mark(self) -> str:
        return Path(__file__).with_name(self.source).read_text("utf-8").partition("\n")[0]

    def _check(self, old: str) -> None:
        if old and self._mark not in old:
            raise CannotMerge("it is another plugin")


def is_ours(group: object, client: str) -> bool:
    """Returns whether a hook runs `holdfast hook` for a client."""
    if not isinstance(group, Mapping):
        return False
    entries = group.get("hooks", [group])
    lines = [
        entry.get(key, "") for entry in entries if isinstance(entry, Mapping) for key in ("command", "bash")
    ]
    matches = [match for line in lines if isinstance(line, str) and (match := _OURS.search(line))]
    return any(match["client"] == client for match in matches)


HOOKS: Mapping[str, Hooks | Plugin] = {
    "claude-code": Hooks(
        (
            ("SessionStart", None), ("UserPromptSubmit", None),
            ("PreToolUse", _READS), ("PostToolUseFailure", "Bash"),
            ("PreCompact", None), ("Stop", None), ("SessionEnd", None),
        ),
        lambda: settings_folder("CLAUDE_CONFIG_DIR", ".claude") / "settings.json",
        ".claude/settings.json",
    ),
    "codex": Hooks(
        (
            ("SessionStart", None), ("UserPromptSubmit", None), ("PreToolUse", "Bash|apply_patch"),
            ("PreCompact", None), ("Stop", None),
        ),
        lambda: settings_folder("CODEX_HOME", ".codex") / "hooks.json",
        ".codex/hooks.json",
    ),
    "gemini": Hooks(
        (
            ("SessionStart", None), ("BeforeAgent", None),
            ("AfterTool", "read_file|replace|write_file|run_shell_command"), ("PreCompress", None),
            ("AfterAgent", None), ("SessionEnd", None),
        ),
        lambda: settings_folder("HOME", "") / ".gemini" / "settings.json",
        ".gemini/settings.json",
        _named_group, comments=True,
    ),
    "cursor": Hooks(
        (
            ("sessionStart", None), ("postToolUse", "Read|Write|Shell"), ("postToolUseFailure", "Shell"),
            ("preCompact", None),
        ),
        lambda: settings_folder("HOME", "") / ".cursor" / "hooks.json",
        ".cursor/hooks.json",
        _line, version=1,
    ),
    "opencode": Plugin(
        tuple((event, None) for event in ("start", "prompt", "file", "failure", "compact")),
        lambda: settings_folder("XDG_CONFIG_HOME", ".config") / "opencode" / "plugins" / "holdfast.js",
        ".opencode/plugins/holdfast.js",
        "opencode.js",
    ),
    "copilot": Hooks(
        (
            ("sessionStart", None), ("userPromptSubmitted", None), ("postToolUse", None),
            ("preCompact", None), ("agentStop", None), ("sessionEnd", None),
        ),
        lambda: settings_folder("COPILOT_HOME", ".copilot") / "hooks" / "holdfast.json",
        ".github/hooks/holdfast.json",
        _shell_line, version=1,
    ),
}  # fmt: skip
"""The hooks of each client, with the files from its documentation."""


def edit(client: str, command: Command, folder: Path | None = None) -> Edit:
    """Returns the edit that adds our hooks to the settings of a client, of its user or of a folder."""
    hooks = HOOKS[client]
    return Edit(
        hooks.path(folder), lambda old: hooks.merged(old, client, command), hooks.merged("", client, command)
    )


def removal(client: str, folder: Path | None = None) -> Edit:
    """Returns the edit that takes our hooks out of the settings of a client."""
    hooks = HOOKS[client]
    return Edit(hooks.path(folder), lambda old: hooks.removed(old, client))


def installed(client: str, folder: Path | None = None) -> tuple[Path, list[str] | None]:
    """Returns the settings file of a client, of its user or of a folder, and the events that are hooked;
    None if it cannot be read."""
    path = HOOKS[client].path(folder)
    try:
        text = change_of(Edit(path, lambda old: old)).old or ""
        return path, HOOKS[client].installed(text, client)
    except (CannotMerge, InvalidInput):
        return path, None
