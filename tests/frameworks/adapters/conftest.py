"""The store that the tests of adapters share: a process that serves many users."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Memory


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Memory]:
    """The memory of the user `host`, from which those of other users come."""
    with Memory(tmp_path / "memory.db", user="host") as memory:
        yield memory
