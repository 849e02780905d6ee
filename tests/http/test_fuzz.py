"""The short form of `make fuzz-http`: Schemathesis over the whole document, with and without credentials."""

from __future__ import annotations

import re

import pytest

from benchmarks.fuzz_http import fuzz

pytestmark = pytest.mark.process

FIRST = "/v1/[a-l]"
"""Somewhat less than half of the routes: all of them together take longer than a test may."""


def test_each_argument_of_one_operation_is_answered_as_documented() -> None:
    """Those of an argument that several operations take alike go to the first of them."""
    check(*fuzz("local", 4, seed=1, phases="examples,coverage", is_thin=True))


def test_what_a_limited_key_sends_is_answered_as_documented() -> None:
    """The examples of the document are sent by the test above."""
    check(*fuzz("limited", 2, seed=1, phases="fuzzing"), least=250)


@pytest.mark.slow
@pytest.mark.parametrize("paths", [f"^{FIRST}", f"^(?!{FIRST})"], ids=["the first", "the others"])
def test_every_argument_of_every_operation_is_answered_as_documented(paths: str) -> None:
    check(*fuzz("local", 4, seed=1, phases="coverage", paths=paths))


def check(is_sound: bool, report: str, *, least: int = 500) -> None:
    """Fails unless a run tried enough and found nothing."""
    counted = re.search(r"(\d+) generated", report)
    assert counted, report
    assert int(counted[1]) > least
    assert is_sound, report
