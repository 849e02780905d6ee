"""The short form of `make fuzz-http`: Schemathesis over the whole document, with and without credentials."""

from __future__ import annotations

import re

import pytest

from benchmarks.fuzz_http import fuzz

pytestmark = pytest.mark.process


@pytest.mark.parametrize(
    ("caller", "phases", "examples"),
    # nobody is refused before anything else of a request is read, so one of each operation is enough
    [("local", "examples,coverage", 4), ("limited", "examples,fuzzing", 4), ("nobody", "fuzzing", 1)],
)
def test_no_answer_is_a_5xx_or_undocumented(caller: str, phases: str, examples: int) -> None:
    is_sound, report = fuzz(caller, examples, seed=1, phases=phases)
    counted = re.search(r"(\d+) generated", report)
    assert counted, report
    assert int(counted[1]) > 100
    assert is_sound, report
