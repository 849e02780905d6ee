"""Request checks that come first: host, origin, media type and size."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput
from holdfast.core.masking import masked
from holdfast.core.spans import NOBODY, Spans
from holdfast.http import observe
from holdfast.http.oidc import CALLBACK
from holdfast.http.problems import problem, unexpected

READING = frozenset({"GET", "HEAD", "OPTIONS"})
BODY_MAX = 4 << 20
"""Bytes of a request."""
IMPORT_MAX = 128 << 20
"""Bytes of a request that brings an export in."""
IMPORTS = "/v1/import"
"""The path of these requests."""
SIGN_IN = "/auth/"
"""Prefix of the sign-in routes, each of which authenticates its own requests."""
SIGN_IN_MAX = 64 << 10
"""Maximum size in bytes of a request to sign in, which needs no credential."""
BODY_SECONDS = 30.0
"""Seconds in which a body has to arrive."""
DEFAULT_PORTS = {"http": 80, "https": 443}
"""Ports that no origin names, by scheme."""
API = ("/v1/", "/auth/", "/mcp", "/metrics", "/health", "/openapi.json")
"""What paths begin with that are no page of the web interface."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
WARNING_HEADER = b"holdfast-warning"
"""Names what makes answers of the store doubtful: the code `history_lost`."""
_HOST = re.compile(r"(?:\[([^\]]*)\]|([^\[\]:@/?#\s]+))(?::\d*)?")
_REQUEST_ID = re.compile(r"[\w.:-]{1,80}", re.ASCII)
_JSON = re.compile(rb"application/(?:[\w.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of accepted requests. `hosts` are names without ports; `origins` are origins of web pages that
    may use the service.
    """

    hosts: frozenset[str] = frozenset(LOOPBACK)
    origins: frozenset[str] = frozenset()
    body: int = BODY_MAX
    imports: int = IMPORT_MAX
    body_seconds: float = BODY_SECONDS


class Gate:
    """Checks host, origin, media type and size of each request, assigns a request id, and records how it
    ends.

    Every response of a store whose history is lost says so in a header.

    A web page can make a browser send requests to a service on the same machine, also under a name of its
    own (DNS rebinding). So the host has to be one that the service serves, a foreign origin is refused, and
    a request that changes something has to carry JSON, which a form cannot send.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        watch: observe.Watch,
        spans: Spans = NOBODY,
        find_loss: Callable[[], HoldfastError | None] = lambda: None,
    ) -> None:
        self._app = app
        self._find_loss = find_loss
        self._spans = spans
        self._limits = limits
        self._watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in observe.METHODS else observe.OTHER
        if method == "HEAD":
            scope, receive, send = _as_get(scope, receive, send)
        scope["requested_method"] = method
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, value)
        if self._spans is NOBODY:
            await self._answer(scope, headers, receive, send)
            return
        carrier = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items()}
        with self._spans.span("holdfast.http", {"http.request.method": method}, carrier=carrier) as mark:
            status = await self._answer(scope, headers, receive, send)
            mark({"http.response.status_code": status, "holdfast.operation": scope.get("operation", "none")})

    async def _answer(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send) -> int:
        """Responds to one request. Returns the status; 0 if the client disconnected."""
        request_id = _request_id(headers.get(b"x-request-id"))
        scope["request_id"] = request_id
        began = time.perf_counter()
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                names = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(header for header in HEADERS if header[0] not in names),
                    (b"x-request-id", request_id.encode()),
                ]
                lost = self._find_loss()
                if lost is not None:
                    message["headers"].append((WARNING_HEADER, lost.code.encode()))
                # of a process that ends, the client's next request goes to another one
                if scope["app"].state.is_ending or _is_framed_twice(headers):
                    message["headers"].append((b"connection", b"close"))
            await send(message)

        self._watch.begin()
        try:
            try:
                self._check(scope, headers)
                await self._app(scope, self._bounded(scope, headers, receive), answer)
            except HoldfastError as error:
                if status:
                    raise
                scope["problem"] = error
                await problem(error, request_id, wait=scope.get("wait"))(scope, receive, answer)
        except ClientDisconnect:  # the client disconnected: nobody receives a response
            pass
        except Exception as error:
            self._watch.failed(error, request_id)
            if not status:
                await unexpected(request_id)(scope, receive, answer)
        finally:
            self._watch.end(scope, status, time.perf_counter() - began)
        return status

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Checks host, origin and headers of a request. Raises AccessDenied or InvalidInput."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or _host_name(hosts[0]) not in self._limits.hosts:
            raise AccessDenied(
                "the service does not accept this host name", code="host_refused",
                hint="holdfast serve --allow-host NAME",
            )  # fmt: skip
        if not (_is_allowed_origin(headers, self._limits.origins) or _opens_page(scope, headers)):
            raise AccessDenied("web pages of this origin may not use the service", code="origin_refused")
        if _is_framed_twice(headers):
            raise InvalidInput("a request has a stated length or chunks, not both", code="body_invalid")
        if scope["method"] in READING:
            return
        length = headers.get(b"content-length", b"0" if b"transfer-encoding" not in headers else b"1")
        media_type = headers.get(b"content-type", b"")
        if (length != b"0" or media_type) and not _JSON.fullmatch(media_type.strip()):
            raise InvalidInput(
                "a request that changes something must have a JSON body", code="media_type_unsupported",
                hint="Content-Type: application/json",
            )  # fmt: skip
        if headers.get(b"content-encoding", b"identity").strip().lower() != b"identity":
            raise InvalidInput(
                "compressed request bodies are not supported", code="media_type_unsupported",
                hint="send it without Content-Encoding",
            )  # fmt: skip

    def _bounded(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive) -> Receive:
        """Returns a receiver that ends a body that is too large or too slow with an error."""
        limits = self._limits
        most = limits.imports if scope["path"] == IMPORTS else limits.body
        if scope["path"].startswith(SIGN_IN):
            most = min(most, SIGN_IN_MAX)
        stated = headers.get(b"content-length", b"0")
        if stated.isdigit() and (len(stated) > 15 or int(stated) > most):
            raise _too_large(most)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + limits.body_seconds
        had = 0
        complete = False

        async def bounded() -> Message:
            nonlocal had, complete
            if complete:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise InvalidInput("the body did not arrive in time", code="body_too_slow") from None
            if message["type"] == "http.request":
                had += len(message.get("body", b""))
                complete = not message.get("more_body", False)
                if had > most:
                    raise _too_large(most)
            return message

        return bounded


def _as_get(scope: Scope, receive: Receive, send: Send) -> tuple[Scope, Receive, Send]:
    """Returns a HEAD request as the GET request that is answered without its body; a stream ends at once."""
    is_answered = False

    async def received() -> Message:
        return {"type": "http.disconnect"} if is_answered else await receive()

    async def sent(message: Message) -> None:
        nonlocal is_answered
        is_answered = True
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return {**scope, "method": "GET"}, received, sent


def _is_framed_twice(headers: dict[bytes, bytes]) -> bool:
    """Returns whether a proxy may see another end of the body, and so another next request, than this service
    does (RFC 9112, 6.3)."""
    return b"transfer-encoding" in headers and b"content-length" in headers


def _too_large(most: int) -> InvalidInput:
    size = f"{most >> 20} MiB" if most >> 20 else f"{most >> 10} KiB"
    return InvalidInput(f"the body is larger than {size}", code="body_too_large")


def _request_id(value: bytes | None) -> str:
    """Returns the id that a caller gave, unless it is none or reads like a secret; else a new one."""
    text = (value or b"").decode("latin-1")
    is_usable = _REQUEST_ID.fullmatch(text) and masked(text) == text
    return text if is_usable else secrets.token_hex(8)


def _host_name(value: bytes) -> str:
    """Returns the name in a host header; an empty one if it holds more than a name and a port."""
    match = _HOST.fullmatch(value.decode("latin-1").lower())
    return (match[1] or match[2]).rstrip(".") if match else ""


def _is_allowed_origin(headers: dict[bytes, bytes], allowed: Collection[str]) -> bool:
    """Returns whether a request comes from no page, from one of the service itself, or from an allowed one.
    The host was checked before.
    """
    origin = headers.get(b"origin")
    # browsers leave Origin out of plain reads, but always tell where a request comes from
    is_own = headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin")
    if origin is None:
        return is_own
    text, host = origin.decode("latin-1").lower(), headers.get(b"host", b"").decode("latin-1").lower()
    return text in allowed or (is_own and text in (f"http://{host}", f"https://{host}"))


def is_page(path: str) -> bool:
    """Returns whether a path is one of the web interface, which shows nothing by itself."""
    return not path.startswith(API)


def _opens_page(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Returns whether a person follows a link of another site to the web interface, or comes back from the
    identity provider. The page is the same for everybody, and no frame may hold it."""
    return (
        scope["method"] in READING
        and (is_page(scope["path"]) or scope["path"] == CALLBACK)
        and headers.get(b"sec-fetch-mode") == b"navigate"
        and headers.get(b"sec-fetch-dest") == b"document"
    )


def is_origin(text: str) -> bool:
    """Returns whether a text is an origin as browsers send it, such as `https://notes.example`: scheme,
    host and an optional port, and nothing else.
    """
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
    except ValueError:  # no port, or brackets around no address
        return False
    if parts.scheme not in DEFAULT_PORTS or not host or port == DEFAULT_PORTS[parts.scheme]:
        return False
    name = f"[{host}]" if ":" in host else host
    return text == f"{parts.scheme}://{name}" + (f":{port}" if port is not None else "")
