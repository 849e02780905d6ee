"""Patterns: the globs of a source and the .gitignore files on the way, as git reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidInput
from holdfast.extractors.extras import missing

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_LINES = 5_000
MAX_LINE = 1_000
"""Lines of a file of patterns that count, and characters of a line: more is no pattern."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one file, and the folder (relative, "" for the root) in which it stands."""

    folder: str
    spec: GitIgnoreSpec


def globs(patterns: Sequence[str]) -> GitIgnoreSpec | None:
    """The patterns of a source, as in a .gitignore; None for none. Raises InvalidInput `argument_invalid`."""
    if not patterns:
        return None
    for pattern in patterns:
        if not isinstance(pattern, str) or len(pattern) > MAX_LINE or _compiled([pattern]) is None:
            raise InvalidInput(f"{str(pattern)[:80]!r} is not a pattern", code="argument_invalid")
    return _compiled(patterns)


def rules(folder: str, data: bytes) -> Rules | None:
    """The rules of a .gitignore; lines that are no pattern match nothing, as in git. None if none is left."""
    lines = [line for line in data.decode("utf-8", "replace").splitlines()[:MAX_LINES] if _may_match(line)]
    if not lines:
        return None
    spec = _compiled(lines)
    if spec is None:
        spec = _compiled([line for line in lines if _compiled([line]) is not None])
    return Rules(folder, spec) if spec is not None else None


def ignores(chain: Iterable[Rules], path: str) -> bool:
    """Whether a path (a folder's with "/" behind) is ignored: the deepest file that speaks of it decides.

    `chain` goes from the deepest to the root.
    """
    for one in chain:
        below = path[len(one.folder) + 1 :] if one.folder else path
        if (said := one.spec.check_file(below).include) is not None:
            return said
    return False


def _may_match(line: str) -> bool:
    return 0 < len(line) <= MAX_LINE and not line.startswith("#") and not line.isspace()


def _compiled(lines: Sequence[str]) -> GitIgnoreSpec | None:
    """None if one of the lines is no pattern, or all of them together are too much."""
    try:
        import re
        import warnings

        import re2
        from pathspec import GitIgnoreSpec
    except ModuleNotFoundError as error:
        raise missing(error, "code") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # python's re has opinions on "[[" that RE2 has not
            # patterns come from strangers' repositories: RE2 has no name on which a pattern takes for ever
            return GitIgnoreSpec.from_lines(lines, backend="re2")
    except (ValueError, re.error, re2.error):
        return None
