"""Preparing files in other processes: the same as here, and a process that dies harms one file only."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.features.files import file_ingest as preparing
from holdfast.features.jobs import worker_pool as processes


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    for number in range(200):
        (root / f"{number:03}.py").write_text(f"def paint_{number}(boat):\n    return boat + {number}\n")
    (root / "secret.md").write_text("# Gate\n\nThe password: hunter2secret99 opens the gate.\n")
    (root / "empty.md").write_text(" \n")
    return root


@pytest.fixture(autouse=True)
def _always_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "ALONE", 0)
    monkeypatch.setattr(preparing, "cores", lambda: 2)


def contents(memory: Memory) -> list[Any]:
    def told(one: Any) -> Any:
        number = one.external_id.rpartition("/")[2]  # before it stand digests, keyed by the store
        return (one.text, one.title, number, one.metadata, one.redactions, one.place.visibility)

    memories = memory.list(project="shop", limit=1000).memories
    return sorted(map(told, memories), key=lambda one: (one[3]["path"], one[3]["chunk"]))


def indexed(path: Path, root: Path) -> tuple[Any, Any, Any]:
    with Memory(path, user="ana") as memory:
        memory.folders.add(root, project="shop")
        report = memory.folders.index("notes-dir").as_dict()
        hits = [(hit.memory.text, hit.score) for hit in memory.recall("paint 17", project="shop")]
        assert memory.doctor().problems == ()
        return report, contents(memory), hits


def test_s1_57_other_processes_prepare_the_same(
    tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = indexed(tmp_path / "apart.db", tree)
    monkeypatch.setattr(preparing, "ALONE", 1 << 40)
    here = indexed(tmp_path / "here.db", tree)
    assert apart == here
    assert apart[0]["new"] == 201
    assert apart[0]["redactions"]


def test_a_process_that_dies_harms_the_file_that_it_died_of(
    tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = processes.WorkerProcess.run

    def dies(self: Any, batch: list[preparing.Item]) -> Any:
        if self._task is not None:
            real(self, [])
        if any(item.path == "007.py" for item in batch):
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
        return real(self, batch)

    monkeypatch.setattr(processes.WorkerProcess, "run", dies)
    with Memory(tmp_path / "store.db", user="ana") as memory:
        memory.folders.add(tree, project="shop")
        report = memory.folders.index("notes-dir")
        assert (report.new, report.left["broken"]) == (200, 1)
        (broken,) = memory.folders.files("notes-dir", state="error")
        assert (broken.path, broken.reason) == ("007.py", "broken")
        monkeypatch.setattr(processes.WorkerProcess, "run", real)
        again = memory.folders.index("notes-dir")  # what failed is tried again
        assert (again.new, again.unchanged) == (1, 201)
        assert memory.folders.get("notes-dir").counts.failed == 0


def test_stopping_early_leaves_no_process_behind(tmp_path: Path, tree: Path) -> None:
    started: list[Any] = []
    real = processes.WorkerProcess.__init__

    def noted(self: Any, task: bytes) -> None:
        real(self, task)
        started.append(self._process)

    with pytest.MonkeyPatch.context() as patch, Memory(tmp_path / "store.db", user="ana") as memory:
        patch.setattr(processes.WorkerProcess, "__init__", noted)
        memory.folders.add(tree, project="shop")

        def stop(done: int, total: int) -> None:
            if done:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            memory.folders.index("notes-dir", progress=stop)
        assert started
        assert all(process.poll() is not None for process in started)
        assert memory.folders.get("notes-dir").folder.error == "interrupted"
        assert memory.folders.index("notes-dir").new == 201 - 64


def test_where_no_process_can_be_started_this_one_does_it(
    tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    report, _, _ = indexed(tmp_path / "store.db", tree)
    assert report["new"] == 201
