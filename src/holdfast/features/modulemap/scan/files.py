"""Lists the files of a repository with their roles, and reads the beginnings of their texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from holdfast.features.reading import safe_open
from holdfast.features.reading.defaults import LOCK_FILES
from holdfast.features.reading.skip_reasons import Skipped
from holdfast.features.reading.types import type_of
from holdfast.features.reading.walking import FoundFile, walk

FILES_MAX = 20_000
"""Most files of a map; more are noted."""
READ_MAX = 128 * 1024
"""Most bytes of a file that are read."""

_NO_CODE = frozenset(
    "html css template docker make cmake terraform protobuf thrift graphql prisma sql diff go-mod".split()
)
_FRONTEND_SUFFIXES = (".tsx", ".jsx", ".vue", ".svelte", ".astro", ".css", ".scss", ".sass", ".less", ".html")
_FRONTEND_FOLDERS = frozenset(
    "components pages screens widgets views layouts frontend webapp ui styles css templates web".split()
)
_TEST_FOLDERS = frozenset("test tests __tests__ spec specs e2e testdata __mocks__ testsuite".split())
_TEST_NAME = re.compile(
    r"(?:test_.*|.*_test|.*_spec|tests?|conftest|.*\.(?:test|spec|e2e|cy))|.*[a-z0-9](?:Tests?|TestCase|IT|Spec)"
)
_DOC_FOLDERS = frozenset("doc docs documentation".split())
_DOC_TYPES = frozenset("markdown rst asciidoc org text tex".split())
_CONFIG_TYPES = frozenset("json yaml toml xml ini".split())
_CONFIG_LANGUAGES = frozenset("docker make cmake terraform go-mod".split())
_CONFIG_NAME = re.compile(
    r"setup\.py|noxfile\.py|fabfile\.py|manifest\.in|requirements.*\.txt|constraints.*\.txt|procfile"
    r"|gemfile|rakefile|jenkinsfile|(?:build|settings)\.gradle(?:\.kts)?|build\.rs|.*\.config\.(?:[cm]?[jt]s)"
    r"|\.[\w.-]+rc(?:\.[cm]?js)?|\.[a-z][\w.-]*ignore|gruntfile\.js|gulpfile\.js|codeowners",
    re.IGNORECASE,
)
_ENTRY_NAME = re.compile(
    r"(?:__main__|main|manage|wsgi|asgi)\.py|(?:main|server|index|app)\.[cm]?[jt]sx?|main\.(?:go|rs|java|kt|c|cpp)"
    r"|program\.cs|urls\.py|routes?\.[a-z]+|routes?\.rb",
    re.IGNORECASE,
)
_ENTRY_FOLDERS = frozenset("routes routers controllers endpoints handlers bin cmd".split())


class Role(StrEnum):
    """The role of a file, which decides its list in the module."""

    CORE = "core_files"
    ENTRY = "entry_points"
    FRONTEND = "frontend_files"
    TEST = "test_files"
    CONFIG = "config_files"
    DOC = "doc_files"
    OTHER = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a repository; `is_code` marks source code, whatever its role."""

    path: str
    size: int
    role: Role
    language: str | None
    is_code: bool
    folder: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", self.path.rpartition("/")[0])

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """Returns the name without its suffixes: `auth` of `auth.test.ts`."""
        return self.name.lstrip(".").partition(".")[0] or self.name


_BUNDLE = re.compile(r"\.[0-9a-f]{8,40}\.(?:m?js|css)$")
"""The name of what a bundler wrote: with a digest of its content."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The content of a folder: files in a fixed order, all existing paths, and notes about omissions."""

    sources: tuple[Source, ...]
    paths: frozenset[str]
    notes: tuple[str, ...]


def list_files(root: Path) -> Listing:
    """Returns the files of a repository except those excluded by .gitignore or by default.

    Raises InvalidInput for a root that is not a readable folder, and `extra_missing`.
    """
    sources: list[Source] = []
    paths: set[str] = set()
    beyond = 0
    unread: dict[str, int] = {}
    for entry in walk(root):
        if isinstance(entry, Skipped):
            name = entry.path.rpartition("/")[2].lower()
            if entry.reason_code == "empty" or name in LOCK_FILES:
                paths.add(entry.path)  # an empty __init__.py makes a package, a lock file names its tool
            elif entry.reason_code in (
                "too_large",
                "unreadable",
                "vanished",
                "too_deep",
                "name_unreadable",
                "not_a_file",
                "rules_too_costly",
            ):
                unread[entry.reason] = unread.get(entry.reason, 0) + 1
            continue
        if len(sources) >= FILES_MAX:
            beyond += 1
            continue
        paths.add(entry.path)
        if not _BUNDLE.search(entry.path):
            sources.append(_source(entry))
    notes = [f"{count:,} skipped: {reason}" for reason, count in sorted(unread.items())]
    if beyond:
        notes.append(f"{beyond:,} files beyond the first {FILES_MAX:,} were not scanned")
    return Listing(tuple(sources), frozenset(paths), tuple(notes[:50]))


def _source(file: FoundFile) -> Source:
    """Returns a file with the language and role that its path tells; HTML, SQL and the like are no code."""
    path = file.path
    kind = type_of(path)
    language = kind.language
    is_code = language is not None and language not in _NO_CODE
    return Source(path, file.size, _role(path, kind.name, language, is_code), language, is_code)


def _role(path: str, type_name: str, language: str | None, is_code: bool) -> Role:
    """Returns the role of a file, by its name and folders, then by its type."""
    folder, _, name = path.rpartition("/")
    folders = {part.lower() for part in folder.split("/")} if folder else set()
    stem = name.rpartition(".")[0] if "." in name.lstrip(".") else name
    if folders & _TEST_FOLDERS or (is_code and _TEST_NAME.fullmatch(stem)):
        return Role.TEST
    if _CONFIG_NAME.fullmatch(name) or language in _CONFIG_LANGUAGES:
        return Role.CONFIG
    if type_name in _DOC_TYPES or (folders & _DOC_FOLDERS and not is_code):
        return Role.DOC
    if type_name in _CONFIG_TYPES:
        return Role.CONFIG
    if name.lower().endswith(_FRONTEND_SUFFIXES) and (
        folders & _FRONTEND_FOLDERS or name.endswith((".vue", ".svelte", ".tsx", ".jsx", ".astro"))
    ):
        return Role.FRONTEND
    if is_code:
        is_entry = _ENTRY_NAME.fullmatch(name) or folders & _ENTRY_FOLDERS
        return Role.ENTRY if is_entry else Role.CORE
    if language in ("css", "html", "template"):
        return Role.FRONTEND
    return Role.CORE if language is not None else Role.OTHER


class Reader:
    """A reader of the beginnings of files below one root, through no link."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def text(self, path: str, limit: int = READ_MAX) -> str:
        """Returns the beginning of a file as text; empty for an unreadable or binary one."""
        return next(self.texts([path], limit))[1]

    def texts(self, paths: list[str], limit: int = READ_MAX) -> Iterator[tuple[str, str]]:
        """Yields paths with the beginning of each text."""
        try:
            with safe_open.open_root(self._root) as root, _Folder(root) as folder:
                for path in paths:
                    yield path, _beginning(folder, path, limit)
        except OSError:  # the root has gone
            for path in paths:
                yield path, ""


class _Folder:
    """The folder of the last file that was read: most files are in the same one as the file before."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._path = ""
        self._descriptor: int | None = None

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def open_file(self, path: str) -> int:
        """Opens a file and returns its descriptor. Raises Outside, Special or OSError."""
        above, _, name = path.rpartition("/")
        if self._descriptor is None or above != self._path:
            opened = safe_open.open_folder(self._root, above)
            self.__exit__()
            self._path, self._descriptor = above, opened
        return safe_open.open_file(self._descriptor, name)[0]


def _beginning(folder: _Folder, path: str, limit: int) -> str:
    """Returns the first characters of a file, empty if it cannot be read."""
    try:
        descriptor = folder.open_file(path)
    except (OSError, safe_open.Outside, safe_open.Special):
        return ""
    try:
        data = safe_open.read_all(descriptor, limit)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    return "" if b"\0" in data[:8192] else data.decode("utf-8", "replace").replace("\r\n", "\n")
