"""The store contract, folders: files indexed once, seen from their projects, and followed as they change."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Memory, NotFound
from holdfast.core.errors import Refusal
from holdfast.core.folders import FolderState
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on, texts

SESSION = '''"""Sessions of users."""

import time


class Session:
    """One signed-in user."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.began = time.time()

    def refresh(self) -> None:
        """Makes the token last for another hour of harbour time."""
        self.began = time.time() + 3600 + len(self.user) * 2 + len(self.user) // 3
'''
GUIDE = "# Harbour guide\n\nBoats are painted red in spring.\n\n## Keeper\n\nThe keeper is Ada.\n"
MANUAL = "\n".join(f"## Part {n}\n\n" + f"What part {n} says of the harbour. " * 40 for n in range(6))
LONG = "import sea\n\n\n" + "\n\n".join(
    f"def paint_{n}(boat):\n" + "".join(f"    boat.add(sea.colour({n}, {i}))\n" for i in range(30))
    for n in range(12)
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small repository."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "session.py").write_text(SESSION)
    (root / "guide.md").write_text(GUIDE)
    (root / "logo.png").write_bytes(b"\x89PNG\r\n")
    (root / "node_modules" / "left").mkdir(parents=True)
    (root / "node_modules" / "left" / "pad.js").write_text("module.exports = 1\n")
    return root


def indexed(memory: Memory, root: Path, **options: Any) -> Any:
    """The folder, added and indexed."""
    folder = memory.folders.add(root, **options)
    memory.folders.index(folder.id)
    return folder


def paths(hits: Any) -> list[str]:
    found = hits.memories if hasattr(hits, "memories") else [hit.memory for hit in hits]
    return sorted({one.metadata["path"] for one in found if "path" in one.metadata})


def ids_of(memory: Memory, path: str, project: str = "shop") -> dict[str, str]:
    """Ids of the passages of a file by their text."""
    memories = memory.list(project=project, kinds="passage", limit=1000).memories
    return {record.text: record.id for record in memories if record.metadata["path"] == path}


def test_s1_57_a_folder_is_indexed_and_recalled(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop", name="The shop")
    report = memory.folders.index(folder.slug)
    assert (report.new, report.changed, report.removed) == (2, 0, 0)
    assert report.left == {"never_read": 1, "excluded_by_default": 1}
    hit = memory.recall("how long does refresh make the token last", project="shop")[0]
    assert hit.memory.kind == "passage"
    assert hit.memory.origin.value == "file"
    assert hit.memory.source == folder.id
    assert hit.memory.metadata["path"] == "src/session.py"
    assert "Session.refresh" in hit.memory.metadata["symbols"]
    first, last = hit.memory.metadata["lines"]
    assert SESSION.split("\n")[first - 1 : last][0].strip() in hit.memory.text


def test_s1_5_s1_46_a_passage_says_where_it_stands(memory: Memory, tree: Path) -> None:
    indexed(memory, tree, project="shop")
    for one in memory.list(project="shop", kinds="passage").memories:
        text = (tree / one.metadata["path"]).read_text()
        assert text[one.metadata["start"] : one.metadata["end"]].strip() == one.text
        assert one.metadata["language"] == ("python" if one.metadata["path"].endswith("py") else None)
    memories = memory.list(project="shop", kinds="passage").memories
    assert len({(record.metadata["path"], record.metadata["chunk"]) for record in memories}) == len(memories)
    assert len({record.external_id for record in memories}) == len(memories)


def test_s1_4_files_tell_their_state_and_why(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    found = {file.path: file for file in memory.folders.files(folder.id)}
    assert list(found) == ["guide.md", "logo.png", "node_modules/", "src/session.py"]
    assert found["src/session.py"].state.value == "indexed"
    assert found["src/session.py"].language == "python"
    assert found["src/session.py"].size == len(SESSION.encode())
    assert (found["logo.png"].state.value, found["logo.png"].reason) == ("skipped", "never_read")
    assert found["node_modules/"].reason == "excluded_by_default"
    assert [file.path for file in memory.folders.files(folder.id, state="skipped", after="logo.png")] == [
        "node_modules/"
    ]
    assert [file.path for file in memory.folders.files(folder.id, limit=1)] == ["guide.md"]


@pytest.mark.parametrize("name", ["Re\u0301union de l'e\u0301quipe.md", "Ber\u0301eth\u0301/plan.md"])
def test_a_name_with_separate_accents_is_no_secret(memory: Memory, tmp_path: Path, name: str) -> None:
    path = tmp_path / "vault" / name
    path.parent.mkdir(parents=True)
    path.write_text("The kiln is heated to 1,240 degrees.\n")
    folder = indexed(memory, tmp_path / "vault", project="shop")
    assert [file.path for file in memory.folders.files(folder.id)] == [name]
    (hit,) = memory.recall("how hot is the kiln", project="shop")
    assert hit.memory.metadata["path"] == name
    assert memory.folders.read(folder.id, name).text.startswith("The kiln")
    typed = unicodedata.normalize("NFC", name)
    assert texts(memory.recall("kiln", project="shop", path=typed)) == [hit.memory.text]
    report = memory.folders.index(folder.id)
    assert (report.unchanged, report.left) == (1, {})
    path.unlink()
    assert memory.folders.index(folder.id).removed == 1


def test_s1_57_unchanged_files_are_not_read_and_touched_ones_only_hashed(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    before = memory.list(project="shop", kinds="passage").memories
    again = memory.folders.index(folder.id)
    assert (again.unchanged, again.chunks, again.new) == (2, 0, 0)
    os.utime(tree / "guide.md", ns=(1, 1))
    touched = memory.folders.index(folder.id)
    assert (touched.unchanged, touched.touched, touched.chunks) == (1, 1, 0)
    assert memory.folders.files(folder.id)[0].modified_at == 1
    assert memory.folders.index(folder.id).unchanged == 2
    assert memory.list(project="shop", kinds="passage").memories == before


def test_s1_64_indexing_anew_reads_everything_and_keeps_ids(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    before = ids_of(memory, "guide.md")
    report = memory.folders.index(folder.id, anew=True)
    assert (report.changed, report.unchanged) == (2, 0)
    assert ids_of(memory, "guide.md") == before


def test_s1_67_a_changed_file_keeps_the_ids_of_what_did_not_change(memory: Memory, tree: Path) -> None:
    (tree / "src" / "session.py").write_text(LONG)
    folder = indexed(memory, tree, project="shop")
    before = ids_of(memory, "src/session.py")
    changed = "# a comment above\nLIMIT = 3\n" + LONG.replace("paint_7", "varnish_7")
    (tree / "src" / "session.py").write_text(changed)
    report = memory.folders.index(folder.id)
    assert (report.changed, report.unchanged) == (1, 1)
    after = ids_of(memory, "src/session.py")
    same = before.keys() & after.keys()
    assert same
    assert before.keys() - after.keys()
    assert all(before[text] == after[text] for text in same)
    for text in before.keys() - after.keys():
        with pytest.raises(NotFound):
            memory.get(before[text])
    for record in memory.list(project="shop", kinds="passage").memories:
        text = (tree / record.metadata["path"]).read_text()
        assert text[record.metadata["start"] : record.metadata["end"]].strip() == record.text


def test_s1_68_a_deleted_file_takes_its_passages_along(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    gone = ids_of(memory, "guide.md")
    (tree / "guide.md").unlink()
    assert memory.folders.index(folder.id).removed == 1
    assert paths(memory.recall("who is the keeper", project="shop")) in ([], ["src/session.py"])
    assert "guide.md" not in {file.path for file in memory.folders.files(folder.id)}
    for id in gone.values():
        with pytest.raises(NotFound):
            memory.get(id)
    assert memory.folders.get(folder.id).counts.indexed == 1


def test_s1_67_a_renamed_file_keeps_its_passages(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    before = ids_of(memory, "guide.md")
    (tree / "docs").mkdir()
    (tree / "guide.md").rename(tree / "docs" / "harbour.md")
    report = memory.folders.index(folder.id)
    assert (report.renamed, report.new, report.removed) == (1, 0, 0)
    assert ids_of(memory, "docs/harbour.md") == before
    assert ids_of(memory, "guide.md") == {}
    file = next(one for one in memory.folders.files(folder.id) if one.path == "docs/harbour.md")
    assert file.renamed_from == "guide.md"
    (tree / "guide.md").write_text(GUIDE)  # a copy where it was is another file
    assert memory.folders.index(folder.id).new == 1
    assert not set(ids_of(memory, "guide.md").values()) & set(before.values())


def test_two_files_with_the_same_text_are_two(memory: Memory, tree: Path) -> None:
    (tree / "copy.md").write_text(GUIDE)
    folder = indexed(memory, tree, project="shop")
    first, second = ids_of(memory, "guide.md"), ids_of(memory, "copy.md")
    assert first.keys() == second.keys()
    assert not set(first.values()) & set(second.values())
    stats = memory.folders.chunk_stats(folder.id)
    assert stats["total"] - stats["unique"] == len(first)
    (tree / "guide.md").rename(tree / "a.md")
    (tree / "copy.md").rename(tree / "b.md")
    report = memory.folders.index(folder.id)
    assert (report.renamed, report.new, report.removed) == (2, 0, 0)
    assert len(ids_of(memory, "a.md")) == len(ids_of(memory, "b.md")) == len(first)


def test_what_a_person_pinned_stays_when_its_file_goes(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    text, id = next(item for item in ids_of(memory, "guide.md").items() if "keeper" in item[0].lower())
    memory.pin(id)
    (tree / "guide.md").write_text("# Something else\n\nNothing of before is here.\n")
    memory.folders.index(folder.id)
    assert memory.get(id).text == text
    (tree / "guide.md").write_text(GUIDE)
    memory.folders.index(folder.id)
    assert memory.get(id).pinned
    (tree / "guide.md").unlink()
    memory.folders.index(folder.id)
    assert memory.get(id).text == text
    assert memory.folders.delete(folder.id) > 0
    with pytest.raises(NotFound):
        memory.get(id)


def test_what_was_forgotten_stays_forgotten(memory: Memory, tree: Path) -> None:
    (tree / "guide.md").write_text(MANUAL)
    folder = indexed(memory, tree, project="shop")
    id = next(iter(ids_of(memory, "guide.md").values()))
    memory.forget(id)
    (tree / "guide.md").write_text(MANUAL.replace("Part 4", "Chapter 4"))
    memory.folders.index(folder.id)
    with pytest.raises(NotFound):
        memory.get(id)
    assert memory.restore(id).metadata["path"] == "guide.md"


def test_s4_20_secrets_in_files_do_not_get_in(memory: Memory, tree: Path) -> None:
    (tree / "notes.md").write_text("# Access\n\nThe password: hunter2secret99 opens the harbour gate.\n")
    folder = memory.folders.add(tree, project="shop")
    report = memory.folders.index(folder.id)
    assert report.redactions
    matches = memory.recall("what opens the harbour gate", project="shop")
    assert all("hunter2secret99" not in hit.memory.text for hit in matches)


def test_s1_50_one_folder_serves_several_projects(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project=["shop", "office"])
    assert folder.projects == ("office", "shop")
    one, two = (memory.recall("who is the keeper", project=name)[0] for name in ("shop", "office"))
    assert one.memory.id == two.memory.id
    assert memory.recall("who is the keeper", project="third").items == ()
    assert memory.recall("who is the keeper").items == ()
    assert memory.recall("who is the keeper", session="free").items == ()
    total = memory.count(project="shop")
    memory.folders.connect(folder.id, "third")
    assert memory.recall("who is the keeper", project="third")[0].memory.id == one.memory.id
    memory.folders.disconnect(folder.id, "shop")
    assert memory.recall("who is the keeper", project="shop").items == ()
    assert (memory.count(project="shop"), memory.count(project="third")) == (0, total)
    assert memory.get(one.memory.id).id == one.memory.id
    for name in ("office", "third"):
        memory.folders.disconnect(folder.id, name)
    with pytest.raises(NotFound):
        memory.get(one.memory.id)
    assert memory.recall("who is the keeper", project="*").items == ()
    assert memory.folders.get(folder.id).folder.state is FolderState.DISABLED
    with pytest.raises(InvalidInput):
        memory.folders.index(folder.id)
    with pytest.raises(NotFound):
        memory.folders.disconnect(folder.id, "shop")


def test_s1_51_s4_57_files_of_a_deleted_project_are_not_recalled(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project=["shop", "office"])
    memory.projects.delete("shop")
    assert memory.recall("who is the keeper", project="shop").items == ()
    assert len(memory.recall("who is the keeper", project="office")) > 0
    memory.projects.delete("office")
    assert memory.recall("who is the keeper", project="*").items == ()
    memory.projects.create("shop")
    assert memory.recall("who is the keeper", project="shop").items == ()
    memory.folders.connect(folder.id, "shop")
    assert len(memory.recall("who is the keeper", project="shop")) > 0


def test_s1_50_a_private_folder_is_its_owners_and_a_shared_one_its_projects(store: Store, tree: Path) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    mine = indexed(ana, tree, project="shop")
    assert ben.recall("who is the keeper", project="shop").items == ()
    assert ben.folders.list() == []
    for act in (
        ben.folders.get, ben.folders.index, ben.folders.delete, ben.folders.files, ben.folders.chunk_stats,
        ben.folders.tree, ben.folders.queue, ben.folders.jobs, lambda id: ben.folders.connect(id, "mine"),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            act(mine.id)
    ana.folders.delete(mine.id)
    shared = indexed(ana, tree, project="shop", visibility="project")
    assert len(ben.recall("who is the keeper", project="shop")) > 0
    assert ben.recall("who is the keeper", project="other").items == ()
    assert [folder.folder.id for folder in ben.folders.list()] == [shared.id]
    assert ben.folders.files(shared.slug)
    for change in (ben.folders.index, ben.folders.delete, lambda id: ben.folders.connect(id, "mine")):
        with pytest.raises(NotFound):
            change(shared.id)
    hit = ben.recall("who is the keeper", project="shop")[0]
    with pytest.raises(Refusal) as error:
        ben.forget(hit.memory.id)
    assert error.value.code == "not_yours"
    ana.folders.disconnect(shared.id, "shop")
    assert ben.folders.list() == []
    with pytest.raises(NotFound):
        ben.get(hit.memory.id)


def test_s1_63_slugs_and_settings(memory: Memory, tree: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "shop"
    other.mkdir(parents=True)
    first, second = memory.folders.add(tree), memory.folders.add(other)
    assert (first.slug, second.slug) == ("shop-dir", "shop-dir-2")
    assert first.projects == ("general",)
    again = memory.folders.add(tree, include=["*.md"], name="Guides")
    assert (again.id, again.slug, again.name) == (first.id, "shop-dir", "Guides")
    assert memory.folders.index("shop-dir").new == 1
    assert [folder.folder.slug for folder in memory.folders.list()] == ["shop-dir", "shop-dir-2"]
    for bad in (tmp_path / "missing", tree / "guide.md"):
        with pytest.raises(InvalidInput):
            memory.folders.add(bad)
    with pytest.raises(InvalidInput):
        memory.folders.add(tree, visibility="team")
    with pytest.raises(InvalidInput):
        memory.folders.add(tree, project=[])
    with pytest.raises(NotFound):
        memory.folders.get("never-added")


def test_s1_63_adding_again_connects_further_projects_only(memory: Memory, tree: Path) -> None:
    memory.folders.add(tree, project="shop")
    assert memory.folders.add(tree, exclude=["*.md"]).projects == ("shop",)
    assert memory.folders.add(tree, project="office").projects == ("office", "shop")


def test_s1_62_patterns_narrow_what_is_read_and_what_left_goes(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    memory.folders.add(tree, project="shop", exclude=["src/"])
    report = memory.folders.index(folder.id)
    assert (report.removed, report.left["excluded"]) == (1, 1)
    assert {record.metadata["path"] for record in memory.list(project="shop").memories} == {"guide.md"}
    memory.folders.add(tree, project="shop", include=["*.py"])
    memory.folders.index(folder.id)
    assert {record.metadata["path"] for record in memory.list(project="shop").memories} == {"src/session.py"}


def test_s1_64_deleting_a_folder_erases_what_was_indexed(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    memory.remember("The harbour opens at nine", project="shop")
    count = memory.count(project="shop") - 1
    assert memory.folders.delete(folder.slug) == count
    assert texts(memory.list(project="shop")) == ["The harbour opens at nine"]
    assert memory.folders.list() == []
    assert (tree / "guide.md").exists()
    assert memory.doctor().problems == ()
    assert indexed(memory, tree, project="shop").slug == folder.slug


def test_s1_8_a_folder_that_goes_away_is_in_error_and_loses_nothing(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    count = memory.count(project="shop")
    away = tree.rename(tree.with_name("away"))
    with pytest.raises(InvalidInput) as error:
        memory.folders.index(folder.id)
    status = memory.folders.get(folder.id)
    assert (status.folder.state, status.folder.error) == (FolderState.ERROR, error.value.code)
    assert memory.count(project="shop") == count
    away.rename(tree)
    assert memory.folders.index(folder.id).unchanged == 2
    assert memory.folders.get(folder.id).folder.state is FolderState.IDLE


def test_s1_8_a_folder_that_goes_away_while_it_is_read_loses_nothing(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    count = memory.count(project="shop")
    for name in ("guide.md", "src/session.py"):
        os.utime(tree / name, ns=(5, 5))

    def leave(done: int, total: int) -> None:
        if tree.exists():
            tree.rename(tree.with_name("away"))

    with pytest.raises(InvalidInput):
        memory.folders.index(folder.id, progress=leave)
    assert memory.folders.get(folder.id).folder.state is FolderState.ERROR
    assert memory.count(project="shop") == count


def test_s1_65_figures_about_passages(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    stats = memory.folders.chunk_stats(folder.id)
    sizes = [len(record.text) for record in memory.list(project="shop").memories]
    assert (stats["total"], stats["min"], stats["max"]) == (len(sizes), min(sizes), max(sizes))
    assert stats["duplicate_rate"] == 0
    assert sum(group["chunks"] for group in stats["histogram"]) == len(sizes)


def test_s1_70_the_tree_and_a_file_as_they_are_on_the_disk(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    names = [entry.name for entry in memory.folders.tree(folder.id).entries]
    assert names == ["src", "guide.md", "logo.png"]
    assert memory.folders.read(folder.id, "guide.md").text == GUIDE
    assert memory.folders.read(folder.id, "guide.md", max_bytes=3).is_truncated
    for bad, code in (
        ("../x", "path_outside"), ("/etc/passwd", "path_outside"), ("src", "path_is_directory"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput) as error:
            memory.folders.read(folder.id, bad)
        assert error.value.code == code
    with pytest.raises(NotFound):
        memory.folders.read(folder.id, "missing.md")
    (tree / "notes.md").write_text("The key is AKIAIOSFODNN7EXAMPLE.\n")
    assert "AKIA" not in memory.folders.read(folder.id, "notes.md").text


def test_one_event_for_each_batch_and_no_text_in_it(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree, project="shop")
    events = [event for event in memory.audit if event.action == "index_batch"]
    assert len(events) == 1
    assert events[0].subject == folder.id
    assert events[0].detail["files"] == 2
    assert "session" not in str(events[0].detail)
    memory.folders.index(folder.id)
    assert len([event for event in memory.audit if event.action == "index_batch"]) == 1


def test_a_passage_does_not_leave_its_file_for_another_place(memory: Memory, tree: Path) -> None:
    indexed(memory, tree, project="shop")
    id = next(iter(ids_of(memory, "guide.md").values()))
    (moved,) = memory.review.move(id, project="other")
    assert moved.result.value == "refused"
    assert memory.count(project="other") == 0


def test_s2_4_folders_are_no_imports(memory: Memory, tree: Path, clock: ManualClock) -> None:
    folder = indexed(memory, tree, project="shop")
    assert memory.sources.list() == []
    with pytest.raises(NotFound):
        memory.sources.delete(folder.id)
    refused = memory.remember_many([{"text": "a stowaway", "source": folder.id, "project": "shop"}])
    assert refused[0].code == "source_not_found"
