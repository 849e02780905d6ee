"""Arenas of the allocator: the threads of a service share a few."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import re, threading
from holdfast.http.arenas import bound_arenas

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


@pytest.mark.skipif(sys.platform != "linux", reason="arenas are those of glibc")
def test_sixteen_threads_share_a_few_arenas(monkeypatch: pytest.MonkeyPatch) -> None:
    def arenas() -> int:
        return int(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True).stdout)

    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    assert arenas() <= 2
    monkeypatch.setenv("MALLOC_ARENA_MAX", "16")  # who sets it decides
    assert arenas() > 8
