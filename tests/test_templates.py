"""A store that tests copy is as one that is made, with a key of its own."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from holdfast import Memory
from tests.templates import copy_new_stores


def key_of(path: Path) -> object:
    return apsw.Connection(str(path)).execute("SELECT value FROM secrets WHERE name = 'seal'").get


def test_a_copied_store_is_sound_logged_and_has_a_key_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_new_stores(monkeypatch)
    paths = [tmp_path / f"{number}.db" for number in range(2)]
    for path in paths:
        with Memory(path, user="ana") as memory:
            memory.remember("The boat is at pier four.")
            assert Path(f"{path}-wal").exists()
            assert memory.doctor().problems == ()
    assert key_of(paths[0]) != key_of(paths[1])
