"""Tries mutants in forks of one pytest, each with the tests that reach what it alters."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import NoReturn

import coverage
import pytest

KILLED, SURVIVED, UNREACHED, BROKEN, TIMEOUT = 1, 0, 33, 35, 36
"""What mutmut calls exit codes, and prints as "killed", "survived", "no tests", "suspicious", "timeout"."""
AT_ONCE = 4
"""Mutants that are tried at the same time."""
LEAST = 6
"""Processor seconds that a mutant may take, beside five times what its tests take."""
ROOM = 2 * 1024**3
"""Bytes that a mutant may take beyond what all have."""
MEASURED = Path("mutants/measured.json")
"""What each test costs, and which reach each mutant: a run that was broken off goes on from here."""


@dataclass(slots=True)
class Mutant:
    """One alteration of one function. `lines` are those of the altered statement, where it is not altered."""

    name: str
    path: Path
    lines: range
    tests: list[str] = field(default_factory=list)

    @property
    def function(self) -> str:
        """The name that it shares with the other mutants of the function."""
        return self.name.rpartition("__mutmut_")[0]


class Trial:
    """A plugin of pytest that tries mutants instead of running the tests. `enough` are the processor seconds
    of tests after which a mutant has survived, though there may be more that reach it."""

    def __init__(self, tried: list[Mutant], enough: float, note: Callable[[dict[str, int]], None]) -> None:
        self._tried, self._enough, self._note = tried, enough, note
        self._failed = False
        self._seconds: dict[str, float] = {}
        self._noticed: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._running: dict[int, tuple[Mutant, int]] = {}
        self._results: dict[str, int] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes that a test failed."""
        self._failed = self._failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Stands in for running the tests one after the other."""
        items = {item.nodeid: item for item in session.items}
        if not self._recall(items):
            if (pid := os.fork()) == 0:  # what 2,000 tests leave behind is not for the forks of this process
                self._measure(list(items.values()))
            if os.waitpid(pid, 0)[1] or not self._recall(items):
                pytest.exit("a test fails without a mutant", returncode=1)
        files = len({name.partition("::")[0] for name in items})
        self._run([items[name] for name in in_turn(items, self._seconds)[:files]])  # now all is imported
        print(f"\n{len(items)} tests take {sum(self._seconds.values()):.0f} s", flush=True)
        for number, mutant in enumerate(self._tried, 1):
            while len(self._running) >= AT_ONCE:
                self._wait()
            if mutant.tests:
                self._start(mutant, [items[name] for name in self._select_tests(mutant)])
            else:
                self._results[mutant.name] = UNREACHED
            if number % 20 == 0:
                self._note(self._results)
                print(f"{number} of {len(self._tried)} mutants", flush=True)
        while self._running:
            self._wait()
        self._note(self._results)
        return True

    def _recall(self, items: dict[str, pytest.Item]) -> bool:
        """Takes what was measured, if that was of the same tests and mutants."""
        measured = json.loads(MEASURED.read_text()) if MEASURED.exists() else {"seconds": {}, "tests": {}}
        self._seconds, names = measured["seconds"], list(measured["seconds"])
        if names != list(items) or any(one.name not in measured["tests"] for one in self._tried):
            return False
        for mutant in self._tried:
            mutant.tests = [names[number] for number in measured["tests"][mutant.name]]
        return True

    def _measure(self, items: list[pytest.Item]) -> NoReturn:
        """Runs all tests once, writes down which reach what a mutant alters, and ends this process."""
        files = {str(mutant.path) for mutant in self._tried}
        reached = coverage.Coverage(data_file=None, include=sorted(files), branch=False, config_file=False)
        reached.start()
        self._run(items, reached.switch_context)
        reached.stop()
        if self._failed:
            os._exit(1)
        lines = {path: reached.get_data().contexts_by_lineno(path) for path in files}
        numbers = {item.nodeid: number for number, item in enumerate(items)}
        tests = {}
        for one in self._tried:
            found = {name for line in one.lines for name in lines[str(one.path)].get(line, []) if name}
            tests[one.name] = sorted(numbers[name] for name in found)
        MEASURED.write_text(json.dumps({"seconds": self._seconds, "tests": tests}))
        os._exit(0)

    def _run(self, items: list[pytest.Item], begin: Callable[[str], object] = bool) -> None:
        """Runs tests up to the first that fails."""
        for item, following in zip(items, [*items[1:], None], strict=True):
            begin(item.nodeid)
            began = time.process_time()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            self._seconds[item.nodeid] = time.process_time() - began
            if self._failed:
                print(f"\n{item.nodeid} fails", flush=True)
                return

    def _select_tests(self, mutant: Mutant) -> list[str]:
        """Returns the tests of a mutant in the order in which they are run, up to `enough` seconds."""
        by_function, by_file = self._noticed[mutant.function], self._noticed[str(mutant.path)]
        tests = in_turn(mutant.tests, self._seconds)
        tests.sort(key=lambda name: (-by_function[name], -by_file[name]))
        until = accumulate(self._seconds[name] for name in tests)
        return [name for name, spent in zip(tests, until, strict=True) if spent <= self._enough] or tests[:1]

    def _start(self, mutant: Mutant, items: list[pytest.Item]) -> None:
        told, telling = os.pipe()
        if (pid := os.fork()) == 0:
            try:
                code = BROKEN
                code = self._try(mutant, items, telling)
            finally:
                os._exit(code)
        os.close(telling)
        self._running[pid] = (mutant, told)

    def _try(self, mutant: Mutant, items: list[pytest.Item], telling: int) -> int:
        """Runs the tests of a mutant in this process, says which failed, and returns what became of it."""
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        most = int(LEAST + 5 * sum(self._seconds[item.nodeid] for item in items))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        if sys.platform == "linux":
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM,) * 2)
        os.environ["MUTANT_UNDER_TEST"] = mutant.name
        self._seconds = {}
        self._run(items)
        if self._failed:
            os.write(telling, list(self._seconds)[-1].encode())
        return KILLED if self._failed else SURVIVED

    def _wait(self) -> None:
        pid, status = os.wait()
        if pid in self._running:
            mutant, told = self._running.pop(pid)
            with os.fdopen(told) as stream:
                name = stream.read()
            self._results[mutant.name] = os.WEXITSTATUS(status) if os.WIFEXITED(status) else TIMEOUT
            for part in (mutant.function, str(mutant.path)) if name else ():
                self._noticed[part][name] += 1


def in_turn(tests: Iterable[str], seconds: dict[str, float]) -> list[str]:
    """Returns the quickest test of each file, then the next of each, and so on."""
    seen: Counter[str] = Counter()
    turns: list[tuple[int, float, str]] = []
    for name in sorted(tests, key=lambda name: (seconds[name], name)):
        file = name.partition("::")[0]
        turns.append((seen[file], seconds[name], name))
        seen[file] += 1
    return [name for _, _, name in sorted(turns)]
