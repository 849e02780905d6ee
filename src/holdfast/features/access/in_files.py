"""Views of passages of files: by their paths and languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from unicodedata import normalize

from holdfast.core.arguments import checked_flag, checked_names, safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.value_classes import value_class
from holdfast.core.views import View
from holdfast.stores.base.ports import Reader

PASSAGES = frozenset({"passage"})
NAMES_MAX = 100
"""Maximum number of paths, and of languages."""
PATTERN_MAX = 1_000
"""Maximum number of characters of a path or pattern."""
_WILD = re.compile(r"[*?\[\\]")
_SEPARATOR = re.compile(r"\\(?![*?\[!# ])")
"""A backslash that escapes nothing: paths are given in the form of Windows, too."""
_Test = Callable[[str], bool]


@value_class
class FileSelection:
    """The files that a caller asks for: by paths, and by languages of code."""

    paths: tuple[str, ...] = ()
    languages: frozenset[str] = frozenset()
    code_only: bool = False

    @classmethod
    def checked(cls, path: object, language: object, code_only: object) -> FileSelection | None:
        """Returns what the arguments select, None without any. Raises InvalidInput."""
        is_code = checked_flag(code_only, "code_only")
        if path is None and language is None and not is_code:
            return None
        paths = () if path is None else tuple(map(_checked_path, checked_names(path, "path")))
        names = () if language is None else checked_names(language, "language")
        for name, argument, values in (("path", path, paths), ("language", language, names)):
            if (argument is not None and not values) or len(values) > NAMES_MAX:
                raise InvalidInput(f"{name} must be 1 to {NAMES_MAX} names", code="argument_invalid")
        languages = frozenset[str]()
        if names:
            from holdfast.features.reading.types import languages_named

            languages = languages.union(*map(languages_named, names))
        files = cls(paths, languages, is_code)
        files._test("")  # whatever folders there are, a pattern that is none is refused
        return files

    def within(self, reader: Reader, view: View) -> View:
        """Returns the view narrowed to the passages of the files, as far as it shows these."""
        kinds = view.filter.kinds
        tests = {folder.id: self._test(folder.root) for folder in reader.folders(view)}
        numbers = frozenset(
            number
            for number, source, path, language in reader.file_paths(view)
            if (language in self.languages if self.languages else language is not None or not self.code_only)
            and tests[source](_composed(path))
        )
        only = PASSAGES if kinds is None else PASSAGES & kinds
        return view.narrowed(replace(view.filter, kinds=only, files=numbers))

    def _test(self, root: str) -> _Test:
        """Returns the test of a path in a folder: one of the patterns selects it, if there are any, and none
        with a `!` in front leaves it out. A path of the disk is one in the folder that it lies in."""
        top = root.replace("\\", "/").rstrip("/") + "/"
        within, outside = (
            _test_of(tuple(_inside(top, pattern) for pattern in some)) for some in self._parted()
        )
        return lambda path: (within is None or within(path)) and (outside is None or not outside(path))

    def _parted(self) -> tuple[list[str], list[str]]:
        """Returns the patterns that select, and those that leave out."""
        return (
            [path for path in self.paths if not path.startswith("!")],
            [path[1:] for path in self.paths if path.startswith("!")],
        )


def _composed(path: str) -> str:
    """Returns a path with its accents in one form: keyboards and macOS write two."""
    return path if path.isascii() else normalize("NFC", path)


def _inside(top: str, path: str) -> str:
    """Returns a path below a folder as one in it, `*` for the folder itself; any other as it is."""
    return (f"{path}/"[len(top) : -1] or "*") if f"{path}/".startswith(top) else path


@lru_cache(32)
def _test_of(patterns: tuple[str, ...]) -> _Test | None:
    """Returns the test of paths by patterns as in .gitignore, None without any. Raises InvalidInput
    `argument_invalid`."""
    if not any(map(_WILD.search, patterns)):
        return _plain(patterns) if patterns else None
    from holdfast.features.reading.ignore_rules import globs

    spec = globs(patterns)
    return None if spec is None else spec.match_file


def _plain(patterns: Sequence[str]) -> _Test:
    """Returns the test for paths without wildcards: a name stands for files and folders anywhere, a path with
    a slash in it for one place."""
    names = {pattern.strip("/") for pattern in patterns if "/" not in pattern.rstrip("/")}
    places = tuple(f"{pattern.strip('/')}/" for pattern in patterns if "/" in pattern.rstrip("/"))
    return lambda path: f"{path}/".startswith(places) or not names.isdisjoint(path.split("/"))


def _checked_path(value: str) -> str:
    """Returns a path or pattern in its usual form. Raises InvalidInput."""
    path = _composed(_SEPARATOR.sub("/", value.strip()).removeprefix("./"))
    if not path.removeprefix("!").strip("/") or len(path) > PATTERN_MAX:
        raise InvalidInput(
            f"{safe_repr(value)} is no path", code="argument_invalid", hint="such as src/auth, or src/**/*.py"
        )
    return path
