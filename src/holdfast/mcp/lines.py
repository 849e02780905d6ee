"""Standard input of the server, line by line: what the SDK cannot read is repaired or answered.

The SDK drops such lines without a word, so that a client would wait for its answer for good.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from io import TextIOWrapper
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

Send = Callable[[SessionMessage], Awaitable[None]]

_read = types.jsonrpc_message_adapter.validate_json
_ID_MAX = 10**18
_MAY_HAVE_ID = re.compile(r'"id"|\\u')
"""Matches lines that may have a member `id`, plainly or escaped."""
LINE_MAX = 8 << 20
"""Characters of one line; the longest text that a tool takes has 200,000."""


class Lines(anyio.AsyncFile[str]):
    """The messages of a client, one a line. Lone surrogates, as of a program that cuts texts between two
    UTF-16 units, become U+FFFD; a line that is no message is answered with an error by `send`, as JSON-RPC
    has it.
    """

    send: Send

    def __init__(self) -> None:
        # of its own: closing it leaves the standard input of the process alone
        super().__init__(TextIOWrapper(os.fdopen(os.dup(0), "rb"), encoding="utf-8", errors="replace"))

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await anyio.to_thread.run_sync(self.wrapped.readline, LINE_MAX):
            readable, error = readable_line(line)
            if len(line) == LINE_MAX and not line.endswith("\n"):
                readable, error = None, _error(None, types.INVALID_REQUEST, "this line is too long")
                while line and not line.endswith("\n"):
                    line = await anyio.to_thread.run_sync(self.wrapped.readline, LINE_MAX)
            if error is not None:
                await self.send(SessionMessage(error))
            if readable is not None:
                yield readable


def readable_line(line: str) -> tuple[str | None, types.JSONRPCError | None]:
    """Returns a line as the SDK can read it; else None, and the error that answers it unless nothing does."""
    if _is_readable(line) and not (_MAY_HAVE_ID.search(line) and _is_notification(line)):
        return line, None
    if not line.strip("\ufeff \t\r\n"):
        return None, None
    try:
        value = json.loads(line.removeprefix("\ufeff"))
    except ValueError:
        return None, _error(None, types.PARSE_ERROR, "this line is not JSON")
    except RecursionError:
        return None, _error(None, types.PARSE_ERROR, "this line is nested too deeply")
    text = json.dumps(value, ensure_ascii=False)
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    has_id = isinstance(value, dict) and "id" in value
    if _is_readable(text) and not (has_id and _is_notification(text)):
        return text, None
    if isinstance(value, dict) and (("method" in value and not has_id) or {"result", "error"} & value.keys()):
        return None, None  # notifications and answers are never answered
    return None, _error(_id_of(value), types.INVALID_REQUEST, "this is no request of JSON-RPC 2.0")


def _is_readable(line: str) -> bool:
    """Returns whether the SDK takes a line for a message of JSON-RPC."""
    try:
        _read(line, by_name=False)
    except ValueError:
        return False
    return True


def _is_notification(line: str) -> bool:
    """Returns whether the SDK reads a line as a message that needs no answer; an id of another type it
    passes over."""
    return isinstance(_read(line, by_name=False), types.JSONRPCNotification)


def _id_of(value: Any) -> int | str | None:
    """Returns the id of a request if it can be repeated, else None."""
    id = value.get("id") if isinstance(value, dict) else None
    if isinstance(id, bool) or not isinstance(id, int | str):
        return None
    if isinstance(id, int):
        return id if abs(id) < _ID_MAX else None
    return id if len(id) <= 1_000 and id.isprintable() else None


def _error(id: int | str | None, code: int, message: str) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=code, message=message))
