"""Watching folders on a real disk: changes are found soon, a burst is one update, nothing is missed."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.core.errors import StoreBusy
from holdfast.core.folders import Folder
from holdfast.features.files import folder_watcher as following
from holdfast.features.files import folders
from holdfast.features.files.folder_watcher import Watcher
from holdfast.workers import indexer_for
from tests.support import PATIENCE

pytest.importorskip("watchfiles")


def soon(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.05)


def still(told: list[Folder], seconds: float = 2.0) -> None:
    """Waits until nothing has been told for a while."""
    seen, since = len(told), time.monotonic()

    def is_still() -> bool:
        nonlocal seen, since
        if len(told) != seen:
            seen, since = len(told), time.monotonic()
        return time.monotonic() - since >= seconds

    soon(is_still)


def put(path: Path, text: str, aside: Path) -> None:
    """Writes a file as one change: it is made elsewhere and moved into its place."""
    made = aside / f"{path.name}.new"
    made.write_text(text)
    made.replace(path)


@contextmanager
def watching(memory: Memory, debounce: int = 300) -> Iterator[list[Folder]]:
    """A watcher with a worker; what it told of."""
    told: list[Folder] = []
    watcher = Watcher(memory._service, debounce=debounce, on_queued=told.append)
    worker = indexer_for(memory._service)
    watcher.start()
    worker.start()
    try:
        yield told
    finally:
        watcher.stop()
        worker.stop()


def paths(memory: Memory) -> set[str]:
    return {file.path for file in memory.folders.files("notes-dir", state="indexed", limit=1000)}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "one.md").write_text("# One\n\nThe first boat is red.\n")
    return root


@pytest.mark.parametrize("name", ["notes.md", "memory", "kept.db"])
def test_s1_62_a_store_inside_the_folder_is_not_followed_whatever_it_is_called(tree: Path, name: str) -> None:
    """Telling of it would be written to it, and told again, without an end."""
    with Memory(tree / name, user="ana") as memory:
        memory.folders.add(tree, project="shop")
        with watching(memory) as told:
            soon(lambda: paths(memory) == {"one.md"})
            (tree / "two.md").write_text("# Two\n\nThe second boat is blue.\n")
            soon(lambda: paths(memory) == {"one.md", "two.md"})
            still(told)
            before = len(told)
            for number in range(5):
                memory.remember(f"Boat {number} is leaking")
                time.sleep(0.4)
            assert len(told) == before
            assert paths(memory) == {"one.md", "two.md"}


def test_s1_67_changes_are_followed(tmp_path: Path, tree: Path) -> None:
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")
        with watching(memory):
            soon(lambda: paths(memory) == {"one.md"})
            (tree / "two.md").write_text("# Two\n\nThe second boat is blue.\n")
            soon(lambda: paths(memory) == {"one.md", "two.md"})
            (tree / "one.md").write_text("# One\n\nThe first boat is green now.\n")
            soon(lambda: "green" in memory.recall("the first boat", project="shop")[0].memory.text)
            id = memory.recall("the second boat is blue", project="shop")[0].memory.id
            (tree / "two.md").rename(tree / "second.md")
            soon(lambda: paths(memory) == {"one.md", "second.md"})
            assert memory.get(id).metadata["path"] == "second.md"
            (tree / "one.md").unlink()
            soon(lambda: paths(memory) == {"second.md"})


def test_s1_67_a_file_renamed_and_changed_at_once_is_followed(tmp_path: Path, tree: Path) -> None:
    lines = [f"Boat {n} is painted in the colour of day {n * 17}.\n" for n in range(12)]
    (tree / "boats.md").write_text("".join(lines))
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")
        with watching(memory):
            soon(lambda: paths(memory) == {"one.md", "boats.md"})
            result = memory.remember(
                "The boats are repainted", kind="gotcha", project="shop", metadata={"file": "boats.md"}
            )
            assert result.memory is not None
            id = result.memory.id
            (tree / "boats.md").rename(tree / "ships.md")
            (tree / "ships.md").write_text("".join(lines[1:]) + "No boat is painted any more.\n")
            soon(lambda: paths(memory) == {"one.md", "ships.md"})
            text = "boats.md was renamed to ships.md; ships.md changed after this was written"
            soon(lambda: memory.get(id).stale == text)


def test_s1_67_files_that_change_places_are_read_though_they_are_as_large_and_as_old(
    tmp_path: Path, tree: Path
) -> None:
    for name, word in (("two.md", "blue"), ("three.md", "pink")):
        (tree / name).write_text(f"# Boat\n\nThe boat of {name[0]} is {word}.\n")
        os.utime(tree / name, ns=(10**18, 10**18))
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")

        def hashes() -> dict[str, str | None]:
            return {file.path: file.digest for file in memory.folders.files("notes-dir", limit=1000)}

        with watching(memory):
            soon(lambda: len(hashes()) == 3)
            before = hashes()
            (tree / "two.md").rename(tree / "aside.tmp")
            (tree / "three.md").rename(tree / "two.md")
            (tree / "aside.tmp").rename(tree / "three.md")
            soon(lambda: hashes()["two.md"] == before["three.md"])
            soon(lambda: hashes()["three.md"] == before["two.md"])


def test_s1_64_who_asks_for_a_folder_gets_all_of_it_though_a_job_of_the_watcher_waits(
    tmp_path: Path, tree: Path
) -> None:
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")
        folder = memory.folders.get("notes-dir").folder
        for heard, asked, found in (
            ("", False, {"one"}),
            ("x.md", False, {"one"}),
            ("x.md", True, {"one", "two"}),
        ):
            folders.queue_for_owner(memory._service, folder, [heard])
            if asked:
                folders.queue(memory._service, folder.id)
            indexer_for(memory._service).run_due()
            assert paths(memory) == {f"{name}.md" for name in found}
            (tree / "two.md").write_text("# Two\n\nNobody told of this boat.\n")


def test_s1_67_what_changed_while_the_store_could_not_be_written_is_found(
    tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_TRIED_AGAIN", 0.2)
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")
        with watching(memory):
            soon(lambda: paths(memory) == {"one.md"})
            failed: list[str] = []

            def busy(*_: object) -> None:
                failed.append("busy")
                raise StoreBusy("another process keeps the store locked", code="store_busy")

            with monkeypatch.context() as patch:
                patch.setattr(folders, "queue_for_owner", busy)
                (tree / "two.md").write_text("# Two\n\nThe second boat is blue.\n")
                soon(lambda: bool(failed))
            soon(lambda: paths(memory) == {"one.md", "two.md"})


def test_a_store_that_stays_away_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object) -> None:
        raise StoreBusy("another process keeps the store locked", code="store_busy")

    with Memory(tmp_path / "store.db", user="ana") as memory:
        roots = following._Roots(memory._service)
        with monkeypatch.context() as patch:
            patch.setattr(folders, "to_watch", away)
            assert [list(roots) for _ in range(3)] == [[]] * 3
        assert [list(roots), caplog.messages] == [[], ["the folders to watch cannot be read: store_busy"]]
        monkeypatch.setattr(folders, "to_watch", away)
        list(roots)
        assert len(caplog.messages) == 2  # it was there in between


def test_s1_67_new_folders_at_once_removed_ones_no_more(tmp_path: Path, tree: Path) -> None:
    with Memory(tmp_path / "store.db", user="ana") as memory, watching(memory) as told:
        folder = memory.folders.add(tree, project="shop")
        soon(lambda: bool(memory.folders.list()) and paths(memory) == {"one.md"})
        other = Memory(tmp_path / "store.db", user="ben")
        (tmp_path / "bens").mkdir()
        (tmp_path / "bens" / "his.md").write_text("# His\n\nThe boat of Ben is white.\n")
        his = other.folders.add(tmp_path / "bens", project="shop")
        soon(lambda: other.folders.get("bens-dir").counts.indexed == 1)
        assert other.recall("whose boat is white", project="shop")[0].memory.place.owner == "ben"
        other.close()
        memory.folders.delete(folder.id)

        def is_left() -> bool:
            """Whether a change of hers is told no more, while one of his that came after it is."""
            before = len(told)
            for root in (tree, tmp_path / "bens"):
                (root / f"{before}.md").write_text("# Late\n\nNobody reads this.\n")
            soon(lambda: his.id in {one.id for one in told[before:]})
            return folder.id not in {one.id for one in told[before:]}

        soon(is_left)


def test_s1_67_a_restart_finds_what_changed_meanwhile(tmp_path: Path, tree: Path) -> None:
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")
        with watching(memory):
            soon(lambda: paths(memory) == {"one.md"})
        (tree / "while-away.md").write_text("# Away\n\nWritten while nobody watched.\n")
        with watching(memory):
            soon(lambda: paths(memory) == {"one.md", "while-away.md"})


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_s1_67_a_checkout_of_2000_files_is_one_update(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()

    def git(*words: str) -> None:
        told = ("-c", "user.name=ana", "-c", "user.email=ana@example.org")
        subprocess.run(["git", *told, *words], cwd=root, check=True, capture_output=True, timeout=PATIENCE)

    def write(word: str) -> None:
        for number in range(2_000):
            path = root / f"{number % 20:02}" / f"{number:04}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"Boat {number} is {word}.\n")

    git("init", "-q", "-b", "main")
    write("red")
    git("add", ".")
    git("commit", "-qm", "red")
    git("checkout", "-qb", "blue")
    write("blue")
    git("commit", "-qam", "blue")
    git("checkout", "-q", "main")
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(root, project="shop")
        memory.folders.index("notes-dir")
        with watching(memory, debounce=3_000) as told:  # longer than a busy machine lets git wait
            soon(lambda: bool(told) and not any(job.is_open for job in memory.folders.jobs("notes-dir")))
            still(told, 4.0)
            told.clear()
            git("checkout", "-q", "blue")
            soon(lambda: bool(told) and not any(job.is_open for job in memory.folders.jobs("notes-dir")))
            assert len(told) == 1
            assert memory.folders.jobs("notes-dir")[0].result["changed"] == 2_000
            assert memory.folders.get("notes-dir").counts.indexed == 2_000


def test_s1_67_only_what_was_heard_is_looked_at_and_folders_come_and_go_whole(
    tmp_path: Path, tree: Path
) -> None:
    for number in range(40):
        path = tree / "boats" / f"{number:02}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# Boat {number}\n\nIt is painted in colour {number}.\n")
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")
        memory.folders.index("notes-dir")
        known = paths(memory)

        def settled() -> bool:
            return not any(job.is_open for job in memory.folders.jobs("notes-dir"))

        with watching(memory) as told:
            soon(lambda: bool(told) and settled())
            still(told)
            soon(settled)
            put(tree / "one.md", "# One\n\nThe first boat is purple now.\n", tmp_path)
            soon(lambda: memory.folders.jobs("notes-dir")[0].result.get("changed") == 1)
            assert memory.folders.jobs("notes-dir")[0].result["unchanged"] == 0
            id = memory.recall("painted in colour 17", project="shop")[0].memory.id
            (tree / "boats").rename(tree / "ships")
            moved = {path.replace("boats", "ships") for path in known}
            soon(lambda: paths(memory) == moved and settled())
            assert memory.get(id).metadata["path"].startswith("ships/")
            shutil.rmtree(tree / "ships")
            soon(lambda: paths(memory) == {"one.md"})
