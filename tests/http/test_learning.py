"""Learning over HTTP, as the client and as plain requests (S4.42, S4.44)."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.api.transcripts import learn_new, pass_over, unread
from holdfast.features.transfer.formats.worklog import end_of
from holdfast.integrations.agents.cut_off import cut_off
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
        result = client.learn(path, project="shop", session_type="insights")
        assert [lesson.outcome.value for lesson in result.lessons] == ["created", "pending"]
        assert [item.memory.text for item in client.review.inbox(project="shop").items] == [
            lesson.candidate.text for lesson in result.lessons[1:]
        ]


def write_transcript(path: Path, *texts: str) -> Path:
    """Writes or continues a transcript of a session in the folder of its parent."""
    events: list[dict[str, Any]] = [] if path.exists() else [
        {"type": "session", "id": path.stem, "cwd": str(path.parent)}, {"type": "edit", "path": "src/a.ts"}
    ]  # fmt: skip
    with path.open("a") as file:
        file.writelines(
            f"{json.dumps(one)}\n" for one in [*events, *({"type": "user", "text": t} for t in texts)]
        )
    return path


def test_a_short_transcript_is_the_same_one_when_it_grows(tmp_path: Path) -> None:
    path = write_transcript(tmp_path / "s1.jsonl", "no, prices are in cents")
    key = end_of(path).key
    assert end_of(write_transcript(path, "never cache " + "totals " * 40)).key == key
    path.write_text('{"type": "session", "id": "s2"}\n', "utf-8")
    assert end_of(path).key != key


def test_a_transcript_that_grows_is_sent_from_where_the_service_left_it(here: Site, tmp_path: Path) -> None:
    path = write_transcript(tmp_path / "s1.jsonl", "no, prices are in cents")
    with here.client() as client:
        assert unread(client, [path]) == [path]
        assert [lesson.candidate.text for lesson in learn_new(client, path, "shop").lessons] == [
            "Prices are in cents"
        ]
        assert unread(client, [path]) == []
        assert learn_new(client, path, "shop").steps == 0
        write_transcript(path, "never cache totals in memory")
        news = learn_new(client, path, "shop")
        assert (news.steps, [lesson.candidate.text for lesson in news.lessons]) == (
            1,
            ["Never cache totals in memory"],
        )
        pass_over(client, write_transcript(path, "always write the tests first"), "shop")
        assert (unread(client, [path]), learn_new(client, path, "shop").lessons) == ([], ())
        assert client.log_positions(["0" * 64]) == {"0" * 64: 0}


def test_sessions_that_were_cut_off_are_found_through_a_service_and_without_a_set_up(
    here: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a plugin, from the first session that was learned from, here or as a service has read it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / ".git").mkdir()
    first, second, now = (tmp_path / f"{name}.jsonl" for name in ("first", "second", "now"))
    memory = Memory.over(here.service)
    write_transcript(first, "no, prices are in cents")
    assert cut_off(memory, now, tmp_path, 0) == []
    learn_new(memory, first, "shop")
    write_transcript(second, "never cache totals in memory")
    assert cut_off(memory, now, tmp_path, 0) == [second]
    os.utime(write_transcript(tmp_path / "before.jsonl", "always write the tests first"), (1, 1))
    with here.client() as client:
        assert cut_off(client, now, tmp_path, 0) == [second]
        first.unlink()
        assert cut_off(client, now, tmp_path, 0) == []
        (tmp_path / "state" / "holdfast").mkdir(parents=True)
        (tmp_path / "state" / "holdfast" / "hooks.json").write_text('{"since": 2000}')
        assert cut_off(client, now, tmp_path, 0) == [second]


def test_a_path_on_the_server_is_no_log(here: Site, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(EVENTS), "utf-8")
    response = here.call("POST", "/v1/learn", {"log": str(path), "project": "shop"})
    assert (response.status_code, response.json()["code"]) == (422, "format_unknown")
    assert here.call("POST", "/v1/learn", {"log": as_lines(EVENTS)}).status_code == 422


def test_s4_44_a_runner_with_a_key_writes_in_its_name(here: Site) -> None:
    key = here.key("ana", agent="runner:insights")
    body = {"log": TRANSCRIPT, "project": "shop", "session_type": "insights"}
    response = here.call("POST", "/v1/learn", body, key=key)
    assert response.status_code == 200
    kept = Memory.over(here.service).get(response.json()["lessons"][0]["memory"])
    assert kept.created_by == "runner:insights@ana"


def test_a_read_only_key_does_not_learn(here: Site) -> None:
    key = here.key("ana", write=False)
    body = {"log": EVENTS, "project": "shop"}
    assert here.call("POST", "/v1/learn", body, key=key).status_code == 403
