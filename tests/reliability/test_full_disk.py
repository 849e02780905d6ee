"""A full or read-only disk: the error says so, and nothing half-written is left beside the store."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.api.backing_up import back_up
from holdfast.config import Settings
from holdfast.core.errors import StoreError
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.store import SqliteStore
from tests.support import KEY, memory_on, texts


def test_a_key_that_finds_no_room_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Memory(tmp_path / "m.db") as memory:
        stored = memory.remember("the spare key is at the neighbour's").memory
        assert stored is not None
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", no_room)
            with pytest.raises(StoreError) as raised:
                memory.forget(stored.id)
        assert raised.value.code == "store_full"
        assert "free some space" in (raised.value.hint or "")
        assert not [path for path in tmp_path.iterdir() if ".secret" in path.name]
        memory.forget(stored.id)
        assert not list(memory.recall("spare key"))


@pytest.mark.parametrize("trouble", [errno.EROFS, errno.EACCES])
def test_a_key_that_may_not_be_written_is_a_store_that_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: int
) -> None:
    def refuse(source: object, target: object) -> None:
        raise OSError(trouble, os.strerror(trouble))

    with Memory(tmp_path / "m.db") as memory:
        stored = memory.remember("the spare key is at the neighbour's").memory
        assert stored is not None
        monkeypatch.setattr(os, "link", refuse)
        with pytest.raises(StoreError) as raised:
            memory.forget(stored.id)
    assert raised.value.code == "store_read_only"


def test_a_backup_in_a_folder_that_cannot_be_made_names_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with Memory(tmp_path / "m.db") as memory:
        memory.remember("the spare key is at the neighbour's")
    with pytest.raises(StoreError) as raised:
        back_up(Settings(store=str(tmp_path / "m.db"), user="ada"), to=tmp_path / "file" / "backups")
    assert raised.value.code == "store_io"
    assert str(tmp_path / "file") in str(raised.value)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def _fill(disk: Path) -> Path:
    """Fills a disk to its last byte; returns the file to remove."""
    path = disk / "filler"
    with suppress(OSError), path.open("wb", buffering=0) as filler:
        while filler.write(bytes(4_096)):
            pass
    return path


def test_a_disk_that_is_full_before_a_store_is_opened_is_told_as_full(disk: Path) -> None:
    with Memory(disk / "m.db") as memory:
        memory.remember("the spare key is at the neighbour's")
    filler = _fill(disk)
    with pytest.raises(StoreError) as raised, Memory(disk / "m.db") as memory:
        memory.remember("the bicycle is in the shed")
    assert raised.value.code == "store_full"
    filler.unlink()
    with Memory(disk / "m.db") as memory:
        assert len(memory.recall("spare key")) == 1


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_store_on_a_full_disk_is_read_with_its_log_and_written_once_there_is_room(
    tmp_path: Path, disk: Path, key: StoreKey | None
) -> None:
    """There is no room for the index of the log, as after its process was killed with the machine."""
    source = SqliteStore(tmp_path / "m.db", key=key)
    memory_on(source).remember("the spare key is at the neighbour's")
    for path in tmp_path.glob("m.db*"):
        if path.is_file() and not path.name.endswith("-shm"):
            shutil.copy(path, disk)
    source.close()
    assert (disk / "m.db-wal").stat().st_size
    filler = _fill(disk)
    stores = [SqliteStore(disk / "m.db", key=key) for _ in range(2)]
    memories = [memory_on(store) for store in stores]

    def found() -> list[int]:
        return [len(memory.recall("spare key")) for memory in memories]

    assert found() == [1, 1]
    assert memories[0].doctor().problems == ()
    with stores[0].read(), stores[0].read():  # one within another, while the other one reads
        assert found() == [1, 1]
    other = "from holdfast import Memory; import sys; print(Memory(sys.argv[1], user='ana').count())"
    if key is None:
        command = [sys.executable, "-c", other, str(disk / "m.db")]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1\n"
    with pytest.raises(StoreError) as raised:
        memories[0].remember("the bicycle is in the shed")
    assert raised.value.code == "store_full"
    assert found() == [1, 1]
    filler.unlink()
    assert found() == [1, 1]
    for number, memory in enumerate(memories):
        assert memory.remember(f"bicycle {number} is in the shed").memory
    assert [len(texts(memory.list())) for memory in memories] == [3, 3]
    for memory, store in zip(memories, stores, strict=True):
        assert memory.doctor().problems == ()
        store.close()
