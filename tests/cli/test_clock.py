"""A clock of the machine that Python cannot read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_SHIFTED = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    int status = syscall(SYS_clock_gettime, clock, now);
    if (status == 0 && clock == CLOCK_REALTIME) now->tv_sec += SHIFT;
    return status;
}
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="the clock of a process is shifted by a library of Linux")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_clock_after_2262_is_an_error_with_a_code(tmp_path: Path) -> None:
    """Python's nanoseconds end in that year: even its `logging` cannot be imported then."""
    library, source = tmp_path / "shifted.so", tmp_path / "shifted.c"
    source.write_text(_SHIFTED)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-DSHIFT=8000000000L", "-o", library, source], check=True, timeout=60
    )
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    for command in (["list"], ["remember", "The boat is blue"], ["backup"], ["doctor"]):
        completed = subprocess.run(
            [sys.executable, "-m", "holdfast", *command, "--json", "--store", tmp_path / "a.db"],
            env=environment, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert json.loads(completed.stderr)["error"]["code"] == "clock_unusable", completed
        assert completed.returncode == 1
    assert not (tmp_path / "a.db").exists()
