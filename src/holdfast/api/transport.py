"""HTTP transport of the remote backend: requests, retries, and problem responses as errors."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, quote, urlsplit

from holdfast.core import errors
from holdfast.core.arguments import safe_repr
from holdfast.core.errors import CODES, HoldfastError, InvalidInput, StoreError
from holdfast.core.extras import how_to_install

if TYPE_CHECKING:
    import httpx

AGENT_HEADER = "Holdfast-Agent"
TRIES = 3
"""Attempts at a request that the service did not answer; a write carries an idempotency key."""


def service_address(url: str) -> SplitResult:
    """Returns the parts of the address of a service. Raises InvalidInput `config_invalid`."""
    try:
        parts = urlsplit(url)
        is_usable = bool(parts.hostname) and parts.port != 0
    except ValueError as error:  # a bracket without its other, a port that is none
        raise _no_address(url) from error
    if not is_usable or not url.isprintable() or " " in url:
        raise _no_address(url)
    return parts


def _no_address(url: str) -> InvalidInput:
    scheme, _, rest = url.partition("://")
    place = f"{scheme}://{rest.rpartition('@')[2]}"  # without a password
    return InvalidInput(
        f"store {safe_repr(place, 100)} is not the address of a service",
        code="config_invalid",
        hint="https://host",
    )


@dataclass(frozen=True, slots=True)
class Request:
    """One request: method, path and content."""

    method: str
    path: str
    query: Mapping[str, Any]
    body: Mapping[str, Any] | None
    headers: Mapping[str, str]


class Transport:
    """An HTTP client that retries requests without a response and raises problem responses as errors."""

    def __init__(
        self,
        url: str,
        key: str | None,
        timeout: float,
        *,
        agent: str | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise HoldfastError(
                "a memory behind an address needs httpx", code="extra_missing",
                hint=how_to_install("client"),
            ) from error  # fmt: skip
        from holdfast.models.authorities import authorities

        service_address(url)
        self.url = url.rstrip("/")
        self._httpx = httpx
        self._options: dict[str, Any] = {
            "timeout": timeout, "follow_redirects": False, "trust_env": False, "verify": authorities(),
        }  # fmt: skip
        try:
            httpx.URL(self.url)
        except httpx.InvalidURL as error:
            raise _no_address(url) from error
        self._http = http or httpx.Client(**self._options)
        self._asynchronous: httpx.AsyncClient | None = None
        self._is_closed = False
        self.lost: str | None = None
        self._headers = {"Accept": "application/json"}
        if agent is not None:
            self._headers[AGENT_HEADER] = quote(agent)
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"

    def in_person(self) -> Transport:
        """Returns a transport over the same connections that names no agent."""
        transport = copy(self)
        transport._headers = {name: value for name, value in self._headers.items() if name != AGENT_HEADER}
        return transport

    def close(self) -> None:
        """Closes the connections."""
        self._is_closed = True
        self._http.close()

    async def close_async(self) -> None:
        """Closes the connections, including those of the event loop."""
        if self._asynchronous is not None:
            await self._asynchronous.aclose()
        self.close()

    def is_ready(self, timeout: float) -> bool:
        """Returns whether the service says within so many seconds that it is ready. Asks once."""
        if self._is_closed:
            return False
        try:
            return bool(self._http.get(f"{self.url}/health/ready", timeout=timeout).is_success)
        except self._httpx.TransportError:
            return False

    def send(self, request: Request) -> Any:
        """Returns the response as plain JSON. Raises HoldfastError."""
        options = self._options_of(request)
        for attempt in range(1, TRIES + 1):
            try:
                return _result(self._noted(self._http.request(**options)))
            except self._httpx.TransportError as error:
                if attempt == TRIES:
                    raise self._unreachable(error) from error
        raise AssertionError("unreachable")

    async def send_async(self, request: Request) -> Any:
        """Returns the response as plain JSON, without blocking the event loop. Raises HoldfastError."""
        options, client = self._options_of(request), self._client()
        for attempt in range(1, TRIES + 1):
            try:
                return _result(self._noted(await client.request(**options)))
            except self._httpx.TransportError as error:
                if attempt == TRIES:
                    raise self._unreachable(error) from error
        raise AssertionError("unreachable")

    def lines(self, request: Request) -> Iterator[str]:
        """Yields the lines of a streamed response, each with its line end. Raises HoldfastError."""
        lines = _Lines()
        try:
            with self._http.stream(**self._options_of(request, accept="*/*")) as response:
                if not self._noted(response).is_success:
                    response.read()
                    _result(response)
                for piece in response.iter_text():
                    yield from lines.add(piece)
                yield from lines.flush()
        except self._httpx.TransportError as error:
            raise self._unreachable(error) from error

    async def lines_async(self, request: Request) -> AsyncIterator[str]:
        """Yields the lines of a streamed response, each with its line end. Raises HoldfastError."""
        lines = _Lines()
        try:
            async with self._client().stream(**self._options_of(request, accept="*/*")) as response:
                if not self._noted(response).is_success:
                    await response.aread()
                    _result(response)
                async for piece in response.aiter_text():
                    for line in lines.add(piece):
                        yield line
                for line in lines.flush():
                    yield line
        except self._httpx.TransportError as error:
            raise self._unreachable(error) from error

    def _noted(self, response: httpx.Response) -> httpx.Response:
        """Notes whether the service says that its store has lost history."""
        is_lost = response.headers.get("Holdfast-Warning") == "history_lost"
        self.lost = f"acknowledged history is missing from the store of {self.url}" if is_lost else None
        return response

    def _client(self) -> httpx.AsyncClient:
        if self._asynchronous is None:
            self._asynchronous = self._httpx.AsyncClient(**self._options)
        return self._asynchronous

    def _options_of(self, request: Request, *, accept: str | None = None) -> dict[str, Any]:
        """Returns a request as arguments of the HTTP client. Raises StoreError once it is closed."""
        if self._is_closed:
            raise StoreError("this memory was closed", code="store_closed", hint="open it again")
        headers = {**self._headers, **request.headers}
        if accept is not None:
            headers["Accept"] = accept
        content = None if request.body is None else _json(request.body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        if request.method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        return {
            "method": request.method,
            "url": f"{self.url}/v1/{request.path}",
            "params": _query(request.query),
            "content": content,
            "headers": headers,
        }

    def _unreachable(self, error: Exception) -> StoreError:
        """Returns the error for a service that does not answer."""
        return StoreError(
            f"{self.url} does not answer: {type(error).__name__}", code="service_unreachable",
            hint="is `holdfast serve` running?",
        )  # fmt: skip


class _Lines:
    """An incremental splitter of text into lines."""

    def __init__(self) -> None:
        self._remainder = ""

    def add(self, piece: str) -> Iterator[str]:
        *whole, self._remainder = (self._remainder + piece).split("\n")
        yield from (f"{line}\n" for line in whole)

    def flush(self) -> Iterator[str]:
        if self._remainder:
            yield self._remainder


def _result(response: httpx.Response) -> Any:
    """Returns the JSON value of a response, None without a body. Raises the error of the service."""
    if response.status_code == 204:
        return None
    try:
        value = response.json()
    except ValueError as error:
        raise unknown_answer(f"with status {response.status_code}") from error
    if response.is_success:
        return value
    raise _error(value, response.status_code)


def _json(body: Mapping[str, Any]) -> bytes:
    """Returns a body as JSON. Raises InvalidInput for values that JSON does not have."""
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"this cannot be sent as JSON: {error}", code="argument_invalid") from error


def _query(query: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns query parameters as pairs; a list gives one pair for each item."""
    pairs = [
        (name, item)
        for name, value in query.items()
        for item in (value if isinstance(value, list) else [value])
    ]
    return [
        (name, str(item).lower() if isinstance(item, bool) else str(item))
        for name, item in pairs
        if item is not None
    ]


def _error(value: Any, status: int) -> HoldfastError:
    """Returns the error that a problem response describes, in its own class."""
    code = value.get("code") if isinstance(value, dict) else None
    if code is None or (code not in CODES and value.get("type") != f"urn:holdfast:error:{code}"):
        return unknown_answer(f"with status {status}")
    kind = getattr(errors, str(value.get("error")), HoldfastError)
    if not (isinstance(kind, type) and issubclass(kind, HoldfastError)):
        kind = HoldfastError
    known_code = code if code in CODES else "internal_error"
    error = kind(str(value.get("detail")), code=known_code, hint=value.get("hint"))
    error.code = code  # a later service has more codes
    return error


def unknown_answer(problem: str) -> StoreError:
    """Returns the error for a response that does not come from a Holdfast service of this version."""
    return StoreError(
        f"the server answered {problem}: it is no Holdfast service of this version",
        code="service_answer_invalid",
        hint="check the address",
    )  # fmt: skip
