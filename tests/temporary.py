"""Where tests keep files: in memory where there is room, since each commit waits for the disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 4 * 1024**3
"""Bytes that must be free there."""


def folder() -> Path:
    """Returns the folder for temporary files."""
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        return MEMORY
    return Path(tempfile.gettempdir()).resolve()


def use_memory() -> None:
    """Has this process, and those that it starts, keep their temporary files there."""
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder())
