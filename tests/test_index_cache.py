"""The index in memory may be as small as one likes: that changes how long an answer takes, not the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.stores.sqlite.store import SqliteStore
from tests.support import memory_on


@pytest.mark.parametrize("cache_bytes", [1, 1 << 30])
def test_a_view_of_more_pools_than_there_is_room_for_is_searched_whole(
    tmp_path: Path, cache_bytes: int
) -> None:
    with memory_on(SqliteStore(tmp_path / "a.db", cache_bytes=cache_bytes)) as memory:
        for project in ("p", "q", "r"):
            memory.remember(f"The heron of {project} stands at the well.", project=project)
        for _ in range(2):
            found = memory.recall("heron at the well", project="*")
            assert {hit.memory.project for hit in found} == {"p", "q", "r"}
            assert [hit.memory.project for hit in memory.recall("heron", project="q")] == ["q"]
