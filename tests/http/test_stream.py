"""The stream of changes: heard from any process, resumed, and silent about what the listener may not see."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from holdfast import Memory
from holdfast.features.access.keys import create_key, revoke_key
from holdfast.http.stream import RESUME_MS, Heads, Ids
from tests.http.support import Site
from tests.http.test_process import ended, served
from tests.support import PATIENCE

pytestmark = pytest.mark.process


class Listener:
    """One open stream, read event by event."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()
        self.id = ""

    def next(self) -> tuple[str, dict[str, Any]]:
        """The next event with its data."""
        name = ""
        for line in self._lines:
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "id":
                self.id = value
            elif field == "data":
                return name, json.loads(value)
        raise AssertionError("the stream has ended")

    def line(self) -> str:
        """The next line that is not empty."""
        return next(filter(None, self._lines))

    def change(self) -> tuple[set[str], list[str]]:
        """The memories and areas of the next change."""
        name, data = self.next()
        assert name == "change"
        return {memory["id"] for memory in data["memories"]}, data["areas"]


@contextmanager
def listening(url: str, key: str | None = None, after: str | None = None) -> Iterator[Listener]:
    headers = {
        "Accept": "text/event-stream",
        **({"X-API-Key": key} if key else {}),
        **({"Last-Event-ID": after} if after else {}),
    }
    with httpx.stream("GET", f"{url}/v1/stream", headers=headers, timeout=PATIENCE) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Listener(response)


def remembered(memory: Memory, text: str, **more: Any) -> str:
    result = memory.remember(text, **more).memory
    assert result is not None
    return result.id


def test_changes_of_other_processes_are_heard_and_resumed(tmp_path: Path) -> None:
    store = tmp_path / "team.db"
    with served(store) as (_, url), Memory(store, user="ana") as memory:
        with listening(url) as heard:
            assert heard.next()[0] == "ready"
            red = remembered(memory, "The boat is red")
            assert heard.change() == ({red}, ["facts", "memories"])
            memory.revise(red, text="The boat is blue")
            assert heard.change()[0] == {red}
            assert memory.context("what colour is the boat?", session="work").entries
            assert heard.change() == (set(), ["deliveries"])
            memory.forget(red)
            _, data = heard.next()
            assert [(record["id"], record["status"]) for record in data["memories"]] == [(red, "gone")]
        missed = remembered(memory, "The mast is of ash")
        memory.add_messages(
            [{"role": "user", "content": f"Is cart {n} done?"} for n in range(3)], session="c"
        )
        with listening(url, after=heard.id) as again:
            assert again.next()[0] == "ready"
            assert missed in again.change()[0]
        for wrong in ("1", "AAAA", heard.id[:-4] + "AAAA", "ä"):
            assert Ids(b"k", "user:ana").read(wrong, 0, 9) is None
        with listening(url, after="A" * 44) as lost:
            assert lost.next()[0] == "reset"


def test_a_listener_hears_nothing_of_what_it_may_not_see(tmp_path: Path) -> None:
    """Whatever others do elsewhere comes before each change that is heard, and leaves no trace in it."""
    store = tmp_path / "team.db"
    with Memory(store, user="ana") as ana, Memory(store, user="eve") as eve:
        keys = {
            user: create_key(ana._service, user=user, projects=projects)[1]
            for user, projects in (("ben", None), ("cleo", ["shop"]))
        }
        ana.projects.create("shop")

        def elsewhere(n: int) -> None:
            secret = remembered(eve, f"Eve's note {n}", project=f"hidden-{n}")
            eve.revise(secret, text=f"Eve's other note {n}")
            eve.pin(secret)
            eve.context(f"Eve's note {n}", session="work")
            eve.forget(secret, hard=n % 2 == 1)
            eve.add_messages([{"role": "user", "content": f"Hello {n}"}], session=f"chat-{n}")
            eve.entities.create(f"Thing {n}", "thing", project=f"hidden-{n}")
            remembered(eve, f"A note for the team of another project {n}", visibility="team", project="den")

        with served(store, "--require-credential") as (_, url), \
                listening(url, keys["ben"]) as ben, listening(url, keys["cleo"]) as cleo:  # fmt: skip
            assert (ben.next()[0], cleo.next()[0]) == ("ready", "ready")
            for n in range(3):
                elsewhere(n)
                seen = remembered(ana, f"The shop opens at {n}", project="shop", visibility="team")
                assert cleo.change() == ({seen}, ["facts", "memories"])
                heard: set[str] = set()
                while seen not in heard:
                    ids, areas = ben.change()
                    heard |= ids
                    assert set(areas) <= {"facts", "memories", "projects", "sessions", "review", "entities"}
            with Memory(store, user="ben") as own:
                visible = {
                    memory.id for memory in own.list(project="*", limit=100, include="superseded").memories
                }
            assert heard <= visible


def test_who_decides_hears_of_requests_to_share_and_of_keys(tmp_path: Path) -> None:
    """Although the memory that somebody asks to share is not theirs to see yet."""
    store = tmp_path / "team.db"
    with Memory(store, user="ana") as ana:
        keys = {user: create_key(ana._service, user=user, role=role)[1] for user, role in (
            ("ana", "owner"), ("ben", "member"), ("cleo", "admin"),
        )}  # fmt: skip
        with served(store, "--require-credential") as (_, url), listening(url, keys["cleo"]) as cleo:
            cleo.next()
            with Memory(url, api_key=keys["ben"]) as ben:
                own = remembered(ben, "Release notes are written by whoever merges")
                (asked,) = ben.review.move([own], visibility="team")
                assert asked.result == "asked"
                assert cleo.change() == (set(), ["review"])
                ben.review.move([own], visibility="private")
                assert cleo.change() == (set(), ["review"])
            create_key(ana._service, user="dan")
            assert cleo.change() == (set(), ["keys"])


def test_a_stream_ends_with_its_key(tmp_path: Path) -> None:
    store = tmp_path / "team.db"
    with Memory(store, user="ana") as ana:
        key, text = create_key(ana._service, user="ben")
        with served(store, "--require-credential") as (_, url), listening(url, text) as ben:
            ben.next()
            revoke_key(ana._service, key.id)
            remembered(ana, "The shop opens at nine", visibility="team")
            assert ben.next() == ("bye", {})


def test_a_failure_that_lasts_is_logged_once(
    here: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, away = tmp_path / "team.db", tmp_path / "away.db"
    heads = Heads(here.service)

    async def look() -> None:
        for _ in range(2):
            store.rename(away)
            for _ in range(2):
                await heads.next()
            away.rename(store)
            await heads.next()

    with caplog.at_level("ERROR", "holdfast.http"):
        asyncio.run(look())
    assert [record.code for record in caplog.records] == ["store_unavailable"] * 2  # type: ignore[attr-defined]


def test_a_stream_ends_when_its_store_fails_and_opens_again_when_it_is_back(tmp_path: Path) -> None:
    store, away = tmp_path / "team.db", tmp_path / "away.db"
    log = (tmp_path / "log").open("w")
    with log, served(store, log=log) as (_, url):
        with listening(url) as heard:
            assert heard.next()[0] == "ready"
            store.rename(away)
            assert heard.line() == "event: bye"  # not the comment that says it is still there
        refused = httpx.get(f"{url}/v1/stream", headers={"Accept": "text/event-stream"}, timeout=PATIENCE)
        assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
        away.rename(store)
        with listening(url, after=heard.id) as again, Memory(url) as memory:
            assert again.next()[0] == "ready"
            red = remembered(memory, "The boat is red")
            assert again.change()[0] == {red}


def test_a_caller_that_is_gone_before_it_is_answered_is_no_failure_of_the_service(tmp_path: Path) -> None:
    head = b"GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
    with served(tmp_path / "team.db") as (process, url):
        address = urlsplit(url)
        for _ in range(30):
            with socket.create_connection((address.hostname, address.port), PATIENCE) as caller:
                caller.sendall(head)
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert httpx.get(f"{url}/health/live", timeout=PATIENCE).status_code == 200
        lines = ended(process)
    assert [line for line in lines if line["level"] == "error"] == []
    assert {line["status"] for line in lines if line.get("operation") == "stream"} <= {0, 200}


def test_ids_hide_how_much_happened_and_are_of_one_person() -> None:
    mine, others = Ids(b"key", "user:ana"), Ids(b"key", "user:ben")
    first, second = mine.write(7, 1_000), mine.write(7, 1_000)
    assert first != second
    assert mine.read(first, 1_000, 9) == mine.read(second, 1_000, 9) == 7
    assert others.read(first, 1_000, 9) is None
    assert mine.read(first, 1_001 + RESUME_MS, 9) is None
    assert mine.read(first, 1_000, 6) is None


def test_where_users_share_nothing_a_listener_hears_of_no_project_of_another(tmp_path: Path) -> None:
    store = tmp_path / "chat.db"
    with Memory(store, user="ana") as ana:
        key = create_key(ana._service, user="ben")[1]
        with served(store, "--require-credential", "--sharing", "off") as (_, url), \
                listening(url, key) as ben:  # fmt: skip
            ben.next()
            ana.projects.create("hidden")
            ana.projects.update("hidden", description="A harbour")
            with httpx.Client(base_url=url, headers={"X-API-Key": key}, timeout=PATIENCE) as http:
                own = http.post("/v1/memories", json={"text": "The boat is red"})
                listed = http.get("/v1/projects")
            assert ben.change() == ({own.json()["memory"]["id"]}, ["facts", "memories"])
            assert listed.json() == {"projects": []}
