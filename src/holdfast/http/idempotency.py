"""Idempotency keys: a write that is sent again with the same key gets the stored response."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.api import catalogue
from holdfast.core.errors import Conflict, HoldfastError, InvalidInput
from holdfast.core.events import REQUEST_MARK
from holdfast.core.views import personal_view
from holdfast.features.access.access import Grant, Need
from holdfast.http.body_limit import read_body
from holdfast.http.gate import READING
from holdfast.stores.base.replays import REQUEST, Replay

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

KEEP_MS = 3_600_000
RUNNING_MS = 120_000
"""Milliseconds after which a request that has no answer counts as broken off, and may be made again."""
RESPONSE_MAX = 256 << 10
"""Bytes of an answer that is kept; of a larger one only the fact that it was given."""
KEY_MAX = 200


class Idempotency:
    """Stores responses to requests with an `Idempotency-Key`, separately for each credential, in the store:
    they survive a restart and hold for all processes.

    Responses of 5xx and 429 are not stored, since they ask the client to retry, nor are those to reading,
    which can be done again. Of one that holds a secret only that it was given is stored. A response that
    shows a memory forgotten since is not repeated: the caller learns that the request was done. So it
    does if the process ended between commit and response: events carry the request's mark.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = _key(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        body, again = await read_body(receive)
        if body is None:  # the caller has left: half a body is no request
            return
        service = scope["memory"]._service
        secret = await run_in_threadpool(lambda: service.store.digest_key)
        who, slot = _digest(secret, _credential_of(scope["grant"])), _digest(secret, key.encode())
        mark = _digest(secret, who.encode(), slot.encode())[:32]
        now = service.clock()
        fingerprint = _fingerprint(secret, scope, body)
        mine, previous = await run_in_threadpool(_reserve, scope, who, slot, fingerprint, now)
        if previous is not None and previous.is_broken_off(now) and previous.fingerprint == fingerprint:
            if await run_in_threadpool(_is_done, scope, mark, previous.head):
                raise Conflict(
                    "this request was done, wholly or in part, and broke off before it was answered",
                    code="idempotency_gone", hint="read what is there now",
                )  # fmt: skip
            previous = await run_in_threadpool(service.replays.take_over, who, slot, previous, mine)
        if previous is not None:
            await self._send_again(previous, fingerprint, scope, send)
            return
        answer: Replay | None = None
        start: Message | None = None
        parts: list[bytes] = []

        async def watch(message: Message) -> None:
            nonlocal start, answer
            if message["type"] == "http.response.start":
                start = message
            elif message["type"] == "http.response.body" and start is not None:
                parts.append(message.get("body", b""))
                if not message.get("more_body", False) and _is_kept(scope, start["status"]):
                    answer = _answered(scope, mine, start, b"".join(parts), service.clock() + KEEP_MS)
                    # before the caller hears of it: else a process that ends here would do it again
                    await run_in_threadpool(service.replays.answer, who, slot, answer)
            await send(message)

        token = REQUEST.set(mark)
        try:
            await self._app(scope, again, watch)
        finally:
            REQUEST.reset(token)
            if answer is None and _is_kept(scope, 200):  # what it has committed is known by its mark
                await run_in_threadpool(service.replays.answer, who, slot, replace(mine, until=now))
            elif answer is None:
                await run_in_threadpool(service.replays.release, who, slot)

    async def _send_again(self, replay: Replay, fingerprint: str, scope: Scope, send: Send) -> None:
        """Sends the stored response again. Raises an error if the request differs, is still in progress, or
        the response may no longer be seen."""
        if replay.fingerprint != fingerprint:
            raise InvalidInput(
                "this idempotency key was used for another request", code="idempotency_reused",
                hint="use a new key for each request",
            )  # fmt: skip
        if not replay.status:
            raise Conflict(
                "the first request with this idempotency key is still in progress", code="idempotency_running"
            )
        memory = scope["memory"]
        if replay.body is None or not await run_in_threadpool(_is_in_sight, memory, replay.body):
            raise Conflict(
                "this request was done; its answer is not kept, or something in it was forgotten since",
                code="idempotency_gone", hint="read what is there now",
            )  # fmt: skip
        scope["operation"] = "replay"
        headers = [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in json.loads(replay.headers)
        ]
        headers.append((b"idempotent-replayed", b"true"))
        await send({"type": "http.response.start", "status": replay.status, "headers": headers})
        await send({"type": "http.response.body", "body": replay.body})


def _reserve(
    scope: Scope, caller: str, slot: str, fingerprint: str, now: int
) -> tuple[Replay, Replay | None]:
    """Reserves a key for a request: returns its reservation, and the one that holds the key already."""
    service = scope["app"].state.entrance.service
    with service.store.read() as snap:
        head = int(snap.head(personal_view(service.principal)).sequence)
    mine = Replay(fingerprint, now + RUNNING_MS, head=head)
    return mine, scope["memory"]._service.replays.reserve(caller, slot, mine, now=now)


def _is_done(scope: Scope, mark: str, head: int) -> bool:
    """Returns whether a request has committed anything since an event."""
    service = scope["app"].state.entrance.service
    with service.store.read() as snap:
        events = snap.events(personal_view(service.principal), after=head)
        return any(event.detail.get(REQUEST_MARK) == mark for event in events)


def _is_kept(scope: Scope, status: int) -> bool:
    """Returns whether an answer is kept: not one that asks to try again, nor to reading, nor a stream,
    which may name in its text what is forgotten later."""
    name = scope.get("operation", "")
    operation, permission = catalogue.operations().get(name), catalogue.permissions().get(name)
    if operation is not None and operation.stream is not None:
        return False
    is_final = status < 500 and status != 429
    return is_final and (permission is None or (permission.changes and permission.need is not Need.READ))


def _answered(scope: Scope, mine: Replay, start: Message, body: bytes, until: int) -> Replay:
    """Returns the record of a request with its response; large and secret bodies are left out."""
    operation = catalogue.operations().get(scope.get("operation", ""))
    is_secret = operation is not None and operation.secret
    headers = json.dumps(
        [[name.decode("latin-1"), value.decode("latin-1")] for name, value in start["headers"]]
    )
    stored_body = body if len(body) <= RESPONSE_MAX and not is_secret else None
    return replace(mine, until=until, status=start["status"], headers=headers, body=stored_body)


def _is_in_sight(memory: Memory, body: bytes) -> bool:
    """Returns whether the caller may still see every memory in an answer."""
    try:
        ids = set(_memories_in(json.loads(body)))
    except ValueError:
        return True
    for id in ids:
        try:
            memory.get(id)
        except HoldfastError:
            return False
    return True


def _memories_in(value: object) -> Iterator[str]:
    """Yields the ids of the memories in an answer, and of those that state its facts."""
    if isinstance(value, dict):
        if isinstance(value.get("id"), str) and "text" in value and "kind" in value:
            yield value["id"]
        if "by" in value and (source := value.get("message") or value.get("statement")):
            yield source  # which states a fact
        for item in value.values():
            yield from _memories_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _memories_in(item)


def _credential_of(grant: Grant) -> bytes:
    """Returns what stays the same of a credential when it is renewed."""
    principal, projects = grant.principal, grant.projects
    parts = [
        principal.user, principal.agent, grant.credential, grant.write,
        None if projects is None else sorted(projects),
    ]  # fmt: skip
    return json.dumps(parts).encode()


def _digest(secret: bytes, *parts: bytes) -> str:
    """Returns the HMAC-SHA-256 of several parts; each is preceded by its length."""
    mac = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        mac.update(len(part).to_bytes(8, "big") + part)
    return mac.hexdigest()


def _key(scope: Scope) -> str | None:
    """Returns the idempotency key of a request, None without. Raises InvalidInput for an invalid one."""
    if scope["type"] != "http" or scope["method"] in READING or "grant" not in scope:
        return None
    keys = [value for name, value in scope["headers"] if name == b"idempotency-key"]
    if not keys:
        return None
    text = str(keys[0], "latin-1")
    if len(keys) > 1 or not 0 < len(text) <= KEY_MAX or not text.isprintable():
        raise InvalidInput(
            f"an idempotency key has 1 to {KEY_MAX} visible characters", code="argument_invalid"
        )
    return text


def _fingerprint(secret: bytes, scope: Scope, body: bytes) -> str:
    """Returns a keyed digest of a request: nobody can guess a text by it."""
    match = next((value for name, value in scope["headers"] if name == b"if-match"), b"")
    path, query = scope["path"].encode(), scope["query_string"]
    return _digest(secret, scope["method"].encode(), path, query, match, body)
