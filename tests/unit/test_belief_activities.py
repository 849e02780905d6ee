"""Which activities are over by what somebody says that they do no longer."""

from __future__ import annotations

import pytest

from holdfast.features.beliefs.activities import is_given_up


@pytest.mark.parametrize(
    ("activity", "ended", "is_over"),
    [
        ("run a book club every month", "run", False),
        ("walk the dog", "walk", False),
        ("take the kids swimming", "swimming", False),
        ("koche jeden Abend Nudeln", "kochen", False),
        ("run", "run marathons", False),
        ("run", "rennen", True),
        ("run 5k in the park every morning", "running", True),
        ("run marathons", "run", True),
        ("laufe zehn Kilometer am Tag", "laufe", True),
        ("cycle to work", "cycle", True),
    ],
)
def test_a_verb_ends_what_has_no_object_of_its_own(activity: str, ended: str, is_over: bool) -> None:
    assert is_given_up(activity, ended) is is_over
