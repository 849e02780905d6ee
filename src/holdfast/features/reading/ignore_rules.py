"""Compiles the globs of a folder and its .gitignore files, as git reads them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.features.reading.optional_packages import missing_extra

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_LINES = 2_000
MAX_LINE = 1_000
"""Most lines of a pattern file, and characters of a line; the rest is ignored."""
MAX_WILD = 16
"""Most wildcards of a pattern; each costs RE2 time, unlike other characters."""
SECONDS = 5.0
PER_PATH = 0.000_2
"""Seconds of processor time for the patterns of one walk in total, and per path; ordinary ones take a
hundredth of it."""
LARGE = 4_096
"""Bytes above which a pattern file is no longer read once the time is up."""
_WILD = re.compile(r"(?:\*\*/)+|[*?\[]")


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one file, its path, and its folder (relative, "" for the root)."""

    folder: str
    spec: GitIgnoreSpec
    file: str = ".gitignore"


class Budget:
    """The processing time for the patterns of one walk.

    Patterns come from untrusted repositories, and a walk tests every path against them: files whose patterns
    cost too much are no longer applied.
    """

    def __init__(self) -> None:
        self._remaining = SECONDS
        self._spent: dict[str, float] = {}
        self.out: set[str] = set()
        """Pattern files that are no longer applied."""

    def rules(self, folder: str, file: str, data: bytes) -> Rules | None:
        """Returns the rules in a file of patterns, or None without any or without time for them."""
        if self._remaining <= 0 and len(data) > LARGE:
            self.out.add(file)
            return None
        began = time.thread_time()
        compiled = rules(folder, data, file)
        self._remaining -= time.thread_time() - began
        if compiled is None and len(data) > LARGE:  # all patterns together are too large
            self.out.add(file)
        return compiled

    def ignores(self, chain: Iterable[Rules], path: str) -> bool:
        """Returns whether a path is ignored (a folder's ends with "/"): the deepest file that matches
        decides.

        `chain` goes from the deepest to the root.
        """
        for rules_file in chain:
            if rules_file.file in self.out:
                continue
            below = path[len(rules_file.folder) + 1 :] if rules_file.folder else path
            began = time.thread_time()
            included = rules_file.spec.check_file(below).include
            self._spend(rules_file.file, time.thread_time() - began)
            if included is not None:
                return included
        return False

    def _spend(self, file: str, seconds: float) -> None:
        """Counts the time that the rules of a file took, and gives up the slowest once the budget is used
        up."""
        self._spent[file] = self._spent.get(file, 0.0) + seconds
        self._remaining += PER_PATH - seconds
        if self._remaining <= 0 < len(self._spent):
            dearest = max(self._spent, key=lambda candidate: self._spent[candidate])
            self._remaining += self._spent.pop(dearest)
            self.out.add(dearest)


def globs(patterns: Sequence[str]) -> GitIgnoreSpec | None:
    """Returns the compiled patterns of a folder, or None without any. Raises InvalidInput
    `argument_invalid`."""
    if not patterns:
        return None
    for pattern in patterns:
        if not isinstance(pattern, str) or not _is_usual(pattern) or _compiled([pattern]) is None:
            raise InvalidInput(f"{str(pattern)[:80]!r} is not a pattern", code="argument_invalid")
    return _compiled(patterns)


def rules(folder: str, data: bytes, file: str = ".gitignore") -> Rules | None:
    """Returns the rules of a .gitignore, or None without any; invalid lines match nothing, as in git."""
    lines = [line for line in data.decode("utf-8", "replace").splitlines()[:MAX_LINES] if _may_match(line)]
    if not lines:
        return None
    spec = _compiled(lines)
    if spec is None:
        good = [line for line in lines if _compiled([line]) is not None]
        spec = _compiled(good) if len(good) < len(lines) else None
    return Rules(folder, spec, file) if spec is not None else None


def _may_match(line: str) -> bool:
    return line != "" and not line.startswith("#") and not line.isspace() and _is_usual(line)


def _is_usual(line: str) -> bool:
    return len(line) <= MAX_LINE and len(_WILD.findall(line)) <= MAX_WILD


def _compiled(lines: Sequence[str]) -> GitIgnoreSpec | None:
    """Compiles patterns; None if one of the lines is invalid, or all of them together are too large."""
    try:
        import warnings

        import re2
        from pathspec import GitIgnoreSpec
    except ModuleNotFoundError as error:
        raise missing_extra(error, "code") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's re warns about "[[", which RE2 accepts
            # patterns come from untrusted repositories: RE2 matches in linear time
            return GitIgnoreSpec.from_lines(lines, backend="re2")
    except (ValueError, re.error, re2.error):
        return None
