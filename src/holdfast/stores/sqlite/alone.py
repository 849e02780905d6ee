"""Readers that keep other processes out of a store, since the disk has no room for the index of its log."""

from __future__ import annotations

import threading
from pathlib import Path


class Alone:
    """The readers of one file in this process, of whatever store. While there are any, each connection of the
    process would share their index in memory, and keep other processes out: none may be opened to stay."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.readers = 0


_FILES: dict[Path, Alone] = {}


def alone_in(path: Path) -> Alone:
    """Returns the readers of a file."""
    return _FILES.setdefault(path, Alone())
