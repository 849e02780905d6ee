"""Jobs under real processes: killed workers, rivals on one file, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.api.backing_up import list_backups
from holdfast.config import Settings
from holdfast.core.jobs import EMBED, Job, State
from holdfast.features.jobs import jobs
from holdfast.workers import queue_import
from tests.fakes import BrokenEmbedder
from tests.support import PATIENCE

HOLDFAST = [sys.executable, "-c", "from holdfast.cli.main import main; main()"]

WORKER = """
import sys, time
from pathlib import Path
from holdfast import Memory
from holdfast.api import import_session
from holdfast.workers import HANDLERS
from holdfast.features.jobs.worker import Worker

store, log, lease, seconds = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
import_session.BATCH = 10

def slowly(handler):
    def run(service, job, progress):
        note("begin", job)
        class Slow:
            job, settle, renew = progress.job, progress.settle, progress.renew
            check, check_held = progress.check, progress.check_held
            def __call__(self, done, total=None):
                progress(done, total)
                progress.renew()
                time.sleep(seconds)
        result = handler(service, job, Slow())
        note("end", job)
        return result
    return run

def note(what, job):
    with open(log, "a") as file:
        file.write(f"{what} {job.id} {job.attempts}\\n")

def pause(service, job, progress):
    time.sleep(seconds)
    return {}

handlers = {**{kind: slowly(one) for kind, one in HANDLERS.items()}, "embed": slowly(pause)}
with Memory(store, user="ana") as memory:
    worker = Worker(memory._service, handlers, lease=lease)
    worker.start()
    print("ready", flush=True)
    sys.stdin.read()
    worker.stop()
"""


@contextmanager
def working(store: Path, log: Path, *, lease: int, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """A process whose handlers take their time. It ends when its input does."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(store), str(log), str(lease), str(seconds)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE)


@contextmanager
def commanded(store: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`holdfast worker` as a process."""
    process = subprocess.Popen(
        [*HOLDFAST, "worker", "--store", str(store), "--user", "ana", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE)


def until(memory: Memory, id: str, reached: object) -> Job:
    """The job as soon as it is as far as `reached` asks."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        job = memory.jobs.get(id)
        if reached(job):  # type: ignore[operator]
            return job
        time.sleep(0.02)
    raise AssertionError(f"it came only so far: {memory.jobs.get(id)}")


def talk(count: int) -> str:
    """An export of one conversation."""
    said = (f"Sensor {n} stands in room {n}" for n in range(count))
    return json.dumps([{"role": "user", "content": text} for text in said])


def test_s1_44_a_killed_worker_is_succeeded_by_another_after_its_lease(tmp_path: Path) -> None:
    """Killed in the midst of an import: another finishes it, every message is there once, and nothing that
    was laid aside is left."""
    store = tmp_path / "team.db"
    with Memory(store, user="ana") as memory:
        job = queue_import(memory._service, talk(200).encode())
        assert list((tmp_path / "team.db.spool").iterdir())
        with working(store, tmp_path / "log", lease=3_000, seconds=0.5) as process:
            until(memory, job.id, lambda job: job.done >= 30)
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE)
        left = memory.jobs.get(job.id)
        assert (left.state, left.attempts) == (State.RUNNING, 1)
        assert 30 <= memory.count(session=memory.sessions.list()[0].external_id) < 200
        with commanded(store) as process:
            screen = until(memory, job.id, lambda job: not job.is_open)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        assert (screen.state, screen.attempts, screen.done) == (State.SUCCESS, 2, 200)
        (session,) = memory.sessions.list()
        texts = [record.text for record in memory.list(session=session.external_id, limit=1_000).memories]
        assert Counter(texts) == Counter(f"Sensor {n} stands in room {n}" for n in range(200))
        assert memory.doctor().problems == ()
        memory.audit.verify()
    assert list((tmp_path / "team.db.spool").iterdir()) == []


def test_no_job_is_done_by_two_workers_at_once(tmp_path: Path) -> None:
    """Four threads in two processes on one file: every job is begun once and ended once."""
    store, log = tmp_path / "team.db", tmp_path / "log"
    with Memory(store, user="ana") as memory:
        with memory._service.store.write() as tx:
            now = memory._service.clock()
            queued = [jobs.enqueue(memory._service, tx, EMBED, now=now) for _ in range(60)]
        with (
            working(store, log, lease=30_000, seconds=0.02),
            working(store, log, lease=30_000, seconds=0.02),
        ):
            for job in queued:
                assert until(memory, job.id, lambda job: not job.is_open).state is State.SUCCESS
    told = Counter(tuple(line.split()) for line in log.read_text().splitlines())
    assert told == Counter({(what, job.id, "1"): 1 for what in ("begin", "end") for job in queued})


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_that_is_asked_to_end_leaves_its_job_to_the_next_at_once(
    tmp_path: Path, sent: signal.Signals
) -> None:
    store = tmp_path / "team.db"
    with Memory(store, user="ana") as memory:
        job = queue_import(memory._service, talk(3_000).encode())
        with commanded(store, "--json") as process:
            until(memory, job.id, lambda job: job.state is State.RUNNING)
            process.send_signal(sent)
            told, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, errors
            assert json.loads(told) == {"ended": {"queued": 1}}
        left = memory.jobs.get(job.id)
        assert (left.state, left.attempts, left.error) == (State.QUEUED, 0, None)
        with commanded(store, "--once", "--json") as process:
            told, errors = process.communicate(timeout=PATIENCE)
            assert (process.returncode, json.loads(told)) == (0, {"ended": {"success": 1}}), errors
        assert memory.jobs.get(job.id).done == 3_000
        assert memory.doctor().problems == ()


def test_s4_27_a_worker_of_its_own_makes_what_another_process_could_not(tmp_path: Path) -> None:
    """A process whose embedder is away keeps the texts; `holdfast worker` makes their vectors later."""

    class Away(BrokenEmbedder):
        local = False

    store = tmp_path / "team.db"
    with Memory(store, user="ana", embedder=Away()) as memory:
        memory.remember_many([f"Sensor {n} is in room {n + 100}" for n in range(20)])
    with Memory(store, user="ana") as memory:
        assert (memory.doctor().waiting, memory.doctor().jobs_waiting) == (20, 20)
        with commanded(store, "--once", "--json") as process:
            told, _ = process.communicate(timeout=PATIENCE)
        assert json.loads(told) == {"ended": {"success": 20}}
        assert (memory.doctor().waiting, memory.doctor().jobs_waiting) == (0, 0)
        assert "room 107" in memory.recall("sensor 7", mode="vectors", limit=5)[0].memory.text


def test_what_is_laid_aside_is_for_its_owner_only_and_a_crash_leaves_nothing_for_long(tmp_path: Path) -> None:
    store, spool = tmp_path / "team.db", tmp_path / "team.db.spool"
    with Memory(store, user="ana") as memory:
        job = queue_import(memory._service, b"User: Where is the lighthouse-canary?")
        (file,) = spool.iterdir()
        assert (spool.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
        orphan = spool / "01890000-0000-7000-8000-000000000000"
        orphan.write_text("left by a crash")
        for path in (file, orphan):
            os.utime(path, (1, 1))
        assert jobs.sweep(memory._service) == 1
        assert list(spool.iterdir()) == [file]
        memory.jobs.cancel(job.id)
        assert list(spool.iterdir()) == []
        memory.remember("Something else")
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"lighthouse-canary" in path.read_bytes() for path in left)


def test_a_worker_makes_a_backup_when_it_is_asked_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the setting says so, and of what it did itself; with --once it makes none."""
    monkeypatch.setenv("HOLDFAST_BACKUP_ON_EXIT", "on")
    store = tmp_path / "team.db"
    settings = Settings(str(store), "ana")
    with Memory(store, user="ana") as memory:
        job = queue_import(memory._service, talk(20).encode())
        with commanded(store, "--once") as once:
            assert once.wait(PATIENCE) == 0
        assert list_backups(settings) == []
        assert memory.jobs.get(job.id).state is State.SUCCESS
        second = queue_import(memory._service, talk(25).encode())
        with commanded(store) as worker:
            until(memory, second.id, lambda job: job.state is State.SUCCESS)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(PATIENCE) == 0
        count = memory.count()
    (backup,) = list_backups(settings)
    assert (backup.memories, backup.problems) == (count, ())
