"""Places of backups: those that changed, those of other stores, and what killed processes left in them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.api.backing_up import back_up, drill
from holdfast.api.memory import Memory
from holdfast.api.restoring import preview_restore, restore
from holdfast.core.review import Deleted
from holdfast.stores.base.backup_addresses import is_gone
from tests.cli.support import run
from tests.reliability.test_backups import FIRST, SECOND, remembered, settings


@pytest.mark.parametrize(
    "act",
    [
        lambda path: back_up(settings(path)),
        lambda path: drill(settings(path)),
        lambda path: Memory(path, user="ana").delete_all("ana", with_backups=True),
    ],
    ids=["a backup", "a drill", "deleting everything"],
)
def test_what_a_killed_drill_left_goes_wherever_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[Path], object]
) -> None:
    """Beside the backups, beside the store, or in the system's folder, as the rights of those days were."""
    path, system = tmp_path / "stores" / "a.db", tmp_path / "system"
    path.parent.mkdir()
    system.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(system))
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
        back_up(settings(path))
    left = [place / "holdfast-scratch-0" for place in (path.parent / "backups", path.parent, system)]
    for folder in left:
        folder.mkdir()
        (folder / "store.db").write_text(FIRST)
    act(path)
    assert [folder for folder in left if folder.exists()] == []


def test_a_backup_of_another_store_is_told_before_it_replaces_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the question, in the preview and in the result; a store that was moved is the same one."""
    monkeypatch.setenv("HOLDFAST_USER", "ana")
    ours, theirs = tmp_path / "a.db", tmp_path / "b.db"
    for path, text in ((ours, FIRST), (theirs, SECOND)):
        with Memory(path, user="ana") as memory:
            remembered(memory, text)
    own, other = back_up(settings(ours))[0], back_up(settings(theirs))[0]
    preview = preview_restore(settings(ours), other)
    assert preview is not None
    assert preview.backup_of == str(theirs)
    moved = tmp_path / "moved.db"
    for ending in ("", ".head", ".secret"):
        if (file := Path(f"{ours}{ending}")).exists():
            file.rename(f"{moved}{ending}")
    preview = preview_restore(settings(moved), own)
    assert preview is not None
    assert preview.backup_of is None
    done = run("restore", other.path, "--store", str(moved), "--yes").output
    assert f"The backup is of another store: {theirs}" in done


def emptied(path: Path, *, with_backups: bool = True) -> Deleted:
    """The result of deleting everything, of whose certificate the store says that it holds."""
    with Memory(path, user="ana") as memory:
        done = memory.delete_all("ana", with_backups=with_backups)
        assert done.certificate is not None
        assert memory.audit.check(done.certificate.as_dict()).holds
        assert (done.certificate.backups, done.certificate.unreached) == (
            done.backups,
            len(done.backups_unreached),
        )
    return done


def test_deleting_everything_reaches_backups_at_places_of_earlier_times(tmp_path: Path) -> None:
    """Those that were named with --to, and that of a setting before; one on a disk that is away is named."""
    path, places = tmp_path / "a.db", [tmp_path / "backups", tmp_path / "named", tmp_path / "disk"]
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
    for place in places:
        back_up(settings(path), to=place)
    places[2].rename(tmp_path / "away")
    places[2].mkdir()  # the disk is not connected
    done = emptied(path, with_backups=False)
    assert (done.backups, done.backups_deleted, done.backups_unreached) == (2, 0, (str(places[2]),))
    done = emptied(path)
    assert (done.backups, done.backups_deleted, done.backups_unreached) == (0, 2, (str(places[2]),))
    assert [file for place in places for file in place.iterdir()] == []
    output = run("delete-all", "--store", str(path), "--user", "ana", "--confirm", "ana").output
    assert f"Backups were made in {places[2]}" in output
    places[2].rmdir()
    (tmp_path / "away").rename(places[2])
    done = emptied(path)
    assert (done.backups, done.backups_deleted, done.backups_unreached) == (0, 1, ())
    assert emptied(path).backups_unreached == ()
    back_up(settings(path), to=places[1])
    assert emptied(path, with_backups=False).backups == 1, "recorded anew"


def test_deleting_everything_of_a_store_that_was_moved_reaches_its_earlier_backups(tmp_path: Path) -> None:
    """Not those of a store that was there afterwards, nor of the store of which this one is a copy."""
    first, moved, copy = tmp_path / "a.db", tmp_path / "moved.db", tmp_path / "copy.db"
    with Memory(first, user="ana") as memory:
        remembered(memory, FIRST)
    own = back_up(settings(first))[0]
    restore(settings(first), own, into=copy)
    done = emptied(copy)
    assert (done.backups_deleted, done.backups_unreached, Path(own.path).exists()) == (0, (), True)
    for ending in ("", ".head", ".secret"):
        if (file := Path(f"{first}{ending}")).exists():
            file.rename(f"{moved}{ending}")
    with Memory(first, user="ana") as memory:
        remembered(memory, SECOND)
    other = back_up(settings(first))[0]
    for file in tmp_path.glob("a.db*"):
        file.unlink()
    done = emptied(moved)
    assert (done.backups_deleted, done.backups_unreached) == (1, ())
    assert (Path(own.path).exists(), Path(other.path).exists()) == (False, True)


def test_the_places_of_backups_outlast_a_restore(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
    made = back_up(settings(path), to=tmp_path / "first")[0]
    back_up(settings(path), to=tmp_path / "second")
    restore(settings(path), made)
    assert emptied(path).backups_deleted == 3, "with the copy of what was replaced"
    assert [file for name in ("first", "second", "backups") for file in (tmp_path / name).iterdir()] == []
    shutil.rmtree(tmp_path / "backups")
    assert emptied(path).backups_unreached == ()


def test_a_place_that_may_not_be_looked_into_is_not_taken_for_gone(tmp_path: Path) -> None:
    assert [is_gone(str(tmp_path / name)) for name in ("gone.db", "n" * 300)] == [True, None]
    assert is_gone(str(tmp_path)) is False
