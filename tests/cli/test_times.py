"""Times on the command line, in every option that takes one."""

from __future__ import annotations

import time

import pytest

from holdfast.core.times import DAY, to_millis
from tests.cli.support import error_of, remembered, run_json


@pytest.mark.parametrize("since", ["yesterday", "2 weeks ago", "last monday", "an hour ago", "3d", "today"])
@pytest.mark.parametrize("command", [("list",), ("recall", "kettle")])
def test_since_takes_the_words_that_people_type(command: tuple[str, ...], since: str) -> None:
    remembered("The kettle is old", "--at", "2020-05-01")
    remembered("The kettle is new")

    def texts(*options: str) -> list[str]:
        output = run_json(*command, *options)
        return [one.get("memory", one)["text"] for one in output.get("memories") or output.get("hits")]

    assert texts("--since", since) == ["The kettle is new"]
    assert texts("--until", "yesterday") == ["The kettle is old"]


def test_an_end_is_that_of_its_day_and_lies_ahead() -> None:
    day = int(time.time() * 1_000) // DAY * DAY
    ends = ("--expires-at", "30d", "--valid-until", "tomorrow")
    note = run_json("remember", "The demo is soon", *ends)["memory"]
    assert to_millis(note["expires_at"]) in (day + 31 * DAY, day + 32 * DAY)
    assert to_millis(note["valid_until"]) in (day + 2 * DAY, day + 3 * DAY)
    for since in ("banana", "banana yesterday", "2026-02-30", "2016-12-31T23:59:60Z", "32 May 2026"):
        assert error_of("list", "--since", since, status=2)["code"] == "time_invalid"
    assert error_of("remember", "x", "--at", "soon", status=2)["code"] == "time_invalid"
