"""Spans go where the standard variables say, tell how long things took, and hold no word of any memory."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

from holdfast import InvalidInput, Memory, config
from holdfast.bootstrap import open_service
from holdfast.core.spans import NOBODY
from holdfast.features.access.access import Grant
from holdfast.http.app import create_app
from holdfast.http.signin import Entrance
from holdfast.telemetry import watched
from tests.cli.support import process
from tests.http.support import URL

SECRET = "The safe is behind the painting"
VARIABLES = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
             "OTEL_SDK_DISABLED")  # fmt: skip


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def memory(tmp_path: Path, spans: InMemorySpanExporter) -> Iterator[Memory]:
    """A memory whose spans are collected."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    service = watched(open_service(config.load(store=tmp_path / "team.db", user="ana")), provider)
    with Memory.over(service) as opened:
        yield opened


def names(spans: InMemorySpanExporter) -> list[str]:
    return [span.name for span in spans.get_finished_spans()]


def span_named(spans: InMemorySpanExporter, name: str) -> ReadableSpan:
    (found,) = [span for span in spans.get_finished_spans() if span.name == name]
    return found


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_remembering_and_recalling_are_spans_with_counts(memory: Memory, spans: InMemorySpanExporter) -> None:
    memory.remember_many([SECRET, "The key is under the mat", ""])
    assert names(spans) == ["holdfast.embed", "holdfast.store.transaction", "holdfast.remember"]
    kept = span_named(spans, "holdfast.remember")
    assert attributes(kept) == {
        "holdfast.texts": 3,
        "holdfast.outcome.created": 2,
        "holdfast.outcome.refused": 1,
    }
    assert kept.context is not None
    for inner in ("holdfast.embed", "holdfast.store.transaction"):
        parent = span_named(spans, inner).parent
        assert parent is not None
        assert parent.span_id == kept.context.span_id
    spans.clear()
    assert memory.recall("where is the safe?")[0].memory.text == SECRET
    assert names(spans) == ["holdfast.embed", "holdfast.recall"]
    told = attributes(span_named(spans, "holdfast.recall"))
    assert (told["holdfast.searched"], told["holdfast.degraded"]) == (2, False)


def test_an_error_is_told_by_its_code_alone(memory: Memory, spans: InMemorySpanExporter) -> None:
    with pytest.raises(InvalidInput):
        memory.recall(SECRET, mode="behind the painting")
    span = span_named(spans, "holdfast.recall")
    assert attributes(span)["error.type"] == "mode_unknown"
    assert not span.status.is_ok
    assert span.events == ()
    assert "painting" not in span.to_json()


def test_no_span_holds_a_word_of_what_is_remembered(memory: Memory, spans: InMemorySpanExporter) -> None:
    """Whatever is done: texts, questions, names, ids."""
    stored = memory.remember(SECRET, project="villa", tags=["painting"], metadata={"painting": 1}).memory
    assert stored is not None
    memory.add_messages([{"role": "user", "content": SECRET, "id": "painting"}], session="painting")
    memory.entities.create("painting", "safe", project="villa")
    memory.revise(stored.id, text=f"{SECRET}, the red one")
    memory.recall("painting", project="villa")
    memory.forget(stored.id, hard=True)
    memory.projects.delete("villa")
    text = "".join(span.to_json() for span in spans.get_finished_spans())
    assert len(spans.get_finished_spans()) > 10
    for word in ("painting", "safe", "villa", stored.id):
        assert word not in text


def test_a_request_goes_on_with_the_trace_of_its_caller(memory: Memory, spans: InMemorySpanExporter) -> None:
    """And what is done for it lies inside its span."""
    service = memory._service
    app = create_app(Entrance(service, service.keys, None, None, Grant(service.principal)))
    trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    with TestClient(app, base_url=URL) as http:
        headers = {"traceparent": f"00-{trace}-{parent}-01"}
        sent = http.post("/v1/memories", json={"text": SECRET, "project": "villa"}, headers=headers)
        assert sent.status_code == 201
        http.get("/v1/memories/painting?hard=1")
    first, second = [span for span in spans.get_finished_spans() if span.name == "holdfast.http"]
    assert attributes(first) == {
        "http.request.method": "POST",
        "http.response.status_code": 201,
        "holdfast.operation": "remember",
    }
    assert first.context is not None
    assert first.parent is not None
    assert (f"{first.context.trace_id:032x}", f"{first.parent.span_id:016x}") == (trace, parent)
    inside = span_named(spans, "holdfast.remember")
    assert inside.parent is not None
    assert inside.parent.span_id == first.context.span_id
    assert attributes(second)["http.response.status_code"] == 422
    assert second.parent is None
    assert "painting" not in "".join(span.to_json() for span in spans.get_finished_spans())


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, False),
    ],
)
def test_spans_are_sent_only_where_the_variables_say_so(
    given: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert config.wants_traces() is wanted


def test_nothing_is_loaded_where_nobody_watches(tmp_path: Path) -> None:
    service = open_service(config.load(store=tmp_path / "team.db", user="ana"))
    assert service.spans is NOBODY
    service.store.close()
    code = (
        "import sys; from holdfast import Memory\n"
        f"with Memory({str(tmp_path / 'a.db')!r}) as memory: memory.remember('tea'); memory.recall('tea')\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout.strip() == "[]"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """A collector of this machine: its address, and what was sent to it."""
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.path.encode() + self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_command_line_sends_its_spans_as_it_ends(tmp_path: Path) -> None:
    """Over OTLP, uncompressed and so easily searched for what must not be in it."""
    store = str(tmp_path / "team.db")
    with collector() as (url, received):
        completed = process(
            "remember", SECRET, "--project", "villa", "--store", store,
            env={"OTEL_EXPORTER_OTLP_ENDPOINT": url},
        )  # fmt: skip
        assert (completed.returncode, completed.stderr) == (0, b"")
    sent = b"".join(received)
    assert sent.startswith(b"/v1/traces")
    for name in (b"holdfast.remember", b"holdfast.store.transaction", b"holdfast.embed", b"service.name"):
        assert name in sent
    for word in (b"painting", b"safe is", b"villa"):
        assert word not in sent


def test_variables_without_the_packages_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may be meant for other programs of the machine."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    for missing in ("opentelemetry.exporter.otlp.proto.http.trace_exporter", "holdfast.telemetry"):
        with monkeypatch.context() as without:
            if missing == "holdfast.telemetry":
                without.setitem(sys.modules, "opentelemetry", None)
                without.delitem(sys.modules, missing, raising=False)
            else:
                without.setitem(sys.modules, missing, None)
            service = open_service(config.load(store=tmp_path / "team.db", user="ana"))
            assert service.spans is NOBODY
            service.store.close()
