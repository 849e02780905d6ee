"""Walks a folder and yields every file in a fixed order, as found or as skipped with its reason."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.features.reading import defaults, ignore_rules, safe_open
from holdfast.features.reading.exclusions import Exclusions
from holdfast.features.reading.skip_reasons import Skipped, skipped
from holdfast.features.reading.types import type_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_DEPTH = 64
"""Most levels of nested folders; deeper trees are made to exhaust their readers."""
_MAX_RULES = 1 << 16
ENVIRONMENT = "pyvenv.cfg"
"""The file that makes a folder a virtual environment of Python (PEP 405)."""

Steps = dict[str, "Steps | None"]
"""Names in a folder that lead to selected paths, each with those in it; None for all of them."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file to read. `path` is relative with forward slashes, `modified_at` in nanoseconds."""

    path: str
    size: int
    modified_at: int


def walk(
    root: Path,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    default_excludes: bool = True,
    gitignore: bool = True,
    only: Collection[str] | None = None,
    store: str | None = None,
) -> Iterator[FoundFile | Skipped]:
    """Yields every file below a folder in a fixed order: its files by name, then its folders (S1.57, S1.62).

    `include` and `exclude` are patterns as in a .gitignore. A folder that is skipped whole is one `Skipped`.
    Links are never followed: targets below the root are found at their own path. Nothing but .gitignore files
    is opened, and none through a link. A .gitignore above the root does not apply.

    `only` limits the walk to these paths and everything below them, and to folders above them that are
    skipped or missing. `store` is the location of Holdfast's own data, which is skipped whatever its name.

    Raises InvalidInput `argument_invalid` for a bad pattern; `file_not_found`, `not_a_file` or
    `file_unreadable` for the root, also if it disappears during the walk; and `extra_missing`.
    """
    included, excluded = ignore_rules.globs(include), ignore_rules.globs(exclude)
    try:
        with safe_open.open_root(root) as descriptor:
            exclusions = Exclusions(os.path.realpath(root), store=store)
            walking = _Walk(
                descriptor, root, included, excluded, default_excludes, gitignore, only, exclusions
            )
            yield from walking.run()
            if not os.path.samestat(os.fstat(descriptor), os.stat(root)):
                raise FileNotFoundError(root)  # a removed folder must not look like an empty one
    except FileNotFoundError as error:
        raise InvalidInput(f"{root} does not exist", code="file_not_found") from error
    except NotADirectoryError as error:
        raise InvalidInput(f"{root} is not a directory", code="not_a_file") from error
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{root} cannot be read: {error}", code="file_unreadable") from error


class _Walk:
    def __init__(
        self,
        descriptor: int,
        root: Path,
        include_spec: GitIgnoreSpec | None,
        exclude_spec: GitIgnoreSpec | None,
        has_defaults: bool,
        has_gitignore: bool,
        only: Collection[str] | None,
        exclusions: Exclusions,
    ) -> None:
        self._root = descriptor
        self._real = os.path.realpath(root)
        self._included = include_spec
        self._excluded = exclude_spec
        self._has_defaults = has_defaults
        self._has_gitignore = has_gitignore
        self._only = None if only is None else _steps(only)
        self._exclusions = exclusions
        self._budget = ignore_rules.Budget()

    def run(self) -> Iterator[FoundFile | Skipped]:
        # folders still to read, each with the rules that apply in it, deepest first
        waiting: list[tuple[str, tuple[ignore_rules.Rules, ...], Steps | None]]
        reported: set[str] = set()
        waiting = [("", self._own_rules(), self._only)]
        while waiting:
            path, chain, only = waiting.pop()
            try:
                folder = safe_open.open_folder(self._root, path)
            except safe_open.Outside:
                yield skipped(path + "/", "link")  # it was a folder a moment ago
                continue
            except OSError as error:
                if not path:
                    raise
                yield _failed(path + "/", error)
                continue
            try:
                if path and self._has_defaults and (_is_environment(folder) or _is_worktree(folder)):
                    yield skipped(path + "/", "excluded_by_default")
                    continue
                chain = self._rules_in(folder, path, chain)
                deeper: list[tuple[str, Steps | None]] = []
                for entry in self._entries(folder, path, only):
                    if isinstance(entry, Skipped):
                        yield entry
                        continue
                    place = f"{path}/{entry.name}" if path else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if (why := self._folder_skipped(place, entry.name, chain)) is not None:
                            yield why
                        else:
                            deeper.append((place, None if only is None else only[entry.name]))
                    else:
                        yield self._file(place, entry, chain)
                for file in sorted(self._budget.out - reported):
                    yield skipped(file, "rules_too_costly")
                reported |= self._budget.out
                waiting.extend((place, chain, steps) for place, steps in reversed(deeper))
            finally:
                os.close(folder)

    def _entries(self, folder: int, path: str, only: Steps | None) -> Iterator[os.DirEntry[str] | Skipped]:
        """Yields the entries of a folder in order of their names."""
        try:
            with os.scandir(folder) as listing:
                chosen = listing if only is None else (entry for entry in listing if entry.name in only)
                entries = sorted(chosen, key=_name)
        except OSError as error:
            if not path:
                raise
            yield _failed(path + "/", error)
            return
        yield from entries

    def _folder_skipped(self, path: str, name: str, chain: tuple[ignore_rules.Rules, ...]) -> Skipped | None:
        """Returns why a folder is skipped, None if it is not."""
        if not _is_utf8(name):
            return skipped(path + "/", "name_unreadable")
        if self._exclusions.is_store(path) or (self._has_defaults and defaults.is_excluded_folder(name)):
            return skipped(path + "/", "excluded_by_default")
        if self._excluded is not None and self._excluded.match_file(path + "/"):
            return skipped(path + "/", "excluded")
        if chain and self._budget.ignores(chain, path + "/"):
            return skipped(path + "/", "ignored")
        if path.count("/") >= MAX_DEPTH:
            return skipped(path + "/", "too_deep")
        return None

    def _file(
        self, path: str, entry: os.DirEntry[str], chain: tuple[ignore_rules.Rules, ...]
    ) -> FoundFile | Skipped:
        """Returns a file to be read, or why it is skipped."""
        if not _is_utf8(entry.name):
            return skipped(path, "name_unreadable")
        if self._exclusions.is_store(path) or (self._has_defaults and defaults.is_excluded_file(entry.name)):
            return skipped(path, "excluded_by_default")
        if self._excluded is not None and self._excluded.match_file(path):
            return skipped(path, "excluded")
        if chain and self._budget.ignores(chain, path):
            return skipped(path, "ignored")
        if self._included is not None and not self._included.match_file(path):
            return skipped(path, "not_included")
        try:
            if entry.is_symlink():
                return skipped(path, "link" if self._is_inside(path) else "link_outside")
            state = entry.stat(follow_symlinks=False)
        except OSError as error:
            return _failed(path, error)
        if not stat.S_ISREG(state.st_mode):
            return skipped(path, "not_a_file")
        kind = type_of(path)
        if kind.never is not None:
            return skipped(path, kind.never, kind.why)
        if state.st_size == 0:
            return skipped(path, "empty")
        if state.st_size > kind.max_bytes:
            return skipped(path, "too_large", f"{state.st_size:,} bytes; the limit is {kind.max_bytes:,}")
        return FoundFile(path, state.st_size, state.st_mtime_ns)

    def _is_inside(self, path: str) -> bool:
        target = os.path.realpath(os.path.join(self._real, path))
        return os.path.commonpath((self._real, target)) == self._real

    def _own_rules(self) -> tuple[ignore_rules.Rules, ...]:
        """Returns the rules of .git/info/exclude, over which every .gitignore takes precedence."""
        return self._rules_of(self._root, ".git/info/exclude", "") if self._has_gitignore else ()

    def _rules_in(
        self, folder: int, path: str, chain: tuple[ignore_rules.Rules, ...]
    ) -> tuple[ignore_rules.Rules, ...]:
        return (*self._rules_of(folder, ".gitignore", path), *chain) if self._has_gitignore else chain

    def _rules_of(self, folder: int, name: str, path: str) -> tuple[ignore_rules.Rules, ...]:
        """Returns the rules of an ignore file, none if it cannot be read."""
        try:
            descriptor, _ = safe_open.open_file(folder, name)
        except (OSError, safe_open.Outside, safe_open.Special):
            return ()
        try:
            data = safe_open.read_all(descriptor, _MAX_RULES)
            compiled = self._budget.rules(path, f"{path}/{name}" if path else name, data)
        except OSError:
            return ()
        finally:
            os.close(descriptor)
        return () if compiled is None else (compiled,)


def _steps(paths: Iterable[str]) -> Steps:
    """Returns paths as nested names in folders; None stands for everything below a path."""
    first: Steps = {}
    for path in paths:
        level = first
        *above, last = path.split("/")
        for name in above:
            deeper = level.setdefault(name, {})
            if deeper is None:
                break
            level = deeper
        else:
            level[last] = None
    return first


def _is_environment(folder: int) -> bool:
    """Returns whether a folder is a Python virtual environment, whatever its name: it holds copies of other
    projects' code."""
    try:
        return stat.S_ISREG(os.stat(ENVIRONMENT, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _is_worktree(folder: int) -> bool:
    """Returns whether a folder is a worktree of a Git repository, another copy of the code around it, as some
    agents create below `.claude/worktrees`; a submodule is none."""
    try:
        descriptor, _ = safe_open.open_file(folder, ".git")
    except (OSError, safe_open.Outside, safe_open.Special):
        return False
    try:
        content = safe_open.read_all(descriptor, _MAX_RULES)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    # the repository of a submodule in a worktree is further below: worktrees/NAME/modules/SUBMODULE
    return content.startswith(b"gitdir:") and content.strip().split(b"/")[-2:-1] == [b"worktrees"]


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_utf8(name: str) -> bool:
    """Returns whether a name can be stored as UTF-8."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _failed(path: str, error: OSError) -> Skipped:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return skipped(path, "vanished")
    return skipped(path, "unreadable", f"cannot be opened: {error.strerror or type(error).__name__}")
