"""Idempotency keys: a write that is sent again is answered again and not done again."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from holdfast import Memory
from holdfast.config import load
from holdfast.stores.base.replays import QUOTA, Replay
from holdfast.workers import worker_for
from tests.http.support import Site, message
from tests.http.test_process import served
from tests.support import PATIENCE

NOTE = {"text": "The shop opens at nine", "external_id": None}


def sent(here: Site, body: Any = NOTE, *, id: str = "k-1", path: str = "/v1/memories", **more: Any) -> Any:
    return here.call("POST", path, body, headers={"Idempotency-Key": id}, **more)


def test_the_same_request_is_answered_again(here: Site) -> None:
    first, again = sent(here), sent(here)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert first.headers["x-request-id"] != again.headers["x-request-id"]
    assert sent(here, id="k-2").json()["outcome"] == "duplicate"


def test_messages_without_ids_are_not_kept_twice(here: Site) -> None:
    body = {"messages": [{"role": "user", "content": "Hello"}]}
    for _ in range(2):
        assert sent(here, body, path="/v1/sessions/chat-1/messages").status_code == 200
    assert here.call("GET", "/v1/sessions/chat-1").json()["messages"] == 1


def test_a_key_stands_for_one_request(here: Site) -> None:
    sent(here)
    other = sent(here, {"text": "The shop opens at ten"})
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_reused")


def test_an_error_is_answered_again_too_but_not_one_of_the_service(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sent(here, {"text": ""}).status_code == 422
    assert sent(here, {"text": ""}).headers["idempotent-replayed"] == "true"
    with monkeypatch.context() as patch:
        patch.setattr(here.service.store, "write", lambda: 1 / 0)
        assert sent(here, id="k-2").status_code == 500
    assert sent(here, id="k-2").status_code == 201


def test_each_credential_has_its_own_keys(here: Site) -> None:
    mine = sent(here).json()["memory"]
    theirs = sent(here, key=here.key("ben"))
    assert "idempotent-replayed" not in theirs.headers
    assert theirs.json()["memory"]["owner"] == "ben"
    assert mine["owner"] == "ana"


@pytest.mark.parametrize("hard", ["true", "false"])
def test_no_answer_outlives_what_it_holds(here: Site, hard: str) -> None:
    """It is not done again either: the request is known."""
    id = sent(here).json()["memory"]["id"]
    assert here.call("DELETE", f"/v1/memories/{id}?hard={hard}").status_code == 204
    again = sent(here)
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_gone")
    assert NOTE["text"] not in again.text
    assert here.call("GET", "/v1/stats").json() == {"memories": 0}


@pytest.mark.parametrize("hard", ["true", "false"])
def test_no_answer_outlives_the_facts_it_names(here: Site, hard: str) -> None:
    body = {"topic": "favourite tea", "value": "oolong"}
    (fact,) = sent(here, body, path="/v1/facts/set").json()["facts"]
    assert here.call("DELETE", f"/v1/memories/{fact['statement']}?hard={hard}").status_code == 204
    again = sent(here, body, path="/v1/facts/set")
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_gone")
    assert "oolong" not in again.text


def test_an_erasure_past_the_service_counts_too(here: Site) -> None:
    id = sent(here).json()["memory"]["id"]
    Memory.over(here.service).forget(id, hard=True)
    assert sent(here).json()["code"] == "idempotency_gone"


def test_no_answer_outlives_a_session_or_project_in_which_nothing_was_kept(here: Site) -> None:
    sent(here, {"id": "s1", "name": "Operation Zanzibar"}, path="/v1/sessions")
    assert here.call("DELETE", "/v1/sessions/s1").status_code == 200
    sent(here, {"name": "Timbuktu"}, id="r2", path="/v1/projects")
    assert here.call("POST", "/v1/projects/Timbuktu/purge").status_code == 200
    replays = Path(f"{here.service.store.location}.replays").read_bytes()
    assert b"Zanzibar" not in replays
    assert b"Timbuktu" not in replays


def test_no_answer_is_kept_of_a_request_during_which_something_was_erased(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it kept may be erased by another before its answer is stored."""
    replays = here.service.replays
    answer = replays.answer

    def late(who: str, key: str, replay: Replay) -> None:
        monkeypatch.undo()
        (memory,) = here.call("GET", "/v1/memories").json()["memories"]
        assert here.call("DELETE", f"/v1/memories/{memory['id']}?hard=true").status_code == 204
        answer(who, key, replay)

    monkeypatch.setattr(replays, "answer", late)
    assert sent(here).status_code == 201
    assert b"opens at nine" not in Path(f"{here.service.store.location}.replays").read_bytes()
    assert sent(here).json()["code"] == "idempotency_gone"


def test_the_text_of_an_api_key_is_in_no_kept_answer(here: Site) -> None:
    made = sent(here, {"name": "ci"}, path="/v1/keys")
    folder = Path(here.service.store.location).parent
    assert made.json()["key"] not in b"".join(
        file.read_bytes() for file in folder.iterdir() if file.is_file()
    ).decode("latin-1")
    again = sent(here, {"name": "ci"}, path="/v1/keys")
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_gone")
    assert [key["name"] for key in here.call("GET", "/v1/keys").json()["keys"]] == ["ci"]


def test_a_thousand_requests_of_one_push_out_nobody_else(here: Site) -> None:
    """Reading is not kept at all, and what writes has a quota of its own for each credential."""
    body = {"messages": [{"role": "user", "content": "Hello"}]}
    path = "/v1/sessions/chat-1/messages"
    assert sent(here, body, path=path).status_code == 200
    ben = here.key("ben")
    replays, now = here.service.replays, here.service.clock()
    for n in range(QUOTA + 1):
        replays.reserve("somebody else", str(n), Replay("f", now + 60_000), now=now)
    for n in range(20):
        assert sent(here, {"query": "hello"}, id=f"r{n}", path="/v1/recall", key=ben).status_code == 200
        again = sent(here, {"query": "hello"}, id=f"r{n}", path="/v1/recall", key=ben)
        assert "idempotent-replayed" not in again.headers
    assert sent(here, body, path=path).headers["idempotent-replayed"] == "true"
    assert here.call("GET", "/v1/sessions/chat-1").json()["messages"] == 1
    first = Replay("f", now + 60_000)
    assert replays.reserve("somebody else", "0", first, now=now) is None, "its own oldest gave way"


@pytest.mark.process
def test_answers_survive_a_restart_and_hold_for_all_processes(tmp_path: Path) -> None:
    store, headers = tmp_path / "team.db", {"Idempotency-Key": "k-1"}
    body = {"messages": [{"role": "user", "content": "Hello"}]}
    with served(store) as (first, url):
        answer = httpx.post(f"{url}/v1/sessions/chat/messages", json=body, headers=headers, timeout=PATIENCE)
        assert answer.status_code == 200
        with served(store) as (_, beside):
            again = httpx.post(
                f"{beside}/v1/sessions/chat/messages", json=body, headers=headers, timeout=PATIENCE
            )
            assert again.headers["idempotent-replayed"] == "true"
            assert again.content == answer.content
        first.kill()
        first.wait(PATIENCE)
    with served(store) as (_, url):
        again = httpx.post(f"{url}/v1/sessions/chat/messages", json=body, headers=headers, timeout=PATIENCE)
        assert again.content == answer.content
        assert httpx.get(f"{url}/v1/sessions/chat", timeout=PATIENCE).json()["messages"] == 1


@pytest.mark.process
def test_a_request_that_was_committed_before_a_kill_is_not_done_again(tmp_path: Path) -> None:
    """The process is killed when it has committed the write and not yet stored its answer."""
    store, body = tmp_path / "team.db", {"messages": [{"role": "user", "content": "Hello"}]}
    answers = tmp_path / "team.db.replays"

    def post(url: str, key: str) -> httpx.Response:
        path, headers = f"{url}/v1/sessions/chat/messages", {"Idempotency-Key": key}
        return httpx.post(path, json=body, headers=headers, timeout=PATIENCE)

    def locked(file: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        return connection

    with served(store) as (process, url):
        assert post(url, "first").status_code == 200
        writer = locked(store)
        call = ThreadPoolExecutor(1).submit(post, url, "second")
        await_row(answers, "SELECT count(*) = 2 FROM replays")
        file = locked(answers)
        writer.execute("ROLLBACK")
        await_row(store, "SELECT count(*) = 2 FROM memories")
        process.kill()
        process.wait(PATIENCE)
        file.execute("ROLLBACK")
        assert isinstance(call.exception(PATIENCE), httpx.TransportError)
    with served(store) as (_, url):
        assert post(url, "second").json()["code"] == "idempotency_running"
        with sqlite3.connect(answers) as connection:  # two minutes later
            now = int(time.time() * 1_000)
            connection.execute("UPDATE replays SET until = ? WHERE status = 0", (now,))
        again = post(url, "second")
        assert (again.status_code, again.json()["code"]) == (409, "idempotency_gone")
        assert httpx.get(f"{url}/v1/sessions/chat", timeout=PATIENCE).json()["messages"] == 2


def await_row(file: Path, question: str) -> None:
    """Waits until a question to a database is answered by yes."""
    with closing(sqlite3.connect(file)) as connection:
        end = time.monotonic() + PATIENCE
        while not connection.execute(question).fetchone()[0]:
            assert time.monotonic() < end
            time.sleep(0.01)


def test_what_failed_is_done_again_unless_it_was_committed(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, body = here.service.store.write, {"messages": [{"role": "user", "content": "Hello"}]}
    path = "/v1/sessions/chat/messages"

    @contextmanager
    def failing() -> Iterator[Any]:
        with write() as tx:
            yield tx
        raise OSError("the disk is gone")

    monkeypatch.setattr(here.service.store, "write", lambda: 1 / 0)
    assert sent(here, body, path=path).status_code == 500
    monkeypatch.setattr(here.service.store, "write", failing)
    assert sent(here, body, path=path).status_code == 500  # it was not done before, and is done now
    monkeypatch.setattr(here.service.store, "write", write)
    assert sent(here, body, path=path).json()["code"] == "idempotency_gone"
    assert here.call("GET", "/v1/sessions/chat").json()["messages"] == 1


def test_a_request_that_is_still_running_is_not_begun_again(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, go_on = threading.Event(), threading.Event()
    write = here.service.store.write

    @contextmanager
    def slow() -> Iterator[Any]:
        running.set()
        assert go_on.wait(PATIENCE)
        with write() as tx:
            yield tx

    monkeypatch.setattr(here.service.store, "write", slow)
    answers: list[int] = []
    first = threading.Thread(target=lambda: answers.append(sent(here).status_code))
    first.start()
    assert running.wait(PATIENCE)
    second = sent(here)
    go_on.set()
    first.join(PATIENCE)
    assert (second.status_code, second.json()["code"]) == (409, "idempotency_running")
    assert second.headers["retry-after"] == "1"
    assert answers == [201]


def test_half_a_request_is_none(here: Site) -> None:
    """A caller who leaves in the middle of a body has asked for nothing, even if the half is JSON."""
    scope = {
        "type": "http", "method": "POST", "path": "/v1/memories", "raw_path": b"/v1/memories",
        "query_string": b"", "scheme": "http", "http_version": "1.1", "server": ("localhost", 1),
        "client": ("localhost", 2), "root_path": "", "state": {},
        "headers": [
            (b"host", b"localhost"), (b"content-type", b"application/json"), (b"idempotency-key", b"k"),
            (b"transfer-encoding", b"chunked"),
        ],
    }  # fmt: skip
    parts = iter([
        {"type": "http.request", "body": json.dumps(NOTE).encode(), "more_body": True},
        {"type": "http.disconnect"},
    ])  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return next(parts)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(here.app(scope, receive, send))
    assert sent == []
    assert here.call("GET", "/v1/stats").json() == {"memories": 0}


@pytest.mark.parametrize("id", ["", "x" * 201, "a\tb"])
def test_a_key_is_short_and_visible(here: Site, id: str) -> None:
    answer = sent(here, id=id)
    assert (answer.status_code, answer.json()["code"]) == (422, "argument_invalid")


def test_reading_takes_no_key(here: Site) -> None:
    here.call("POST", "/v1/sessions/chat-1/messages", {"messages": [message()]})
    for _ in range(2):
        answer = here.call("GET", "/v1/sessions", headers={"Idempotency-Key": "k"})
        assert "idempotent-replayed" not in answer.headers


def test_an_answer_that_is_over_leaves_without_another_request(tmp_path: Path) -> None:
    path, now = tmp_path / "team.db", int(time.time() * 1_000)

    def answered(memory: Memory, *, until: int) -> None:
        replays = memory._service.replays
        replays.reserve("ana", "k", Replay("f", until), now=now - 7_200_000)
        replays.answer("ana", "k", Replay("f", until, status=201, body=b"The heron is in room 12"))

    def left() -> bool:
        return any(b"heron" in file.read_bytes() for file in tmp_path.iterdir() if ".replays" in file.name)

    with Memory(path) as memory:
        answered(memory, until=now + 3_600_000)
    with Memory(path):  # the next opening
        assert left()
    with Memory(path) as memory:
        memory._service.replays.drop_old(now + 3_600_000)
        answered(memory, until=now - 1)
    assert left()
    with Memory(path):
        assert not left()
    with Memory(path) as memory:  # the worker of a service that nobody asks anything
        answered(memory, until=now - 1)
        worker_for(memory._service, load(store=path), threads=1).run_due()
        assert not left()
