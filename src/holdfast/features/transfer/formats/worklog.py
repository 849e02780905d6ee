"""Reader of the log of a working session: JSON Lines of events, or of a coding agent (S4.8, S4.42)."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from holdfast.core.errors import InvalidInput
from holdfast.features.learning.rules.log import LOOKS, Position, SessionLog
from holdfast.features.transfer.formats import (
    files,
    worklog_claude,
    worklog_codex,
    worklog_copilot,
    worklog_gemini,
)
from holdfast.features.transfer.formats.fields import as_list, as_map, line_of, time_of
from holdfast.features.transfer.formats.worklog_steps import NAMED, Steps

LINE_MAX = 8 << 20
"""Maximum size of a line in bytes; a longer one contains a picture or a whole file, and is skipped."""
BYTES_MAX = 512 << 20
"""Maximum size of a log in bytes."""
NEW_MAX = 2 << 20
"""Maximum number of new bytes that are read at once from a log that grows."""
CONTEXT_MAX = 256 << 10
"""Bytes before the new ones that are read again as context."""
HEAD_MAX = 64 << 10
"""Bytes at the beginning that tell the session, its root and its branch."""
NAMED_BY = 256
"""Bytes of the first line that tell one log from another at the same path."""
TOKENS_MAX = 1 << 24
"""Maximum number of tokens that one look may be said to have returned."""
NAME_MAX = 200
"""Maximum number of characters of the name of a log."""
_KEY = re.compile(r"[0-9a-f]{64}")
_CHUNK = 1 << 16
_CLIENTS = (worklog_claude, worklog_codex, worklog_gemini, worklog_copilot)
_HINT = (
    "JSON Lines of events (docs/learning.md), or a transcript of Claude Code, Codex, Gemini or Copilot CLI"
)


def root_of(path: Path) -> str | None:
    """Returns the folder in which the session of a transcript worked, None if its beginning does not tell."""
    reading = _LogReader(path)
    try:
        with files.open_file(path) as stream:
            content = stream.read(HEAD_MAX)
            reading.head(content if b"\n" in content else content + stream.readline(LINE_MAX))
    except (InvalidInput, OSError):
        return None
    return reading.root


def read_new(path: Path, offset_of: Callable[[str], int]) -> SessionLog:
    """Returns what a file has beyond the offset that is known for its key, with some steps before that as
    context, and how far it is read now.

    A last line without its end is left for the next time. Raises InvalidInput as `read` does.
    """
    reading = _LogReader(path)
    try:
        with files.open_file(path) as stream:
            head = stream.read(HEAD_MAX)
            key = _key(path, head)
            size = stream.seek(0, os.SEEK_END)
            offset = offset_of(key)
            offset = offset if offset <= size else 0
            start = max(0, offset - CONTEXT_MAX)
            if start:
                reading.head(head)
                stream.seek(start - 1)
                start += len(stream.readline()) - 1  # from the beginning of a line
            stream.seek(start)
            before, new = stream.read(offset - start), stream.read(NEW_MAX)
            if len(new) == NEW_MAX and b"\n" not in new:  # one line that is longer than all that is read
                new += stream.readline(LINE_MAX)
            new = new[: new.rfind(b"\n") + 1]
    except OSError as error:
        raise files.unreadable(path.name, error) from error
    reading.lines(io.BytesIO(before), path.name)
    reading.mark_known()
    reading.lines(io.BytesIO(new), path.name)
    end = offset + len(new)
    return reading.session(Position(key, end, path.name, more=bool(new) and size - end > 0), is_empty=not new)


def end_of(path: Path) -> Position:
    """Returns the position after the last whole line of a file. Raises InvalidInput if it cannot be read."""
    try:
        with files.open_file(path) as stream:
            head = stream.read(NAMED_BY)
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - HEAD_MAX))
            tail = stream.read()
    except OSError as error:
        raise files.unreadable(path.name, error) from error
    return Position(_key(path, head), size - len(tail) + tail.rfind(b"\n") + 1, path.name)


def _key(path: Path, head: bytes) -> str:
    """Returns the key of a log: its path and, so that another log there has another key, its first line. That
    stays as it is while the log grows."""
    line, end, _ = head[:NAMED_BY].partition(b"\n")
    identity = line if end or len(line) == NAMED_BY else b""
    return hashlib.sha256(os.fsencode(path.absolute()) + b"\0" + identity).hexdigest()


def read(log: str | os.PathLike[str] | Iterable[Mapping[str, Any]]) -> SessionLog:
    """Returns the session in a log: a file (as a path object), its text, or its entries as objects.

    Unusable entries are skipped and counted, never an error (S2.20). Raises InvalidInput file_not_found,
    not_a_file, file_unreadable, file_too_large, argument_invalid, or format_unknown if it has no entry of a
    session at all.
    """
    reading = _LogReader(Path(log) if isinstance(log, os.PathLike) else None)
    if isinstance(log, os.PathLike):
        path = Path(log)
        with files.open_file(path) as stream:
            if path.suffix == ".json":  # chats of Gemini CLI were one document once
                reading.document(stream.read(BYTES_MAX))
            else:
                reading.lines(stream, path.name)
    elif isinstance(log, str):
        reading.lines(io.BytesIO(log.encode("utf-8", "surrogatepass")), "the log")
    elif isinstance(log, Iterable) and not isinstance(log, bytes | bytearray | Mapping):
        reading.entries(log)
    else:
        raise InvalidInput(
            "a log must be a path, the text of one, or a list of its entries", code="argument_invalid"
        )
    return reading.session()


def events_of(log: SessionLog) -> list[dict[str, Any]]:
    """Returns a session as events of our own format, from which the same session is read: far shorter than a
    transcript, so this is sent over the network."""
    events: list[dict[str, Any]] = [{"type": "session", "id": log.id, "branch": log.branch}]
    if log.position is not None:
        events[0]["position"] = {
            "key": log.position.key, "offset": log.position.offset, "name": log.position.name
        }  # fmt: skip
    for step in log.steps:
        if step.number == log.read_before + 1 and log.read_before:
            events.append({"type": "known"})
        type_, name = next((type_, names[0]) for type_, (act, names) in NAMED.items() if act is step.act)
        event: dict[str, Any] = {"type": type_, name: step.target, "at": step.at}
        if step.failed:
            event |= {"exit": 1, "error": step.output}
        elif step.output:
            event |= {"exit": 0, "error": step.output}
        event |= {"defines": list(step.symbols) or None, "tokens": step.size or None}
        events.append({key: value for key, value in event.items() if value is not None})
    if log.read_before == len(log.steps) and log.read_before:
        events.append({"type": "known"})
    outcome = "failed" if log.failed else "success" if log.is_complete else None
    return [*events, {"type": "end", "outcome": outcome}]


class _LogReader:
    """The session read from a log so far."""

    def __init__(self, path: Path | None = None) -> None:
        self._steps = Steps()
        if path is not None:
            self._steps.at_root(_root_beside(path), None)
        self._digest = hashlib.sha256()
        self._entries_known = 0
        self._skipped = 0
        self._id: str | None = None
        self._outcome: str | None = None
        self._position: Position | None = None

    def lines(self, stream: BinaryIO, name: str) -> None:
        for line in _lines(stream, name):
            if line is None:
                self._skipped += 1
            elif line.strip():
                self._digest.update(line)
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError):
                    self._skipped += 1
                else:
                    self._add_entry(value)

    def entries(self, values: Iterable[object]) -> None:
        for value in values:
            try:
                entry_json = json.dumps(value, sort_keys=True, default=None)
            except (TypeError, ValueError, RecursionError):
                self._skipped += 1
                continue
            self._digest.update(entry_json.encode())
            self._add_entry(value)

    def document(self, content: bytes) -> None:
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            return
        self.entries(value if isinstance(value, list) else [value])

    def head(self, content: bytes) -> None:
        """Reads the beginning of a log for the names and the places that it tells."""
        self.lines(io.BytesIO(content[: content.rfind(b"\n") + 1]), "the log")
        self._steps.clear()

    @property
    def root(self) -> str | None:
        """Returns the root of the repository."""
        return self._steps.root

    def mark_known(self) -> None:
        """Takes the steps so far as context."""
        self._steps.mark_known()
        self._skipped = 0

    def session(self, position: Position | None = None, *, is_empty: bool = False) -> SessionLog:
        if not self._entries_known and not is_empty:
            raise InvalidInput("this is not the log of a session", code="format_unknown", hint=_HINT)
        return SessionLog(
            id=self._id or f"log-{self._digest.hexdigest()[:16]}",
            steps=self._steps.all(),
            branch=self._steps.branch,
            failed=self._outcome in ("failed", "failure", "error", "cancelled", "aborted"),
            is_complete=self._outcome in ("success", "succeeded", "done", "completed", "passed"),
            skipped=self._skipped + self._steps.left_out,
            read_before=self._steps.known,
            position=position or self._position,
        )

    def _add_entry(self, value: object) -> None:
        """Adds an entry of a known client or an event of our own format; counts any other as skipped."""
        entry = as_map(value)
        client = next((client for client in _CLIENTS if client.recognises(entry)), None)
        if client is not None:
            self._entries_known += 1
            self._id = self._id or client.session_of(entry)
            client.take(self._steps, entry)
        elif self._add_event(entry):
            self._entries_known += 1
        else:
            self._skipped += 1

    def _add_event(self, entry: Mapping[str, Any]) -> bool:
        """Adds one event of our own format. Returns whether it is one."""
        type_ = entry.get("type")
        if type_ == "session":
            self._id = line_of(entry.get("id")) or self._id
            self._steps.at_root(entry.get("cwd"), entry.get("branch"))
            self._position = _position_in(entry.get("position")) or self._position
            return True
        if type_ == "known":
            self._steps.mark_known()
            return True
        if type_ == "end":
            self._outcome = line_of(entry.get("outcome"))
            return True
        if not isinstance(type_, str) or type_ not in NAMED:
            return False
        act, names = NAMED[type_]
        target = next((entry[name] for name in names if isinstance(entry.get(name), str)), None)
        if target is None:
            return False
        exit_, error = entry.get("exit"), entry.get("error")
        message = error if isinstance(error, str) else ""
        has_exit = isinstance(exit_, int) and not isinstance(exit_, bool)
        failed = exit_ != 0 if has_exit else bool(message) or error is True
        defined = "\n".join(f"def {name}" for name in as_list(entry.get("defines")))
        tokens = entry.get("tokens")
        size = tokens if isinstance(tokens, int) and 0 < tokens <= TOKENS_MAX and act in LOOKS else 0
        self._steps.add(
            act,
            target,
            failed=failed,
            output=message,
            at=time_of(entry.get("at")),
            content=defined,
            size=size,
        )
        return True


def _position_in(value: object) -> Position | None:
    """Returns the position that a client states for the log that it sends; None if it states none."""
    stated = as_map(value)
    key, offset, name = stated.get("key"), stated.get("offset"), stated.get("name")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        return None
    if not isinstance(offset, int) or isinstance(offset, bool) or not 0 <= offset < 1 << 53:
        return None
    return Position(key, offset, name[:NAME_MAX] if isinstance(name, str) else None)


def _root_beside(path: Path) -> str | None:
    """Returns the root of the repository that Gemini CLI notes beside the folder of its chats."""
    if path.parent.name != "chats":
        return None
    try:
        with files.open_file(path.parent.parent / ".project_root") as stream:
            return stream.read(4_096).decode("utf-8", "replace").strip()
    except InvalidInput:
        return None


def _lines(stream: BinaryIO, name: str) -> Iterator[bytes | None]:
    """Yields the lines of a log as bytes; None for one that is too long. Raises InvalidInput."""
    line_start = bytearray()
    is_long = False
    total = 0
    while True:
        try:
            chunk = stream.read(_CHUNK)
        except OSError as error:
            raise files.unreadable(name, error) from error
        total += len(chunk)
        if total > BYTES_MAX:
            raise files.too_large(name, BYTES_MAX)
        head, *following = chunk.split(b"\n")
        if not is_long:
            line_start += head
        is_long = is_long or len(line_start) > LINE_MAX
        if following or not chunk:
            yield None if is_long else bytes(line_start)
            yield from following[:-1]
            line_start, is_long = bytearray(following[-1] if following else b""), False
        if not chunk:
            return
