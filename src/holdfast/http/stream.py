"""The stream of changes: server-sent events about what the caller may see, from any process."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from holdfast.core.errors import HoldfastError
from holdfast.core.events import Event
from holdfast.core.places import Principal
from holdfast.core.views import personal_view
from holdfast.features.access.access import Grant
from holdfast.features.audit.live import Live, changes, start
from holdfast.features.service import Service
from holdfast.http.operations import Call
from holdfast.http.problems import log_failure
from holdfast.http.signin import Entrance

MEDIA_TYPE = "text/event-stream"
LOOK_SECONDS = 0.25
"""Seconds between two checks for changes; one check serves all streams of a process."""
BEAT_SECONDS = 15.0
STREAM_SECONDS = 600.0
"""Seconds after which a stream ends; the client reconnects, and its credential is checked again."""
RESUME_MS = 15 * 60_000
"""Maximum age in milliseconds of an event id from which a stream resumes."""
LOST_SECONDS = 3.0
"""Seconds without a successful look at the store after which streams end. Clients reconnect, and receive the
error of the store while it lasts."""
TRIES = 5
"""Looks at a store that changes while it is looked at."""
EVENTS_MAX = 1_000
"""Events of the chain that are read at once."""
_PARTS = 8


async def changes_stream(
    call: Call,
    request: Request,
    last_event_id: Annotated[str | None, Header(description="The id behind which to go on.")] = None,
    after: Annotated[
        str | None, Query(description="The same for clients that send no header; the header has precedence.")
    ] = None,
) -> Response:
    """Streams what changes in the caller's view, as server-sent events.

    `ready` comes first; then each `change` names memories by id, without texts, and areas to read again;
    `reset` says that everything has to be read again, `bye` that the stream ends and should be opened again.
    Comments in between keep the connection alive. What others do elsewhere sends nothing. A caller that does
    not accept `text/event-stream`, as browsers do, gets the first event only.
    """
    entrance: Entrance = request.app.state.entrance
    heads: Heads = request.app.state.heads
    service, scope = call.memory._service, request.scope
    sequence = await heads.now()
    ids = Ids(service.store.digest_key, service.principal.label)
    start_id = last_event_id or after
    position = ids.read(start_id, service.clock(), sequence) if start_id else sequence
    live = await run_in_threadpool(start, service, sequence if position is None else position)
    stream = _events(request, service, scope["grant"], entrance, heads, live, ids, is_lost=position is None)
    return StreamingResponse(stream, media_type=MEDIA_TYPE, headers={"X-Accel-Buffering": "no"})


def newest_event_id(service: Service, reader: Principal) -> str:
    """Returns the id of the newest event for a reader; a stream that resumes after it misses nothing."""
    with service.store.read() as snap:
        sequence = snap.head(personal_view(reader)).sequence
    return Ids(service.store.digest_key, reader.label).write(sequence, service.clock())


async def _events(
    request: Request, service: Service, grant: Grant, entrance: Entrance, heads: Heads, live: Live, ids: Ids,
    *, is_lost: bool,
) -> AsyncIterator[str]:  # fmt: skip
    """Waits for events of the chain and yields what they changed in one view."""
    seconds, scope = asyncio.get_running_loop().time, request.scope
    until, beat = seconds() + STREAM_SECONDS, seconds() + BEAT_SECONDS
    yield _sent("reset" if is_lost else "ready", ids.write(live.sequence, service.clock()), {})
    is_limited = grant.projects is not None
    if MEDIA_TYPE not in request.headers.get("accept", ""):
        return
    while seconds() < until and not request.app.state.is_ending:
        if heads.sequence <= live.sequence:
            await heads.next()
        if heads.is_lost:
            break
        if heads.sequence > live.sequence:
            before = live

            def work(live: Live = before) -> tuple[dict[str, object], Live]:
                # both of one moment, or a change would be seen with an event before its own
                for _ in range(TRIES):
                    events = heads.events(live.sequence)
                    changed, after = changes(service, live, events, limited=is_limited)
                    if heads.read() <= after.sequence or len(events) == EVENTS_MAX:
                        break
                return changed.as_dict() if changed.areas else {}, after

            try:
                if not await run_in_threadpool(entrance.still_admits, scope):
                    break
                payload, live = await run_in_threadpool(work)
            except HoldfastError as error:  # the client opens it again, and is told then
                log_failure(error, scope.get("request_id"))
                break
            if live.sequence == before.sequence:  # the head is ahead of what can be read by now
                await asyncio.sleep(LOOK_SECONDS)
            if payload:
                yield _sent("change", ids.write(live.sequence, service.clock()), payload)
                beat = seconds() + BEAT_SECONDS
        if seconds() >= beat:
            yield ": still there\n\n"
            beat = seconds() + BEAT_SECONDS
    yield _sent("bye", None, {})


def _sent(name: str, id: str | None, data: dict[str, object]) -> str:
    return f"event: {name}\n" + (f"id: {id}\n" if id else "") + f"data: {json.dumps(data)}\n\n"


class Heads:
    """The number of the last event of the chain, looked up for all streams of a process while one is open."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._task: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()
        self._waiting = 0
        self._failure: str | None = None  # the code of it, until a look succeeds
        self._failing_since = 0.0
        self.sequence = 0

    @property
    def is_lost(self) -> bool:
        """Returns whether the store has failed for so long that nobody should wait for it."""
        is_failing = self._failure is not None
        return is_failing and asyncio.get_running_loop().time() - self._failing_since >= LOST_SECONDS

    async def now(self) -> int:
        """Returns the number now."""
        self.sequence = max(self.sequence, await run_in_threadpool(self.read))
        self._failure = None
        return self.sequence

    async def next(self) -> None:
        """Waits until the number grows, at most for some seconds."""
        self._waiting += 1
        try:
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._look())
            moved = self._moved
            try:
                async with asyncio.timeout(1.0):
                    await moved.wait()
            except TimeoutError:
                return
        finally:
            self._waiting -= 1

    async def _look(self) -> None:
        """Looks for new events until nobody has waited for a while or the store fails, and wakes those who
        wait. Of failures in a row with the same code, the first is logged."""
        quiet = 0
        while quiet < 20:
            before = self.sequence
            try:
                sequence = await self.now()
            except HoldfastError as error:
                if self._failure is None:
                    self._failing_since = asyncio.get_running_loop().time()
                if error.code != self._failure:
                    log_failure(error, None)
                self._failure = error.code
                return
            if sequence > before:
                moved, self._moved = self._moved, asyncio.Event()
                moved.set()
            quiet = 0 if self._waiting else quiet + 1
            await asyncio.sleep(LOOK_SECONDS)

    def events(self, after: int) -> list[Event]:
        """Returns the events after a number, at most `EVENTS_MAX`."""
        with self._service.store.read() as snap:
            view = personal_view(self._service.principal)
            return list(snap.events(view, after=after, limit=EVENTS_MAX))

    def read(self) -> int:
        """Returns the number now, without noting it."""
        with self._service.store.read() as snap:
            return snap.head(personal_view(self._service.principal)).sequence


@dataclass(frozen=True, slots=True)
class Ids:
    """Ids of events that only this service reads: nobody learns how much happened between two of them."""

    key: bytes
    user: str

    def write(self, sequence: int, now: int) -> str:
        """Returns the id of a place in the chain."""
        nonce = os.urandom(_PARTS)
        plain = sequence.to_bytes(_PARTS) + now.to_bytes(_PARTS)
        hidden = bytes(a ^ b for a, b in zip(plain, self._digest(b"hide", nonce), strict=False))
        sealed = nonce + hidden
        return base64.urlsafe_b64encode(sealed + self._digest(b"seal", sealed)[:_PARTS]).decode()

    def read(self, id: str, now: int, newest: int) -> int | None:
        """Returns the place of an id; None if it is none, too old, or not of this store any more."""
        try:
            parts = base64.urlsafe_b64decode(id.encode("ascii"))
        except ValueError:
            return None
        sealed, seal = parts[: 3 * _PARTS], parts[3 * _PARTS :]
        if not hmac.compare_digest(seal, self._digest(b"seal", sealed)[:_PARTS]):
            return None
        hidden = sealed[_PARTS:]
        plain = bytes(a ^ b for a, b in zip(hidden, self._digest(b"hide", sealed[:_PARTS]), strict=False))
        sequence, at = int.from_bytes(plain[:_PARTS]), int.from_bytes(plain[_PARTS:])
        return sequence if now - at <= RESUME_MS and sequence <= newest else None

    def _digest(self, purpose: bytes, text: bytes) -> bytes:
        return hmac.digest(self.key, b"event\0" + purpose + self.user.encode() + b"\0" + text, "sha256")
