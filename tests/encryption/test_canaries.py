"""Nothing that is kept can be read in any file of an encrypted store: with a log, after a crash, by jobs."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from holdfast.features.access.keys import create_key
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.workers import queue_import
from tests.encryption.support import opened, readable, stored
from tests.reliability.canaries import Canaries, plant
from tests.support import KEY

PROJECT = "kolibri-harbour"
SECRET_TABLES = {"memories", "passages", "vectors", "projects", "sessions", "events"}
"""Tables that hold what people said, or who did what."""


def fill(memory: Memory, birds: Canaries) -> None:
    """Writes and reads in every way that leaves something in a file."""
    memory.projects.create(PROJECT)
    plant(memory, birds)
    plant(memory, Canaries(8), kind="message", long=True, slot=2)
    memory.add_messages(
        [{"role": "user", "content": f"My favorite color is {birds['speaker']} {n}"} for n in range(20)],
        session=birds["session"], project=PROJECT,
    )  # fmt: skip
    memory.recall(birds["text"], project="*")
    create_key(
        memory._service, user="ana", role="member", name=birds["reason"],
        agent=None, projects=[PROJECT], write=True, expires_at=None,
    )  # fmt: skip
    content = json.dumps([{"role": "user", "content": f"{birds['sessionmeta']} again"}]).encode()
    queue_import(memory._service, content, filename="messages.json", project=PROJECT)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_s4_55_nothing_that_is_kept_can_be_read_in_any_file(tmp_path: Path, key: StoreKey | None) -> None:
    """Texts, titles, tags, names of projects, terms, int8 codes and float16 vectors; the log is in use. The
    same search finds all of them where no key is set."""
    folder = tmp_path / "store"
    folder.mkdir()
    path = folder / "a.db"
    birds = Canaries(7)
    with opened(path, key) as memory:
        fill(memory, birds)
        values = stored(path, key)
        assert set(values.values()) >= SECRET_TABLES
        head = (folder / "a.db.head").read_bytes()
        values = {value: table for value, table in values.items() if value not in head}
        assert {file.name for file in folder.iterdir()} >= {
            "a.db-wal",
            "a.db.head",
            "a.db.keys",
            "a.db.spool",
        }
        with_log, named = readable(folder, values), birds.found(folder)
    closed, found = readable(folder, values), birds.found(folder)
    if key is None:
        assert with_log["a.db-wal"] >= SECRET_TABLES
        assert closed["a.db"] >= SECRET_TABLES
        assert any("text in a.db-wal" in place for place in named)
        assert any("reason in a.db.keys" in place for place in found)
        assert any("sessionmeta" in place for place in found), "what the job is to import"
        return
    assert with_log == closed == {}
    assert named == found == []
    names = [file.name for file in folder.rglob("*")]
    assert [
        name for name in names if PROJECT in name or any(word in name for word in birds.words.values())
    ] == []
    assert not any(PROJECT.encode() in file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_s4_55_nothing_can_be_read_after_a_crash(tmp_path: Path) -> None:
    """A process that is killed leaves its log; what it holds comes back with the key only."""
    folder = tmp_path / "store"
    folder.mkdir()
    path = folder / "a.db"
    birds = Canaries(9)
    pid = os.fork()
    if pid == 0:
        try:
            memory = opened(path)
            fill(memory, birds)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert (folder / "a.db-wal").stat().st_size > 0
    assert birds.found(folder) == []
    with opened(path) as memory:
        assert memory.recall(f"{birds['text']} {birds['title']}", branch=birds["branch"])
        assert memory.doctor().problems == ()
        [job] = [one for one in memory.jobs.list() if one.kind == "import"]
        assert memory._service.spool is not None
        assert birds["sessionmeta"].encode() in memory._service.spool.read(job.id)
        assert [one.name for one in memory._service.keys.all()] == [birds["reason"]]
    assert birds.found(folder) == []


def test_s4_55_erasing_and_rebuilding_make_no_plain_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What SQLite puts aside meanwhile stays in memory."""
    folder, aside = tmp_path / "store", tmp_path / "aside"
    folder.mkdir()
    aside.mkdir()
    monkeypatch.setenv("SQLITE_TMPDIR", str(aside))
    birds = Canaries(10)
    with opened(folder / "a.db") as memory:
        gone = plant(memory, birds, kind="message", long=True)
        opened_files: set[str] = set()

        def note(*_: object) -> bool:
            opened_files.update(os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
                                if os.path.exists(f"/proc/self/fd/{n}"))  # fmt: skip
            return False

        writer = memory._service.store._writer  # type: ignore[attr-defined]
        writer.set_progress_handler(note, 50)
        memory.forget(gone, hard=True)
        writer.set_progress_handler(None)
        ours = {name for name in opened_files if name.startswith(str(tmp_path)) or "etilqs" in name}
        assert {Path(name).name for name in ours} == {"a.db", "a.db-wal", "a.db-shm", "a.db.head"}
    assert birds.found(tmp_path) == []
