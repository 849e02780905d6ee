"""The clients whose hooks are answered: their events in our terms, and our answers in their form. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from holdfast.core.value_classes import value_class

Payload = Mapping[str, Any]
TEXT_MAX = 9_500
"""Maximum number of characters of an answer: Claude Code shows a model 10,000 and hides the rest."""
FAILURE_MAX = 2_000
"""Characters of a failed command's output that are looked at: its end says what went wrong."""
FILES_MAX = 100
_FILE_FIELDS = ("file_path", "notebook_path", "absolute_path", "filePath", "path")
"""The fields in which tools name their file."""
_HOOKED = re.compile(r"\A\s*(?:<hook_context>.*?</hook_context>\s*)+", re.DOTALL)
_PATH = re.compile(r"(?<![\w./-])[\w./-]*\w\.[A-Za-z]\w{0,7}(?![\w/])")
"""A word of a command that looks like the path of a file."""
_FAILED = re.compile(
    r"^(?:Process exited with code|Exit code:?|<shellId: \w+ completed with exit code) [1-9]",
    re.MULTILINE | re.IGNORECASE,
)
"""The line with which a client that sends a text says that a command failed."""


@value_class
class Happening:
    """A client's event in our terms: the event that is answered, what it is about, whether what the
    session was given may be given again, and whether its transcript is to be learned from."""

    event: str | None = None
    prompt: str | None = None
    files: tuple[str, ...] = ()
    forgets: bool = False
    learns: bool = False


Reading = Callable[[Payload], Happening]
NOTHING = Happening()


def _started(payload: Payload) -> Happening:
    """Reads the start of a session, which also follows a compaction."""
    return Happening("start", forgets=payload.get("source") in ("compact", "clear"))


def _prompted(payload: Payload) -> Happening:
    """Reads a prompt, without what hooks have put before it."""
    return Happening("prompt", prompt=_HOOKED.sub("", _text(payload.get("prompt"))))


def _compacted(_: Payload) -> Happening:
    return Happening(forgets=True, learns=True)


def _read_end(_: Payload) -> Happening:
    return Happening(learns=True)


def _read_file_access(payload: Payload) -> Happening:
    """Reads a tool call that reads or changes files."""
    arguments = _arguments(payload)
    names = [arguments.get(key) for key in _FILE_FIELDS]
    files = [name for name in names if isinstance(name, str) and name]
    patch = arguments.get("command") or arguments.get("input") or arguments.get("patchText")
    if not files and isinstance(patch, str):
        files = _patched(patch)
    return Happening("file", files=tuple(files[:FILES_MAX])) if files else NOTHING


def _arguments(payload: Payload) -> Mapping[str, Any]:
    """Returns the arguments of a tool call, which some clients send as a text."""
    arguments = payload.get("tool_input", payload.get("toolArgs"))
    if isinstance(arguments, str):
        import json

        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {"command": arguments}
    return arguments if isinstance(arguments, Mapping) else {}


def _patched(patch: str) -> list[str]:
    """Returns the files that a patch in the form of `apply_patch` changes."""
    marks = ("*** Update File: ", "*** Delete File: ")
    lines = (line.strip() for line in patch.splitlines())
    return [line[len(mark) :].strip() for line in lines for mark in marks if line.startswith(mark)]


def _in_shell(payload: Payload) -> Happening:
    """Reads a shell command or patch of a client that reads and changes files by these alone."""
    if (opened := _read_file_access(payload)).files:
        return opened
    command = _text(_arguments(payload).get("command"))[:FAILURE_MAX]
    files = dict.fromkeys(_PATH.findall(command))
    return Happening("file", files=tuple(files)[:FILES_MAX]) if files else NOTHING


def _failed(payload: Payload) -> Happening:
    """Reads a shell command that failed."""
    command = _text(_arguments(payload).get("command"))
    output = _text(payload.get("error") or payload.get("error_message"))
    output = output or _output_of(payload.get("tool_response") or payload.get("toolResult"))
    if not command or not output:
        return NOTHING
    return Happening("failure", prompt=f"{command[:FAILURE_MAX]}\n{output[-FAILURE_MAX:]}")


def _output_of(response: object) -> str:
    """Returns what a failed command said; an empty text if the response reports no failure."""
    if isinstance(response, str):
        return response if _FAILED.search(response) else ""
    if not isinstance(response, Mapping):
        return ""
    if isinstance(shown := response.get("llmContent"), str) and _FAILED.search(shown):
        return shown
    output = _text(response.get("textResultForLlm"))
    if response.get("resultType") == "failure" or _FAILED.search(output):
        return output
    error = response.get("error")
    if isinstance(error, Mapping):
        error = error.get("message")
    return _text(error) or (_text(response.get("stderr")) if response.get("exit_code") else "")


def _tool(payload: Payload) -> Happening:
    """Reads a finished tool call: a file that was read or changed, or a command that failed."""
    return _read_file_access(payload) if _read_file_access(payload).files else _failed(payload)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


@value_class
class Client:
    """A client: how its events are read, and the form in which it takes an answer.

    `answer` makes the client's JSON of its event's name and a text. An event at which a client takes no text
    is read for what else it means, or not at all.
    """

    name: str
    title: str
    events: Mapping[str, Reading]
    answer: Callable[[str, str], Mapping[str, Any]]
    session: tuple[str, ...] = ("session_id",)
    """The fields that may name the session."""
    notice: str | None = None
    """The field whose text is shown to the user and not to the model; None if there is none."""

    def read(self, event: str, payload: Payload) -> Happening:
        """Returns an event of the client in our terms; nothing for one that means nothing to us."""
        reading = self.events.get(event)
        return NOTHING if reading is None else reading(payload)

    def session_of(self, payload: Payload) -> str | None:
        """Returns the name of the session; None if the client gives none."""
        names = (payload.get(key) for key in self.session)
        return next((name for name in names if isinstance(name, str) and name), None)


def _specific(event: str, text: str) -> Mapping[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _plain(field: str) -> Callable[[str, str], Mapping[str, Any]]:
    return lambda _, text: {field: text}


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client(
            "claude-code", "Claude Code",
            {
                "SessionStart": _started, "UserPromptSubmit": _prompted, "PreToolUse": _read_file_access,
                "PostToolUseFailure": _failed, "PreCompact": _compacted, "Stop": _read_end,
                "SessionEnd": _read_end,
            },
            _specific,
            notice="systemMessage",
        ),
        Client(
            "codex", "Codex",
            {
                "SessionStart": _started, "UserPromptSubmit": _prompted, "PreToolUse": _in_shell,
                "PreCompact": _compacted, "Stop": _read_end,
            },
            _specific,
        ),
        Client(
            "gemini", "Gemini CLI",
            {
                "SessionStart": _started, "BeforeAgent": _prompted, "AfterTool": _tool,
                "PreCompress": _compacted, "AfterAgent": _read_end, "SessionEnd": _read_end,
            },
            _specific,
        ),
        Client(
            "cursor", "Cursor",
            {
                "sessionStart": _started, "postToolUse": _tool, "postToolUseFailure": _failed,
                "preCompact": _compacted,
            },
            _plain("additional_context"),
            session=("session_id", "conversation_id"),
        ),
        Client(
            "opencode", "OpenCode",
            {
                "start": _started, "prompt": _prompted, "file": _read_file_access, "failure": _failed,
                "compact": _compacted,
            },
            _plain("context"),
        ),
        Client(
            "copilot", "Copilot CLI",
            {
                "sessionStart": _started, "userPromptSubmitted": _prompted, "postToolUse": _tool,
                "preCompact": _compacted, "agentStop": _read_end, "sessionEnd": _read_end,
            },
            _plain("additionalContext"),
            session=("session_id", "sessionId"),
        ),
    )
}  # fmt: skip
"""Every client by its name."""
