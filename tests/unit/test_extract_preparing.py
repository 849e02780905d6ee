"""Preparing: another process gives what this one would, in order, and survives what it meets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.extractors import preparing
from holdfast.extractors.left import Left
from holdfast.extractors.preparing import Prepared, prepare, prepared


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(60):
        text = f"def f{number}():\n    return '{number} é'\n"
        (tmp_path / f"{number:02}.py").write_text(text * (number + 1))
    (tmp_path / "none.txt").write_text("")
    (tmp_path / "binary.txt").write_bytes(b"\0" * 100)
    (tmp_path / "long.md").write_text("# Title\n\nSome words. " * 9_000)
    os.mkfifo(tmp_path / "pipe.txt")
    return tmp_path


def paths(root: Path) -> list[str]:
    return [*sorted(os.listdir(root)), "gone.txt", "../outside.txt"]


def test_s1_57_every_file_comes_once_in_order_and_as_if_it_were_prepared_here(root: Path) -> None:
    for few in (0, 1, 15, 16, 17, 18, 40, 66):
        asked = paths(root)[:few]
        assert list(prepared(root, iter(asked))) == [prepare(root, path) for path in asked]


def test_stopping_early_ends_the_process(root: Path) -> None:
    before = _children()
    iterator = prepared(root, paths(root))
    for _ in range(20):
        next(iterator)
    assert len(_children()) == len(before) + 1
    assert isinstance(iterator, Iterator)
    iterator.close()  # type: ignore[attr-defined]
    assert _children() == before


def test_a_process_that_dies_costs_one_file(root: Path) -> None:
    before = _children()
    asked = paths(root)
    met: list[Prepared] = []
    for one in prepared(root, asked):
        met.append(one)
        if len(met) == 20:
            (child,) = _children() - before
            os.kill(int(child), 9)
    assert [one.path for one in met] == asked
    broken = [one for one in met if isinstance(one.read, Left) and one.read.reason_code == "broken"]
    assert len(broken) <= 1
    assert all(one == prepare(root, one.path) for one in met if one not in broken)


def test_paths_as_long_as_they_can_be_do_not_block(root: Path) -> None:
    """Twelve of them are asked for ahead; they have to fit into the pipe beside large answers."""
    longest = ["x/" * 2_040 + str(number) for number in range(60)]
    asked = [path for pair in zip(longest, ["long.md"] * 60, strict=True) for path in pair]
    met = list(prepared(root, asked))
    assert [one.path for one in met] == asked
    assert {len(one.chunks) > 0 for one in met[1::2]} == {True}


def _children() -> set[str]:
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return {pid for pid in listed if preparing.__name__ in Path(f"/proc/{pid}/cmdline").read_text()}
