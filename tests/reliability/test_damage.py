"""Files that are damaged, foreign, full or closed to writing: a clear error, and reading where it is safe."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.core.errors import CODES, Damaged, HoldfastError, StoreError
from holdfast.stores.sqlite import migrate
from holdfast.stores.sqlite.sql import migrations
from holdfast.stores.sqlite.store import SqliteStore
from tests.reliability.damaging import filled, killed_with_log
from tests.reliability.nursery import ROOT
from tests.reliability.workload import open_memory, opened, text_of
from tests.support import PATIENCE

NOBODY = 65_534
HEAD = 100
"""Bytes of SQLite's file header."""


def refusal(path: Path) -> StoreError:
    """The error with which a store refuses to open; it names the path and says what to do."""
    with pytest.raises(StoreError) as caught:
        open_memory(path)
    assert caught.value.code in CODES
    assert caught.value.hint
    assert str(path) in str(caught.value)
    return caught.value


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users of the machine may enter."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


def as_nobody(script: str, path: Path) -> dict[str, object]:
    """What a script prints that runs without privileges: root may write everywhere."""
    preamble = f"""
import json, os, resource, sys, tempfile
from pathlib import Path
from holdfast.core.errors import HoldfastError
from tests.reliability.workload import open_memory, opened, text_of
with tempfile.TemporaryDirectory() as warm, opened(Path(warm) / "a.db") as memory:
    memory.remember(text_of(1))  # loads everything: an unprivileged user may not be able to read the code
    memory.recall(text_of(1)), memory.doctor()
from holdfast.language.statements import rewording  # loaded for two texts that are alike
if os.getuid() == 0:
    os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})
os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
path = Path(sys.argv[1])
say = {{}}
def code(call):
    try:
        call()
    except HoldfastError as error:
        return error.code
"""
    completed = subprocess.run(
        [sys.executable, "-B", "-c", preamble + script + "\nprint(json.dumps(say))", str(path)],
        cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    data: dict[str, object] = json.loads(completed.stdout)
    return data


READ_ONLY = """
memory = open_memory(path)
say["found"] = memory.recall(text_of(3))[0].memory.text == text_of(3)
say["again"] = memory.recall(text_of(4))[0].memory.text == text_of(4)
say["write"] = code(lambda: memory.remember("a new thought"))
say["problems"] = list(memory.doctor().problems)
memory.close()
"""


def test_a_read_only_folder_is_read(folder: Path) -> None:
    path = filled(folder / "a.db")
    path.chmod(0o666)
    Path(f"{path}.head").chmod(0o666)
    folder.chmod(0o555)
    assert as_nobody(READ_ONLY, path) == {
        "found": True, "again": True, "write": "store_read_only", "problems": []
    }  # fmt: skip
    assert sorted(os.listdir(folder)) == ["a.db", "a.db.head"], "nothing was put beside it"


def test_a_read_only_file_is_read(folder: Path) -> None:
    path = filled(folder / "a.db")
    path.chmod(0o444)
    Path(f"{path}.head").chmod(0o444)
    folder.chmod(0o777)
    assert as_nobody(READ_ONLY, path) == {
        "found": True, "again": True, "write": "store_read_only", "problems": []
    }  # fmt: skip


def test_a_read_only_folder_with_a_log_left_behind_is_read(folder: Path) -> None:
    """What stands in the log only is acknowledged too, and cannot be copied into the file."""
    path = killed_with_log(folder / "a.db")
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    script = READ_ONLY.replace("text_of(4)", "text_of(105)")
    assert as_nobody(script, path) == {
        "found": True, "again": True, "write": "store_read_only", "problems": []
    }  # fmt: skip


def test_a_new_store_in_a_read_only_folder_is_refused(folder: Path) -> None:
    folder.chmod(0o555)
    assert as_nobody('say["open"] = code(lambda: open_memory(path))', folder / "a.db") == {
        "open": "store_read_only"
    }


def test_a_file_that_may_not_be_read_is_refused(folder: Path) -> None:
    path = filled(folder / "a.db")
    path.chmod(0o000)
    folder.chmod(0o777)
    assert as_nobody('say["open"] = code(lambda: open_memory(path))', path) == {"open": "store_unavailable"}


def test_a_full_disk_keeps_what_was_acknowledged(folder: Path) -> None:
    """The limit on file sizes stands for a full disk; once there is room again, writing goes on."""
    folder.chmod(0o777)
    said = as_nobody(
        """
memory = open_memory(path)
kept = [memory.remember(text_of(n)).memory.id for n in range(10)]
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 400_000, resource.RLIM_INFINITY))
codes = set()
for n in range(10, 2_000):
    try: kept.append(memory.remember(text_of(n)).memory.id)
    except HoldfastError as error: codes.add(error.code)
    if codes and n > len(kept) + 5: break
say["codes"] = sorted(codes)
say["reads"] = all(memory.get(id) for id in kept)
say["found"] = all(memory.recall(memory.get(id).text)[0].memory.id == id for id in kept[-20:])
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
say["after"] = memory.recall(memory.remember(text_of(9_000)).memory.text)[0].memory.text == text_of(9_000)
say["problems"] = list(memory.doctor().problems)
memory.close()
memory = open_memory(path)
say["count"] = memory.count() - len(kept)
""",
        folder / "a.db",
    )
    codes = said.pop("codes")
    assert isinstance(codes, list)
    assert codes
    assert set(codes) <= {"store_io", "store_full"}
    assert said == {"reads": True, "found": True, "after": True, "problems": [], "count": 1}


@pytest.mark.skipif(os.getuid() != 0, reason="only root may mount a file system")
def test_a_full_file_system_keeps_what_was_acknowledged(folder: Path) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        memory = open_memory(folder / "a.db")
        kept: list[str] = []
        codes: set[str] = set()
        for slot in range(2_000):
            try:
                stored = memory.remember(text_of(slot)).memory
                assert stored is not None
                kept.append(stored.id)
            except StoreError as error:
                codes.add(error.code)
                if slot > len(kept) + 3:
                    break
        assert codes == {"store_full"}
        assert all(memory.get(id).id == id for id in kept)
        subprocess.run(["mount", "-o", "remount,size=50m", str(folder)], check=True)
        later = memory.remember(text_of(9_000)).memory
        assert later is not None
        memory.close()
        with opened(folder / "a.db") as again:
            assert again.count() == len(kept) + 1
            assert again.doctor().healthy
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


# files that are not what they should be


def test_a_corrupt_page_is_told_and_nothing_crashes(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db", 400)
    size = path.stat().st_size
    rng = random.Random(1)
    told = 0
    for page in rng.sample(range(1, size // 4096), 12):
        damaged = tmp_path / f"{page}.db"
        content = bytearray(path.read_bytes())
        content[page * 4096 : page * 4096 + 4096] = rng.randbytes(4096)
        damaged.write_bytes(content)
        try:
            with opened(damaged) as memory:
                told += bool(memory.doctor().problems)
        except Damaged as error:
            told += error.code == "store_damaged"
    assert told == 12


def test_a_damaged_store_still_reads_what_is_whole(tmp_path: Path) -> None:
    """One ruined text: everything else is still recalled."""
    path = filled(tmp_path / "a.db", 5)
    long = text_of(77, words=6_000)
    with opened(path) as memory:
        memory.add_messages([{"role": "user", "content": long}], session="s", project="orchard")
    content = path.read_bytes()
    at = content.index(long[-2_000:-1_900].encode())
    path.write_bytes(content[: at // 4096 * 4096] + b"\xff" * 4096 + content[at // 4096 * 4096 + 4096 :])
    with opened(path) as memory:
        assert memory.recall(text_of(3))[0].memory.text == text_of(3), "what stands elsewhere is found"
        with pytest.raises(Damaged) as caught:
            memory.list(session="s")
        assert caught.value.code == "store_damaged"
        assert memory.doctor().problems


def test_a_single_flipped_bit_in_a_text_is_found(tmp_path: Path) -> None:
    """SQLite finds nothing wrong with it; the hash of the text does."""
    path = filled(tmp_path / "a.db", 5)
    content = bytearray(path.read_bytes())
    content[content.index(text_of(3).encode()) + 5] ^= 1
    path.write_bytes(content)
    with opened(path) as memory:
        assert any("not the text that was kept" in problem for problem in memory.doctor().problems)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db")
    for share in (0.5, 0.9):
        short = tmp_path / f"{share}.db"
        content = path.read_bytes()
        short.write_bytes(content[: int(len(content) * share) // 4096 * 4096])
        with pytest.raises(Damaged) as caught, opened(short) as memory:
            memory.list(project="*")
        assert caught.value.code == "store_damaged"


def test_an_emptied_file_is_noticed(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db")
    os.truncate(path, 0)
    with opened(path) as memory:
        with pytest.raises(Damaged) as caught:
            memory.remember("what was here is gone")
        assert caught.value.code == "history_lost"
        assert any("missing" in problem for problem in memory.doctor().problems)


def test_files_of_others_are_refused_and_left_alone(tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.db"
    garbage.write_bytes(random.Random(2).randbytes(8_192))
    text = tmp_path / "text.db"
    text.write_text("these are the times that try men's souls\n" * 50)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    empty = tmp_path / "empty.db"
    with sqlite3.connect(empty) as connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    for path in (garbage, text, other, empty):
        before = path.read_bytes()
        assert refusal(path).code == "store_not_a_database"
        assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["empty.db", "garbage.db", "other.db", "text.db"]


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db", 3)
    content = bytearray(path.read_bytes())
    content[60:64] = struct.pack(">I", 999)
    path.write_bytes(content)
    error = refusal(path)
    assert error.code == "store_newer"
    assert "999" in str(error)
    assert "upgrade" in str(error.hint)
    assert path.read_bytes() == content


@pytest.mark.parametrize("recorded", [True, False])
def test_a_file_of_another_development_version_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: bool
) -> None:
    """Its schema has the same number and other columns. The first such versions recorded no schema; one that
    somebody changed since it was made is damaged."""
    path = tmp_path / "a.db"
    ((number, script),) = migrations()
    with monkeypatch.context() as patched:
        older = script.replace("reach", "extent")
        patched.setattr(migrate, "migrations", lambda: ((number, older),))
        SqliteStore(path).close()
    with sqlite3.connect(path) as connection:
        if not recorded:
            connection.execute("DELETE FROM seals WHERE name = 'sqlite_schema'")
    with pytest.raises(StoreError, match="development version") as caught, opened(path) as memory:
        memory.remember("The boat is red")
    assert caught.value.code == "store_unreleased"
    assert str(path) in str(caught.value)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT OR REPLACE INTO seals VALUES ('sqlite_schema', 1, 1)")
    with pytest.raises(Damaged), opened(path) as memory:
        memory.remember("The boat is red")


def test_a_folder_or_a_missing_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path).code == "store_unavailable"
    missing = tmp_path / "no" / "a.db"
    with pytest.raises(HoldfastError) as caught:
        open_memory(missing)
    assert caught.value.code == "store_unavailable"


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = SqliteStore(filled(tmp_path / "a.db", 2))
    store.close()
    store.close()
    with pytest.raises(StoreError) as caught, store.read():
        pass
    assert caught.value.code == "store_closed"
