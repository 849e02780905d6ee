"""Stores to be damaged: closed properly, or left behind by a killed writer."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.reliability.workload import open_memory, opened, text_of


def filled(path: Path, count: int = 60) -> Path:
    """A store with so many memories, closed."""
    with opened(path) as memory:
        memory.remember_many([text_of(slot) for slot in range(count)])
        for slot in range(count, count + 5):
            memory.remember(text_of(slot), project="harbour")
    return path


def killed_with_log(path: Path, *, events: int = 12) -> Path:
    """A store whose writer was killed: its last writes stand in the write-ahead log only."""
    filled(path, 20)
    child = os.fork()
    if child == 0:
        try:
            memory = open_memory(path)
            for slot in range(100, 100 + events):
                memory.remember(text_of(slot))
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert Path(f"{path}-wal").stat().st_size > 0
    return path
