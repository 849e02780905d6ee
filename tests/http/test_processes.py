"""`holdfast serve --workers`: several processes are one service, replaced without a request that fails."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import httpx
import pytest

from holdfast import Memory
from tests.http.test_process import HOLDFAST, served
from tests.support import PATIENCE, awaited, children

pytestmark = pytest.mark.process


def counted(url: str) -> float:
    """How many memories the metrics count as kept, by all processes."""
    text = httpx.get(f"{url}/metrics", timeout=PATIENCE).text
    return sum(float(value) for value in re.findall(r'^holdfast_outcomes_total\{outcome="created"\} (\S+)$',
                                                    text, re.MULTILINE))  # fmt: skip


def test_processes_are_one_service_and_replaced_without_a_lost_request(tmp_path: Path) -> None:
    with (
        (tmp_path / "log").open("w") as log,
        served(tmp_path / "team.db", "--workers", "2", log=log) as (parent, url),
    ):
        awaited(lambda: len(children(parent.pid)) == 2)
        first = children(parent.pid)
        kept: list[str] = []
        failed: list[str] = []
        is_over = threading.Event()

        def write(writer: int) -> None:
            n = 0
            while not is_over.is_set():
                n += 1
                text = f"Gate {n} of pier {writer} is {n * 7 + writer} metres wide"
                try:  # a connection each, as from many clients
                    response = httpx.post(
                        f"{url}/v1/memories", json={"text": text, "kind": "note"}, timeout=PATIENCE
                    )
                    kept.append(text) if response.status_code == 201 else failed.append(response.text)
                except httpx.HTTPError as error:
                    failed.append(repr(error))

        writers = [threading.Thread(target=write, args=(n,)) for n in range(3)]
        for one in writers:
            one.start()
        awaited(lambda: len(kept) > 20)
        parent.send_signal(signal.SIGHUP)
        awaited(lambda: not children(parent.pid) & first and len(children(parent.pid)) == 2)
        is_over.set()
        for one in writers:
            one.join(PATIENCE)
        assert failed == []
        assert counted(url) == len(kept)

        victim = min(children(parent.pid))
        os.kill(victim, signal.SIGKILL)
        awaited(lambda: victim not in children(parent.pid) and len(children(parent.pid)) == 2)
        with Memory(url) as client:
            assert client.count() == len(kept)
        parent.terminate()
        assert parent.wait(PATIENCE) == 0
    lines = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert sum(line.get("operation") == "remember" for line in lines) == len(kept)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert memory.count() == len(kept)
        assert memory.doctor().healthy


def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    with served(tmp_path / "team.db", "--workers", "2") as (parent, _):
        awaited(lambda: len(children(parent.pid)) == 2)
        orphans = children(parent.pid)
        parent.kill()
        awaited(lambda: not any(Path(f"/proc/{pid}").exists() for pid in orphans))


def test_what_the_first_process_refuses_the_service_refuses(tmp_path: Path) -> None:
    """In a folder whose files are named like modules: nothing of them is run."""
    (tmp_path / "holdfast.py").write_text("raise SystemExit('run from the working directory')")
    completed = subprocess.run(
        [*HOLDFAST, "--json", "serve", "--store", str(tmp_path / "a.db"), "--port", "0", "--workers", "2",
         "--require-credential"],
        capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert completed.returncode == 2
    assert "config_invalid" in completed.stderr
