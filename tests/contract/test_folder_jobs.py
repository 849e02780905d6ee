"""The store contract, indexing by jobs: queued once, resumed, cancelled, buried when it cannot be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.core.folders import FolderState
from holdfast.core.jobs import State
from holdfast.features.jobs.worker import LeaseLost, Progress
from holdfast.workers import worker_for
from tests.fakes import ManualClock


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Several batches of files."""
    root = tmp_path / "notes"
    root.mkdir()
    for number in range(150):
        (root / f"{number:03}.md").write_text(f"# Note {number}\n\nThe boat number {number} is red.\n")
    return root


def work(memory: Memory) -> int:
    return worker_for(memory._service, threads=1).run_due()


def test_s1_9_s1_64_a_job_indexes_and_tells_how_far_it_is(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    job = memory.folders.queue(folder.slug)
    assert memory.folders.queue(folder.id).id == job.id
    assert memory.folders.get(folder.id).job == job
    assert work(memory) == 1
    (done,) = memory.folders.jobs(folder.id)
    assert (done.state, done.done, done.total) == (State.SUCCESS, 150, 150)
    assert done.result["new"] == 150
    assert done.result["bytes"] == sum(path.stat().st_size for path in tree.iterdir())
    assert memory.count(project="shop") == 150
    assert memory.folders.queue(folder.id).id != job.id
    assert work(memory) == 1
    assert memory.folders.jobs(folder.id)[0].result["unchanged"] == 150


def test_s1_66_an_interrupted_job_goes_on_where_it_was(
    memory: Memory, tree: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.queue(folder.id)
    told: list[int] = []
    real = Progress.__call__

    def dies(self: Progress, done: int, total: int | None = None) -> None:
        told.append(done)
        if done >= 64:
            raise LeaseLost  # as of a worker that nobody hears of any more
        real(self, done, total)

    monkeypatch.setattr(Progress, "__call__", dies)
    work(memory)
    monkeypatch.undo()
    assert told == [0, 64]
    assert memory.count(project="shop") == 64
    assert memory.folders.get(folder.id).folder.state is FolderState.INDEXING
    clock.forward(days=0.01)
    assert work(memory) == 1
    (job,) = memory.folders.jobs(folder.id)
    assert (job.state, job.attempts) == (State.SUCCESS, 2)
    assert (job.result["new"], job.result["unchanged"]) == (86, 64)
    assert memory.count(project="shop") == 150
    assert memory.folders.get(folder.id).folder.state is FolderState.IDLE


def test_s1_66_one_that_was_interrupted_a_day_ago_is_cancelled(
    memory: Memory, tree: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.queue(folder.id)

    def dies(self: Progress, done: int, total: int | None = None) -> None:
        raise LeaseLost

    monkeypatch.setattr(Progress, "__call__", dies)
    work(memory)
    monkeypatch.undo()
    clock.forward(days=1.1)
    work(memory)
    assert memory.folders.jobs(folder.id)[0].state is State.CANCELLED
    status = memory.folders.get(folder.id).folder
    assert (status.state, status.error) == (FolderState.ERROR, "cancelled")
    assert memory.folders.index(folder.id).new == 150
    assert memory.folders.get(folder.id).folder.state is FolderState.IDLE


def test_s1_66_a_job_that_is_cancelled_stops_at_its_next_batch(
    memory: Memory, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = memory.folders.add(tree, project="shop")
    job = memory.folders.queue(folder.id)
    real = Progress.__call__

    def cancels(self: Progress, done: int, total: int | None = None) -> None:
        real(self, done, total)
        if done == 64:
            memory.jobs.cancel(job.id)

    monkeypatch.setattr(Progress, "__call__", cancels)
    work(memory)
    assert memory.folders.jobs(folder.id)[0].state is State.CANCELLED
    assert memory.count(project="shop") == 64


def test_s1_8_a_folder_that_is_gone_buries_its_job_and_comes_back(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    away = tree.rename(tree.with_name("away"))
    job = memory.folders.queue(folder.id)
    work(memory)
    assert memory.jobs.get(job.id).state is State.ERROR
    assert memory.jobs.get(job.id).error == "file_not_found"
    assert memory.folders.get(folder.id).folder.error == "file_not_found"
    assert memory.count(project="shop") == 150
    away.rename(tree)
    assert memory.folders.queue(folder.id).id == job.id
    work(memory)
    assert memory.jobs.get(job.id).state is State.SUCCESS


def test_deleting_a_folder_takes_its_waiting_job_along(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    job = memory.folders.queue(folder.id)
    memory.folders.delete(folder.id)
    assert memory.jobs.get(job.id).state is State.CANCELLED
    assert work(memory) == 0


def test_s1_64_a_job_reads_every_file_again_if_asked(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    soon = memory.folders.queue(folder.id)
    whole = memory.folders.queue(folder.id, anew=True)
    assert whole.id not in (soon.id, None)
    assert memory.folders.queue(folder.id, anew=True).id == whole.id
    assert work(memory) == 2
    by_id = {job.id: job for job in memory.folders.jobs(folder.id)}
    assert (by_id[soon.id].kind, by_id[soon.id].result["unchanged"]) == ("index", 150)
    assert (by_id[whole.id].kind, by_id[whole.id].state) == ("reindex", State.SUCCESS)
    assert (by_id[whole.id].result["unchanged"], by_id[whole.id].result["changed"]) == (0, 150)
    assert memory.count(project="shop") == 150


def test_s1_68_a_waiting_rebuild_ends_with_its_folder(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    job = memory.folders.queue(folder.id, anew=True)
    memory.folders.delete(folder.id)
    assert memory.jobs.get(job.id).state is State.CANCELLED
    assert work(memory) == 0
