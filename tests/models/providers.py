"""Loopback servers in the forms of the providers: they check each request, and answer well or badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes import HashEmbedder

Json = dict[str, Any]
Answer = Callable[[str, Json | None], str]
"""Returns what the model says to a prompt, with a schema or without."""

ROUTES = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages", "gemini": "/v1beta/models/"}
KEYS = {"openai": ("Authorization", "Bearer sk-1"), "anthropic": ("x-api-key", "sk-1"),
        "gemini": ("x-goog-api-key", "sk-1")}  # fmt: skip


@dataclass
class Provider:
    """One running server: its address, and what it was asked."""

    kind: str
    url: str
    requests: list[Json] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """What was wrong with the form of requests."""


def form_of(kind: str, path: str, headers: Mapping[str, str], body: Json) -> tuple[str, Json | None, bool]:
    """Returns prompt, schema and whether to stream, read from a request as its provider documents it. Raises
    AssertionError, KeyError."""
    assert headers["Content-Type"] == "application/json"
    if kind == "openai":
        assert path == "/v1/chat/completions"
        assert set(body) <= {"model", "messages", "max_tokens", "temperature", "response_format", "stream",
                             "stream_options"}  # fmt: skip
        assert all(set(message) == {"role", "content"} for message in body["messages"])
        schema = None
        if "response_format" in body:
            assert body["response_format"]["type"] == "json_schema"
            described = body["response_format"]["json_schema"]
            assert described["strict"] is True
            assert described["name"].isidentifier()
            schema = described["schema"]
        return (
            "\n".join(message["content"] for message in body["messages"]),
            schema,
            body.get("stream", False),
        )
    if kind == "anthropic":
        assert path == "/v1/messages"
        assert headers["anthropic-version"] == "2023-06-01"
        assert isinstance(body["max_tokens"], int)
        assert {message["role"] for message in body["messages"]} <= {"user", "assistant"}
        assert isinstance(body.get("system", ""), str)
        schema = None
        if "output_config" in body:
            assert body["output_config"]["format"]["type"] == "json_schema"
            schema = body["output_config"]["format"]["schema"]
        prompt = "\n".join([body.get("system", ""), *(message["content"] for message in body["messages"])])
        return prompt, schema, body.get("stream", False)
    name, _, act = path.removeprefix("/v1beta/models/").partition(":")
    assert name == "some-model"
    assert act in ("generateContent", "streamGenerateContent?alt=sse")
    assert set(body) <= {"contents", "systemInstruction", "generationConfig"}
    assert {content["role"] for content in body["contents"]} <= {"user", "model"}
    options = body["generationConfig"]
    schema = options.get("responseJsonSchema")
    assert (schema is None) is ("responseMimeType" not in options)
    texts = [part["text"] for content in body["contents"] for part in content["parts"]]
    texts += [part["text"] for part in body.get("systemInstruction", {"parts": []})["parts"]]
    return "\n".join(texts), schema, act.startswith("stream")


def response_of(kind: str, text: str) -> Json:
    """Returns a whole response with an answer."""
    if kind == "openai":
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 70, "completion_tokens": 7, "total_tokens": 77}
        return {"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}
    if kind == "anthropic":
        content = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": text}]
        usage = {"input_tokens": 70, "output_tokens": 7}
        return {"type": "message", "content": content, "stop_reason": "end_turn", "usage": usage}
    parts = [{"text": "Hm.", "thought": True}, {"text": text}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    counts = {"promptTokenCount": 70, "candidatesTokenCount": 5, "thoughtsTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": counts}


def events_of(kind: str, text: str) -> Iterator[str]:
    """Yields the events of a streamed answer."""
    pieces = [text[i : i + 9] for i in range(0, len(text), 9)]
    if kind == "openai":
        yield _event({"choices": [{"delta": {"role": "assistant", "content": ""}, "finish_reason": None}]})
        for piece in pieces:
            yield _event({"choices": [{"delta": {"content": piece}, "finish_reason": None}]})
        yield _event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        yield _event({"choices": [], "usage": {"prompt_tokens": 70, "completion_tokens": 7}})
        yield "data: [DONE]\n\n"
    elif kind == "anthropic":
        usage = {"input_tokens": 70, "output_tokens": 1}
        yield f"event: message_start\n{_event({'type': 'message_start', 'message': {'usage': usage}})}"
        yield _event(
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        )
        yield _event({"type": "ping"})
        for piece in pieces:
            yield _event({"type": "content_block_delta", "delta": {"type": "text_delta", "text": piece}})
        yield _event({"type": "content_block_stop", "index": 0})
        yield _event(
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}}
        )
        yield _event({"type": "message_stop"})
    else:
        for piece in pieces:
            yield _event({"candidates": [{"content": {"parts": [{"text": piece}]}}]})
        counts = {"promptTokenCount": 70, "candidatesTokenCount": 7}
        yield _event({"candidates": [{"finishReason": "STOP"}], "usageMetadata": counts})


def _event(value: Json) -> str:
    return f"data: {json.dumps(value)}\n\n"


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Says nothing of clients that went before the end."""


Hostile = Callable[[BaseHTTPRequestHandler, int], None]
"""Answers the n-th request by itself, from 1."""


@contextmanager
def provider(
    kind: str, answer: Answer | None = None, hostile: Hostile | None = None, *, dim: int = 48
) -> Iterator[Provider]:
    """A server on a port of its own, which also embeds, with so many dimensions."""
    running: Provider

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            running.requests.append({"path": self.path, "headers": dict(self.headers), "body": body})
            if hostile is not None:
                self.close_connection = True
                hostile(self, len(running.requests))
                return
            if self.path == "/v1/embeddings":
                assert set(body) == {"model", "input", "encoding_format"}
                rows = HashEmbedder(dim).embed(body["input"]) * 7
                data = [{"index": n, "embedding": row} for n, row in enumerate(rows.tolist())]
                reply = {"data": data[::-1], "usage": {"prompt_tokens": 5 * len(data)}}
                send(self, json.dumps(reply).encode())
                return
            try:
                prompt, schema, streams = form_of(kind, self.path, dict(self.headers), body)
                name, value = KEYS[kind]
                assert self.headers[name] == value, "the key"
            except (AssertionError, KeyError, TypeError) as error:
                running.wrong.append(f"{type(error).__name__}: {error}")
                self.send_error(400)
                return
            text = (answer or (lambda *_: '{"sum": 42}'))(prompt, schema)
            if streams:
                send(self, "".join(events_of(kind, text)).encode(), "text/event-stream; charset=utf-8")
            else:
                send(self, json.dumps(response_of(kind, text)).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running = Provider(kind, f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()


def send(
    handler: BaseHTTPRequestHandler,
    body: bytes,
    media_type: str = "application/json",
    status: int = 200,
    **headers: str,
) -> None:
    """Sends one response."""
    handler.send_response(status)
    handler.send_header("Content-Type", media_type)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)
