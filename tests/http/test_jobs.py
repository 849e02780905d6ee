"""Jobs over HTTP: long work is answered with 202, can be watched, retried and cancelled, by its user only."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from holdfast import Memory
from holdfast.api import import_session
from holdfast.core.errors import AccessDenied, HoldfastError, NotFound, StoreError
from holdfast.core.jobs import EMBED, State
from holdfast.core.places import Principal
from holdfast.core.views import personal_view
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import create_key, revoke_key
from holdfast.features.audit.live import start
from holdfast.features.jobs import jobs
from holdfast.http import imports, stream
from holdfast.http import jobs as http_jobs
from holdfast.http.signin import AT_ONCE, Entrance
from holdfast.workers import HANDLERS, queue_import, worker_for
from tests.http.support import Site
from tests.http.test_process import served
from tests.support import PATIENCE

TALK = json.dumps([{"role": "user", "content": f"Is cart {n} done?"} for n in range(30)])
ASYNC = {"Prefer": "handling=strict, respond-async"}


def sent(here: Site, content: str = TALK, **more: Any) -> Any:
    return here.call("POST", "/v1/import", {"content": content}, headers=ASYNC, **more)


def test_long_work_is_accepted_and_done_later(here: Site) -> None:
    answer = sent(here)
    assert answer.status_code == 202
    told = answer.json()
    assert answer.headers["location"] == f"/v1/jobs/{told['id']}"
    assert answer.headers["preference-applied"] == "respond-async"
    assert (told["kind"], told["state"]) == ("import", "queued")
    assert here.call("GET", "/v1/stats").json() == {"memories": 0}
    worker_for(here.service, threads=1).run_due()
    response = here.call("GET", answer.headers["location"]).json()
    assert (response["state"], response["done"], response["total"]) == ("success", 30, 30)
    assert response["result"]["outcomes"] == {"created": 30}
    assert here.call("GET", "/v1/jobs").json() == {"jobs": [response]}
    assert here.call("GET", "/v1/jobs", params={"state": "queued"}).json() == {"jobs": []}


def test_an_import_says_how_much_is_left_of_it(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_session, "BATCH", 100)
    messages = [
        {"role": "user", "content": f"Line {n} of the log of the boat" + ", a quiet day" * 40}
        for n in range(900)
    ]
    talks = [{"id": f"t{n}", "messages": messages[n : n + 10]} for n in range(0, 900, 10)]
    id = sent(here, json.dumps(talks)).json()["id"]
    with here.service.store.write() as tx:
        job = tx.claim_job(
            kinds=HANDLERS, now=here.service.clock(), until=here.service.clock() + 1, token="t"
        )
    assert job is not None
    told: list[tuple[int, int | None]] = []
    HANDLERS["import"](here.service, job, lambda *report: told.append((*report, None)[:2]))  # type: ignore[arg-type]
    assert told[-1] == (900, 900)
    estimates = [total for _, total in told[1:-1] if total is not None]
    assert len(estimates) >= 3
    assert all(800 < total < 1_000 for total in estimates)
    now = here.service.clock()
    running = replace(job, started_at=now - 60_000, done=3_000, total=9_000)
    with here.service.store.write() as tx:
        assert tx.put_job(personal_view(here.service.principal), running, token="t")
    shown = here.call("GET", f"/v1/jobs/{id}").json()
    assert (shown["done"], shown["total"]) == (3_000, 9_000)
    assert 120 <= shown["remaining_seconds"] <= 130
    assert here.call("GET", "/v1/jobs").json()["jobs"][0]["remaining_seconds"] >= 120


def test_a_large_export_is_a_job_without_being_asked(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "AT_ONCE_MAX", len(TALK))
    assert here.call("POST", "/v1/import", {"content": TALK}).status_code == 200
    answer = here.call("POST", "/v1/import", {"content": TALK + " "})
    assert answer.status_code == 202
    assert "preference-applied" not in answer.headers
    worker_for(here.service, threads=1).run_due()
    response = here.call("GET", answer.headers["location"]).json()
    assert response["result"]["outcomes"] == {"duplicate": 30}


def test_what_is_sent_in_bytes_comes_through_the_spool_as_it_was(here: Site) -> None:
    import base64

    body = {"content_base64": base64.b64encode(TALK.encode("utf-16")).decode(), "project": "shop"}
    answer = here.call("POST", "/v1/import", body, headers=ASYNC)
    lone = sent(here, '[{"role": "user", "content": "half \\ud83d of a face"}]')
    worker_for(here.service, threads=1).run_due()
    first, second = (here.call("GET", one.headers["location"]).json() for one in (answer, lone))
    assert (first["state"], first["result"]["items"]) == ("success", {"conversation": 1, "message": 30})
    assert (second["state"], second["result"]["items"]) == ("success", {"conversation": 1, "message": 1})
    assert here.call("GET", "/v1/stats", params={"project": "shop"}).json() == {"memories": 30}


def test_what_cannot_be_used_is_told_at_once_or_as_the_error_of_the_job(here: Site) -> None:
    for bad in ({"visibility": "everybody"}, {"project": ""}, {"content_base64": "AA=="}):
        body = {"content": TALK, **bad}
        assert here.call("POST", "/v1/import", body, headers=ASYNC).status_code == 422
    assert here.call("GET", "/v1/jobs").json() == {"jobs": []}
    answer = sent(here, "{}")
    worker_for(here.service, threads=1).run_due()
    response = here.call("GET", answer.headers["location"]).json()
    assert (response["state"], response["error"], response["attempts"]) == ("error", "format_unknown", 1)
    assert here.service.spool is not None
    assert here.service.spool.entries() == [], "trying again would not help: the text is not kept"
    assert here.call("POST", f"/v1/jobs/{response['id']}/retry").json()["state"] == "queued"
    worker_for(here.service, threads=1).run_due()
    assert here.call("GET", answer.headers["location"]).json()["error"] == "job_payload_gone"


def test_the_same_request_again_is_the_same_job(here: Site) -> None:
    again = {**ASYNC, "Idempotency-Key": "import-1"}
    first, second = (here.call("POST", "/v1/import", {"content": TALK}, headers=again) for _ in range(2))
    assert first.json()["id"] == second.json()["id"]
    assert first.headers["location"] == second.headers["location"]


def test_maintaining_is_one_job_at_a_time(here: Site) -> None:
    answer = here.call("POST", "/v1/maintain", headers=ASYNC)
    assert (answer.status_code, answer.json()["kind"]) == (202, "maintain")
    refused = here.call("POST", "/v1/maintain", headers=ASYNC)
    assert (refused.status_code, refused.json()["code"]) == (409, "jobs_too_many")
    worker_for(here.service, threads=1).run_due()
    assert here.call("GET", answer.headers["location"]).json()["result"] == {"made": 0}
    assert here.call("POST", "/v1/maintain", headers=ASYNC).status_code == 202


def test_a_job_is_cancelled_and_retried(here: Site) -> None:
    at = sent(here).headers["location"]
    assert here.call("POST", f"{at}/retry").json()["code"] == "job_state"
    assert here.call("DELETE", at).json()["state"] == "cancelled"
    assert here.call("DELETE", at).status_code == 409
    worker_for(here.service, threads=1).run_due()
    assert here.call("GET", "/v1/stats").json() == {"memories": 0}


def test_s4_53_others_and_narrow_keys_see_no_job(team: Site) -> None:
    ana, ben = team.key("ana"), team.key("ben")
    narrow = team.key("ana", projects=["shop"])
    reader = team.key("ana", write=False)
    at = sent(team, key=ana).headers["location"]
    nowhere = "/v1/jobs/00000000-0000-7000-8000-000000000000"
    for method, end in (("GET", ""), ("POST", "/retry"), ("DELETE", ""), ("GET", "/events")):
        foreign, missing = (team.call(method, path + end, key=ben) for path in (at, nowhere))
        assert foreign.status_code == missing.status_code == 404
        told = [answer.json() for answer in (foreign, missing)]
        assert {one["code"] for one in told} == {"job_not_found"}
        assert team.call(method, at + end, key=narrow).status_code == 403
    assert team.call("GET", "/v1/jobs", key=ben).json() == {"jobs": []}
    assert team.call("GET", at, key=reader).status_code == 200
    assert team.call("DELETE", at, key=reader).status_code == 403


def test_the_client_has_the_jobs_of_its_user(here: Site) -> None:
    sent(here)
    client, memory = here.client(), Memory.over(here.service)
    (job,) = client.jobs.list()
    assert job.as_dict() == memory.jobs.get(job.id).as_dict()
    assert client.jobs.cancel(job.id).state is State.CANCELLED
    with pytest.raises(NotFound):
        client.jobs.retry("nothing/of the kind")


def test_metrics_and_the_doctor_tell_how_much_work_there_is(here: Site) -> None:
    sent(here)
    with here.service.store.write() as tx:
        job = jobs.enqueue(here.service, tx, EMBED, now=1, subject="x")
    worker = worker_for(here.service, threads=1)
    worker._handlers = {EMBED: _refuse}
    worker.run_due()
    assert jobs.get_job(here.service, job.id).state is State.ERROR
    text = here.call("GET", "/metrics").text
    assert 'holdfast_jobs{state="queued"} 1.0' in text
    assert 'holdfast_jobs{state="dead"} 1.0' in text
    assert 'holdfast_storage{of="store",unit="versions"} 0.0' in text
    report = here.call("GET", "/v1/doctor").json()
    assert (report["jobs_waiting"], report["jobs_buried"]) == (1, 1)


def _refuse(*_: object) -> Any:
    raise NotFound("there is none", code="memory_not_found")


# streams, of a service in a process of its own


def events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Server-sent events as they come."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@pytest.mark.process
def test_a_stream_tells_how_far_the_work_is_until_it_is_done(tmp_path: Path) -> None:
    """The service does the work itself, and begins at once when it is queued."""
    content = json.dumps([{"role": "user", "content": f"Is cart {n} done?"} for n in range(4_000)])
    with served(tmp_path / "team.db") as (_, url), httpx.Client(timeout=PATIENCE) as http:
        answer = http.post(f"{url}/v1/import", json={"content": content}, headers=ASYNC)
        assert answer.status_code == 202
        with http.stream("GET", f"{url}{answer.headers['location']}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            told = list(events(stream.iter_lines()))
    assert [name for name, _ in told] == ["progress"] * (len(told) - 1) + ["ended"]
    assert [job["done"] for _, job in told] == sorted(job["done"] for _, job in told)
    last = told[-1][1]
    assert (last["state"], last["done"], last["total"]) == ("success", 4_000, 4_000)


@pytest.mark.process
def test_streams_take_neither_turns_nor_threads_and_end_with_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as one user may have wait for a job that nobody does; other calls of that user are answered,
    and the service ends when asked."""
    monkeypatch.setenv("HOLDFAST_INDEX_WORKERS", "0")
    store = tmp_path / "team.db"
    with Memory(store, user="ana") as memory:
        job = queue_import(memory._service, TALK.encode())
    with served(store) as (process, url), httpx.Client(timeout=PATIENCE) as http:
        began = threading.Barrier(AT_ONCE + 1)
        over: list[str] = []

        def listen() -> None:
            with httpx.stream("GET", f"{url}/v1/jobs/{job.id}/events", timeout=PATIENCE) as stream:
                lines = stream.iter_lines()
                next(lines)
                began.wait(PATIENCE)
                over.extend(lines)

        listeners = [threading.Thread(target=listen, daemon=True) for _ in range(AT_ONCE)]
        for listener in listeners:
            listener.start()
        began.wait(PATIENCE)
        assert http.get(f"{url}/v1/jobs/{job.id}").json()["state"] == "queued"
        assert http.post(f"{url}/v1/memories", json={"text": "The boat is red"}).status_code == 201
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert process.returncode == 0
        for listener in listeners:
            listener.join(PATIENCE)
            assert not listener.is_alive()
    assert not any("ended" in line for line in over)


@pytest.mark.process
def test_a_stream_ends_when_its_job_is_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_INDEX_WORKERS", "0")
    with served(tmp_path / "team.db") as (_, url), httpx.Client(timeout=PATIENCE) as http:
        at = http.post(f"{url}/v1/import", json={"content": TALK}, headers=ASYNC).headers["location"]
        with http.stream("GET", f"{url}{at}/events") as stream:
            coming = events(stream.iter_lines())
            assert next(coming)[1]["state"] == "queued"
            httpx.delete(f"{url}{at}", timeout=PATIENCE)
            assert [(name, job["state"]) for name, job in coming] == [("ended", "cancelled")]


class Looked:
    """A request as a stream sees it: with the app that may be ending."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.scope = {"request_id": "r1", "grant": Grant(Principal("ana"))}
        self.headers = {"accept": "text/event-stream"}


def test_a_stream_says_that_it_is_still_there_and_ends_in_time(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("LOOK_SECONDS", 0.001), ("BEAT_SECONDS", 0.01), ("STREAM_SECONDS", 0.1)):
        monkeypatch.setattr(http_jobs, name, seconds)
    memory = Memory.over(here.service)
    job = memory.jobs.get(sent(here).json()["id"])

    async def heard() -> list[str]:
        events = http_jobs._progress_events(memory, job, Looked(here.app), lambda: True)  # type: ignore[arg-type]
        return [event async for event in events]

    first, *rest = asyncio.run(heard())
    assert first.startswith("event: progress\n")
    assert set(rest) == {": still there\n\n"}


class Failing:
    """What lets a stream go on, which raises an error instead."""

    def __init__(self, error: HoldfastError) -> None:
        self._error = error

    def still_admits(self, *_: object) -> bool:
        raise self._error


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (StoreError("the disk is gone", code="store_io"), [("store_io", "the disk is gone")] * 2),
        (AccessDenied("ana has left the team", code="not_a_member"), []),
    ],
    ids=["failure", "refusal"],
)
def test_streams_end_with_an_error_and_log_failures_only(
    error: HoldfastError, logged: list[tuple[str, str]], here: Site, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(http_jobs, "LOOK_SECONDS", 0.001)
    service = here.service
    request: Any = Looked(here.app)
    failing: Any = Failing(error)
    memory = Memory.over(service)
    job = memory.jobs.get(sent(here).json()["id"])
    heads, ids = stream.Heads(service), stream.Ids(service.store.digest_key, service.principal.label)
    live = start(service, 0)
    request.app.state.is_ending = False

    async def heard() -> list[list[str]]:
        heads.sequence = live.sequence + 1
        progress = http_jobs._progress_events(memory, job, request, failing.still_admits)
        changes = stream._events(
            request, service, Grant(service.principal), failing, heads, live, ids, is_lost=False
        )
        return [[event.partition("\n")[0] async for event in events] for events in (progress, changes)]

    with caplog.at_level("ERROR", "holdfast.http"):
        assert asyncio.run(heard()) == [["event: progress"], ["event: ready", "event: bye"]]
    failed = [record for record in caplog.records if record.message == "failed"]
    assert [(one.code, one.reason) for one in failed] == logged  # type: ignore[attr-defined]


def test_a_stream_ends_when_its_job_is_erased(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_jobs, "LOOK_SECONDS", 0.001)
    memory = Memory.over(here.service)
    stored = memory.remember("The boat is red").memory
    assert stored is not None
    with here.service.store.write() as tx:
        job = jobs.enqueue(here.service, tx, EMBED, now=1, subject=stored.id)

    async def heard() -> list[str]:
        found = []
        looked = Looked(here.app)
        async for progress_event in http_jobs._progress_events(memory, job, looked, lambda: True):  # type: ignore[arg-type]
            found.append(progress_event)
            memory.forget(stored.id, hard=True)
        return found

    assert len(asyncio.run(heard())) == 1


def test_a_stream_of_progress_ends_with_its_key(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens to the job afterwards is not told any more."""
    monkeypatch.setattr(http_jobs, "LOOK_SECONDS", 0.001)
    key, text = create_key(here.service, user="ana")
    entrance: Entrance = here.app.state.entrance
    headers = [(b"authorization", f"Bearer {text}".encode())]
    caller, grant, memory = entrance.admit(headers, writes=False)
    scope = {"headers": headers, "operation": "jobs.events", "caller": caller, "grant": grant}
    job = memory.jobs.get(sent(here, key=text).json()["id"])

    async def heard() -> list[str]:
        found = []
        looked, is_allowed = Looked(here.app), partial(entrance.still_admits, scope)
        async for progress_event in http_jobs._progress_events(memory, job, looked, is_allowed):  # type: ignore[arg-type]
            found.append(progress_event)
            revoke_key(here.service, key.id)
            memory.jobs.cancel(job.id)
        return found

    assert len(asyncio.run(heard())) == 1
