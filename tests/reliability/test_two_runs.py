"""Two runs over one folder: what was read before neither replaces nor removes what was read after (S1.67)."""

from __future__ import annotations

from pathlib import Path

from holdfast import Memory
from holdfast.engine.index_files import Indexing
from holdfast.indexing import index_folder
from holdfast.preparing import Item, prepared


def test_s1_67_what_was_read_before_does_not_replace_what_was_read_after(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    path = root / "one.md"
    path.write_text("The boat is red.\n")
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(root, project="shop")
        service, folder = memory._service, memory.folders.get("notes-dir").folder
        index_folder(service, folder.id)
        path.write_text("The boat is green now.\n")
        late = Indexing(service, folder, lambda _: None)
        late.begin()
        ((_, readings),) = prepared(
            service, folder, [[Item("one.md", 0, 0)]]
        )  # a run that waits for something else
        path.write_text("The boat is blue in the end.\n")
        index_folder(service, folder.id)
        late.keep(readings, {})
        assert "blue" in memory.recall("the boat", project="shop")[0].memory.text


def test_s1_67_a_file_that_came_back_is_not_removed_by_a_run_that_missed_it(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    path = root / "one.md"
    path.write_text("The boat is red.\n")
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(root, project="shop")
        service, folder = memory._service, memory.folders.get("notes-dir").folder
        index_folder(service, folder.id)
        late = Indexing(service, folder, lambda _: None)
        gone = list(late.begin().values())  # a run that did not find it
        path.write_text("The boat is blue in the end.\n")
        index_folder(service, folder.id)
        late.remove(gone)
        assert "blue" in memory.recall("the boat", project="shop")[0].memory.text
