"""Body limits: bodies are read whole before a request takes a turn, within a bound for each principal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.types import Message, Receive, Scope

from holdfast.core.errors import AccessDenied, InvalidInput
from holdfast.core.json_parts import has_more_parts
from holdfast.core.places import Principal
from holdfast.http.gate import IMPORT_MAX

ARRIVING_MAX = 128
"""Maximum number of bodies of one principal that have begun to arrive and have not ended."""
HELD_MAX = 2 * IMPORT_MAX
"""Bytes of one principal's bodies, from when they arrive until their requests are answered."""
SMALL = 64 << 10
"""Bytes of a body for which there is room beside large ones."""
SMALL_HELD_MAX = ARRIVING_MAX * SMALL
"""Bytes that small bodies may take beyond `HELD_MAX`."""
PARTS_MAX = 100_000
"""Lists, objects and members in one body; a batch of 1,000 items has some ten thousand. Millions would take
gigabytes when they are parsed, and keep others waiting."""
WAIT = 5
"""Seconds after which to try again who has too many under way."""


@dataclass(slots=True, weakref_slot=True)
class _Share:
    arriving: int = 0
    bytes_held: int = 0


class BodyLimit:
    """Counts the bodies of each principal in bytes and number. A body that never ends takes no turn of
    another request, only one of the places for arriving bodies, until it times out.
    """

    def __init__(self) -> None:
        # kept by the requests that count in them, and gone with the last
        self._shares: WeakValueDictionary[Principal, _Share] = WeakValueDictionary()

    @asynccontextmanager
    async def arrived(
        self, scope: Scope, principal: Principal, receive: Receive
    ) -> AsyncIterator[Receive | None]:
        """Reads the body of a request and holds it. Yields a `receive` callable that returns it, or None if
        the client disconnected before its end. Raises AccessDenied `rate_limited`, and the errors of the
        request checks.
        """
        share = self._shares.setdefault(principal, _Share())
        places = 1 if _has_body(scope) else 0
        taken = 0

        def check(more: int) -> None:
            most = HELD_MAX + (SMALL_HELD_MAX if taken + more <= SMALL else 0)
            if share.bytes_held + more > most:
                raise _too_much(scope)

        async def counting_receive() -> Message:
            nonlocal taken
            message = await receive()
            size = len(message.get("body", b""))
            if size:
                check(size)
                share.bytes_held += size
                taken += size
            return message

        if places and share.arriving >= ARRIVING_MAX:
            raise _too_much(scope)
        check(_content_length(scope))  # what has no room by now need not begin; it takes none before it comes
        try:
            share.arriving += places
            try:
                body, again = await read_body(counting_receive)
            finally:
                share.arriving -= places
            # each part takes a byte, so a short body needs no count
            if (
                body is not None
                and len(body) > PARTS_MAX
                and await run_in_threadpool(has_more_parts, body, PARTS_MAX)
            ):
                raise InvalidInput(
                    f"the body has more than {PARTS_MAX:,} lists, objects and members", code="body_invalid",
                    hint="send it in several requests",
                )  # fmt: skip
            yield None if body is None else again
        finally:
            share.bytes_held -= taken


async def read_body(receive: Receive) -> tuple[bytes | None, Receive]:
    """Returns the whole body and a `receive` callable that returns it again; None if the client
    disconnected.
    """
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None, receive
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            break
    body = b"".join(parts)
    was_read = False

    async def again() -> Message:
        nonlocal was_read
        if was_read:
            return await receive()
        was_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return body, again


def _too_much(scope: Scope) -> AccessDenied:
    """Returns the error for a user with too many requests in progress."""
    scope["wait"] = WAIT
    return AccessDenied(
        "too many or too large requests of yours are still in progress",
        code="rate_limited",
        hint=f"try again in {WAIT} s",
    )


def _has_body(scope: Scope) -> bool:
    """Returns whether the headers announce a body, of known or unknown length."""
    return _content_length(scope) > 0 or any(name == b"transfer-encoding" for name, _ in scope["headers"])


def _content_length(scope: Scope) -> int:
    """Returns the Content-Length, which was checked before; 0 if there is none."""
    stated = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(stated) if stated.isdigit() else 0
