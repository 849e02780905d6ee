"""The short form of `make fuzz-http`: Schemathesis over the whole document, with and without credentials."""

from __future__ import annotations

import re

import pytest

from benchmarks.fuzz_http import fuzz

pytestmark = pytest.mark.process

FIRST = "/v1/[a-l]"
"""Somewhat less than half of the routes: all of them together take longer than a test may."""


@pytest.mark.parametrize(
    ("caller", "phases", "examples", "paths"),
    [
        ("local", "examples", 4, None),
        ("local", "coverage", 4, f"^{FIRST}"),
        ("local", "coverage", 4, f"^(?!{FIRST})"),
        ("limited", "examples,fuzzing", 4, None),
        # nobody is refused before anything else of a request is read, so one of each operation is enough
        ("nobody", "fuzzing", 1, None),
    ],
    ids=["examples", "coverage of the first", "coverage of the others", "limited", "nobody"],
)
def test_no_answer_is_a_5xx_or_undocumented(
    caller: str, phases: str, examples: int, paths: str | None
) -> None:
    is_sound, report = fuzz(caller, examples, seed=1, phases=phases, paths=paths)
    counted = re.search(r"(\d+) generated", report)
    assert counted, report
    assert int(counted[1]) > 100
    assert is_sound, report
