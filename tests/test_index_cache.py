"""The index in memory and its blocks in the file change how long an answer takes, never the answer."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest

from holdfast import Memory
from holdfast.stores.sqlite import blocks
from holdfast.stores.sqlite.store import SqliteStore
from tests.fakes import ManualClock
from tests.support import memory_on


@pytest.mark.parametrize("cache_bytes", [1, 1 << 30])
def test_a_view_of_more_pools_than_there_is_room_for_is_searched_whole(
    tmp_path: Path, cache_bytes: int
) -> None:
    with memory_on(SqliteStore(tmp_path / "a.db", cache_bytes=cache_bytes)) as memory:
        for project in ("p", "q", "r"):
            memory.remember(f"The heron of {project} stands at the well.", project=project)
        for _ in range(2):
            matches = memory.recall("heron at the well", project="*")
            assert {hit.memory.project for hit in matches} == {"p", "q", "r"}
            assert [hit.memory.project for hit in memory.recall("heron", project="q")] == ["q"]


WORDS = "heron pier well harbour lantern anchor quay rope sail tide".split()


def filled_store(path: Path, count: int) -> Path:
    """A store with so many memories in a project, and blocks of all of them."""
    with Memory(path, user="ana") as memory:
        memory.remember_many(
            [
                {"text": f"The {WORDS[n % 10]} number {n} lies by the {WORDS[n * 7 % 9]}.", "project": "p"}
                for n in range(count)
            ]
        )
        memory.maintain()
        assert memory.doctor().problems == ()
    return path


def recalled(path: Path) -> list[tuple[str, float]]:
    """What a new process finds, with the scores."""
    with Memory(path, user="ana", clock=ManualClock()) as memory:
        return [
            (hit.memory.text, hit.score)
            for query in ("the anchor at the well", "which lantern is number 7")
            for hit in memory.recall(query, project="p", limit=20)
        ]


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM blocks",
        "UPDATE blocks SET content = NULL, codes = NULL",
        "UPDATE blocks SET content = substr(content, 1, length(content) - 1)",
        "UPDATE blocks SET content = zeroblob(length(content))",
        "UPDATE blocks SET codes = zeroblob(7)",
        "UPDATE blocks SET model = NULL",
        "UPDATE blocks SET last = last - 3",
    ],
)
def test_missing_and_damaged_blocks_change_no_answer_and_are_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_ROWS", 16)
    path = filled_store(tmp_path / "a.db", 40)
    sound = tmp_path / "sound.db"
    shutil.copyfile(path, sound)
    shutil.copyfile(f"{path}.head", f"{sound}.head")
    connection = apsw.Connection(str(path))
    connection.execute(damage)
    connection.close()
    assert recalled(path) == recalled(sound)
    with Memory(path, user="ana") as memory:
        is_missing = "DELETE" in damage or "NULL, codes" in damage
        assert bool(memory.doctor().problems) != is_missing
        memory.maintain()
        assert memory.doctor().problems == ()
    assert recalled(path)[:1] == recalled(sound)[:1]


def test_a_process_that_never_ends_writes_blocks_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what comes and of what changes; together they are never more than was kept."""
    monkeypatch.setattr(blocks, "DUE", 8)
    with Memory(tmp_path / "a.db", user="ana") as memory:
        for number in range(30):
            stored = memory.remember(f"The {WORDS[number % 10]} number {number} is red", project="p").memory
            assert stored is not None
            if number % 4 == 0:
                memory.forget(stored.id, hard=number % 8 == 0)
        assert memory.doctor().problems == ()
        with memory._service.store.read() as snap:
            sizes = snap.connection.execute("SELECT sum(size) FROM blocks WHERE content IS NOT NULL").get  # type: ignore[attr-defined]
        assert 10 < sizes <= 30


def test_s2_36_blocks_hold_nothing_of_what_was_erased(tmp_path: Path) -> None:
    """Neither its names nor the code of its vector, in the transaction of the erasure and in the file."""
    path = tmp_path / "a.db"
    with Memory(path, user="ana") as memory:
        memory.add_messages(
            [{"role": "user", "name": f"Speaker{n}", "content": f"The heron of pier {n}"} for n in range(9)],
            session="s", project="p",
        )  # fmt: skip
        memory.maintain()
        stored = memory.recall("heron of pier 4", project="p")[0].memory
        name = (stored.name or "").encode()
        assert name
        with memory._service.store.read() as snap:
            reading = snap.connection  # type: ignore[attr-defined]
            code = reading.execute(
                "SELECT v.code FROM vectors v JOIN passages x ON x.number = v.passage"
                " JOIN memories m ON m.number = x.memory WHERE m.id = ?", (stored.id,),
            ).get  # fmt: skip
            assert name in bytes(reading.execute("SELECT content FROM blocks").get)
        assert code in path.read_bytes() + Path(f"{path}-wal").read_bytes()
        memory.forget(stored.id, hard=True)
        with memory._service.store.read() as snap:
            reading = snap.connection  # type: ignore[attr-defined]
            assert reading.execute("SELECT count(*) FROM blocks WHERE content IS NOT NULL").get == 0
        memory.maintain()
    assert code not in path.read_bytes()
    assert name not in path.read_bytes()
