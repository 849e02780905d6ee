"""Two runs over one folder: what was read before neither replaces nor removes what was read after (S1.67)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.features.files.file_ingest import Item, prepared_batches
from holdfast.features.files.indexing import index_folder
from holdfast.features.files.passages import Indexing


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes" / "one.md"
    path.parent.mkdir()
    path.write_text("The boat is red.\n")
    return path


@pytest.fixture
def memory(tmp_path: Path, file: Path) -> Iterator[Memory]:
    """With the folder of the file, indexed once."""
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(file.parent, project="shop")
        memory.folders.index("notes-dir")
        yield memory


def other_run(memory: Memory) -> Indexing:
    """A run that waits for something else between reading and keeping."""
    return Indexing(memory._service, memory.folders.get("notes-dir").folder, lambda _: None)


def written_meanwhile(memory: Memory, file: Path) -> None:
    file.write_text("The boat is blue in the end.\n")
    index_folder(memory._service, memory.folders.get("notes-dir").folder.id)


def test_s1_67_what_was_read_before_does_not_replace_what_was_read_after(memory: Memory, file: Path) -> None:
    file.write_text("The boat is green now.\n")
    late = other_run(memory)
    late.begin()
    folder = memory.folders.get("notes-dir").folder
    ((_, readings),) = prepared_batches(memory._service, folder, [[Item("one.md", 0, 0)]])
    written_meanwhile(memory, file)
    late.keep(readings)
    assert "blue" in memory.recall("the boat", project="shop")[0].memory.text


def test_s1_67_a_file_that_came_back_is_not_removed_by_a_run_that_missed_it(
    memory: Memory, file: Path
) -> None:
    late = other_run(memory)
    missed = list(late.begin().values())
    written_meanwhile(memory, file)
    late.remove(missed)
    assert "blue" in memory.recall("the boat", project="shop")[0].memory.text
