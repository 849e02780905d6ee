"""What `make mutate` says of a mutant: noticed, not noticed, reached by no test, without an end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutation.places import altered
from tools.mutation.trial import KILLED, SURVIVED, TIMEOUT, UNREACHED

ROOT = Path(__file__).parents[2]
CODE = """
import os


def twice(number):
    chosen = os.environ["MUTANT_UNDER_TEST"].rpartition(".")[2]
    return globals().get(chosen, twice__mutmut_orig)(number)


def twice__mutmut_orig(number):
    if number < 0:
        return -twice(-number)
    return (
        number
        * 2
    )


def twice__mutmut_1(number):
    if number < 0:
        return +twice(-number)
    return (
        number
        * 2
    )


def twice__mutmut_2(number):
    if number < 0:
        return -twice(-number)
    return (
        number
        + 2
    )


def twice__mutmut_3(number):
    if number <= 0:
        return -twice(-number)
    return (
        number
        * 2
    )


def twice__mutmut_4(number):
    if number < 1_000:
        return -twice(-number)
    return (
        number
        * 2
    )


def twice__mutmut_5(number):
    while number > 0:
        number = number or -twice(-number)
    return (
        number
        * 2
    )
"""
TESTS = """
import os
from pathlib import Path
from doubling import twice

def note(test):
    if not os.environ["MUTANT_UNDER_TEST"]:
        with Path("ran").open("a") as ran:
            ran.write(test)

def test_of_two():
    note("2")
    assert twice(2) == 4

def test_of_three():
    note("3")
    assert twice(3) == 6

def test_of_none():
    note("0")
"""
RUN = """
import json
import sys
from pathlib import Path
import pytest
from tools.mutation import trial
from tools.mutation.places import altered

trial.LEAST = 1
found = altered(Path("doubling.py").read_text())
path = Path("doubling.py").resolve()
tried = [trial.Mutant(f"doubling.{name}", path, lines) for name, lines in found.items()]
options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "test_doubling.py"]
keep = lambda results: Path("results").write_text(json.dumps(results))
sys.exit(pytest.main(options, plugins=[trial.Trial(tried, 9.0, keep)]))
"""


def test_a_mutant_stands_where_the_code_stands_that_it_alters() -> None:
    places = {
        name[-1]: CODE.splitlines()[lines.start - 1 : lines.stop - 1] for name, lines in altered(CODE).items()
    }
    assert places["1"] == ["        return -twice(-number)"]
    assert places["2"] == ["    return (", "        number", "        * 2", "    )"]
    assert places["3"] == places["4"] == ["    if number < 0:"]


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process has")
def test_the_tests_that_reach_a_mutant_are_run_until_one_fails(tmp_path: Path) -> None:
    (tmp_path / "mutants").mkdir()
    for name, content in (("doubling.py", CODE), ("test_doubling.py", TESTS), ("run.py", RUN)):
        (tmp_path / name).write_text(content)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "MUTANT_UNDER_TEST": ""}

    def ran() -> str:
        (tmp_path / "ran").write_text("")
        subprocess.run(
            [sys.executable, "run.py"], cwd=tmp_path, env=environment, check=True, stdout=subprocess.PIPE
        )
        return (tmp_path / "ran").read_text()

    first = ran()
    results = json.loads((tmp_path / "results").read_text())
    assert {name[-1]: code for name, code in results.items()} == {
        "1": UNREACHED, "2": KILLED, "3": SURVIVED, "4": KILLED, "5": TIMEOUT
    }  # fmt: skip
    assert first[:-1] == "230"  # and the quickest once more, so that the forks have all imported
    assert len(ran()) == 1  # what each test reaches is known by now
