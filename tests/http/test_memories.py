"""Memories over HTTP: kept, recalled, listed, changed, forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.core.kinds import KINDS
from tests.cli.support import run
from tests.http.support import Site, message, site

TEXT = "We chose JWT over sessions: the API is public"


def remembered(here: Site, text: str = TEXT, **more: Any) -> dict[str, Any]:
    answer = here.call("POST", "/v1/memories", {"text": text, "kind": "decision", **more})
    assert answer.status_code == 201
    memory: dict[str, Any] = answer.json()["memory"]
    return memory


def test_a_text_is_kept_and_recalled(here: Site) -> None:
    memory = remembered(here, project="shop", tags=["auth"], scope={"type": "paper", "id": "2301.1"})
    assert (memory["owner"], memory["scope"]) == ("ana", {"type": "paper", "id": "2301.1"})
    answer = here.call("POST", "/v1/recall", {"query": "why JWT?", "project": "shop"}).json()
    assert [hit["memory"]["id"] for hit in answer["hits"]] == [memory["id"]]
    assert answer["hits"][0]["citation"] == "[M1]"
    assert (answer["searched"], answer["degraded"]) == (1, None)


def test_the_status_tells_new_from_known(here: Site) -> None:
    remembered(here)
    again = here.call("POST", "/v1/memories", {"text": TEXT, "kind": "decision"})
    assert (again.status_code, again.json()["outcome"]) == (200, "duplicate")


def test_a_secret_is_taken_out_and_told(here: Site) -> None:
    answer = here.call("POST", "/v1/memories", {"text": "The key is AKIAQ3EGUVNZ7XJ4WB5T for the bucket"})
    assert (answer.status_code, answer.json()["outcome"]) == (201, "redacted")
    assert "AKIAQ3EGUVNZ7XJ4WB5T" not in answer.text


def test_a_batch_tells_what_became_of_each(here: Site) -> None:
    scoped = {"text": "Deploy on Tuesdays", "scope": {"type": "paper", "id": "7"}}
    items = ["We use tabs in Go", scoped, 5, {"text": ""}]
    answer = here.call("POST", "/v1/memories/batch", {"items": items})
    assert [result["outcome"] for result in answer.json()["results"]] == [
        "created",
        "created",
        "refused",
        "refused",
    ]
    assert [result["code"] for result in answer.json()["results"][2:]] == ["argument_invalid", "text_empty"]


def test_s3_18_pages_follow_the_order_of_recording(here: Site) -> None:
    ids = [remembered(here, f"Sensor {n} is in room {n + 100}")["id"] for n in range(7)]
    found: list[str] = []
    cursor: str | None = None
    while True:
        query = {"limit": 3, **({"cursor": cursor} if cursor else {})}
        page = here.call("GET", "/v1/memories", params=query).json()
        found += [memory["id"] for memory in page["memories"]]
        if len(found) == 3:
            remembered(here, "The shop opens at nine")  # while somebody turns the pages
        cursor = page["cursor"]
        if cursor is None:
            break
    assert found == ids[::-1]


def test_a_list_is_narrowed_by_its_query(here: Site) -> None:
    remembered(here, project="shop", scope={"type": "paper", "id": "7"}, tags=["auth"])
    remembered(here, "The shop opens at nine", project="shop")
    for query in ("kinds=decision&tags=auth", "scope=paper", "since=2020-01-01&pinned=false&scope=paper"):
        memories = here.call("GET", f"/v1/memories?project=shop&{query}").json()["memories"]
        assert [memory["text"] for memory in memories] == [TEXT], query


def test_a_memory_is_changed_only_at_the_version_that_was_read(here: Site) -> None:
    id = remembered(here)["id"]
    path = f"/v1/memories/{id}"
    etag = here.call("GET", path).headers["etag"]
    assert etag == '"1"'
    changed = here.call("PATCH", path, {"text": "We chose JWT: clients are many"}, headers={"If-Match": etag})
    assert (changed.status_code, changed.headers["etag"]) == (200, '"2"')
    late = here.call("PATCH", path, {"text": "We chose cookies"}, headers={"If-Match": etag})
    assert (late.status_code, late.json()["code"]) == (412, "version_mismatch")
    assert here.call("PATCH", path, {"pinned": True}).status_code == 422
    assert here.call("PATCH", path, {"title": "Auth"}, headers={"If-Match": "*"}).status_code == 200
    assert here.call("PATCH", path, {"title": "A"}, headers={"If-Match": 'W/"2"'}).status_code == 400
    changes = here.call("GET", f"{path}/history").json()["changes"]
    assert [change["version"] for change in changes] == [1, 2, 3]
    assert changes[0]["text"] == TEXT


def test_s3_21_a_memory_is_pinned_forgotten_and_brought_back(here: Site) -> None:
    path = f"/v1/memories/{remembered(here)['id']}"
    assert here.call("PUT", f"{path}/pin").json()["pinned"] is True
    assert here.call("PUT", f"{path}/pin?pinned=false").json()["pinned"] is False
    response = here.call("DELETE", f"{path}?reason=stale")
    assert (response.status_code, response.content) == (204, b"")
    assert here.call("GET", path).status_code == 404
    assert here.call("POST", f"{path}/restore").json()["deleted_at"] is None
    assert here.call("POST", f"{path}/restore").json()["code"] == "not_deleted"
    missing = here.call("GET", "/v1/memories?session=nowhere")
    assert (missing.status_code, missing.json()["code"]) == (404, "session_not_found")


def test_s2_36_an_erased_memory_is_gone_for_good(here: Site) -> None:
    path = f"/v1/memories/{remembered(here)['id']}"
    assert here.call("DELETE", f"{path}?hard=true").status_code == 204
    assert here.call("POST", f"{path}/restore").status_code == 404


def test_s0_39_a_session_is_listed_moved_renamed_and_erased(here: Site) -> None:
    sent = here.call("POST", "/v1/sessions/chat-1/messages", {"messages": [message(), message(2), {}]}).json()
    assert [result["outcome"] for result in sent["results"]] == ["created", "created", "refused"]
    path = "/v1/sessions/chat-1"
    changed = here.call("PATCH", path, {"name": "About the cart", "project": "shop"}).json()
    assert (changed["name"], changed["project"], changed["messages"]) == ("About the cart", "shop", 2)
    assert here.call("GET", "/v1/stats?project=shop").json() == {"memories": 2}
    refused = here.call("PATCH", path, {"name": "New name", "project": "*"})
    assert (refused.status_code, refused.json()["code"]) == (422, "place_invalid")
    assert here.call("GET", path).json() == changed
    assert here.call("PATCH", path, {"project": None}).json()["project"] is None
    assert [session["id"] for session in here.call("GET", "/v1/sessions").json()["sessions"]] == ["chat-1"]
    assert here.call("DELETE", path).json() == {"memories": 2}
    assert here.call("GET", path).status_code == 404


def test_s0_22_a_conversation_is_made_with_its_first_message(here: Site) -> None:
    """With its project, from the first message on (S0.23); ids may hold slashes."""
    episode = {"user_message": "Is the cart done?", "ai_response": "Since Tuesday.", "project": "shop"}
    answer = here.call("POST", "/v1/sessions/chats%2F7/episodes", episode)
    assert (answer.status_code, answer.json()["memory"]["project"]) == (201, "shop")
    assert here.call("GET", "/v1/sessions/chats%2F7").json()["project"] == "shop"
    elsewhere = here.call("POST", "/v1/sessions/chats%2F7/episodes", {**episode, "project": "barn"})
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (409, "session_in_other_project")


def test_s0_39_a_conversation_is_read_page_by_page(here: Site) -> None:
    """In its order; a name that ends like the path of its messages is told apart by how it was sent."""
    for session in ("chat-1", "chat-1/messages"):
        sent = {"messages": [message(n) for n in range(3)]}
        here.call("POST", f"/v1/sessions/{session.replace('/', '%2F')}/messages", sent)
    first = here.call("GET", "/v1/sessions/chat-1/messages?limit=2").json()
    rest = here.call("GET", f"/v1/sessions/chat-1/messages?limit=2&cursor={first['cursor']}").json()
    told = [*first["memories"], *rest["memories"]]
    assert [one["text"] for one in told] == [f"Is cart number {n} done?" for n in range(3)]
    assert {one["session"] for one in told} == {"chat-1"}
    assert rest["cursor"] is None
    assert here.call("GET", "/v1/sessions/chat-1%2Fmessages").json()["id"] == "chat-1/messages"
    other = here.call("GET", "/v1/sessions/chat-1%2Fmessages/messages?limit=1").json()
    assert other["memories"][0]["session"] == "chat-1/messages"
    response = here.call("GET", "/v1/sessions/none/messages")
    assert (response.status_code, response.json()["code"]) == (404, "session_not_found")


def test_s1_41_a_message_sent_again_is_kept_once(here: Site) -> None:
    for outcome in ("created", "duplicate"):
        sent = here.call("POST", "/v1/sessions/chat-1/messages", {"messages": [message()]}).json()
        assert [result["outcome"] for result in sent["results"]] == [outcome]


def test_s0_40_omitted_settings_of_a_project_stay(here: Site) -> None:
    here.call("POST", "/v1/projects", {"name": "shop", "description": "A shop", "icon": "cart"})
    changed = here.call("PATCH", "/v1/projects/shop", {"icon": None}).json()
    assert (changed["description"], changed["icon"]) == ("A shop", None)
    remembered(here, "Ada", kind="entity", title="Ada", project="shop")
    moved = here.call("POST", "/v1/projects/shop/retag", {"target": "barn"})
    assert moved.json() == {"moved": 1}
    assert here.call("DELETE", "/v1/projects/shop").status_code == 200
    assert [project["name"] for project in here.call("GET", "/v1/projects").json()["projects"]] == ["barn"]


def test_s2_34_an_export_is_imported_once_and_accounted_for(here: Site) -> None:
    body = {"content": '[{"role": "user", "content": "Is the cart done?"}]', "filename": "chat.json"}
    first = here.call("POST", "/v1/import", body).json()
    again = here.call("POST", "/v1/import", body).json()
    assert (first["outcomes"], again["outcomes"]) == ({"created": 1}, {"duplicate": 1})
    source = here.call("GET", "/v1/sources").json()["sources"]
    assert [(one["platform"], one["messages"]) for one in source] == [("messages", 1)]
    assert here.call("DELETE", f"/v1/sources/{source[0]['id']}?hard=true").json() == {"memories": 1}
    given = {"platform": "chatgpt", "sha256": "0" * 64}
    assert here.call("POST", "/v1/sources", given).json()["platform"] == "chatgpt"


def test_s2_6_what_was_done_stands_in_the_audit_chain(here: Site) -> None:
    id = remembered(here)["id"]
    events = here.call("GET", "/v1/audit/events").json()["events"]
    assert [(event["actor"], event["action"], event["subject"]) for event in events] == [
        ("user:ana", "remember", id)
    ]
    assert here.call("GET", "/v1/audit/events?after=1").json() == {"events": []}
    assert here.call("GET", "/v1/audit/verify").json() == {"events": 1}


def test_the_state_of_the_store_is_told(here: Site) -> None:
    assert here.call("GET", "/v1/doctor").json()["healthy"] is True
    assert here.call("POST", "/v1/maintain").json() == {"made": 0, "failed": 0}
    assert [kind["name"] for kind in here.call("GET", "/v1/kinds").json()["kinds"]] == list(KINDS)
    assert here.call("GET", "/health/ready").json() == {"status": "ready"}


def test_metrics_count_operations_and_outcomes_without_any_text(here: Site) -> None:
    remembered(here, "The safe is behind the painting", project="villa")
    here.call("GET", "/v1/memories/nothing")
    here.call("GET", "/v1/nothing/at/all")
    text = here.call("GET", "/metrics").text
    assert 'holdfast_requests_total{method="POST",operation="remember",status="201"} 1.0' in text
    assert 'holdfast_requests_total{method="GET",operation="get",status="404"} 1.0' in text
    assert 'holdfast_requests_total{method="GET",operation="none",status="404"} 1.0' in text
    assert 'holdfast_outcomes_total{outcome="created"} 1.0' in text
    assert 'holdfast_request_seconds_bucket{le="0.001",operation="remember"}' in text
    for method in ("HEAD", "PROPFIND", "A" * 2_000, "P/Q"):
        here.call(method, "/v1/memories/nothing")
    after = here.call("GET", "/metrics").text
    assert 'holdfast_requests_total{method="HEAD",operation="get",status="404"} 1.0' in after
    assert 'holdfast_requests_total{method="GET",operation="get",status="404"} 1.0' in after
    assert 'holdfast_requests_total{method="_OTHER",operation="none",status="405"} 3.0' in after
    assert not {"PROPFIND", "AAA"} & {label[:8] for label in after.split('"')}
    assert not {"painting", "villa", "nothing"} & set(text.replace("/", " ").replace('"', " ").split())


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Path]]:
    folder = tmp_path_factory.mktemp("dated")
    with site(folder) as here:
        for at in ("0001-01-02", "1969-07-20T20:17Z", "2026-05-07T21:30Z", "9999-12-31T23:00Z"):
            remembered(here, f"Carts were counted in {at[:4]}", at=at)
        yield here, folder / "team.db"


@pytest.mark.parametrize(
    ("since", "until", "result"),
    [
        ("2026-05-07", "2026-05-07", 1),  # a day means its end where it is one
        (None, "2026-05-07T21:30:00.001Z", 3),
        (None, "2026-05-07T21:30:00Z", 2),  # the end is not part of the range
        (None, "2026-05-07T23:00+02:00", 2),
        ("2026-05-07T21:00", "2026-05-07T22:00", 1),
        ("1969-07-20", "1970-01-01", 1),
        ("0001-01-01", "9999-12-31", 4),
        ("9999-12-31T23:59:59.999Z", None, 0),
        ("7.5.2026", None, 2),
        ("7.5.2026", "7.5.2026", 1),
        ("2026-05-08", "2026-05-07", "time_invalid"),
        ("2026-02-30", None, "time_invalid"),
        (None, "2016-12-31T23:59:60Z", "time_invalid"),
        ("2026-03-29T02:30 CEST", None, "time_invalid"),
    ],
)
def test_times_mean_the_same_on_every_face(
    dated: tuple[Site, Path], since: str | None, until: str | None, result: int | str
) -> None:
    here, store = dated
    given = {name: value for name, value in (("since", since), ("until", until)) if value is not None}
    listed = here.http.get("/v1/memories", params=given).json()
    assert (len(listed["memories"]) if "memories" in listed else listed["code"]) == result
    recalled = here.call("POST", "/v1/recall", {"query": "carts counted", **given}).json()
    assert (len(recalled["hits"]) if "hits" in recalled else recalled["code"]) == result
    options = [text for name, value in given.items() for text in (f"--{name}", value)]
    command = run(
        "--store", str(store), "--json", "list", *options, status=2 if isinstance(result, str) else 0,
        HOLDFAST_USER="ana",
    )  # fmt: skip
    shown = json.loads(command.stdout or command.stderr)
    assert (len(shown["memories"]) if "memories" in shown else shown["error"]["code"]) == result
