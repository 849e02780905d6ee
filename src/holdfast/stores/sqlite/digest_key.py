"""The key of the digests of what was forgotten: a file next to the store, which alone tells nothing."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from holdfast.core.errors import StoreError
from holdfast.stores.base.whole_file import drafted
from holdfast.stores.sqlite.connection import full, read_only

LENGTH = 32
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def digest_key(path: Path) -> bytes:
    """Returns the key in a file; creates it, random and readable by its owner only, if there is none. Follows
    no link. Raises StoreError."""
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise _unusable(path, error.strerror) from error
    try:
        with drafted(path, os.urandom(LENGTH), synced=True) as draft, suppress(FileExistsError):
            os.link(draft, path)  # of two processes, one is first
        return _read(path)
    except OSError as error:
        if error.errno in _FULL:
            raise full(path) from error
        if error.errno in _FORBIDDEN:
            raise read_only(path) from error
        raise _unusable(path, error.strerror) from error


def key_problems(path: Path) -> list[str]:
    """Returns what is wrong with the key in a file: nothing if there is none yet."""
    try:
        _read(path)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [_unusable(path, error.strerror).message]
    except StoreError as error:
        return [error.message]
    return []


def _read(path: Path) -> bytes:
    """Returns the key in a file. Raises StoreError if that is not regular or has another length; OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        content = file.read(LENGTH + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    if len(content) != LENGTH:
        raise _unusable(path, "it does not hold a key")
    return content


def _unusable(path: Path, why: str | None) -> StoreError:
    """Returns the error for a key file that cannot be read or made, or holds no key."""
    return StoreError(
        f"the key file {path} cannot be used: {why}",
        code="keys_unusable",
        hint="restore it from a backup; without it, what was forgotten is not known to imports",
    )
