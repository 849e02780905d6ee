"""The gate: foreign hosts, foreign pages, forms, large and slow bodies, and what every answer carries."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from holdfast.http.gate import BODY_MAX, Limits, is_origin
from holdfast.http.observe import JsonLines
from tests.http.support import Site, site

NOTE = {"text": "The shop opens at nine"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:5858",
        "",
        "[::2]",
        "0.0.0.0",
        "127.0.0.1:5858@evil.example",
        "[::1].evil.example",
        "127.0.0.1:5858:1",
        "127.0.0.1/@evil.example",
    ],
)
def test_a_rebound_name_is_refused(here: Site, host: str) -> None:
    """A page may give its own name the address 127.0.0.1; the browser then sends that (DNS rebinding)."""
    answer = here.call("GET", "/v1/memories", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (421, "host_refused")


@pytest.mark.parametrize("host", ["127.0.0.1", "LOCALHOST:1", "localhost.", "[::1]:5858", "127.0.0.1:5858"])
def test_the_own_names_are_answered_to(here: Site, host: str) -> None:
    assert here.call("GET", "/v1/kinds", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/v1/memories", "/health/live", "/openapi.json", "/metrics", "/v1/none"])
def test_no_path_is_beyond_the_gate(here: Site, path: str) -> None:
    assert here.call("GET", path, headers={"Host": "evil.example"}).status_code == 421
    assert here.call("GET", path, headers={"Origin": "https://evil.example"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:8080"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_foreign_page_is_refused(here: Site, method: str, headers: dict[str, str]) -> None:
    answer = here.call(method, "/v1/memories", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin_refused")
    assert "access-control-allow-origin" not in answer.headers


def test_a_page_that_is_allowed_needs_a_credential_to_write(tmp_path: Path) -> None:
    """Without one, whatever runs in that page could write in the name of who sits there (GATES)."""
    page = {"Origin": "https://notes.example"}
    with site(tmp_path, limits=Limits(origins=frozenset({"https://notes.example"}))) as opened:
        assert opened.call("GET", "/v1/memories", headers=page).status_code == 200
        refused = opened.call("POST", "/v1/memories", NOTE, headers=page)
        assert (refused.status_code, refused.json()["code"]) == (401, "credential_missing")
        key, null = opened.key("ana"), {"Origin": "null"}
        assert opened.call("POST", "/v1/memories", NOTE, headers=page, key=key).status_code == 201
        assert opened.call("POST", "/v1/memories", NOTE, headers=null, key=key).status_code == 403


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_what_a_form_can_send_changes_nothing(here: Site, media_type: str) -> None:
    headers = {"Content-Type": media_type} if media_type else {}
    answer = here.call("POST", "/v1/memories", content=json.dumps(NOTE), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "media_type_unsupported")
    assert here.call("GET", "/v1/stats").json() == {"memories": 0}


def test_a_body_that_is_said_to_be_compressed_is_not_read_as_it_is(here: Site) -> None:
    said = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = here.call("POST", "/v1/memories", content=json.dumps(NOTE), headers=said)
    assert (answer.status_code, answer.json()["code"]) == (415, "media_type_unsupported")


def test_json_with_parameters_is_json(here: Site) -> None:
    for media_type in ("application/json; charset=utf-8", "Application/JSON"):
        headers = {"Content-Type": media_type}
        answer = here.call("POST", "/v1/memories", content=json.dumps(NOTE), headers=headers)
        assert answer.status_code in (200, 201)


def test_a_body_that_says_it_is_too_large_is_not_read(here: Site) -> None:
    answer = here.call("POST", "/v1/memories", {"text": "x" * (BODY_MAX + 1)})
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert here.call("POST", "/v1/import", {"content": "x" * BODY_MAX, "format": "text"}).status_code < 413


async def status_of(opened: Site, messages: list[dict[str, Any]], pause: float = 0.0) -> int:
    """The status of a request whose body arrives in parts; after the last the caller only waits."""
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {
        "type": "http", "method": "POST", "path": "/v1/memories", "raw_path": b"/v1/memories",
        "query_string": b"", "headers": [*headers, (b"transfer-encoding", b"chunked")], "scheme": "http",
        "http_version": "1.1", "server": ("localhost", 1), "client": ("localhost", 2), "root_path": "",
        "state": {},
    }  # fmt: skip
    parts = iter(messages)
    status = 0

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(pause)
        found = next(parts, None)
        if found is None:
            await asyncio.sleep(60)
        return found or {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    await opened.app(scope, receive, send)
    return status


def test_a_body_without_a_stated_length_is_counted(here: Site) -> None:
    part = {"type": "http.request", "body": b" " * (1 << 20), "more_body": True}
    assert asyncio.run(status_of(here, [part] * 10)) == 413


def test_a_body_with_two_ends_is_refused_and_ends_the_connection(here: Site) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": "2", "Transfer-Encoding": "chunked"}
    answer = here.call("POST", "/v1/memories", content="{}", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "body_invalid")
    assert answer.headers["connection"] == "close"


def test_a_body_that_drips_is_given_up(tmp_path: Path) -> None:
    drop = {"type": "http.request", "body": b" ", "more_body": True}
    with site(tmp_path, limits=Limits(body_seconds=0.2)) as opened:
        assert asyncio.run(status_of(opened, [drop] * 100, pause=0.05)) == 408
        assert asyncio.run(status_of(opened, [])) == 408


@pytest.mark.parametrize("path", ["/v1/kinds", "/v1/none", "/health/live"])
def test_every_answer_is_safe_to_show_in_a_browser(here: Site, path: str) -> None:
    headers = here.call("GET", path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["cache-control"] == "no-store"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    "path", ["/health", "/health/ready", "/openapi.json", "/v1/memories?limit=1", "/v1/memories/x"]
)
def test_head_is_answered_as_get_without_its_body(here: Site, path: str) -> None:
    got, head = here.call("GET", path), here.call("HEAD", path)
    assert (head.status_code, head.content) == (got.status_code, b"")
    names = ("content-type", "content-length", "cache-control", "etag")
    assert [head.headers.get(name) for name in names] == [got.headers.get(name) for name in names]
    assert here.call("HEAD", "/v1/recall").status_code == 405


def test_head_of_a_stream_ends(here: Site) -> None:
    response = here.call("HEAD", "/v1/stream")
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/memories", "HEAD, GET, POST"),
        ("PUT", "/v1/memories/x", "HEAD, GET, PATCH, DELETE"),
        ("OPTIONS", "/v1/recall", "POST"),
        ("POST", "/health", "HEAD, GET"),
    ],
)
def test_a_method_that_is_not_supported_is_told_all_that_are(
    here: Site, method: str, path: str, allowed: str
) -> None:
    response = here.call(method, path, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.headers["allow"]) == (405, allowed)


def test_a_preflight_is_answered_with_no_permission(here: Site) -> None:
    answer = here.call("OPTIONS", "/v1/memories", headers={"Access-Control-Request-Method": "POST"})
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "text",
    [
        "*", "null", "https://a.example/", "a.example", "https://", "HTTPS://A.example",
        "https://a.example?x", "https://a.example?", "https://a.example#x", "https://a.example#",
        "https://u@a.example", "https://u:p@a.example", "https://a.example:99999", "https://a.example:",
        "https://a.example:port", "https://:8443", "https://a.example:443", "http://a.example:80",
        "https://[::1", "https://[a.example]", "https://a.example:08443", "ftp://a.example",
    ],
)  # fmt: skip
def test_only_whole_origins_can_be_allowed(text: str) -> None:
    assert not is_origin(text)


def test_a_whole_origin_can_be_allowed() -> None:
    for text in (
        "https://notes.example",
        "https://notes.example:8443",
        "http://127.0.0.1:3000",
        "http://[::1]:3000",
    ):
        assert is_origin(text)


def test_the_log_tells_what_was_asked_and_never_what_was_said(
    here: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "holdfast.http"):
        here.call("POST", "/v1/memories", {"text": "The safe is behind the painting", "project": "villa"})
        here.call("POST", "/v1/recall", {"query": "painting?"})
        here.call("GET", "/v1/memories?project=villa&tags=painting")
    lines = [
        json.loads(JsonLines().format(record)) for record in caplog.records if record.name == "holdfast.http"
    ]
    assert [(line["operation"], line["status"]) for line in lines] == [
        ("remember", 201), ("recall", 200), ("list", 200),
    ]  # fmt: skip
    assert all(line["credential"] == "local" and line["ms"] >= 0 for line in lines)
    assert "painting" not in json.dumps(lines)
    assert "villa" not in json.dumps(lines)


def test_a_slow_request_is_told_as_slow(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    here.app.state.watch._slow = 0.0
    with caplog.at_level(logging.WARNING, "holdfast.http"):
        here.call("GET", "/v1/kinds")
    assert [record.getMessage() for record in caplog.records] == ["slow"]


def test_a_service_that_ends_asks_clients_to_connect_anew(here: Site) -> None:
    """Otherwise one that reuses its connection sends a request into one that is being closed."""
    assert "connection" not in here.call("GET", "/health").headers
    here.app.state.is_ending = True
    for path in ("/health", "/v1/memories", "/v1/none"):
        assert here.call("GET", path).headers["connection"] == "close"
