"""Times as people type them: words, spans and days, behind and ahead."""

from __future__ import annotations

import pytest

from holdfast.core.times import to_iso, to_millis
from holdfast.language.dates.moment import moment
from tests.cases import each

NOW = to_millis("2026-11-22T22:08:10Z")  # a Sunday

CASES = {
    "now": "2026-11-22T22:08:10Z 2026-11-22T22:08:10Z",
    "today": "2026-11-22T00:00:00Z 2026-11-23T00:00:00Z",
    "Yesterday": "2026-11-21T00:00:00Z 2026-11-22T00:00:00Z",
    "day before yesterday": "2026-11-20T00:00:00Z 2026-11-21T00:00:00Z",
    "2 weeks ago": "2026-11-08T00:00:00Z 2026-11-09T00:00:00Z",
    "two  weeks back": "2026-11-08T00:00:00Z 2026-11-09T00:00:00Z",
    "2w": "2026-11-08T00:00:00Z 2026-11-09T00:00:00Z",
    "90 minutes ago": "2026-11-22T20:38:10Z 2026-11-22T20:38:10Z",
    "12h": "2026-11-22T10:08:10Z 2026-11-22T10:08:10Z",
    "a month ago": "2026-10-22T00:00:00Z 2026-10-23T00:00:00Z",
    "9 months ago": "2026-02-22T00:00:00Z 2026-02-23T00:00:00Z",
    "last monday": "2026-11-16T00:00:00Z 2026-11-17T00:00:00Z",
    "friday": "2026-11-20T00:00:00Z 2026-11-21T00:00:00Z",
    "next friday": "2026-11-27T00:00:00Z 2026-11-28T00:00:00Z",
    "last week": "2026-11-09T00:00:00Z 2026-11-16T00:00:00Z",
    "last year": "2025-01-01T00:00:00Z 2026-01-01T00:00:00Z",
    "12 May": "2026-05-12T00:00:00Z 2026-05-13T00:00:00Z",
    "tomorrow": "2026-11-23T00:00:00Z 2026-11-24T00:00:00Z",
    "in 3 months": "2027-02-22T00:00:00Z 2027-02-23T00:00:00Z",
    "gestern": "2026-11-21T00:00:00Z 2026-11-22T00:00:00Z",
    "vor zwei Wochen": "2026-11-08T00:00:00Z 2026-11-09T00:00:00Z",
    "nächsten Freitag": "2026-11-27T00:00:00Z 2026-11-28T00:00:00Z",
}


@each("words", CASES)
def test_words_that_people_type_are_times(words: str) -> None:
    start, end = moment(words, NOW), moment(words, NOW, end=True)
    assert start is not None
    assert end is not None
    assert f"{to_iso(start)} {to_iso(end)}" == CASES[words]


@pytest.mark.parametrize("words", ["banana", "", "in 2 bananas", "99999 weeks of it", "soon", "in ago"])
def test_other_words_are_none(words: str) -> None:
    assert moment(words, NOW) is None


def test_a_bare_span_lies_ahead_for_an_end() -> None:
    assert moment("30d", NOW, ahead=True) == to_millis("2026-12-22")
    assert moment("30d", NOW) == to_millis("2026-10-23")
    assert moment("30 days ago", NOW, ahead=True) == to_millis("2026-10-23")
