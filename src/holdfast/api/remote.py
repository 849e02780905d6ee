"""The remote backend, which sends operations to a service over HTTP."""

from __future__ import annotations

import json
import typing
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote

from holdfast.api.argument_types import check_type, is_time
from holdfast.api.operation import Backend, Operation
from holdfast.api.transport import Request, Transport, unknown_answer
from holdfast.core.errors import InvalidInput, Refusal, only_local
from holdfast.core.record import Kept, Outcome
from holdfast.core.times import to_iso, to_millis
from holdfast.core.wire import from_plain

if TYPE_CHECKING:
    from holdfast.features.service import Service

PAGE = 1_000
"""Entries that are fetched at once where all are asked for."""
LISTS = ("items", "messages", "decisions")
"""Arguments whose entries are objects of arguments."""
QUERY = frozenset({"GET", "DELETE"})
"""Methods whose arguments go into the query."""


class Remote:
    """A backend that sends each operation to a service."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def location(self) -> str:
        """Returns the address of the service."""
        return self._transport.url

    @property
    def lost(self) -> str | None:
        """Returns what the last response told of history that is missing from the store."""
        return self._transport.lost

    @property
    def service(self) -> Service:
        """Raises InvalidInput `only_local`: callers of it need direct access to the store."""
        raise only_local()

    def run(self, operation: Operation, memory: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """Sends one operation and returns its result. Raises HoldfastError."""
        params = _checked(operation, args, options)
        if operation.stream is not None:
            return self._transport.lines(request_for(operation, params))
        if _wants_everything(operation, params):
            return operation.assemble(list(self._pages(operation, {**params, "limit": PAGE})))
        try:
            response = self._transport.send(request_for(operation, params))
        except Refusal as error:
            return _refused_result(operation, error)
        return result_of(operation, response)

    def _pages(self, operation: Operation, params: dict[str, Any]) -> Iterator[Any]:
        """Yields the items of all pages of an operation."""
        assert operation.next_page is not None
        following: dict[str, Any] | None = params
        while following is not None:
            page = result_of(operation, self._transport.send(request_for(operation, following)))
            yield from page
            following = None if len(page) < PAGE else operation.next_page(following, page)

    async def run_async(self, operation: Operation, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """Sends one operation without blocking the event loop. Raises HoldfastError."""
        params = _checked(operation, args, options)
        if operation.stream is not None:
            return self._transport.lines_async(request_for(operation, params))
        if _wants_everything(operation, params):
            pages = self._pages_async(operation, {**params, "limit": PAGE})
            return operation.assemble([page async for page in pages])
        try:
            response = await self._transport.send_async(request_for(operation, params))
        except Refusal as error:
            return _refused_result(operation, error)
        return result_of(operation, response)

    async def _pages_async(self, operation: Operation, params: dict[str, Any]) -> AsyncIterator[Any]:
        """Yields the items of all pages of an operation, asynchronously."""
        assert operation.next_page is not None
        following: dict[str, Any] | None = params
        while following is not None:
            page = result_of(operation, await self._transport.send_async(request_for(operation, following)))
            for item in page:
                yield item
            following = None if len(page) < PAGE else operation.next_page(following, page)

    def upload(self, content: bytes, options: Mapping[str, Any], *, as_job: bool = False) -> Any:
        """Sends an export to be imported and returns the report as plain JSON, or the import job."""
        import base64

        body = {**_plain_options(options), "content_base64": base64.b64encode(content).decode("ascii")}
        headers = {"Prefer": "respond-async"} if as_job else {}
        return self._transport.send(Request("POST", "import", {}, body, headers))

    def is_available(self, timeout: float) -> bool:
        """Returns whether the service answers in time that its store can be read."""
        return self._transport.is_ready(timeout)

    def as_user(self, user: str, agent: str | None) -> Backend:
        """Raises InvalidInput: the API key determines the user."""
        raise user_from_credential()

    def with_consent(self) -> Backend:
        """Returns a backend that acts for the user of the API key in person. Of a key that was issued to an
        agent, the service takes no word for what a user has agreed to."""
        return Remote(self._transport.in_person())

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    async def close_async(self) -> None:
        """Closes the connections, including those of the event loop."""
        await self._transport.close_async()


def user_from_credential() -> InvalidInput:
    """Returns the error for naming a user to a service, which takes the user from the credential."""
    return InvalidInput(
        "a service knows who acts from the API key",
        code="argument_invalid",
        hint="open one memory for each user: Memory(ADDRESS, api_key=…), with a key of that user or a token"
        " (JWT) that your backend signs for them (`holdfast serve --jwt-keys`; docs/chat-application.md)",
    )


def _checked(operation: Operation, args: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments of an operation, ready to be sent. Raises InvalidInput for those it does not
    take."""
    if not operation.path:
        raise only_local()
    params = operation.arguments(args, options)
    for name, value in params.items():
        declared = operation.signature.parameters[name].annotation
        check_type(name, value, declared)
        _check_list(name, value, declared)
    return params if operation.prepare is None else operation.prepare(params)


def _check_list(name: str, value: Any, declared: Any) -> None:
    """Raises InvalidInput `argument_invalid` for a value that is not the declared list of texts or
    objects.
    """
    origin = typing.get_origin(declared)
    if not isinstance(origin, type) or not issubclass(origin, Collection) or issubclass(origin, Mapping):
        return
    is_list = isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)
    of_texts = typing.get_args(declared)[:1] == (str,)
    if not is_list or (of_texts and not all(isinstance(item, str) for item in value)):
        raise InvalidInput(
            f"{name} is a list of {'texts' if of_texts else 'objects'}", code="argument_invalid"
        )


def _wants_everything(operation: Operation, params: Mapping[str, Any]) -> bool:
    """Returns whether a call of a paged operation has no limit."""
    if operation.next_page is None:
        return False
    default = operation.signature.parameters["limit"].default
    return params.get("limit", default) is None


def _refused_result(operation: Operation, error: Refusal) -> Kept:
    """Returns the outcome of a text that policy refused, which is an error over HTTP."""
    if not operation.keeps:
        raise error
    return Kept(Outcome.REFUSED, None, error.in_full, code=error.code)


def request_for(operation: Operation, params: Mapping[str, Any]) -> Request:
    """Returns the HTTP request of one operation with these arguments."""
    inside = {name: value for name, value in params.items() if f"{{{name}}}" in operation.path}
    path = operation.path.lstrip("/")
    for name, value in inside.items():
        path = path.replace(f"{{{name}}}", part_of(value))
    headers = {
        header: f'"{params[name]}"'
        for name, header in operation.headers.items()
        if params.get(name) is not None
    }
    others = {name: value for name, value in params.items() if name not in (*inside, *operation.headers)}
    if operation.method in QUERY:
        query, body = others, None
    else:
        query = {name: value for name, value in others.items() if name in operation.query}
        body = {name: value for name, value in others.items() if name not in operation.query}
    return Request(
        operation.method, path, {name: _in_query(operation, name, value) for name, value in query.items()},
        None if body is None else _plain_options(body, operation), headers,
    )  # fmt: skip


def _plain_options(values: Mapping[str, Any], operation: Operation | None = None) -> dict[str, Any]:
    """Returns arguments as plain JSON; None is left out where it is the default."""
    plain = {}
    for name, value in values.items():
        parameter = operation.signature.parameters.get(name) if operation is not None else None
        if value is None and (parameter is None or parameter.default is None):
            continue
        plain[name] = in_json(name, value)
    return plain


def in_json(name: str, value: Any) -> Any:
    """Returns an argument as plain JSON: times as text, collections as lists, scopes as objects."""
    if isinstance(value, date):
        return value.isoformat()
    if name in ("scope", "insights") and isinstance(value, tuple | list) and len(value) == 2:
        return {"type": value[0], "id": value[1]}
    if (
        name in ("items", "messages", "decisions")
        and isinstance(value, Sequence)
        and not isinstance(value, str)
    ):
        return [
            {key: in_json(key, item) for key, item in element.items() if item is not None}
            if isinstance(element, Mapping) else element
            for element in value
        ]  # fmt: skip
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    if isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping):
        return sorted(value) if isinstance(value, set | frozenset) else list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _in_query(operation: Operation, name: str, value: Any) -> Any:
    """Returns a value in the form in which a query parameter has it: a number would be read as a date."""
    if isinstance(value, int | float) and is_time(operation.signature.parameters[name].annotation):
        return to_iso(to_millis(value, name=name))
    if name in ("scope", "insights") and isinstance(value, tuple | list) and len(value) == 2:
        return ":".join(filter(None, value))
    if isinstance(value, Mapping):
        return json.dumps(value, allow_nan=False)
    return in_json(name, value)


def part_of(name: object) -> str:
    """Returns a name as one segment of a path. Dots alone would be taken for a parent folder."""
    text = quote(str(name), safe="", errors="replace")
    return text.replace(".", "%2E") if set(text) == {"."} else text


def result_of(operation: Operation, response: Any) -> Any:
    """Returns the result of an operation from the JSON of its response. Raises StoreError."""
    declared = operation.signature.return_annotation
    try:
        if isinstance(operation.key, tuple):
            return tuple(response[key] for key in operation.key)
        value = response if operation.key is None else response[operation.key]
        return None if value is None else from_plain(declared, value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        _strange(error)


def _strange(error: Exception) -> NoReturn:
    raise unknown_answer("with an unknown response") from error
