"""The server: from options to a running service, refused if strangers could reach it without a credential."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Collection
from contextlib import nullcontext
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.features.access.access import Grant
from holdfast.features.files.folder_watcher import Watcher, can_watch
from holdfast.features.service import Service
from holdfast.http.announcement import announced
from holdfast.http.app import MountedApp, create_app
from holdfast.http.gate import LOOPBACK, Limits, is_origin
from holdfast.http.observe import SLOW_SECONDS, Watch, log_to_errors
from holdfast.http.oidc import Client, Oidc
from holdfast.http.processes import Inherited
from holdfast.http.rates import Rates
from holdfast.http.signin import Entrance
from holdfast.http.tokens import Provider, Tokens
from holdfast.http.write_rates import WriteRates
from holdfast.stores.base.allocator import bound_arenas
from holdfast.stores.base.keys import API
from holdfast.workers import worker_for

HOST = "127.0.0.1"
PORT = 5858
HEAD_SECONDS = 10.0
"""Seconds in which the head of a request has to arrive."""
IDLE_SECONDS = 0.5
"""Seconds that a connection without a request stays open when the service ends: one may be on its way."""
GRACE_SECONDS = 30
"""Seconds that requests which are being worked on get when the service is asked to end."""
CONNECTIONS_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the server. `hosts` are further names that the service accepts, `origins` web pages that
    may use it. With `require_credential` every request needs a key or token, even from this machine. Each
    `provider` issues tokens for programs, at that of `client` people sign in. Each
    principal may send `per_minute` requests (None: any number). `mcp_app` is another application behind the
    same checks, `workers` the number of background jobs that run at once (0: none); only folders below
    `roots` may be indexed by request. `settings` are those of the store, for what is done by schedule (None:
    nothing). A process of several has `inherited` what all of them share.
    """

    host: str = HOST
    port: int = PORT
    require_credential: bool = False
    hosts: Collection[str] = ()
    origins: Collection[str] = ()
    provider: Provider | None = None
    client: Client | None = None
    slow_seconds: float = SLOW_SECONDS
    per_minute: int | None = None
    log_json: bool = True
    mcp_app: MountedApp | None = None
    workers: int = 0
    roots: Collection[str] = ()
    settings: Settings | None = None
    inherited: Inherited | None = None


def build(service: Service, options: Options) -> FastAPI:
    """Returns the application. Raises InvalidInput `config_invalid` if it could be reached by strangers
    without a credential, or if no credential could exist.
    """
    tokens = Tokens(options.provider) if options.provider is not None else None
    oidc = Oidc(options.client, service.store.digest_key) if options.client is not None else None
    is_open = not options.require_credential
    if is_open and not is_loopback(options.host):
        raise InvalidInput(
            f"{options.host} can be reached from other machines, so a credential is needed",
            code="config_invalid",
            hint="create a key with `holdfast keys create`, then serve with --require-credential",
        )
    if (
        not is_open
        and tokens is None
        and oidc is None
        and not any(key.revoked_at is None and key.purpose == API for key in service.keys.all())
    ):
        raise InvalidInput(
            "no credential could exist: there is no API key and no token provider",
            code="config_invalid",
            hint="create a key with `holdfast keys create`",
        )
    wrong = next((origin for origin in options.origins if not is_origin(origin)), None)
    if wrong is not None:
        raise InvalidInput(
            f"{wrong!r} is not an origin", code="config_invalid", hint="such as https://notes.example"
        )
    names = [name.lower().rstrip(".") for name in (*LOOPBACK, *options.hosts)]
    if not _is_wildcard(options.host):
        names.append(options.host.lower())
    limits = Limits(hosts=frozenset(names), origins=frozenset(options.origins))
    inherited = options.inherited
    entrance = Entrance(
        service, service.keys, tokens, oidc, Grant(service.principal) if is_open else None,
        owner=secrets.token_urlsafe(32) if inherited is None else inherited.owner,
        write_rates=_write_rates(options.settings),
    )  # fmt: skip
    does_jobs = options.workers > 0 and (inherited is None or inherited.does_jobs)
    worker = worker_for(service, options.settings, threads=options.workers) if does_jobs else None
    watcher = Watcher(service) if worker is not None and can_watch() else None
    return create_app(
        entrance, limits=limits, watch=Watch(options.slow_seconds, is_one_of_several=inherited is not None),
        rates=Rates(options.per_minute),
        mcp_app=options.mcp_app, worker=worker, watcher=watcher,
        roots=options.roots,
    )  # fmt: skip


def _write_rates(settings: Settings | None) -> WriteRates | None:
    return WriteRates(Rates(settings.quota_writes)) if settings and settings.quota_writes else None


def serve(service: Service, options: Options, *, started: Callable[[int], None] | None = None) -> None:
    """Serves until SIGTERM or SIGINT; requests in progress are finished first.

    `started` is called with the port once the service accepts requests; port 0 uses a free one.
    """
    bound_arenas()
    app = build(service, options)
    log_to_errors(as_json=options.log_json)
    inherited = options.inherited
    listening = bound(options.host, options.port) if inherited is None else inherited.socket()
    config = uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS_MAX,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    owner: str = app.state.entrance.owner
    store, user = service.store.location, service.principal.user
    # of several processes the parent announces all
    announcement = announced(store, user, owner, options.host) if inherited is None else nullcontext()
    with announcement as announce:

        def begin(port: int) -> None:
            if announce is not None:
                announce(port)
            if started is not None:
                started(port)

        _Server(app, config, begin).run([listening])


def bound(host: str, port: int) -> socket.socket:
    """Returns a socket bound to an address. Raises InvalidInput `config_invalid` if another program uses
    it.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise InvalidInput(
            f"the service cannot listen on {host}, port {port}: {error.strerror or error}",
            code="config_invalid",
            hint="another instance may be running; --port 0 picks a free port",
        ) from error
    return listening


class _Server(uvicorn.Server):
    """A server that reports when it has started, and exits with success on a signal."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, started: Callable[[int], None] | None) -> None:
        super().__init__(config)
        self._app = app
        self._tell = started

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started and self._tell is not None:
            self._tell(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        self._app.state.is_ending = True  # so that streams end, which would keep it waiting
        self._captured_signals.clear()  # it was asked to end and did: no reason to die of the signal


class ImpatientProtocol(H11Protocol):
    """An HTTP protocol with a timeout for request headers, against clients that send them byte by byte, and
    without requests that are lost because the service ended when they had just been sent."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        if self._waiting is None and (before is None or before.response_complete):
            self._wait()
        super().data_received(data)
        if self.cycle is not before:
            self._stop()

    def shutdown(self) -> None:
        is_idle = self.cycle is None or self.cycle.response_complete
        self.loop.call_later(IDLE_SECONDS if is_idle else 0.0, super().shutdown)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()


def is_loopback(host: str) -> bool:
    """Returns whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_wildcard(host: str) -> bool:
    """Returns whether an address is that of all network interfaces: `0.0.0.0` or `::`."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False
