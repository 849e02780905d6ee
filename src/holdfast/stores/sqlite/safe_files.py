"""Opening of files next to a store: only regular files that are the user's own, and through no link."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from holdfast.core.errors import StoreError

_ALWAYS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def open_beside(path: Path, flags: int) -> int:
    """Returns a descriptor of a file, created for its owner only if the flags say so.

    Raises StoreError `store_unavailable` for a link, a pipe, a device or a file of another user, which
    somebody may have put there; OSError.
    """
    try:
        descriptor = os.open(path, (flags & ~os.O_TRUNC) | _ALWAYS, 0o600)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
            raise _unsafe(path, "a link or a pipe") from error
        raise
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise _unsafe(path, "not a regular file")
        if state.st_uid not in (os.geteuid(), 0, os.stat(path.parent).st_uid):
            raise _unsafe(path, "a file of another user")
        if flags & os.O_TRUNC:
            os.ftruncate(descriptor, 0)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_beside(path: Path) -> bytes:
    """Returns the content of a file. Raises as `open_beside`."""
    with open(open_beside(path, os.O_RDONLY), "rb") as file:
        return file.read()


def check_beside(path: Path) -> None:
    """Checks a store and the files that are opened with it. Raises StoreError `store_unavailable`."""
    for ending in ("", "-wal", "-shm", "-journal", ".head"):
        sibling = path.with_name(path.name + ending)
        try:
            mode = os.lstat(sibling).st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            raise _unsafe(sibling, "not a regular file")


def _unsafe(path: Path, problem: str) -> StoreError:
    """Returns the error for a path at which something else than a file of the user's own lies."""
    return StoreError(
        f"{path} is {problem}; nothing is read or written through it",
        code="store_unavailable",
        hint="find out who put it there, and remove it",
    )
