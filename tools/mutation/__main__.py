"""Tries mutants: `python -m tools.mutation 'holdfast.core.views*'`, or all that were not tried yet.

mutmut makes the mutants, and mypy says of half of them that they are wrong. Each of the others is tried in a
fork of one pytest, which has imported and collected everything; another fork has run each test once, which
tells which of them reach the altered statement, and what they cost. The tests that noticed other mutants of
the function go first, then those that did of its file, then the quickest of each file; the first that fails
is the last. `mutmut show NAME` prints a mutant. A function that runs as modules are loaded is altered too
late: try its mutants by hand.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

import pytest
from mutmut.configuration import config
from mutmut.utils.file_utils import setup_source_paths

from tests.temporary import folder as folder_for_tests
from tools.mutation import mutants
from tools.mutation.trial import Trial

SEED = 2911
"""Of the order of the mutants: those that were tried before a run is broken off are a random sample."""
HANGS = 180
"""Seconds after which a test has failed: only one that waits for what never comes takes as long."""


def main() -> None:
    """Makes the mutants unless they are there, tries them, and says what became of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation")
    parser.add_argument("names", nargs="*", help="names of mutants, or patterns; all without any")
    parser.add_argument("--again", action="store_true", help="also those that were tried and not noticed")
    parser.add_argument("--enough", type=float, default=3.0, help="processor seconds of tests for a mutant")
    options = parser.parse_args()
    os.environ["MUTANT_UNDER_TEST"] = ""
    os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))  # of mypy
    if not Path("mutants/src").exists():
        mutants.make()
    setup_source_paths()
    tried = mutants.untried(options.names, again=options.again)
    random.Random(SEED).shuffle(tried)
    with tempfile.TemporaryDirectory(dir=folder_for_tests(), ignore_cleanup_errors=True) as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        always = [
            "--basetemp", f"{folder}/tests", "-o", "tmp_path_retention_policy=none", "--timeout", str(HANGS),
            "--tb", "native",
        ]  # fmt: skip
        tests = config().pytest_add_cli_args + config().pytest_add_cli_args_test_selection
        trial = Trial(tried, options.enough, mutants.note)
        if tried and (code := pytest.main([*always, *tests], plugins=[trial])):
            raise SystemExit(code)
    print(*mutants.summary(), sep="\n")


if __name__ == "__main__":
    main()
