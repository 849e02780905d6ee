"""The processes that read files: what ends them, and what else must not wait for them."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from holdfast.features.reading import sandbox
from holdfast.features.reconcile.opening import read_source
from tests.support import PATIENCE, awaited, children

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="lists processes by /proc")


ENDLESS = """
CREATE VIEW name AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
SELECT count(*) AS total FROM n
"""


def endless(path: Path) -> Path:
    """A database with views of which each is computed for ten seconds and given up."""
    with closing(sqlite3.connect(path)) as connection:
        for number in range(12):
            connection.execute(ENDLESS.replace("name", f"v{number}"))
        connection.commit()
    return path


@needs_proc
def test_a_reader_ends_with_the_process_that_asked_for_it(tmp_path: Path) -> None:
    code = "import sys; from holdfast.features.reconcile.opening import read_source; read_source(sys.argv[1])"
    with subprocess.Popen([sys.executable, "-c", code, str(endless(tmp_path / "a.db"))]) as parent:
        awaited(lambda: children(parent.pid))
        (reader,) = children(parent.pid)
        awaited(lambda: b"reader_worker" in Path(f"/proc/{reader}/cmdline").read_bytes())
        awaited(lambda: "a.db" in " ".join(map(str, _open_files(reader))))
        parent.send_signal(signal.SIGKILL)
    seconds = [0.0]
    awaited(lambda: _has_ended(reader, seconds))
    assert max(seconds) < 30, "its own limit is 61"


def _has_ended(process: int, seconds: list[float]) -> bool:
    """Checks whether a process has ended, and notes its seconds of processor time if not."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return True
    seconds.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return False


def _open_files(process: int) -> list[str]:
    return [os.readlink(path) for path in Path(f"/proc/{process}/fd").iterdir() if path.is_symlink()]


def test_a_forked_process_reads_while_its_parent_does(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("id,name\n1,x\n2,y\n")
    code = (
        "import os, sys, threading, time\n"
        "from holdfast.features.reconcile.opening import read_source\n"
        "read_source(sys.argv[2])\n"
        "threading.Thread(target=read_source, args=(sys.argv[1],), daemon=True).start()\n"
        "time.sleep(0.2)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(read_source(sys.argv[2])['entities'][0]['data']['rows'])\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code, str(endless(tmp_path / "a.db")), str(tmp_path / "b.csv")],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert completed.stdout == "2\n", completed.stderr


def test_a_reader_ends_itself_where_the_system_does_not_bound_its_memory() -> None:
    code = (
        "import threading, time; from holdfast.features.reading import sandbox_worker as s\n"
        "threading.Thread(target=s.watch, args=(150 << 20,), daemon=True).start()\n"
        "whole = b'x' * (200 << 20); time.sleep(30)"
    )
    completed = subprocess.run([sys.executable, "-P", "-c", code], check=False, timeout=PATIENCE)
    assert completed.returncode == sandbox.OUT_OF_MEMORY


def test_a_limit_on_time_that_was_there_before_bounds_each_file() -> None:
    code = (
        "import resource as r; from holdfast.features.reading.sandbox_worker import limit_cpu\n"
        "r.setrlimit(r.RLIMIT_CPU, (90, 90)); limit_cpu(20); limit_cpu(600)\n"
        "print(r.getrlimit(r.RLIMIT_CPU)[0])"
    )
    completed = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=PATIENCE
    )
    assert completed.stdout == "90\n"
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] != 90


@pytest.mark.parametrize(
    ("pipe", "others"), [("dbt_project.yml", ("a.csv",)), ("README.md", ("pyproject.toml", "src/one/a.py"))]
)
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path, pipe: str, others: tuple[str, ...]) -> None:
    os.mkfifo(tmp_path / pipe)
    for name in others:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("id,name\n1,x\n")
    assert read_source(tmp_path)["entities"]
