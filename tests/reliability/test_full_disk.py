"""A full or read-only disk: the error says so, and nothing half-written is left beside the store."""

from __future__ import annotations

import errno
import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.api.backing_up import back_up
from holdfast.config import Settings
from holdfast.core.errors import StoreError


def test_a_key_that_finds_no_room_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Memory(tmp_path / "m.db") as memory:
        kept = memory.remember("the spare key is at the neighbour's").memory
        assert kept is not None
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", no_room)
            with pytest.raises(StoreError) as raised:
                memory.forget(kept.id)
        assert raised.value.code == "store_full"
        assert "free some space" in (raised.value.hint or "")
        assert not [path for path in tmp_path.iterdir() if ".secret" in path.name]
        memory.forget(kept.id)
        assert not list(memory.recall("spare key"))


@pytest.mark.parametrize("trouble", [errno.EROFS, errno.EACCES])
def test_a_key_that_may_not_be_written_is_a_store_that_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: int
) -> None:
    def refuse(source: object, target: object) -> None:
        raise OSError(trouble, os.strerror(trouble))

    with Memory(tmp_path / "m.db") as memory:
        kept = memory.remember("the spare key is at the neighbour's").memory
        assert kept is not None
        monkeypatch.setattr(os, "link", refuse)
        with pytest.raises(StoreError) as raised:
            memory.forget(kept.id)
    assert raised.value.code == "store_read_only"


def test_a_backup_in_a_folder_that_cannot_be_made_names_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with Memory(tmp_path / "m.db") as memory:
        memory.remember("the spare key is at the neighbour's")
    with pytest.raises(StoreError) as raised:
        back_up(Settings(store=str(tmp_path / "m.db"), user="ada"), folder=tmp_path / "file" / "backups")
    assert raised.value.code == "store_io"
    assert str(tmp_path / "file") in str(raised.value)


@pytest.mark.skipif(os.getuid() != 0, reason="only root may mount a file system")
def test_a_disk_that_is_full_before_a_store_is_opened_is_told_as_full(tmp_path: Path) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        with Memory(tmp_path / "m.db") as memory:
            memory.remember("the spare key is at the neighbour's")
        with suppress(OSError), (tmp_path / "filler").open("wb", buffering=0) as filler:
            while filler.write(bytes(4_096)):
                pass
        with pytest.raises(StoreError) as raised, Memory(tmp_path / "m.db") as memory:
            memory.remember("the bicycle is in the shed")
        assert raised.value.code == "store_full"
        (tmp_path / "filler").unlink()
        with Memory(tmp_path / "m.db") as memory:
            assert len(memory.recall("spare key")) == 1
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)
