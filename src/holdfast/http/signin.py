"""Authentication: from a request's credential to its grant. Nothing else identifies the caller.

A request may name the agent that acts for the person of a credential, which only removes permissions.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import OrderedDict
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from urllib.parse import unquote
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from holdfast.api.catalogue import permissions
from holdfast.api.memory import Memory
from holdfast.core.errors import AccessDenied
from holdfast.core.places import Principal
from holdfast.features.access.access import LOCAL, Grant, authorise
from holdfast.features.access.keys import grant_of, invalid_credential, is_key, service_for
from holdfast.features.access.members import bound_grant
from holdfast.features.admission.names import checked_name
from holdfast.features.recall import uses
from holdfast.features.service import Service
from holdfast.http.body_limit import BodyLimit
from holdfast.http.cookies import granted
from holdfast.http.gate import IMPORTS, READING, SIGN_IN, is_page
from holdfast.http.oidc import Oidc
from holdfast.http.rates import Rates
from holdfast.http.tokens import Tokens
from holdfast.http.write_rates import WriteRates, WriteRateStore, one_request
from holdfast.stores.base.keys import KeyRing

OPEN = ("/health", "/health/live", "/health/ready", "/openapi.json")
"""Paths that tell nothing about the tenant and ask for no credential."""
AGENT_HEADER = b"holdfast-agent"
CREDENTIAL_MAX = 16_384
"""Characters of a credential."""
STREAMS = 32
"""Streams of one principal that are open at once: each tab of a browser has one."""
AT_ONCE = 8
"""Requests of one principal that are worked on at once: half of what the service has threads for."""
PRINCIPALS_MAX = 256
"""Principals whose opened memories are kept at hand."""


@dataclass(slots=True)
class Entrance:
    """Authenticates requests and holds the memory of each principal. `local` is the grant of a request
    without a credential: None if every request needs one. `owner` is a credential of the user who started
    the service, which it makes anew at each start for other programs of this user on this machine.
    `write_rates` bound how often each user adds memories (None: no bound).
    """

    service: Service
    keys: KeyRing
    tokens: Tokens | None = None
    oidc: Oidc | None = None
    local: Grant | None = None
    memories: OrderedDict[tuple[Grant, str], Memory] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    owner: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    write_rates: WriteRates | None = None

    def grant(self, headers: list[tuple[bytes, bytes]], *, writes: bool, at: int | None = None) -> Grant:
        """Returns the grant of a request's credential. One that has expired since `at` (default: now) counts
        as valid; in everything else it is looked at as it is now. Raises AccessDenied."""
        text = _credential(headers)
        now = self.service.clock()
        since = now if at is None else at
        if text is None:
            service = self.service if at is None else replace(self.service, clock=lambda: since)
            if (grant := granted(service, self.local, headers, writes=writes)) is not None:
                return self.bound(grant)
            from_browser = any(name in (b"origin", b"sec-fetch-site") for name, _ in headers)
            if self.local is None or (writes and from_browser):
                raise AccessDenied(
                    "a credential is required",
                    code="credential_missing",
                    hint="send `Authorization: Bearer …` or X-API-Key; `holdfast keys create` creates a key",
                )
            return self.local
        if secrets.compare_digest(text.encode(), self.owner.encode()):
            return Grant(self.service.principal)
        if is_key(text):
            return self.bound(grant_of(self.keys, text, since))
        if self.tokens is None:
            raise invalid_credential()
        return self.bound(self.tokens.grant(text, late=max(0, now - since) / 1000))

    def bound(self, grant: Grant) -> Grant:
        """Returns a grant as far as its user's membership allows it; that of this machine as it is."""
        return grant if grant.credential == LOCAL else bound_grant(self.service, grant)

    def admit(self, headers: list[tuple[bytes, bytes]], *, writes: bool) -> tuple[Principal, Grant, Memory]:
        """Returns the principal of a request's credential, the grant of the request, and its memory."""
        grant = self.grant(headers, writes=writes)
        acting = _acting(grant, headers)
        return grant.principal, acting, self.memory(acting)

    def still_admits(self, scope: Scope, *, at: int | None = None) -> bool:
        """Returns whether the credential of a request that goes on, such as a stream, still allows its
        operation, to the same person and in the same projects; with `at`, also if it has expired since."""
        try:
            grant = self.grant(scope["headers"], writes=False, at=at)
            now = self.service.clock() if at is None else at
            authorise(_acting(grant, scope["headers"]), permissions()[scope["operation"]], now)
        except AccessDenied:
            return False
        before: Grant = scope["grant"]
        return grant.principal == scope["caller"] and grant.projects == before.projects

    def memory(self, grant: Grant, interface: str = "http") -> Memory:
        """Returns the memory of a grant's principal, over the shared store, for requests through an
        interface."""
        key = grant.lasting(), interface
        with self.lock:
            memory = self.memories.pop(key, None)
            if memory is None:
                memory = Memory.over(
                    replace(service_for(self._rate_limited(key[0]), key[0]), interface=interface)
                )
            self.memories[key] = memory
            evicted = self.memories.popitem(last=False)[1] if len(self.memories) > PRINCIPALS_MAX else None
        if evicted is not None:
            uses.flush(evicted._service)
        return memory

    def _rate_limited(self, grant: Grant) -> Service:
        """Returns the service, over a store that counts the writes of the user if they are bounded."""
        if self.write_rates is None:
            return self.service
        user = Principal(grant.principal.user)
        return replace(self.service, store=WriteRateStore(self.service.store, self.write_rates, user))

    def close(self) -> None:
        """Writes the pending data of each principal and closes the store."""
        with self.lock:
            opened = list(self.memories.values())
            self.memories.clear()
        for memory in opened:
            uses.flush(memory._service)
        self.service.store.close()


class SignIn:
    """Middleware that puts the grant of each request into its scope before routing, and bounds the requests
    of one principal that run at once, so that threads are left for others; further ones wait. A body has to
    be complete before its request takes a turn (`body_limit`). A principal above its rate limit is refused
    before the body is read.
    """

    def __init__(self, app: ASGIApp, entrance: Entrance, rates: Rates) -> None:
        self._app = app
        self._entrance = entrance
        self._rates = rates
        self._limit = BodyLimit()
        self._turns: WeakValueDictionary[tuple[Principal, bool], asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not is_open(scope["path"]):
            headers, writes = scope["headers"], scope["method"] not in READING
            # in a thread: keys may have to be read from a file or fetched
            caller, grant, memory = await run_in_threadpool(self._entrance.admit, headers, writes=writes)
            scope["grant"], scope["memory"], scope["credential"] = grant, memory, grant.credential
            scope["caller"] = caller
            scope["wait"] = wait = self._rates.wait(caller)
            if wait is not None:
                raise AccessDenied(
                    "you have sent too many requests", code="rate_limited", hint=f"try again in {wait} s"
                )
            if scope["path"] == IMPORTS and writes:
                # before the body is read: it may be large, and is read by those only who may send it
                authorise(grant, permissions()["import"], self._entrance.service.clock())
            # kept by those who wait for it or have it, and gone with the last of them
            whose = caller, is_stream(scope["path"])
            turns = self._turns.setdefault(whose, asyncio.Semaphore(STREAMS if whose[1] else AT_ONCE))
            body = self._limit.arrived(scope, caller, receive) if writes else nullcontext(receive)
            async with body as read:
                if read is not None:
                    # sessions of MCP outlive the request that begins them: each transaction counts there
                    counts_once = one_request() if scope["path"].startswith("/v1/") else nullcontext()
                    async with turns:
                        with counts_once:
                            await self._app(scope, read, send)
            return
        await self._app(scope, receive, send)


def is_open(path: str) -> bool:
    """Returns whether a path asks for no credential, or finds out by itself who asks."""
    return path in OPEN or is_page(path) or path.startswith(SIGN_IN)


def is_stream(path: str) -> bool:
    """Returns whether a path is a long-lived stream, which takes no turn of other requests."""
    return path == "/v1/stream" or (path.startswith("/v1/jobs/") and path.endswith("/events"))


def _acting(grant: Grant, headers: list[tuple[bytes, bytes]]) -> Grant:
    """Returns the grant of the agent that a request names, of a credential that names none itself. Raises
    InvalidInput."""
    names = [value for name, value in headers if name == AGENT_HEADER]
    if not names or grant.principal.agent is not None:
        return grant
    agent = checked_name(unquote(names[-1].decode("latin-1")), "agent")
    return replace(grant, principal=replace(grant.principal, agent=agent))


def _credential(headers: list[tuple[bytes, bytes]]) -> str | None:
    """Returns the credential of a request, None if it has none. Raises AccessDenied if two differ."""
    credentials: set[str] = set()
    for name, value in headers:
        if name == b"x-api-key":
            credentials.add(value.decode("latin-1").strip())
        elif name == b"authorization":
            kind, _, text = value.decode("latin-1").strip().partition(" ")
            if kind.lower() != "bearer" or not text.strip():
                raise invalid_credential()
            credentials.add(text.strip())
    if not credentials:
        return None
    text = credentials.pop()
    if credentials or not text or len(text) > CREDENTIAL_MAX:
        raise invalid_credential()
    return text
