"""Opens files and folders below a root component by component, through no link."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# folders above a root are only traversed, which needs no permission to list them
_PASSED = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LINK_AT_ALL = getattr(os, "O_NOFOLLOW_ANY", 0)  # macOS has this instead of O_PATH
# a FIFO in place of the file must not block the open, and a terminal must not become the controlling one
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


class Outside(Exception):
    """An error for a path that leads out of the root, or through a link."""


class Special(Exception):
    """An error for a path that is a folder, a FIFO, a socket or a device, and not a regular file."""

    def __init__(self, path: str, mode: int) -> None:
        super().__init__(path)
        self.is_folder = stat.S_ISDIR(mode)


@contextmanager
def open_root(root: Path) -> Iterator[int]:
    """Yields a descriptor of the root, a real path without links.

    Raises NotADirectoryError if a component has become a link since it was resolved, else OSError.
    """
    descriptor = _open_folder(os.path.abspath(root))
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _open_folder(path: str) -> int:
    """Returns a descriptor of a folder, opened without following a link. Raises OSError."""
    if _NO_LINK_AT_ALL:
        try:
            return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | _NO_LINK_AT_ALL)
        except OSError as error:
            raise _by_link(path, error) from error
    parts = [*filter(None, path.split("/")), "."]
    current = os.open("/", _PASSED)
    for number, part in enumerate(parts, 1):
        try:
            deeper = os.open(part, _FOLDER if number == len(parts) else _PASSED, dir_fd=current)
        except OSError as error:
            raise _by_link(path, error) from error
        finally:
            os.close(current)
        current = deeper
    return current


def _by_link(path: str, error: OSError) -> OSError:
    if error.errno != errno.ELOOP:
        return error
    return NotADirectoryError(errno.ENOTDIR, "is reached through a symbolic link", path)


def is_special(path: Path) -> bool:
    """Returns whether there is something at a path that is not a regular file: a folder, a FIFO, a socket or
    a device, which must be neither read nor replaced."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return False


def parts_of(path: str) -> list[str]:
    """Returns the components of a relative path. Raises Outside for an absolute one, or for "..", "." or
    NUL."""
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise Outside(path)
    return parts


def open_folder(root: int, path: str) -> int:
    """Opens a folder below the root, "" for the root itself. Raises Outside or OSError."""
    current = os.open(".", _FOLDER, dir_fd=root)
    for part in parts_of(path) if path else ():
        try:
            deeper = os.open(part, _FOLDER, dir_fd=current)
        except OSError as error:
            if _is_link(part, current):
                raise Outside(path) from error
            raise
        finally:
            os.close(current)
        current = deeper
    return current


def open_file(root: int, path: str) -> tuple[int, os.stat_result]:
    """Opens a regular file below the root and returns its descriptor and state.

    Nothing but a regular file is opened: merely opening a device can have an effect. Raises Outside, Special
    or OSError.
    """
    above, _, name = path.rpartition("/")
    parts_of(path)
    folder = open_folder(root, above)
    try:
        before = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(before.st_mode):
            raise Outside(path)
        if not stat.S_ISREG(before.st_mode):
            raise Special(path, before.st_mode)
        try:
            descriptor = os.open(name, _FILE, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise Outside(path) from error
            raise
    finally:
        os.close(folder)
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        os.close(descriptor)
        raise Special(path, state.st_mode)
    return descriptor, state


def read_all(descriptor: int, limit: int) -> bytes:
    """Reads at most `limit` bytes from an open file without closing it. Raises OSError."""
    pieces: list[bytes] = []
    while limit > 0 and (piece := os.read(descriptor, min(limit, 1 << 20))):
        pieces.append(piece)
        limit -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _is_link(name: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def link_on_the_way(root: Path, path: Path) -> Path | None:
    """Returns the first link on the way from a folder to a file below it, the file included; None if there is
    none, or if the file does not lie below. What a clone brought could lead elsewhere by one.
    """
    base = Path(os.path.abspath(root))
    try:
        parts = Path(os.path.abspath(path)).relative_to(base).parts
    except ValueError:
        return None
    for part in parts:
        base = base / part
        if base.is_symlink():
            return base
    return None
