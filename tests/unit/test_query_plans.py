"""The look-ups of a batch go by an index, whatever the filter rule says beside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.stores.sqlite.sql import statements

INDEXES = {
    "known_keys": "memories_by_external_key",
    "by_external_key": "memories_by_external_key",
    "known_hashes": "memories_by_hash",
    "by_hash": "memories_by_hash",
    "titled": "memories_with_title",
}


@pytest.mark.parametrize("name", INDEXES)
def test_what_is_there_is_looked_up_and_no_pool_is_gone_through(name: str, tmp_path: Path) -> None:
    sql = statements("reading.sql")[name]
    with Memory(tmp_path / "a.db", user="ana") as memory:
        memory.remember_many([f"The heron {n} stands at the well" for n in range(30)])
        with memory._service.store.read() as snap:
            plan = snap.connection.execute(  # type: ignore[attr-defined]
                f"EXPLAIN QUERY PLAN {sql}", dict.fromkeys(re.findall(r":(\w+)", sql))
            )
            steps = [row[3] for row in plan if re.match(r"(?:SEARCH|SCAN) m(?:emories)? ", row[3])]
    assert INDEXES[name] in steps[0]
