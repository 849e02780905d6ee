"""Scratch folders for copies of a store: private, and removed also after their process was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "holdfast-scratch-"


@contextmanager
def scratch(place: Path, *more_places: Path) -> Iterator[Path]:
    """Yields a new folder in `place`, which only its owner reads, and removes it on exit; what killed
    processes left there is removed before. Where none can be made, it is in the first of `more_places` that
    can be written. Raises OSError."""
    folder, lock = _first_folder((place, *more_places))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def clear(place: Path) -> None:
    """Removes the scratch folders of processes that are gone, as far as they can be removed."""
    try:
        folders = [path for path in place.iterdir() if path.name.startswith(_PREFIX)]
    except OSError:
        return
    for folder in folders:
        lock = _lock(folder)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _first_folder(places: Sequence[Path]) -> tuple[Path, int]:
    """Returns a new folder in the first place that takes one, and the descriptor of its lock."""
    for place in places[:-1]:
        clear(place)
        with suppress(OSError):
            return _locked_folder(place)
    clear(places[-1])
    return _locked_folder(places[-1])


def _locked_folder(place: Path) -> tuple[Path, int]:
    """Returns a new folder and the descriptor of its lock."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        lock = _lock(folder)
        if lock is None:  # another process took it for left over before it was locked
            continue
        if folder.exists():
            return folder, lock
        os.close(lock)


def _lock(folder: Path) -> int | None:
    """Locks a folder; None if another process has it, or it is gone or somebody else's."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if os.fstat(descriptor).st_uid == os.geteuid():
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None
