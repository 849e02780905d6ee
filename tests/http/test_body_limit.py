"""BodyLimit on their way: who sends them slowly keeps nobody waiting, and not much is held for anybody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.http import body_limit
from holdfast.http.body_limit import ARRIVING_MAX
from holdfast.http.gate import IMPORT_MAX, Limits
from holdfast.http.signin import AT_ONCE
from tests.http.support import Site, site
from tests.support import PATIENCE

NOTE = json.dumps({"text": "The boat is red"}).encode()


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path, local=False, limits=Limits(body_seconds=60)) as opened:
        yield opened


class Sending:
    """One request whose body arrives as the test says."""

    def __init__(
        self, opened: Site, method: str, key: str, *, length: int | None = None, path: str = "/v1/memories"
    ) -> None:
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {key}".encode())]
        if method == "POST":
            headers.append((b"content-type", b"application/json"))
            size = (b"transfer-encoding", b"chunked")
            headers.append(size if length is None else (b"content-length", str(length).encode()))
        self._scope = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(),
            "query_string": b"", "headers": headers, "scheme": "http", "http_version": "1.1",
            "server": ("localhost", 1), "client": ("localhost", 2), "root_path": "", "state": {},
        }  # fmt: skip
        self._app = opened.app
        self._arriving: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.asked = asyncio.Event()
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self._task = asyncio.create_task(self._run())

    def part(self, body: bytes, *, more: bool = False) -> Sending:
        self._arriving.put_nowait({"type": "http.request", "body": body, "more_body": more})
        return self

    def leave(self) -> Sending:
        self._arriving.put_nowait({"type": "http.disconnect"})
        return self

    async def ended(self) -> int:
        await asyncio.wait_for(self._task, PATIENCE)
        return self.status

    async def read_on(self) -> None:
        """Waits until what has arrived was read and more is wanted."""
        while not (self.asked.is_set() and self._arriving.empty()):
            assert not self._task.done()
            await asyncio.sleep(0.001)

    async def _run(self) -> None:
        await self._app(self._scope, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        self.asked.set()
        return await self._arriving.get()

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])


async def dripping(opened: Site, key: str, count: int, *, length: int | None = None) -> list[Sending]:
    """Requests of which one byte has arrived."""
    found = [Sending(opened, "POST", key, length=length).part(b" ", more=True) for _ in range(count)]
    for one in found:
        await one.read_on()
    return found


def test_bodies_that_do_not_end_take_no_turn(here: Site) -> None:
    """Of one credential many more than are worked on at once; its other requests are answered meanwhile."""
    key = here.key("ana")

    async def run() -> None:
        slow = await dripping(here, key, AT_ONCE + 52, length=len(NOTE) + 1)
        assert await Sending(here, "GET", key).part(b"").ended() == 200
        assert await Sending(here, "POST", key).part(NOTE).ended() == 201
        for one in slow:
            one.part(NOTE)
        assert {await one.ended() for one in slow} == {200}  # the same text is known by now

    asyncio.run(run())


def test_only_so_many_bodies_of_one_principal_are_on_their_way(here: Site) -> None:
    ana, ben = here.key("ana"), here.key("ben")

    async def run() -> None:
        slow = await dripping(here, ana, ARRIVING_MAX)
        refused = Sending(here, "POST", ana).part(NOTE)
        assert (await refused.ended(), refused.headers[b"retry-after"]) == (429, b"5")
        assert await Sending(here, "POST", ben).part(NOTE).ended() == 201
        assert await Sending(here, "GET", ana).part(b"").ended() == 200
        nowhere = "/v1/memories/01a20023-dd81-7c47-831b-842635b6eb1a"
        assert await Sending(here, "DELETE", ana, path=nowhere).part(b"").ended() == 404  # it has no body
        for one in slow:
            one.leave()
        assert {await one.ended() for one in slow} == {0}
        assert await Sending(here, "POST", ana).part(NOTE).ended() == 201

    asyncio.run(run())
    assert here.call("GET", "/v1/stats", key=ana).json() == {"memories": 1}


@pytest.mark.parametrize("is_stated", [True, False])
def test_only_so_much_of_one_principal_is_held(
    here: Site, monkeypatch: pytest.MonkeyPatch, is_stated: bool
) -> None:
    """What surely has no room is refused before it comes, or else as it comes; what was refused or answered
    counts no more."""
    monkeypatch.setattr(body_limit, "HELD_MAX", 1_000)
    monkeypatch.setattr(body_limit, "SMALL", 100)
    monkeypatch.setattr(body_limit, "SMALL_HELD_MAX", 100)
    ana, ben = here.key("ana"), here.key("ben")
    length = 900 + len(NOTE) if is_stated else None

    async def run() -> None:
        slow = Sending(here, "POST", ana, length=length).part(b" " * 900, more=True)
        await slow.read_on()
        for _ in range(3):
            refused = Sending(here, "POST", ana, length=200 if is_stated else None)
            if not is_stated:
                refused.part(b" " * 200, more=True)
            assert (await refused.ended(), refused.headers[b"retry-after"]) == (429, b"5")
        assert await Sending(here, "POST", ana, length=len(NOTE)).part(NOTE).ended() == 201
        assert await Sending(here, "POST", ben, length=200).part(NOTE).ended() == 201
        assert await slow.part(NOTE).ended() == 200
        assert await Sending(here, "POST", ana, length=900).part(NOTE).ended() == 200

    asyncio.run(run())


def test_what_is_only_announced_takes_no_room(here: Site) -> None:
    """Two imports as large as they may be, of which one byte has come, keep nothing else out."""
    key = here.key("ana", role="admin")

    async def run() -> None:
        slow = [
            Sending(here, "POST", key, length=IMPORT_MAX, path="/v1/import").part(b" ", more=True)
            for _ in range(2)
        ]
        for one in slow:
            await one.read_on()
        assert await Sending(here, "POST", key, length=len(NOTE)).part(NOTE).ended() == 201
        large = NOTE + b" " * body_limit.SMALL
        assert await Sending(here, "POST", key, length=len(large)).part(large).ended() == 200
        for one in slow:
            one.leave()
        assert {await one.ended() for one in slow} == {0}

    asyncio.run(run())


def test_small_bodies_have_room_beside_large_ones(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that may be on their way at once, though large ones hold everything there is for them."""
    monkeypatch.setattr(body_limit, "HELD_MAX", 100_000)
    key = here.key("ana")
    padded = NOTE + b" " * (body_limit.SMALL - len(NOTE))

    async def run() -> None:
        large = Sending(here, "POST", key).part(b" " * 100_000, more=True)
        await large.read_on()
        small = [Sending(here, "POST", key).part(padded[:-1], more=True) for _ in range(ARRIVING_MAX - 1)]
        for one in small:
            await one.read_on()
        for one in small:
            one.part(padded[-1:])
        assert {await one.ended() for one in small} == {200, 201}
        grown = Sending(here, "POST", key).part(padded, more=True)
        await grown.read_on()
        assert await grown.part(b" ").ended() == 429  # it is small no more
        large.leave()
        assert await large.ended() == 0
        assert await Sending(here, "POST", key).part(padded + b" ").ended() == 200

    asyncio.run(run())


def test_a_body_of_too_many_values_is_refused_before_it_is_parsed(here: Site) -> None:
    """Some hundred thousand fields kept a service busy for minutes; signs in texts are no values."""
    key, headers = here.key("ana"), {"Content-Type": "application/json"}
    for path in ("/v1/memories", "/v1/import"):
        body = b'{"text": "x", "more": [' + b"[]," * body_limit.PARTS_MAX + b"1]}"
        answer = here.call("POST", path, content=body, headers=headers, key=key)
        assert (answer.status_code, answer.json()["code"]) == (422, "body_invalid")
        assert "more than 100,000" in answer.json()["detail"]
    spoken = {"content": '[{,\\"' * body_limit.PARTS_MAX, "filename": "x.md", "dry_run": True}
    assert here.call("POST", "/v1/import", spoken, key=key).status_code == 200


def test_mistakes_in_shape_are_named_by_the_first(here: Site) -> None:
    body = {"query": "x", **{f"limit{n}": n for n in range(1_000)}}
    answer = here.call("POST", "/v1/recall", body, key=here.key("ana"))
    assert answer.json()["detail"].endswith("and 997 more")
    assert answer.json()["hint"] == "did you mean limit, limit, limit?"


def test_what_anybody_may_send_is_small(here: Site) -> None:
    answer = here.call("POST", "/auth/key", {"key": "x" * 70_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert "64 KiB" in answer.json()["detail"]


def test_a_nested_body_where_none_is_taken_is_an_error(here: Site) -> None:
    content = b"[" * 50_000
    headers = {"Content-Type": "application/json"}
    answer = here.call(
        "POST", "/v1/memories/none/restore", content=content, headers=headers, key=here.key("ana")
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "body_invalid")
