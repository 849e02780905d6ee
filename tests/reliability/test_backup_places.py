"""Places of backups: those that changed, those of other stores, and what killed processes left in them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.api.backing_up import back_up, drill
from holdfast.api.memory import Memory
from tests.reliability.test_backups import FIRST, kept, settings


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
