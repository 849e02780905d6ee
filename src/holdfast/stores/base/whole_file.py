"""Writes small files as a whole: a full disk leaves what was there, and nothing half-written next to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, content: bytes, *, synced: bool = False, mode: int = 0o600) -> None:
    """Replaces a file, by default readable by its owner only. Follows no link. Raises OSError."""
    with drafted(path, content, synced=synced, mode=mode) as draft:
        os.replace(draft, path)


@contextmanager
def drafted(path: Path, content: bytes, *, synced: bool, mode: int = 0o600) -> Iterator[Path]:
    """Writes a draft beside a file, which is gone on exit. Raises OSError."""
    draft = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(draft, flags, mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if synced:
                os.fsync(descriptor)
        yield draft
    finally:
        draft.unlink(missing_ok=True)
