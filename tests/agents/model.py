"""A model on the loopback that plays a script in the form of three providers, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Call = tuple[str, dict[str, Any]]
Step = Call | str | Callable[[str], str]
"""What the model does next: it calls a tool, says a text, or says what it makes of the request."""


class Model:
    """A stand-in for the models of Anthropic, OpenAI and Google. Each request with tools gets the next step
    of the script, then "Done."; `requests` are the bodies as texts."""

    def __init__(self, script: Sequence[Step]) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self.requests: list[str] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._send(b'{"data": [], "models": []}', "application/json")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                self._send(*model.answer(self.path, body))

            def _send(self, body: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Ends the server."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: bytes) -> tuple[bytes, str]:
        """Returns the answer to a request, with its media type."""
        request = json.loads(body or b"{}")
        if "oken" in path and "count" in path:
            return b'{"input_tokens": 10, "totalTokens": 10}', "application/json"
        text = json.dumps(request, ensure_ascii=False)
        with self._lock:
            self.requests.append(text)
            number = len(self.requests)
            step: Step = self._script.pop(0) if self._script and request.get("tools") else "Done."
        if callable(step):
            step = step(text)
        call, said = (None, step) if isinstance(step, str) else (step, "")
        if "/messages" in path:
            return _anthropic(number, call, said, stream=bool(request.get("stream")))
        if "/responses" in path:
            return _openai(number, call, said)
        return _google(call, said, stream="stream" in path)


def _events(events: list[dict[str, Any]]) -> tuple[bytes, str]:
    lines = (
        (f"event: {event['type']}\n" if "type" in event else "") + f"data: {json.dumps(event)}\n\n"
        for event in events
    )
    return "".join(lines).encode(), "text/event-stream"


def _anthropic(number: int, call: Call | None, said: str, *, stream: bool) -> tuple[bytes, str]:
    block: dict[str, Any] = {"type": "text", "text": said}
    if call is not None:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": call[0], "input": call[1]}
    stop = "end_turn" if call is None else "tool_use"
    message: dict[str, Any] = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 5},
    }  # fmt: skip
    if not stream:
        return json.dumps({**message, "content": [block], "stop_reason": stop}).encode(), "application/json"
    delta = {"type": "text_delta", "text": said}
    start: dict[str, Any] = {"type": "text", "text": ""}
    if call is not None:
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        start = {**block, "input": {}}
    return _events([
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
         "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ])  # fmt: skip


def _openai(number: int, call: Call | None, said: str) -> tuple[bytes, str]:
    item: dict[str, Any] = {
        "type": "message", "role": "assistant", "id": f"m{number}",
        "content": [{"type": "output_text", "text": said}],
    }  # fmt: skip
    if call is not None:
        arguments = json.dumps(call[1])
        item = {
            "type": "function_call", "call_id": f"call_{number}", "name": call[0], "arguments": arguments
        }  # fmt: skip
    usage = {
        "input_tokens": 10, "input_tokens_details": None, "output_tokens": 5, "output_tokens_details": None,
        "total_tokens": 15,
    }  # fmt: skip
    id = f"resp_{number}"
    return _events([
        {"type": "response.created", "response": {"id": id}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": id, "usage": usage}},
    ])  # fmt: skip


def _google(call: Call | None, said: str, *, stream: bool) -> tuple[bytes, str]:
    part: dict[str, Any] = {"text": said}
    if call is not None:
        part = {"functionCall": {"name": call[0], "args": call[1]}}
    content = {
        "candidates": [
            {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "gemini-2.5-pro",
    }  # fmt: skip
    if not stream:
        return json.dumps(content).encode(), "application/json"
    return _events([content])
