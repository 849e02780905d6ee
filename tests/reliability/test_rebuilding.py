"""Rebuilding a file after an erasure: in bounded memory, plain and encrypted."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from holdfast.stores.sqlite import rebuilding
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.connection import connect
from holdfast.stores.sqlite.rebuilding import rebuild_file
from tests.reliability.canaries import Canaries, plant
from tests.reliability.workload import opened, text_of
from tests.support import KEY

SIZE = 48 << 20
"""Bytes of a file that is larger than what SQLite keeps of it and of its new form."""


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_large_file_is_not_rebuilt_in_memory(
    tmp_path: Path, key: StoreKey | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    path.touch()

    def peak(connection: apsw.Connection) -> int:
        before = apsw.memory_used()
        apsw.memory_high_water(True)
        rebuild_file(connection)
        return apsw.memory_high_water() - before

    with closing(connect(path, writable=True, key=key)) as connection:
        connection.execute("CREATE TABLE t (a)")
        with connection:
            connection.execute(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
                " INSERT INTO t SELECT randomblob(4000) FROM n",
                (SIZE // 4_096,),
            )
        assert peak(connection) > SIZE * 0.9
        monkeypatch.setattr(rebuilding, "IN_MEMORY_MAX", 0)
        assert peak(connection) < SIZE * 0.5
        assert connection.pragma("temp_store") == 2, "what else is temporary stays in memory"


def test_what_is_erased_from_a_large_file_leaves_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "IN_MEMORY_MAX", 0)
    birds = Canaries(3)
    with opened(tmp_path / "a.db") as memory:
        id = plant(memory, birds)
        memory.remember_many([{"text": text_of(slot)} for slot in range(50)])
        memory.forget(id, hard=True)
        assert birds.found(tmp_path) == []
        memory.remember(text_of(51))  # and it is written as before
        assert not memory.doctor().problems
