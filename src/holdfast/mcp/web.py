"""Streamable HTTP: the server for several clients of this machine, closed to web pages and other machines."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import ip_address

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.mcp.connection import Connection
from holdfast.mcp.profiles import Profile
from holdfast.mcp.server import build

PATH = "/mcp"
BODY_MAX = 1024 * 1024
"""Most bytes of one request."""
SESSIONS_MAX = 256
"""Most clients at a time."""
IDLE = 30 * 60.0
"""Seconds without a request after which a session ends."""
GRACE = 5
"""Seconds for requests in flight when the server is stopped."""


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket on a loopback address. Raises InvalidInput `argument_invalid` for any other address.

    This server has no authentication, so other machines must not reach it.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        is_local = ip_address(address[0]).is_loopback
    except (OSError, ValueError, UnicodeError) as error:
        raise InvalidInput(f"{safe_repr(host)} is not an address", code="argument_invalid") from error
    if not is_local:
        raise InvalidInput(
            f"{host} is reachable from other machines, and this server requires no credentials",
            code="argument_invalid",
            hint="use --host 127.0.0.1",
        )
    try:
        return socket.create_server((str(address[0]), port), family=family)
    except OSError as error:
        raise InvalidInput(
            f"{host}:{port} cannot be used: {error.strerror}",
            code="argument_invalid",
            hint="choose another --port",
        ) from error


def app(profile: Profile, connection: Connection, port: int) -> Starlette:
    """Returns the ASGI application.

    Only requests with this server as Host are served, and from browsers only those whose page came from it:
    another page cannot reach it by DNS rebinding.
    """
    names = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
    return build(profile, lambda _: connection, connection.place_note).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_MAX,
        max_sessions=SESSIONS_MAX,
        session_idle_timeout=IDLE,
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        ),
    )


def serve(
    profile: Profile, connection: Connection, sock: socket.socket, ready: Callable[[str], None]
) -> None:
    """Serves until the process is stopped. `ready` is called with the URL."""
    host, port = sock.getsockname()[:2]
    settings = uvicorn.Config(
        app(profile, connection, port),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=GRACE,
    )
    ready(f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}")
    uvicorn.Server(settings).run(sockets=[sock])
