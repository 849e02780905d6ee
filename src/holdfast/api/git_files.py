"""Reads Git's own files, without running Git: the working tree of a folder, its repository and its remotes.

Whoever sends a folder also chooses what is in it, so a working tree belongs to a repository elsewhere only if
that repository lists it: `worktrees/NAME/gitdir` of the repository has to name the tree's own `.git`.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from holdfast.core.places import MAIN_BRANCHES
from holdfast.core.value_classes import value_class

LINE_MAX = 8_192
"""Bytes that are read of a file with one line, such as a path."""
CONFIG_MAX = 1 << 18
"""Bytes that are read of the configuration of a repository."""
TREES_MAX = 64
"""Most worktrees of a repository that are looked at."""

_REMOTE = re.compile(r'\[\s*remote\s+"[^"]*"\s*\]', re.IGNORECASE)
_URL = re.compile(r"url\s*=\s*\"?([^\"#;]+)", re.IGNORECASE)
_SCP = re.compile(r"(?:[^@/:\s]+@)?([^/:\s]{2,}):(?!//)(.+)")


@value_class
class Checkout:
    """A Git working tree. `branch` is None if no branch is checked out; `common` is the directory of its
    repository, None if that does not list it."""

    folder: Path
    branch: str | None
    common: Path | None = None

    @property
    def root(self) -> Path:
        """Returns the folder that stands for all working trees of the repository: the main one, or the
        directory of a bare repository."""
        if self.common is None:
            return self.folder
        return self.common.parent if self.common.name in (".git", ".bare") else self.common

    @property
    def own_branch(self) -> str | None:
        """Returns the branch if it is another than the default one of the repository, else None."""
        if self.branch in MAIN_BRANCHES:
            return None
        head = None if self.common is None else self.common / "refs" / "remotes" / "origin" / "HEAD"
        default = "" if head is None else _text(head, LINE_MAX, errors="replace").strip()
        return None if default == f"ref: refs/remotes/origin/{self.branch}" else self.branch

    def other_worktrees(self) -> Iterator[Path]:
        """Yields the other working trees of the repository, the main one first."""
        if self.common is None:
            return
        if self.root != self.folder:
            yield self.root
        try:
            with os.scandir(self.common / "worktrees") as entries:
                names = sorted(entry.name for entry in entries)[:TREES_MAX]
        except OSError:
            return
        for name in names:
            tree = _tree_of(self.common / "worktrees" / name)
            if tree is not None and tree != self.folder and _repository_of(tree) == self.common:
                yield tree

    def remotes(self) -> frozenset[str]:
        """Returns the addresses of its remotes in one form, whatever the protocol, user and ending."""
        if self.common is None:
            return frozenset()
        addresses, is_remote = set(), False
        for line in _text(self.common / "config", CONFIG_MAX).splitlines():
            line = line.strip()
            if line.startswith("["):
                is_remote = _REMOTE.match(line) is not None
            elif is_remote and (match := _URL.match(line)) is not None:
                addresses.add(address_of(match[1].strip()))
        return frozenset(addresses - {None})  # type: ignore[arg-type]


def checkout_at(start: Path) -> Checkout | None:
    """Returns the Git checkout that contains a folder; None if there is none."""
    for folder in (start, *start.parents):
        home = folder / ".git"
        if (linked := _linked(folder)) is not None:
            home = linked
        if os.path.isdir(home):
            head = _text(home / "HEAD", LINE_MAX, errors="replace").strip()
            is_branch = head.startswith("ref: refs/heads/")
            branch = head.removeprefix("ref: refs/heads/") if is_branch else None
            return Checkout(folder, branch, _repository_of(folder))
    return None


def address_of(url: str) -> str | None:
    """Returns the address of a remote in one form: `git@host:a/b.git` and `https://user@host/a/b` are
    `host/a/b`; the path of a repository on this machine; None for another one."""
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, path = parts.hostname or "", unquote(parts.path)
        except ValueError:
            return None
        if parts.scheme == "file":
            host = ""
    elif url.startswith("/"):
        host, path = "", url
    elif (match := _SCP.fullmatch(url)) is not None:
        host, path = match[1].lower(), match[2]
    else:
        return None
    path = path.strip("/").removesuffix(".git").rstrip("/")
    return f"{host}/{path}".casefold() if host else f"/{path}"


def _repository_of(folder: Path) -> Path | None:
    """Returns the directory of the repository of a working tree, if it is the tree's own or lists it."""
    home = folder / ".git"
    if os.path.islink(home):
        return None
    linked = _linked(folder)
    if linked is None:
        return Path(os.path.realpath(home)) if os.path.isdir(home) else None
    state, tree = Path(os.path.realpath(linked)), Path(os.path.realpath(folder))
    common = state.parent.parent
    if state == tree / ".bare":  # a bare repository in the folder of its worktrees
        return state
    if state.parent.name != "worktrees" or not os.path.isfile(common / "HEAD"):
        return None
    target = _text(state / "commondir", LINE_MAX).strip()
    if not target or os.path.realpath(state / target) != str(common):
        return None
    return common if _tree_of(state) == tree else None


def _tree_of(state: Path) -> Path | None:
    """Returns the working tree that an entry of `worktrees` names, or None."""
    target = _text(state / "gitdir", LINE_MAX).strip()
    home = state / target
    return Path(os.path.realpath(home.parent)) if target and home.name == ".git" else None


def _linked(folder: Path) -> Path | None:
    """Returns the directory that a `.git` file names, or None."""
    target = _text(folder / ".git", LINE_MAX).strip()
    return folder / target.removeprefix("gitdir:").strip() if target.startswith("gitdir:") else None


def _text(path: Path, limit: int, errors: str = "surrogateescape") -> str:
    """Returns the content of a file; an empty text if it is no file, is too long, cannot be read, or has a
    NUL, which no path may have."""
    if not os.path.isfile(path):  # a pipe would be waited for
        return ""
    try:
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except OSError:
        return ""
    return "" if len(content) > limit or b"\0" in content else content.decode("utf-8", errors)
