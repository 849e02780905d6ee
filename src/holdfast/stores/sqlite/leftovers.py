"""Leftovers of an interrupted conversion or restore next to a store, and the code that finishes or undoes it.

The store is replaced by one rename. Until then its new form lies in `<store>.converting` or
`<store>.restoring`; afterwards the files next to the store are replaced by theirs, which were written before.
So the draft of the store marks the progress: while it exists, nothing has happened; without it, the rest has
to be finished.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from holdfast.stores.sqlite.cipher import sync_folder
from holdfast.stores.sqlite.safe_files import open_beside, read_beside
from holdfast.stores.sqlite.sealed import NEW

DRAFT = ".converting"
ERASING = ".erasing"
"""A second name of the old file, by which it is found again when it could not be erased at once."""
RESTORING = ".restoring"
"""Ending of the draft of a restore; that of its head and of its key of digests follow it."""
_BLOCK = bytes(1 << 20)


def sibling(path: Path, ending: str) -> Path:
    """Returns the path of a file next to another, with its name and an ending."""
    return path.with_name(path.name + ending)


def sibling_files(path: Path) -> Iterator[Path]:
    """Returns the files next to a store that contain its data: digests of keys with the names of projects,
    and payloads of jobs.
    """
    keys = sibling(path, ".keys")
    if keys.exists():
        yield keys
    with suppress(FileNotFoundError, NotADirectoryError):
        for file in sorted(sibling(path, ".spool").iterdir()):
            if file.suffix not in (DRAFT, NEW):
                yield file


def settle(path: Path) -> None:
    """Finishes or undoes an interrupted conversion or restore; does nothing without one. Nobody else may have
    the store open. Raises OSError, StoreError.
    """
    _settle_restore(path)
    draft, erasing = sibling(path, DRAFT), sibling(path, ERASING)
    drafts = list(_drafts(path))
    if draft.exists():
        for file in drafts:
            file.unlink()
        for ending in ("-journal", "-wal", "-shm", ""):
            sibling(draft, ending).unlink(missing_ok=True)
    else:
        for file in drafts:
            target = file.with_name(file.name.removesuffix(DRAFT))
            erase(target)
            os.replace(file, target)
            sync_folder(target.parent)
    if erasing.exists():
        # before the store was replaced, it is the store itself that has two names
        if not erasing.samefile(path):
            erase(erasing)
        erasing.unlink()


def _settle_restore(path: Path) -> None:
    draft = sibling(path, RESTORING)
    secret, head = sibling(draft, ".secret"), sibling(draft, ".head")
    if draft.exists():
        for file in (secret, head):
            sibling(file, ".new").unlink(missing_ok=True)
            file.unlink(missing_ok=True)
        for ending in ("-journal", "-wal", "-shm", ""):
            sibling(draft, ending).unlink(missing_ok=True)
    elif head.exists():
        if secret.exists():
            os.replace(secret, sibling(path, ".secret"))
        _overwrite(sibling(path, ".head"), read_beside(head))
        sibling(path, ".replays").unlink(missing_ok=True)
        sync_folder(path.parent)
        head.unlink()


def _overwrite(path: Path, content: bytes) -> None:
    """Writes a file in place, durably: the lock that others wait for is on it."""
    descriptor = open_beside(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.pwrite(descriptor, content, 0)
        os.ftruncate(descriptor, len(content))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def erase(path: Path) -> None:
    """Overwrites a file by zeros, durably. Raises OSError."""
    with suppress(FileNotFoundError):
        descriptor = open_beside(path, os.O_WRONLY)
        try:
            overwrite(descriptor)
        finally:
            os.close(descriptor)


def overwrite(descriptor: int) -> None:
    """Overwrites an open file by zeros from its beginning, durably. Raises OSError."""
    left = os.fstat(descriptor).st_size
    while left > 0:
        left -= os.write(descriptor, _BLOCK[:left])
    os.fsync(descriptor)


def _drafts(path: Path) -> Iterator[Path]:
    """Yields the new forms of the files beside a store that a conversion wrote and did not put in place."""
    keys = sibling(sibling(path, ".keys"), DRAFT)
    if keys.exists():
        yield keys
    with suppress(FileNotFoundError, NotADirectoryError):
        yield from sorted(file for file in sibling(path, ".spool").iterdir() if file.suffix == DRAFT)
