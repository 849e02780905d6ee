"""Steps of a session: makes paths relative, cuts long texts, and classifies shell commands."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from holdfast.core.errors import InvalidInput
from holdfast.core.places import usable_name
from holdfast.core.text import byte_pattern, count_tokens
from holdfast.features.learning.rules.commands import error_lines, read_file, searched
from holdfast.features.learning.rules.log import ACCESSES, LOOKS, Act, Step
from holdfast.features.transfer.formats.fields import clean

STEPS_MAX = 50_000
"""Maximum number of steps of one session; further ones are counted as left out."""
PATH_MAX = 400
TEXT_MAX = 4_000
HEAD_MAX, TAIL_MAX = 1_000, 3_000
"""Characters of an output that are kept: an error is at its beginning or at its end."""
_HOMES = r"(?:/home|/Users|/root|[A-Za-z]:[\\/]Users)[\\/][^\s/\\'\":]+"

CONTENT_MAX = 20_000
"""Characters of what an edit wrote that are looked through for definitions."""
SYMBOLS_MAX = 8
_DEFINED = re.compile(
    r"^[ +-]*(?:export |public |async |static )*(?:def|class|function|fn|func|interface) (\w{2,80})", re.M
)

_PATHS = ("path", "file", "file_path")
NAMED: dict[str, tuple[Act, tuple[str, ...]]] = {
    "read": (Act.READ, _PATHS),
    "edit": (Act.EDIT, _PATHS),
    "write": (Act.WRITE, _PATHS),
    "search": (Act.SEARCH, ("query", "pattern")),
    "command": (Act.COMMAND, ("command",)),
    "web_fetch": (Act.WEB, ("url",)),
    "web_search": (Act.WEB, ("query",)),
    "assistant": (Act.SAID, ("text", "content")),
    "user": (Act.TOLD, ("text", "content")),
}
"""The types of events of our own format, with their action and the fields that name the target."""


@dataclass(slots=True)
class _OpenStep:
    """A step whose result may still follow."""

    act: Act
    target: str
    failed: bool
    output: str
    at: int | None
    symbols: tuple[str, ...] = ()
    size: int = 0


class Steps:
    """The steps of a session. `branch` is the first git branch in the log."""

    def __init__(self) -> None:
        self._steps: list[_OpenStep | None] = []
        self._waiting: dict[str, list[int]] = {}
        self._known = 0
        self.root: str | None = None
        self.branch: str | None = None
        self.left_out = 0

    def at_root(self, root: object, branch: object) -> None:
        """Sets the root of the repository and the branch; only the first values count."""
        if self.root is None and isinstance(root, str) and _is_absolute(root) and len(root) <= PATH_MAX:
            self.root = posixpath.normpath(root.replace("\\", "/")).rstrip("/") or None
        if self.branch is None and isinstance(branch, str) and branch != "HEAD":
            try:
                self.branch = usable_name(branch, "branch")
            except InvalidInput:
                return

    def add(
        self, act: Act, target: str, *, failed: bool = False, output: str = "", at: int | None = None,
        key: str | None = None, joins: bool = False, content: str = "", size: int = 0,
    ) -> None:  # fmt: skip
        """Adds a step; its result may follow under a `key`, which several steps share if they join. A step
        without a target is left out. `content` is what an edit wrote: what it defines is noted. `size`
        counts the tokens that a look returned."""
        if len(self._steps) >= STEPS_MAX:
            self.left_out += 1
            return
        if act is Act.COMMAND:
            act, target = _shell(_beginning(target, TEXT_MAX))
        cleaned = self._path(target) if act in ACCESSES else self.plain(_beginning(target, TEXT_MAX))
        if not cleaned or (key is not None and key in self._waiting and not joins):
            return
        if key is not None:
            self._waiting.setdefault(key, []).append(len(self._steps))
        symbols = tuple(dict.fromkeys(_DEFINED.findall(content[:CONTENT_MAX])))[:SYMBOLS_MAX]
        self._steps.append(
            _OpenStep(
                act,
                cleaned,
                failed,
                self._output(output) if failed else error_lines(self._output(output)),
                at,
                symbols,
                size,
            )
        )

    def mark_known(self) -> None:
        """Marks all steps so far as read before: they are the context of those that follow."""
        self._known = len(self._steps)

    def clear(self) -> None:
        """Removes all steps; the root and the branch stay."""
        self._steps, self._waiting, self._known = [], {}, 0

    @property
    def known(self) -> int:
        """Returns how many of the steps were read before."""
        return sum(step is not None for step in self._steps[: self._known])

    def settle(self, key: str, *, failed: bool, output: str) -> None:
        """Adds the result of a step."""
        for place in self._waiting.get(key, ()):
            step = self._steps[place]
            if step is not None and failed:
                step.failed, step.output = True, self._output(output)
            elif step is not None and step.act is Act.COMMAND:
                step.output = error_lines(self._output(output))
            if step is not None and step.act in LOOKS:
                step.size = count_tokens(output)

    def drop(self, key: str) -> None:
        """Removes a step that the user refused."""
        for place in self._waiting.get(key, ()):
            self._steps[place] = None

    def all(self) -> tuple[Step, ...]:
        """Returns the steps in order."""
        steps = [step for step in self._steps if step is not None]
        return tuple(
            Step(number, step.act, step.target, step.failed, step.output, step.at, step.symbols, step.size)
            for number, step in enumerate(steps, 1)
        )

    def plain(self, text: str) -> str:
        """Returns a text with paths relative to the repository, without the names of home folders."""
        text = clean(text)
        if self.root is not None:
            text = re.sub(re.escape(self.root) + r"(?![\w.-])", ".", text.replace(self.root + "/", ""))
        return str(byte_pattern(_HOMES).sub(b"~", text.encode()).decode())

    def _output(self, text: str) -> str:
        if len(text) > HEAD_MAX + TAIL_MAX:
            text = _beginning(text, HEAD_MAX) + "\n" + text[-TAIL_MAX:].partition("\n")[2]
        return self.plain(text)

    def _path(self, path: str) -> str | None:
        """Returns a path relative to the repository; None for one outside it."""
        path = path.strip().replace("\\", "/")
        if not path or len(path) > PATH_MAX or not path.isprintable():
            return None
        if _is_absolute(path):
            if self.root is None or not path.startswith(self.root + "/"):
                return None
            path = path[len(self.root) + 1 :]
        path = posixpath.normpath(path)
        return None if path in (".", "..") or path.startswith(("../", "~")) else path


def _beginning(text: str, limit: int) -> str:
    """Returns the first characters of a text, cut between words: half a secret would not be recognised."""
    if len(text) <= limit:
        return text
    parts = text[:limit].rsplit(None, 1)
    return parts[0] if len(parts) > 1 else ""


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or path[1:3] in (":/", ":\\")


def _shell(command: str) -> tuple[Act, str]:
    """Classifies a shell command that searches or reads as such: `grep` without a match is no error."""
    query = searched(command)
    if query is not None:
        return Act.SEARCH, query
    path = read_file(command)
    return (Act.COMMAND, command) if path is None else (Act.READ, path)
