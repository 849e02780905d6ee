"""Prints the processor seconds of each test file (Linux): `python -m pytest -n 0 -p tests.processor PATH`.

They depend little on what else the machine does. Processes that a test starts count; the server of PostgreSQL
does not, which has left the family.
"""

from __future__ import annotations

import os
import resource
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK")
_seconds: dict[str, float] = defaultdict(float)


def processor_seconds() -> float:
    """Returns what this process has used, with all that it has started."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both) + _of_the_living()


def _of_the_living() -> float:
    """Of what was started and has not ended, and so is not in the account of this process yet."""
    children: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        number = int(path.parent.name)
        children.setdefault(int(words[1]), []).append(number)
        used[number] = sum(map(int, words[11:15]))
    found, waiting = 0, [os.getpid()]
    while waiting:
        mine = children.get(waiting.pop(), [])
        found += sum(used[number] for number in mine)
        waiting += mine
    return found / TICKS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Adds what a test uses to what its file has used."""
    before = processor_seconds()
    result = yield
    _seconds[item.nodeid.partition("::")[0]] += processor_seconds() - before
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the files, the longest first."""
    terminalreporter.section("processor seconds")
    for name, seconds in sorted(_seconds.items(), key=lambda one: -one[1]):
        terminalreporter.write_line(f"{seconds:8.1f}  {name}")
