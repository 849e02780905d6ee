"""Bodies: each is there as a whole before its request takes a turn, and only so many of one principal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

from starlette.types import Message, Receive, Scope

from holdfast.domain.errors import AccessDenied
from holdfast.domain.places import Principal
from holdfast.http.gate import IMPORT_MAX

ARRIVING_MAX = 128
"""Bodies of one principal that have begun to arrive and have not ended."""
HELD_MAX = 2 * IMPORT_MAX
"""Bytes of one principal's bodies, from when they are announced until their requests are answered."""
WAIT = 5
"""Seconds after which to try again who has too many under way."""


@dataclass(slots=True, weakref_slot=True)
class _Share:
    arriving: int = 0
    held: int = 0


class Bodies:
    """Counts what each principal has under way. A body that never ends takes nobody's turn, only its place
    among those that arrive, until the gate gives it up."""

    def __init__(self) -> None:
        # kept by the requests that count in them, and gone with the last
        self._shares: WeakValueDictionary[Principal, _Share] = WeakValueDictionary()

    @asynccontextmanager
    async def arrived(
        self, scope: Scope, principal: Principal, receive: Receive
    ) -> AsyncIterator[Receive | None]:
        """Waits until the body of a request is there and holds it: gives a way to read it, or None if the
        caller left before its end. Raises AccessDenied `rate_limited`, and what the gate raises."""
        share = self._shares.setdefault(principal, _Share())
        taken = had = 0

        def take(size: int) -> None:
            nonlocal taken
            if share.arriving > ARRIVING_MAX or share.held + size > HELD_MAX:
                scope["wait"] = WAIT
                raise AccessDenied(
                    "too much of what you are sending is still under way",
                    code="rate_limited",
                    hint=f"try again in {WAIT} s",
                )
            share.held += size
            taken += size

        async def counted() -> Message:
            nonlocal had
            message = await receive()
            had += len(message.get("body", b""))
            if had > taken:  # no length was stated
                take(had - taken)
            return message

        try:
            share.arriving += 1
            try:
                take(_stated(scope))
                body, again = await whole(counted)
            finally:
                share.arriving -= 1
            yield None if body is None else again
        finally:
            share.held -= taken


async def whole(receive: Receive) -> tuple[bytes | None, Receive]:
    """The whole body, and a way to read it again; None if the caller left before its end."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None, receive
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            break
    body = b"".join(parts)
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return body, again


def _stated(scope: Scope) -> int:
    """The length that the head announces, which the gate has bounded; 0 if it announces none."""
    stated = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(stated) if stated.isdigit() else 0
