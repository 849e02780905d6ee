"""Learning over HTTP, as the client and as plain requests (S4.42, S4.44)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from holdfast import Memory
from tests.http.support import Site
from tests.unit.work_samples import EVENTS, TRANSCRIPT, as_lines


def test_s4_42_the_client_learns_as_memory_does(here: Site, tmp_path: Path) -> None:
    """From entries, from a text, and from a file, which is read where the client runs."""
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(TRANSCRIPT), "utf-8")
    memory = Memory.over(here.service)
    with here.client() as client:
        for log in (EVENTS, as_lines(TRANSCRIPT), path):
            told = client.learn(log, project="shop", dry_run=True)
            assert told.lessons
            assert told == replace(memory.learn(log, project="shop", dry_run=True), skipped=told.skipped)
        kept = client.learn(path, project="shop", session_type="insights")
        assert [one.outcome.value for one in kept.lessons] == ["created", "pending"]
        assert [one.memory.text for one in client.review.inbox(project="shop").items] == [
            one.candidate.text for one in kept.lessons[1:]
        ]


def test_a_path_on_the_server_is_no_log(here: Site, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(EVENTS), "utf-8")
    told = here.call("POST", "/v1/learn", {"log": str(path), "project": "shop"})
    assert (told.status_code, told.json()["code"]) == (422, "format_unknown")
    assert here.call("POST", "/v1/learn", {"log": as_lines(EVENTS)}).status_code == 422


def test_s4_44_a_runner_with_a_key_writes_in_its_name(here: Site) -> None:
    key = here.key("ana", agent="runner:insights")
    body = {"log": TRANSCRIPT, "project": "shop", "session_type": "insights"}
    told = here.call("POST", "/v1/learn", body, key=key)
    assert told.status_code == 200
    kept = Memory.over(here.service).get(told.json()["lessons"][0]["memory"])
    assert kept.created_by == "runner:insights@ana"


def test_a_read_only_key_does_not_learn(here: Site) -> None:
    key = here.key("ana", write=False)
    body = {"log": EVENTS, "project": "shop"}
    assert here.call("POST", "/v1/learn", body, key=key).status_code == 403
