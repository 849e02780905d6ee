"""Killing while a folder is indexed: nothing is half there, and the next run ends with the same."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast import Memory
from tests.support import PATIENCE

FILES = 200
CHILD = """
import os, signal, sys
from holdfast import Memory

def told(done, total):
    if done >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

with Memory(sys.argv[1], user="ana") as memory:
    memory.folders.add(sys.argv[2], project="shop")
    memory.folders.index("notes-dir", progress=told)
"""


def write(root: Path, word: str) -> None:
    root.mkdir(exist_ok=True)
    for number in range(FILES):
        (root / f"{number:03}.md").write_text(f"# Note {number}\n\nThe {word} boat {number} is red.\n")


def killed(store: Path, root: Path, at: int) -> None:
    """Indexes in another process until it is killed after so many files."""
    completed = subprocess.run(
        [sys.executable, "-c", CHILD, str(store), str(root), str(at)], timeout=PATIENCE
    )
    assert completed.returncode == -signal.SIGKILL


def contents(memory: Memory) -> list[tuple[str, str]]:
    memories = memory.list(project="shop", limit=1000).memories
    return sorted((record.metadata["path"], record.text) for record in memories)


@pytest.mark.parametrize("at", [0, 64, 128])
def test_s1_66_a_kill_at_any_batch_loses_nothing_and_doubles_nothing(tmp_path: Path, at: int) -> None:
    store, root = tmp_path / "store.db", tmp_path / "notes"
    write(root, "first")
    killed(store, root, at)
    with Memory(store, user="ana") as memory:
        assert memory.doctor().problems == ()
        assert memory.count(project="shop") == at
        report = memory.folders.index("notes-dir")
        assert (report.unchanged, report.new) == (at, FILES - at)
        assert contents(memory) == [(p.name, p.read_text().strip()) for p in sorted(root.iterdir())]
    write(root, "second")
    for path in sorted(root.iterdir())[:20]:
        path.unlink()
    killed(store, root, min(at, 64))
    with Memory(store, user="ana") as memory:
        assert memory.doctor().problems == ()
        memory.folders.index("notes-dir")
        assert contents(memory) == [(p.name, p.read_text().strip()) for p in sorted(root.iterdir())]
        assert memory.doctor().problems == ()


def test_s1_68_a_deleted_folder_leaves_no_byte_in_the_store(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "notes"
    home.mkdir()
    write(root, "zanzibar")
    with Memory(home / "store.db", user="ana") as memory:
        memory.remember("something else stays", project="shop")
        memory.folders.add(root, project="shop", name="notes")
        memory.folders.index("notes-dir")
        assert any(b"zanzibar" in path.read_bytes() for path in home.iterdir())
        assert memory.folders.delete("notes-dir") == FILES
        assert [path.name for path in home.iterdir() if b"zanzibar" in path.read_bytes()] == []
        assert [path.name for path in home.iterdir() if b"117.md" in path.read_bytes()] == []
        assert memory.count(project="shop") == 1
