"""The key of the digests of what was forgotten: a file beside the store, which alone tells nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from holdfast.core.errors import StoreError

LENGTH = 32


def digest_key(path: Path) -> bytes:
    """Returns the key in a file; creates it, random and readable by its owner only, if there is none. Follows
    no link. Raises StoreError."""
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise _unusable(path, error.strerror) from error
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(
            fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
        )
        with open(descriptor, "wb") as file:
            file.write(os.urandom(LENGTH))
            file.flush()
            os.fsync(descriptor)
        try:
            os.link(fresh, path)  # of two processes, one is first
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
        return _read(path)
    except OSError as error:
        raise _unusable(path, error.strerror) from error


def _read(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        content = file.read(LENGTH + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    if len(content) != LENGTH:
        raise _unusable(path, "it does not hold a key")
    return content


def _unusable(path: Path, why: str | None) -> StoreError:
    return StoreError(
        f"the key {path} cannot be used: {why}",
        code="keys_unusable",
        hint="restore it from a backup; without it, what was forgotten is not known to imports",
    )
