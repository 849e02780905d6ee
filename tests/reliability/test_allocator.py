"""The allocator: the threads of a service share a few arenas, and what an erasure has freed goes back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import re, threading
from holdfast.stores.base.allocator import bound_arenas

bound_arenas()
meet = threading.Barrier(17)

def use() -> None:
    kept = [bytes(100_000) for _ in range(5)]
    meet.wait()
    meet.wait()

for _ in range(16):
    threading.Thread(target=use).start()
meet.wait()
arenas = 0
for line in open("/proc/self/maps"):
    found = re.match(r"([0-9a-f]+)-[0-9a-f]+ rw-p 00000000 00:00 0\\s*$", line)
    arenas += found is not None and int(found[1], 16) % (64 << 20) == 0
meet.wait()
print(arenas)
"""
"""Counts where arenas begin, all but the first at multiples of 64 MiB, while 16 threads hold memory."""

AN_ERASURE = """
import os, re, sys
from holdfast import Memory

def resident() -> int:
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) >> 10

with Memory(sys.argv[1], user="ana") as memory:
    id = memory.remember("The harbour pilot boards at six").memory.id
    held = [bytes(9_000) for _ in range(10_000)]
    kept = held[::50]
    del held
    before = resident()
    memory.forget(id, hard=True)
    print(before - resident())
"""
"""Frees 86 MiB below what is in use, as other threads leave them while a file is rebuilt; prints how many MiB
the process has less after an erasure."""

ON_GLIBC = pytest.mark.skipif(sys.platform != "linux", reason="arenas are those of glibc")


@ON_GLIBC
def test_sixteen_threads_share_a_few_arenas(monkeypatch: pytest.MonkeyPatch) -> None:
    def arenas() -> int:
        return int(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True).stdout)

    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    assert arenas() <= 2
    monkeypatch.setenv("MALLOC_ARENA_MAX", "16")  # who sets it decides
    assert arenas() > 8


@ON_GLIBC
def test_what_is_free_after_an_erasure_goes_back_to_the_system(tmp_path: Path) -> None:
    command = [sys.executable, "-c", AN_ERASURE, str(tmp_path / "a.db")]
    assert int(subprocess.run(command, capture_output=True, check=True).stdout) > 40
