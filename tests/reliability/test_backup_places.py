"""Places of backups: those that changed, those of other stores, and what killed processes left in them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.api.backing_up import back_up, drill
from holdfast.api.memory import Memory
from holdfast.api.restoring import preview_restore
from tests.cli.support import run
from tests.reliability.test_backups import FIRST, SECOND, kept, settings


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
        kept(memory, FIRST)
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
            kept(memory, text)
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
