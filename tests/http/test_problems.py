"""Errors over HTTP: a status for every code, one shape, and nothing told that was sent."""

from __future__ import annotations

import json
import logging
import re

import pytest

from holdfast.core.errors import CODES, Damaged, StoreError
from holdfast.http.observe import JsonLines
from holdfast.http.operations import REASONS
from holdfast.http.problems import MEDIA_TYPE, STATUS
from tests.http.support import Site


def test_every_code_has_a_status() -> None:
    assert set(STATUS) == set(CODES)
    assert set(STATUS.values()) <= {*REASONS, 405, 500}


def test_an_error_is_a_problem_with_its_code_and_the_id_of_the_request(here: Site) -> None:
    answer = here.call("GET", "/v1/memories/nothing", headers={"X-Request-Id": "trace-7"})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert answer.headers["x-request-id"] == "trace-7"
    assert answer.json() == {
        "type": "urn:holdfast:error:memory_not_found",
        "title": CODES["memory_not_found"],
        "status": 404,
        "detail": "there is no memory 'nothing'",
        "code": "memory_not_found",
        "hint": "`holdfast list --include deleted` shows forgotten ones, `holdfast restore ID` restores one"
        " (`Memory.list`, `Memory.restore`)",
        "error": "NotFound",
        "request_id": "trace-7",
    }


@pytest.mark.parametrize("given", ['x" injected=1', "ghp_" + "a1B2c3D4e5F6" * 3])
def test_a_request_id_that_cannot_stand_in_a_log_is_replaced(here: Site, given: str) -> None:
    told = here.call("GET", "/v1/kinds", headers={"X-Request-Id": given}).headers["x-request-id"]
    assert told != given
    assert told.isalnum()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/v1/memories", {"text": ""}, 422, "text_empty"),
        ("POST", "/v1/memories", {"text": "x", "kind": "gotchas"}, 422, "kind_unknown"),
        ("POST", "/v1/memories", {"text": 5}, 422, "body_invalid"),
        ("POST", "/v1/memories", {"text": "x", "user": "ben"}, 422, "body_invalid"),
        ("POST", "/v1/memories", [], 422, "body_invalid"),
        ("POST", "/v1/recall", {"query": " "}, 422, "query_empty"),
        ("POST", "/v1/recall", {"query": "x", "limit": 0}, 422, "limit_invalid"),
        ("GET", "/v1/memories?limit=many", None, 422, "argument_invalid"),
        ("GET", "/v1/memories?cursor=x", None, 422, "cursor_invalid"),
        ("GET", "/v1/projects/none", None, 404, "project_not_found"),
        ("GET", "/v1/sessions/none", None, 404, "session_not_found"),
        ("DELETE", "/v1/sources/none", None, 404, "source_not_found"),
        ("GET", "/v1/nothing", None, 404, "route_not_found"),
        ("PUT", "/v1/recall", {}, 405, "method_not_allowed"),
        ("PATCH", "/v1/sessions/none", {}, 422, "argument_invalid"),
        ("POST", "/v1/import", {}, 422, "body_invalid"),
        ("POST", "/v1/import", {"content_base64": "%"}, 422, "body_invalid"),
        ("POST", "/v1/import", {"content": "{}"}, 422, "format_unknown"),
    ],
)
def test_what_cannot_be_used_is_told_by_code(
    here: Site, method: str, path: str, body: object, status: int, code: str
) -> None:
    answer = here.call(method, path, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["status"] == status


@pytest.mark.parametrize(
    ("method", "path", "body", "detail", "hint"),
    [
        ("POST", "/v1/recall", {"query": "x", "limitt": 2}, "there is no field 'limitt'",
         "did you mean limit?"),
        ("POST", "/v1/memories", {"txt": "x"}, "text is missing; there is no field 'txt'",
         "did you mean text?"),
        ("POST", "/v1/memories", {"text": 5}, "text: Input should be a valid string", None),
        ("POST", "/v1/memories", {"text": "x", "at": []}, "at has a wrong type", None),
        ("POST", "/v1/sessions", {"xyz": 1}, "id is missing; there is no field 'xyz'",
         "it takes id, project, name, metadata"),
        ("GET", "/v1/memories?projct=x", None, "there is no parameter 'projct'", "did you mean project?"),
        ("GET", "/v1/kinds?all=1", None, "there is no parameter 'all'", "it takes none"),
        ("POST", "/v1/memories", None, "the body is missing", None),
        ("POST", "/v1/memories", ["x"], "the body must be a JSON object", None),
    ],
)  # fmt: skip
def test_a_wrong_shape_is_told_by_its_field(
    here: Site, method: str, path: str, body: object, detail: str, hint: str | None
) -> None:
    """Missing, unknown or of another type, with what may have been meant; never the value."""
    answer = here.call(method, path, body)
    assert answer.status_code == 422
    assert (answer.json()["detail"], answer.json()["hint"]) == (detail, hint)


def test_arguments_in_the_body_of_a_request_that_takes_them_in_the_query_are_not_passed_over(
    here: Site,
) -> None:
    id = here.call("POST", "/v1/memories", {"text": "The barn has two doors"}).json()["memory"]["id"]
    path = f"/v1/memories/{id}"
    for method in ("DELETE", "GET"):
        refused = here.call(method, path, {"hard": True})
        assert (refused.status_code, refused.json()["code"]) == (422, "body_invalid")
        assert (refused.json()["detail"], "query" in refused.json()["hint"]) == (
            "there is no field 'hard'",
            True,
        )
    assert here.call("GET", path).status_code == 200, "it was not forgotten"
    assert here.call("DELETE", path, {}).status_code == 204


@pytest.mark.parametrize(
    ("sent", "shown"), [("%00", r"'\x00'"), ("%0A", r"'\n'"), ("a" * 300, "'" + "a" * 58 + "…")]
)
def test_an_id_that_cannot_be_one_is_shown_as_it_was_sent(here: Site, sent: str, shown: str) -> None:
    assert here.call("GET", f"/v1/memories/{sent}").json()["detail"] == f"there is no memory {shown}"


def test_a_method_that_a_path_does_not_take_names_those_it_takes(here: Site) -> None:
    assert here.call("PUT", "/v1/recall", {}).headers["allow"] == "POST"


@pytest.mark.parametrize("body", [b"{", b'{"text": "a' + b"\xff", b"[" * 100_000, b"9" * 10_000, b"\0"])
def test_a_body_that_is_no_json_is_told_as_such(here: Site, body: bytes) -> None:
    answer = here.call("POST", "/v1/memories", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "body_invalid")
    assert "JSON" in answer.json()["detail"]


def test_what_was_sent_is_not_told_back(here: Site) -> None:
    answer = here.call("POST", "/v1/memories", {"text": {"my": "Vexil-lum94xx"}, "Vexil": 1})
    assert answer.status_code == 422
    assert "lum94xx" not in answer.text


def test_what_policy_refuses_is_an_error_and_not_a_success(here: Site) -> None:
    """Nobody should take for kept what was not."""
    key = here.key("ana", agent="coder")
    answer = here.call("POST", "/v1/memories", {"text": "All tests passed", "kind": "gotcha"}, key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "text_low_value")
    assert here.call("GET", "/v1/stats?project=*").json() == {"memories": 0}


def test_a_store_that_cannot_be_used_is_told_as_unavailable(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise Damaged("the file is not what it was", code="store_damaged")

    monkeypatch.setattr(here.service.store, "read", broken)
    answer = here.call("GET", "/health/ready")
    assert (answer.status_code, answer.json()["code"]) == (503, "store_damaged")
    for path in ("/health", "/health/live"):
        assert here.call("GET", path).json() == {"status": "ok"}


def test_callers_are_not_told_where_a_store_is_and_the_log_keeps_the_reason_without_it(
    here: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the anonymous caller of the probe, nor those with keys."""

    def away() -> None:
        raise StoreError(
            'postgresql://db.internal:5432/team cannot be opened: connection to server on socket "/run/pg" '
            "failed: No such file or directory", code="store_unavailable", hint="look at /run/pg",
        )  # fmt: skip

    key = here.key("ana")
    monkeypatch.setattr(here.service.store, "read", away)
    answers = [
        here.call("GET", "/health/ready"),
        here.call("POST", "/v1/recall", {"query": "x"}, key=key),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        assert "memory unavailable: the store cannot be opened" in answer.text
        assert not [part for part in ("db.internal", "/run", "5432", "socket") if part in answer.text]
    failed = [
        json.loads(JsonLines().format(record)) for record in caplog.records if record.getMessage() == "failed"
    ]
    assert {line["reason"] for line in failed} == {
        "… cannot be opened: connection to server on socket … failed: No such file or directory"
    }


def test_the_lines_of_the_database_driver_are_json_without_places() -> None:
    """As those of its pool, which name the sockets and users of connections."""
    message = (
        'error connecting in %r: connection to "db.internal" (10.0.0.3), port 5432 failed: refused\nMore'
    )
    record = logging.LogRecord("psycopg.pool", logging.WARNING, "", 0, message, ("pool-1",), None)
    line = json.loads(JsonLines().format(record))
    assert (line["logger"], line["message"]) == (
        "psycopg.pool", "error connecting in …: connection to … …, port … failed: refused"
    )  # fmt: skip
    closed = "discarding closed connection: <psycopg.Connection [BAD] (host=/run/pg user=app database=team)>"
    record = logging.LogRecord("psycopg.pool", logging.WARNING, "", 0, closed, None, None)
    assert not re.search("run|app|team", json.loads(JsonLines().format(record))["message"])


@pytest.mark.parametrize(
    "place",
    ["data/team/store.db", "store.db", "..\\team\\a.db", "C:\\data\\a.db", "db.internal:5432",
     "localhost:5432", "[fe80::1]:5432", "~ana/notes", "team/run"],
)  # fmt: skip
def test_a_log_names_no_relative_path_and_no_host_with_its_port(place: str) -> None:
    record = logging.LogRecord("holdfast.http", logging.ERROR, "", 0, "failed", None, None)
    record.reason = f"{place} cannot be opened (at {place}): attempt 2 of 3"
    assert json.loads(JsonLines().format(record))["reason"] == "… cannot be opened (at …): attempt 2 of 3"


def test_a_busy_store_says_when_to_try_again(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy() -> None:
        raise StoreError("somebody else is writing", code="store_busy")

    monkeypatch.setattr(here.service.store, "write", busy)
    answer = here.call("POST", "/v1/memories", {"text": "The shop opens at nine"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


def test_an_error_of_its_own_tells_nothing_of_what_it_knew(
    here: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing() -> None:
        raise RuntimeError("the memory said: the safe is behind the painting")

    monkeypatch.setattr(here.service.store, "read", failing)
    monkeypatch.setattr(logging.getLogger("holdfast.http"), "handlers", [caplog.handler])
    with caplog.at_level(logging.INFO, "holdfast.http"):
        answer = here.call("POST", "/v1/recall", {"query": "where is the safe?"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert "painting" not in answer.text + caplog.text
    assert any(getattr(record, "code", None) == "RuntimeError" for record in caplog.records)


def test_half_a_pair_that_is_told_again_is_escaped(here: Site) -> None:
    """JSON may escape what UTF-8 cannot hold; a caller who sends it gets it back, not a failure."""
    decided = here.call(
        "POST",
        "/v1/review/decide",
        content=b'{"decisions": [{"id": "\\ud800", "decision": "approve"}]}',
        headers={"Content-Type": "application/json"},
    )
    assert decided.status_code < 500
    brought = here.call(
        "POST",
        "/v1/import",
        content=b'{"content": "user: hi", "filename": "\\ud800.txt"}',
        headers={"Content-Type": "application/json"},
    )
    assert brought.status_code == 200


TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", f"/v1/memories/{TOKEN}", None),
        ("DELETE", f"/v1/memories/{TOKEN}", None),
        ("POST", "/v1/memories", {"text": "x", TOKEN: 1}),
        ("POST", "/v1/memories", {"text": "x", "kind": TOKEN}),
        ("POST", "/v1/memories", {"text": "x", "at": TOKEN}),
        ("POST", "/v1/memories", {"text": "x", "external_id": TOKEN}),
        ("POST", "/v1/memories", {"text": "x", "metadata": {TOKEN: {"a": float(10**9)}, "b": [[]] * 9_000}}),
        ("POST", "/v1/memories", {"text": "x", "metadata": TOKEN}),
        ("POST", "/v1/recall", {"query": "x", "kinds": [TOKEN]}),
        ("GET", f"/v1/memories?{TOKEN}=1", None),
        ("GET", f"/v1/memories?cursor={TOKEN}", None),
        ("GET", f"/v1/sessions/{TOKEN}/messages", None),
        ("GET", f"/v1/projects/{TOKEN}", None),
        ("GET", f"/v1/{TOKEN}", None),
    ],
)
def test_s4_22_no_problem_repeats_a_secret(
    here: Site, caplog: pytest.LogCaptureFixture, method: str, path: str, body: object
) -> None:
    with caplog.at_level(logging.DEBUG, "holdfast"):
        answer = here.call(method, path, body)
    assert answer.status_code >= 400
    assert TOKEN[4:24] not in answer.text + str(answer.headers) + caplog.text


def test_s4_22_no_decision_repeats_a_secret(here: Site) -> None:
    for path, body in (
        ("decide", {"decisions": [{"id": TOKEN, "decision": "approve"}]}),
        ("move", {"ids": [TOKEN], "visibility": "team"}),
        ("undo", {"ids": [TOKEN]}),
    ):
        response = here.call("POST", f"/v1/review/{path}", body)
        assert "memory_not_found" in response.text
        assert TOKEN[4:24] not in response.text


def test_s4_22_no_agent_is_called_by_a_secret(here: Site) -> None:
    answer = here.call("GET", "/v1/kinds", headers={"Holdfast-Agent": TOKEN})
    assert answer.json()["code"] in ("secret_in_name", "place_invalid")
    assert TOKEN[4:24] not in answer.text
