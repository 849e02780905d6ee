"""Inotify on real folders: no change below the root is lost, wherever the folders in it come from and go."""

from __future__ import annotations

import errno
import mmap
import os
import platform
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from holdfast.features.reading.exclusions import Exclusions
from holdfast.features.reading.inotify import Inotify
from tests.support import without_privileges

pytestmark = pytest.mark.skipif(platform.system() != "Linux", reason="inotify is of Linux")
QUEUED = Path("/proc/sys/fs/inotify/max_queued_events")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "old" / "deep").mkdir(parents=True)
    return root


@pytest.fixture
def watches(root: Path) -> Iterator[Inotify]:
    with closing(Inotify(str(root), Exclusions(str(root)).covers)) as one:
        yield one


def reported_paths(watches: Inotify) -> set[str]:
    """All that is told until nothing comes any more."""
    found = watches.changes(5)
    while more := watches.changes(0.1):
        found |= more
    return found


def test_s1_67_what_is_written_into_a_new_folder_is_told_once_that_is(root: Path, watches: Inotify) -> None:
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "before.py").write_text("it is there when the folder is told")
    assert "a" in reported_paths(watches)
    (root / "a" / "b" / "after.py").write_text("x")
    assert reported_paths(watches) == {"a/b/after.py"}


def test_s1_67_a_moved_folder_is_followed_under_its_new_path(root: Path, watches: Inotify) -> None:
    (root / "old").rename(root / "new")
    (root / "new" / "deep" / "at_once.py").write_text("x")
    assert {"old", "new"} <= reported_paths(watches)
    (root / "new" / "deep" / "later.py").write_text("x")
    assert reported_paths(watches) == {"new/deep/later.py"}
    (root / "old").mkdir()  # the name is free again
    reported_paths(watches)
    (root / "old" / "one.py").write_text("x")
    (root / "new" / "two.py").write_text("x")
    assert reported_paths(watches) == {"old/one.py", "new/two.py"}


def test_s1_67_two_folders_change_places(root: Path, watches: Inotify) -> None:
    (root / "other").mkdir()
    reported_paths(watches)
    (root / "old").rename(root / "aside")
    (root / "other").rename(root / "old")
    (root / "aside").rename(root / "other")
    assert {"old", "other"} <= reported_paths(watches)
    (root / "old" / "one.py").write_text("x")
    (root / "other" / "deep" / "two.py").write_text("x")
    assert reported_paths(watches) == {"old/one.py", "other/deep/two.py"}


def test_s1_67_a_folder_that_is_moved_out_is_followed_no_more(root: Path, watches: Inotify) -> None:
    (root / "old").rename(root.parent / "outside")
    assert reported_paths(watches) == {"old"}
    (root.parent / "outside" / "deep" / "x.py").write_text("x")
    (root / "last.py").write_text("x")
    assert reported_paths(watches) == {"last.py"}


def test_s1_67_a_folder_that_is_removed_and_made_again_is_followed(root: Path, watches: Inotify) -> None:
    for number in range(20):
        shutil.rmtree(root / "old")
        (root / "old" / "deep").mkdir(parents=True)
        assert "old" in reported_paths(watches)
        (root / "old" / "deep" / f"{number}.py").write_text("x")
        assert reported_paths(watches) == {f"old/deep/{number}.py"}


def test_s1_67_the_end_of_the_root_is_told_though_its_number_is_given_again(
    root: Path, watches: Inotify
) -> None:
    before = root.stat().st_ino
    shutil.rmtree(root)
    root.mkdir()
    assert "" in reported_paths(watches)
    assert watches.is_over, f"{before} was removed, {root.stat().st_ino} was made"


def test_s1_67_lost_events_are_told_as_everything(root: Path, watches: Inotify) -> None:
    most = int(QUEUED.read_text())
    if most > 100_000:
        pytest.skip("takes too many events")
    for name in ("a.py", "b.py"):
        (root / name).write_text("x")
    for _ in range(most // 2 + 1):  # equal ones in a row would be one
        os.utime(root / "a.py")
        os.utime(root / "b.py")
    assert "" in reported_paths(watches)
    assert watches.is_over


def test_s1_67_what_is_written_through_memory_is_told_when_the_file_is_closed(
    root: Path, watches: Inotify
) -> None:
    (root / "a.py").write_text("before")
    reported_paths(watches)
    with (root / "a.py").open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[:] = b"after!"
    assert reported_paths(watches) == {"a.py"}


def test_s1_62_folders_that_are_set_apart_take_no_watch(root: Path) -> None:
    def count() -> int:
        return sum(
            line.startswith("inotify wd:")
            for descriptor in os.listdir("/proc/self/fdinfo")
            if (info := Path("/proc/self/fdinfo", descriptor)).exists()
            for line in info.read_text().splitlines()
        )

    for number in range(30):
        (root / "node_modules" / str(number)).mkdir(parents=True)
    before = count()
    with closing(Inotify(str(root), Exclusions(str(root)).covers)) as watches:
        assert count() - before == 3  # the root, old, old/deep
        (root / "old" / ".git" / "objects").mkdir(parents=True)
        (root / "last.py").write_text("x")
        assert reported_paths(watches) == {"last.py"}
        assert count() - before == 3
    assert count() == before


def test_s1_67_every_file_of_a_restless_tree_is_told_or_in_a_folder_told_after_it(
    root: Path, watches: Inotify
) -> None:
    """Folders are made, filled and renamed while they are read: afterwards one file in each is changed."""

    def work() -> None:
        for number in range(60):
            (root / f"{number}" / "x" / "y").mkdir(parents=True)
            (root / f"{number}" / "x" / "y" / "first.py").write_text("x")
            (root / f"{number}" / "x").rename(root / f"{number}" / "z")
            if number % 3 == 0:
                (root / f"{number}").rename(root / f"moved_{number}")

    worker = threading.Thread(target=work)
    worker.start()
    while worker.is_alive():
        watches.changes(0.01)
    worker.join()
    reported_paths(watches)
    files = {path.relative_to(root).as_posix() for path in root.rglob("first.py")}
    assert len(files) == 60
    for path in files:
        (root / path).write_text("y")
    assert reported_paths(watches) == files


def walked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are listed from now on."""
    found: list[str] = []

    def listed(path: str) -> Any:
        found.append(path)
        return scandir(path)

    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", listed)
    return found


def test_s1_67_changed_attributes_of_watched_folders_walk_nothing(
    root: Path, watches: Inotify, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = walked(monkeypatch)
    for number in range(50):
        os.utime(root / "old", (number, number))
        (root / "old" / "deep").chmod(0o755 if number % 2 else 0o750)
    assert reported_paths(watches) == {"old", "old/deep"}
    assert found == []


@pytest.fixture
def open_root() -> Iterator[Path]:
    """A root that everybody can reach, unlike the folders of a test run by root."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        root = Path(os.path.realpath(place)) / "root"
        (root / "old" / "deep" / "deeper").mkdir(parents=True)
        yield root


@pytest.mark.parametrize("mode", [0o000, 0o404, 0o101])
def test_s1_67_a_folder_that_becomes_readable_is_followed(
    open_root: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    old = open_root / "old"
    old.chmod(mode)
    with without_privileges():
        watches = Inotify(str(open_root), lambda _: False)
    with closing(watches):
        found = walked(monkeypatch)
        old.chmod(0o755)
        os.utime(old)
        with without_privileges():
            assert "old" in reported_paths(watches)
        assert len(found) == len(set(found)), "once each"
        (old / "deep" / "deeper" / "one.py").write_text("x")
        assert reported_paths(watches) == {"old/deep/deeper/one.py"}
        found.clear()
        os.utime(old)
        assert reported_paths(watches) == {"old"}
        assert found == []


def test_s1_67_a_refused_folder_is_tried_again_when_its_attributes_change(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above for who may read everything: the system is made to refuse one folder."""
    refused = {"old/deep"}
    checked = Inotify._checked
    (root / "old" / "deep" / "deeper").mkdir()

    class Refusing(Inotify):
        def _watch(self, path: str) -> int:
            with monkeypatch.context() as patch:
                if path in refused:
                    patch.setattr(Inotify, "_checked", refuse)
                return super()._watch(path)

    def refuse(_self: Inotify, _answer: int) -> int:
        raise PermissionError(errno.EACCES, "refused")

    with closing(Refusing(str(root), lambda _: False)) as watches:
        found = walked(monkeypatch)
        os.utime(root / "old")
        assert reported_paths(watches) == {"old"}
        assert found == []  # still refused
        assert Inotify._checked is checked
        refused.clear()
        for number in range(5):
            os.utime(root / "old", (number, number))
            (root / "old" / "deep").chmod(0o755 if number % 2 else 0o750)
        assert reported_paths(watches) == {"old", "old/deep"}
        assert found == [str(root / "old" / "deep"), str(root / "old" / "deep" / "deeper")]
        (root / "old" / "deep" / "deeper" / "one.py").write_text("x")
        assert reported_paths(watches) == {"old/deep/deeper/one.py"}


def test_s1_67_who_says_stop_does_not_wait_for_a_long_walk(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        (tmp_path / "come" / str(number) / "x").mkdir(parents=True)
    stop = threading.Event()
    with closing(Inotify(str(root), lambda _: False, stop.is_set)) as watches:
        (tmp_path / "come").rename(root / "come")
        stop.set()
        found = walked(monkeypatch)
        watches.changes(5)
        assert watches.is_over
        assert found == []


def test_a_root_that_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Inotify(str(tmp_path / "nowhere"), lambda _: False)
