"""Commands that end by a signal, wherever in Python it arrives."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial

import pytest

from tests.support import PATIENCE

PROGRAM = """
import os, sys, time
from holdfast.cli.ending import cleaned_up

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        any(range(1000))  # it is raised here, where Python drops exceptions

try:
    with cleaned_up():
        Finalized()
        time.sleep(3600)
finally:
    print("removed")
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_command_even_where_it_arrives_in_a_finalizer(number: signal.Signals) -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(number.value)], capture_output=True, text=True, timeout=PATIENCE,
        preexec_fn=partial(signal.signal, number, signal.SIG_DFL),  # whoever runs the tests may ignore it
    )  # fmt: skip
    assert (result.returncode, result.stdout) == (128 + number, "removed\n"), result.stderr


def test_an_error_in_a_finalizer_is_still_reported() -> None:
    program = PROGRAM.replace("int(sys.argv[1])", "'no number'").replace("time.sleep(3600)", "pass")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert (result.returncode, result.stdout) == (0, "removed\n")
    assert "Exception ignored" in result.stderr
    assert "TypeError" in result.stderr
