"""What clients need, imported once by the process that they are forked from: a new one costs a fork."""

from __future__ import annotations

import tempfile
from pathlib import Path

from holdfast import Memory
from tests.reliability.histories import clients
from tests.reliability.workload import embedder

with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "a.db", embedder=embedder()) as memory:
    memory.remember("register", kind="note")
    memory.recall("register")

__all__ = ["clients"]
