"""Several processes and threads on one file: nothing lost, nobody locked out, everybody sees everything."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.reliability.crowd import crowd
from tests.reliability.workload import opened, text_of


@pytest.mark.parametrize("writes", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_eight_processes_lose_nothing_and_see_each_other(tmp_path: Path, writes: int) -> None:
    """No "locked" reaches a caller; caches are kept right without reopening."""
    result = crowd(tmp_path / "a.db", writers=8, writes=writes, readers=2, looks=writes // 5)
    assert result.problems == []
    assert result.acknowledged == 8 * writes


def test_many_processes_may_create_the_same_file_at_once(tmp_path: Path) -> None:
    for number in range(3):
        result = crowd(tmp_path / f"{number}.db", writers=6, writes=4, readers=0, looks=12)
        assert result.problems == []
        assert result.acknowledged == 6 * 4


@pytest.mark.parametrize(("at", "n"), [("step", 900), ("disk", 150), ("before_head", 20), ("statement", 300)])
def test_the_death_of_one_writer_is_no_trouble_to_the_others(tmp_path: Path, at: str, n: int) -> None:
    """It may die holding the write lock, in a commit or a checkpoint: the others write on and see it all."""
    result = crowd(tmp_path / "a.db", writers=3, writes=60, readers=1, looks=20, doomed={"at": at, "n": n})
    assert result.problems == []
    assert result.killed
    assert result.acknowledged >= 2 * 60


def test_threads_of_one_process_lose_nothing_and_see_each_other(tmp_path: Path) -> None:
    writers, writes = 4, 40
    failures: list[BaseException] = []
    done = threading.Event()
    with opened(tmp_path / "a.db") as memory:

        def write(number: int) -> None:
            try:
                for i in range(writes):
                    slot = number * 1_000 + i
                    memory.add_messages(
                        [{"role": "user", "content": text_of(slot)}], session=f"s{number}", project="harbour"
                    )
                    assert memory.recall(text_of(slot), project="harbour")[0].memory.text == text_of(slot)
            except BaseException as error:
                failures.append(error)

        def read() -> None:
            try:
                while not done.is_set():
                    memory.recall("the harbour in winter", project="*")
                    memory.recall("the harbour in winter", session="s1")
            except BaseException as error:
                failures.append(error)

        readers = [threading.Thread(target=read) for _ in range(2)]
        threads = [threading.Thread(target=write, args=(n,)) for n in range(writers)]
        for thread in [*readers, *threads]:
            thread.start()
        for thread in threads:
            thread.join()
        done.set()
        for thread in readers:
            thread.join()
        assert failures == []
        for number in range(writers):
            for i in range(writes):
                text = text_of(number * 1_000 + i)
                assert memory.recall(text, project="harbour", limit=3)[0].memory.text == text
        assert memory.doctor().healthy
