"""`make run` starts the service with real data in it, and what it prints works as pasted."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from mcp import Client

from tests.cli.support import error_of
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def shown(*command: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A trial that serves, once it does, and the lines that it has printed to be pasted."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ
    )
    assert process.stdout is not None
    lines: list[str] = []
    try:
        while not any("claude mcp add" in line for line in lines):
            line = process.stdout.readline()
            assert line, "".join(lines) + (process.stderr.read() if process.stderr else "")
            lines.append(line)
        yield process, lines
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE)


def trial(*options: str) -> tuple[str, ...]:
    """The command that `make run` calls."""
    start = (sys.executable, "-c", "from holdfast.cli.main import main; main()")
    return (*start, "try", "--serve", "--port", "0", *options)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the lines are for curl")
def test_every_line_works_as_pasted() -> None:
    """Over HTTP and over MCP, both find the answer that the trial found; then Ctrl-C ends it."""
    with shown(*trial("--for", "120")) as (process, lines):
        pasted = [line.strip() for line in lines if line.startswith("  curl ")]
        answers = [
            json.loads(subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout)
            for line in pasted
        ]
        recalled, kept, over_mcp = answers
        assert "Thursdays at 18:30" in recalled["hits"][0]["memory"]["text"]
        assert kept["outcome"] == "created"
        memories = over_mcp["result"]["structuredContent"]["memories"]
        assert "Thursdays at 18:30" in memories[0]["text"]
        address = next(line.split()[-1] for line in lines if "claude mcp add" in line)
        anyio.run(_tools, address)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors
        assert "The service has stopped." in rest
        assert "Traceback" not in errors


async def _tools(address: str) -> None:
    """The address that is given to an agent is one of MCP."""
    with anyio.fail_after(60):
        async with Client(address) as client:
            assert "recall" in {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_run_sets_up_shows_serves_and_ends_by_itself() -> None:
    """With the environment at hand, so that nothing is installed here."""
    environment = Path(sys.executable).parent.parent
    stamp = environment / ".installed"
    make = ("make", "--no-print-directory", f"VENV={environment}", "-o", str(stamp), "run", "RUN_SECONDS=1")
    with shown(*make) as (process, lines):
        rest, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    told = "".join(lines) + rest
    assert re.search(r"served at http://127\.0\.0\.1:\d+, for 1 s", told)
    assert "110 messages" in told
    assert "The service has stopped." in told


def test_serving_prints_no_json() -> None:
    assert "people" in error_of("try", "--serve", status=2)["message"]
