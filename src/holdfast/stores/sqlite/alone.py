"""Readers that keep other processes out of a store, since the disk has no room for the index of its log."""

from __future__ import annotations

import threading
from pathlib import Path


class Alone:
    """The connections of this process that read a file alone, of all stores in it. While one is open, SQLite
    gives every other connection of the process the same index in memory, which keeps other processes out: so
    no connection may be opened then and kept."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.readers = 0


_FILES: dict[Path, Alone] = {}


def alone_in(path: Path) -> Alone:
    """Returns the readers of a file."""
    return _FILES.setdefault(path, Alone())
