"""Lines of standard input that are no message: each request is answered, and the next line is read."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
import pytest

from holdfast.mcp.lines import readable_line

PING = '{"jsonrpc": "2.0", "id": 7, "method": "ping"}\n'
CUT = '{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"text": "a \\ud83d gate"}}\n'
"""As JavaScript writes a text that it has cut in the middle of an emoji."""
UNREADABLE: dict[str, tuple[Any, int]] = {
    "hello\n": (None, types.PARSE_ERROR),
    PING.strip() * 2: (None, types.PARSE_ERROR),
    "[" * 100_000: (None, types.PARSE_ERROR),
    f"[{PING.strip()}]\n": (None, types.INVALID_REQUEST),
    "null\n": (None, types.INVALID_REQUEST),
    "{}\n": (None, types.INVALID_REQUEST),
    PING.replace("7", "null"): (None, types.INVALID_REQUEST),
    PING.replace("7", '{"a": 1}'): (None, types.INVALID_REQUEST),
    PING.replace("7", "null").replace('"id"', '"\\u0069d"'): (None, types.INVALID_REQUEST),
    PING.replace('"2.0"', '"1.0"'): (7, types.INVALID_REQUEST),
    PING.replace('"method"', '"params": [1], "method"'): (7, types.INVALID_REQUEST),
    PING.replace('"method"', '"params": {"a": ' + "[" * 400 + "]" * 400 + '}, "method"'): (
        7, types.INVALID_REQUEST,
    ),
}  # fmt: skip


def test_a_message_is_passed_on_as_it_is() -> None:
    assert readable_line(PING) == (PING, None)


def test_half_an_emoji_and_a_byte_order_mark_keep_no_request_from_its_answer() -> None:
    line, error = readable_line(CUT)
    assert error is None
    assert json.loads(line or "")["params"] == {"text": "a \ufffd gate"}
    line, error = readable_line("\ufeff" + PING)
    assert error is None
    assert json.loads(line or "") == json.loads(PING)


@pytest.mark.parametrize(("line", "answer"), UNREADABLE.items(), ids=range(len(UNREADABLE)))
def test_what_is_no_request_is_answered(line: str, answer: tuple[Any, int]) -> None:
    readable, error = readable_line(line)
    assert readable is None
    assert error is not None
    assert (error.id, error.error.code) == answer


@pytest.mark.parametrize(
    "line", ["\n", " \r\n", '{"jsonrpc": "2.0", "id": 7, "result": 5}', '{"jsonrpc": "2.0", "method": 5}']
)
def test_an_empty_line_a_notification_and_an_answer_get_none(line: str) -> None:
    assert readable_line(line) == (None, None)
