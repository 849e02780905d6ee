"""The recorded day with a real client: it can be played, its page shows it, and it names nobody's machine."""

from __future__ import annotations

import json
import re

from tests.agents.day import CAST, PAGE, page_of, text_of


def test_the_recording_is_an_asciicast_and_its_page_shows_it() -> None:
    cast = CAST.read_text("utf-8")
    head, *events = map(json.loads, cast.splitlines())
    assert (head["version"], head["width"] > 0, head["height"] > 0) == (2, True, True)
    assert all(kind == "o" and isinstance(text, str) for _, kind, text in events)
    assert [at for at, _, _ in events] == sorted(at for at, _, _ in events)
    assert PAGE.read_text("utf-8") == page_of(cast), "make agents AGENTS=--record"


def test_the_second_session_is_told_what_the_first_one_taught() -> None:
    first, second = text_of(CAST.read_text("utf-8")).split("thrown out while they send")
    assert "Never renew the token" in first.split("holdfast list")[1]
    assert re.search(r"by the hook SessionStart:.*Never renew the token", second, re.DOTALL)


def test_the_recording_names_no_machine() -> None:
    text = CAST.read_text("utf-8")
    assert not re.findall(r"/(?:tmp|root|work|Users|private|var)/|https?://|localhost|127\\.0", text)
    assert {*re.findall(r"/home/(\w+)", text)} <= {"ana"}
