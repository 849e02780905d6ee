"""A process that is forked for a test behaves as one that starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tests import warm
from tests.support import PATIENCE

PROGRAMS = {
    "streams": "import sys; print(sys.stdin.read().upper()); print('and', file=sys.stderr)",
    "status": "import sys; sys.exit(3)",
    "message": "import sys; sys.exit('no boat')",
    "error": "class Boat: pass\nraise KeyError(Boat.__module__)",
    "surroundings": "import os, sys; print(os.getcwd(), os.environ['BOAT'], sys.argv, sys.path[0], __name__)",
    "parent": "import os; print(os.getppid(), os.getsid(0) == os.getpid())",
    "files": "import os; print(len(os.listdir('/proc/self/fd')), os.isatty(1))",
    "end": "import atexit, threading\natexit.register(print, 'end')\n"
    "threading.Timer(0.05, print, ['late']).start(); print('soon')",
    "killed": "import os; print('a', flush=True); os.kill(os.getpid(), 9)",
    "interrupted": "import os, signal; signal.raise_signal(signal.SIGINT)",
    "signals": "import signal\nprint(*map(signal.getsignal, (13, 15, 2)))",
}


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
@pytest.mark.parametrize("new_session", [False, True])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_fork_is_as_a_start(
    program: str, new_session: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> tuple[int, bytes, list[bytes]]:
        completed = subprocess.run(
            [sys.executable, "-c", PROGRAMS[program], "one", "two"], input=b"the boat", capture_output=True,
            cwd=tmp_path, env={**os.environ, "BOAT": "red"}, timeout=PATIENCE, check=False,
            start_new_session=new_session,
        )  # fmt: skip
        return completed.returncode, completed.stdout, completed.stderr.splitlines()[-1:]

    fork = Mock(wraps=warm._fork)
    monkeypatch.setattr(warm, "_fork", fork)
    forked = run()
    fork.assert_called_once()
    monkeypatch.setattr(warm, "_may_fork", False)
    assert forked == run()


def test_what_would_start_otherwise_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_fork", None)
    ways: tuple[tuple[list[str], dict[str, Any]], ...] = (
        ([sys.executable, "-s", "-c", "pass"], {}),
        ([sys.executable, "-c", "pass"], {"env": {**os.environ, "PYTHONHASHSEED": "1"}}),
        ([sys.executable, "-c", "pass"], {"preexec_fn": lambda: signal.alarm(0)}),
        (["true"], {}),
    )
    for words, more in ways:
        assert subprocess.run(words, check=False, timeout=PATIENCE, **more).returncode == 0
