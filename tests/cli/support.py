"""Helpers of the command line's tests: one command in this process, or as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from holdfast.cli.main import Program, cli
from tests.support import PATIENCE

HOLDFAST = str(Path(sys.executable).with_name("holdfast"))
EXAMPLES = Path(__file__).parents[2] / "examples"


def run(
    *args: str, input: str | bytes | None = None, status: int = 0, program: Program = cli, **env: str
) -> Result:
    """Runs a command in this process and checks its exit status."""
    result = CliRunner(env=env).invoke(program, list(args), input=input)
    assert result.exit_code == status, (result.exit_code, result.stdout, result.stderr)
    return result


def run_json(*args: str, input: str | bytes | None = None, status: int = 0, program: Program = cli) -> Any:
    """What a command prints with --json."""
    result = run(*args, "--json", input=input, status=status, program=program)
    assert "\x1b" not in result.stdout
    return json.loads(result.stdout)


def error_of(
    *args: str, status: int, input: str | bytes | None = None, program: Program = cli
) -> dict[str, Any]:
    """The error that a command tells with --json; it tells it on the error output and nothing else there."""
    result = run(*args, "--json", input=input, status=status, program=program)
    assert result.stdout == ""
    error: dict[str, Any] = json.loads(result.stderr)["error"]
    assert set(error) == {"code", "message", "hint"}
    return error


def process(
    *args: str | bytes, input: bytes | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs the installed command as a process."""
    return subprocess.run(
        [HOLDFAST, *args],
        input=b"" if input is None else input,
        env={**os.environ, **(env or {})},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def leaves_nothing_when_ended(command: list[str], number: signal.Signals, prefix: str, folder: Path) -> None:
    """Runs a process until its temporary store is in `folder`, ends it by a signal, and checks that the store
    is removed."""
    process = subprocess.Popen(
        command, env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=partial(signal.signal, number, signal.SIG_DFL),  # whoever runs the tests may ignore it
    )  # fmt: skip
    while not list(folder.glob(f"{prefix}-*/*.db")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(PATIENCE) == 128 + number
    assert list(folder.glob("holdfast-*")) == []


def remembered(*args: str, input: str | None = None) -> str:
    """Remembers something and returns its id."""
    id = run_json("remember", *args, input=input)["memory"]["id"]
    assert isinstance(id, str)
    return id
