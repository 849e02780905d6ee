"""Declarations of operations: permission, HTTP route, command and MCP tools are beside the method.

Requests, responses, the remote client, the permission table and the reference are derived from the
declaration and the signature. A declared method runs in this process, or is sent to a service if its memory
is remote.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeVar, cast

from holdfast.core.errors import HoldfastError
from holdfast.core.value_classes import value_class
from holdfast.features.access.access import OF_TENANT, Grant, Need, Permission, authorise
from holdfast.features.access.permission import check_in_person

if TYPE_CHECKING:
    from holdfast.api.users import Users
    from holdfast.features.service import Service

P = ParamSpec("P")
R = TypeVar("R")

MODULES = (
    "memory", "projects", "sessions", "maps", "entities", "facts", "review", "sources", "folders",
    "described", "jobs", "members", "keys", "models", "consents", "retention", "audit", "agents", "backups",
)  # fmt: skip
"""The modules of this package that declare operations."""


@value_class
class Parameter:
    """The meaning of an argument beyond its type, for schemas and the help of options."""

    about: str | None = None
    example: Any = None
    default: Any = None
    """The default over HTTP where it differs from that of the method."""
    minimum: int | None = None
    maximum: int | None = None
    items: Mapping[str, Any] | None = None
    """The JSON schema of the entries of a list, at most `ITEMS_MAX`."""


ITEMS_MAX = 1_000
"""Texts, messages or decisions in one request."""

Erases = Literal[True, "hard"] | None


@dataclass(frozen=True, eq=False)
class Operation:
    """One declared operation.

    `method` and `path` are the HTTP route; names in braces are arguments, `query` arguments go into the
    query although the request has a body, `headers` arguments into a header. `key` wraps a result that is
    no object. `keeps`: the result is a `Kept`, with status 201 if something is new, and a refusal is an
    error. `erases` says that bytes are erased: always, or if the argument `hard` is true. `errors` are
    statuses besides those that every operation has; 404 is implied if the path has arguments. `tail`: the
    argument in the path may contain slashes. `patch`: the arguments of `**` are changes, so that an omitted
    one is not None. `secret`: the result holds a secret, which is stored nowhere. `stream`: the result is
    lines of this media type, sent as they are generated. `handler` is the `module:function` below
    `holdfast.http` of a route that is written by hand. `prepare` changes the arguments before they are
    sent to a service; `next_page` returns the arguments of the next page from those of one page and its
    entries, or None after the last, for a `limit` of None, which fetches everything; `assemble` makes the
    result of all entries.
    """

    function: Callable[..., Any]
    method: str
    path: str
    need: Need
    changes: bool
    command: tuple[str, ...]
    tools: tuple[str, ...]
    why: str
    name: str
    key: str | tuple[str, str] | None = None
    keeps: bool = False
    status: int = 200
    errors: tuple[int, ...] = ()
    erases: Erases = None
    query: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Parameter] = field(default_factory=dict)
    tail: bool = False
    patch: bool = False
    secret: bool = False
    tag: str = ""
    stream: str | None = None
    prepare: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    handler: str | None = None
    next_page: Callable[[dict[str, Any], Any], dict[str, Any] | None] | None = None
    assemble: Callable[[list[Any]], Any] = list

    @property
    def permission(self) -> Permission:
        """Returns the permission that a credential needs for the operation."""
        return Permission(self.name, self.need, self.changes)

    @property
    def statuses(self) -> frozenset[int]:
        """Returns the error statuses besides those that every operation has."""
        return frozenset({*self.errors, 404} if "{" in self.path else self.errors)

    @property
    def attribute(self) -> str:
        """Returns the attribute of a memory that is the method, such as `facts.list`."""
        owner, _, method = self.function.__qualname__.rpartition(".")
        return method if owner == "Memory" else f"{owner.lower()}.{method}"

    @cached_property
    def signature(self) -> inspect.Signature:
        """Returns the parameters without `self`, with their types."""
        from holdfast.core.wire import hints_of

        hints = hints_of(self.function)
        shared = _shared_arguments(self.function)
        if shared is not None:
            hints |= hints_of(shared)
        _, *params = signature_of(self.function, patch=self.patch).parameters.values()
        return inspect.Signature(
            [parameter.replace(annotation=hints[parameter.name]) for parameter in params],
            return_annotation=hints["return"],
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(signature_of(self.function).parameters)

    def check_names(self, options: Mapping[str, Any]) -> None:
        """Raises TypeError for an argument that the method does not have, also in `**`."""
        if unknown := options.keys() - self._names:
            raise TypeError(f"{self.attribute}() got an unexpected keyword argument {min(unknown)!r}")

    def arguments(self, args: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments of a call by name, without those that were omitted. Raises TypeError."""
        self.check_names(options)
        signature = inspect.signature(self.function) if self.patch else signature_of(self.function)
        try:
            bound = signature.bind(None, *args, **options).arguments
        except TypeError as error:
            raise TypeError(f"{self.attribute}(): {error}") from None
        named: dict[str, Any] = {}
        for parameter in list(signature.parameters.values())[1:]:
            if parameter.name in bound:
                value = bound[parameter.name]
                named |= value if parameter.kind is parameter.VAR_KEYWORD else {parameter.name: value}
        return named


class Unset:
    """The default of an argument that changes nothing unless it is passed, even as None."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


def signature_of(function: Callable[..., Any], *, patch: bool = False) -> inspect.Signature:
    """Returns the signature of a function, with the arguments of the TypedDict of `**` one by one. Their
    default is None, or `UNSET` if they are a `patch`.
    """
    signature = inspect.signature(function)
    shared = _shared_arguments(function)
    if shared is None:
        return signature
    params = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    default = UNSET if patch else None
    params += [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint.__forward_arg__
        )
        for name, hint in shared.__annotations__.items()
    ]
    return signature.replace(parameters=params)


def _shared_arguments(function: Callable[..., Any]) -> type | None:
    """Returns the TypedDict of the `**` argument of a function, as in `**place: Unpack[Place]`."""
    hint = next(
        (annotation for annotation in function.__annotations__.values() if annotation.startswith("Unpack[")),
        None,
    )
    return None if hint is None else function.__globals__[hint[len("Unpack[") : -1]]


class Backend(Protocol):
    """A backend that runs operations: a service in this process, or one that is reached over HTTP."""

    @property
    def location(self) -> str: ...

    @property
    def lost(self) -> str | None:
        """Returns what acknowledged history is missing from the store; None if it is whole."""

    @property
    def service(self) -> Service:
        """Returns the service of this process. Raises InvalidInput `only_local` if the backend is remote."""

    def run(self, operation: Operation, memory: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """Runs one operation and returns its result. Raises HoldfastError."""

    def is_available(self, timeout: float) -> bool:
        """Returns whether memories can be read; of a service, whether it says so within so many seconds."""

    def as_user(self, user: str, agent: str | None) -> Backend:
        """Returns a backend for another user of the same store. Raises InvalidInput, AccessDenied."""

    def with_consent(self) -> Backend:
        """Returns a backend for what the user of an agent was asked about and has agreed to."""

    def close(self) -> None: ...


class Local:
    """A backend that calls the methods themselves. With `users`, it shares the store with the backend that
    opened it and leaves it open when it is closed."""

    def __init__(self, service: Service, users: Users | None = None) -> None:
        self.service = service
        self._opened = users is None
        self._users = users
        self._lock = threading.Lock()

    @property
    def location(self) -> str:
        """Returns the path or address of the store."""
        return self.service.store.location

    @property
    def lost(self) -> str | None:
        """Returns what acknowledged history is missing from the store; None if it is whole."""
        lost = self.service.store.lost
        return None if lost is None else lost.message

    def run(self, operation: Operation, memory: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """Runs the method. Raises Refusal `person_needed` for an agent that erases, AccessDenied for one of
        many users who share nothing that acts on the tenant as a whole."""
        if operation.need in OF_TENANT and self.service.is_apart:
            grant = Grant(self.service.principal, is_apart=True)
            authorise(grant, operation.permission, self.service.clock())
        if operation.erases is True or (operation.erases and operation.arguments(args, options).get("hard")):
            check_in_person(self.service.principal, "erases for good")
        operation.check_names(options)
        return operation.function(memory, *args, **options)

    def is_available(self, timeout: float) -> bool:
        """Returns whether the store can be read."""
        try:
            with self.service.store.read():
                return True
        except HoldfastError:
            return False

    def as_user(self, user: str, agent: str | None) -> Backend:
        """Returns a backend for another user of the same store. Raises InvalidInput, AccessDenied."""
        from holdfast.api.users import Users

        with self._lock:
            if self._users is None:
                self._users = Users(self.service)
        return Local(self._users.service(user, agent), self._users)

    def with_consent(self) -> Backend:
        """Returns a backend that acts as the agent whose user has agreed to what it does. It shares the store
        and leaves it open."""
        from holdfast.api.users import Users

        principal = replace(self.service.principal, agreed=True)
        return Local(self.service.acting_as(principal), self._users or Users(self.service))

    def close(self) -> None:
        """Writes pending data, and closes the store if this backend opened it."""
        from holdfast.features.recall import uses

        uses.flush(self.service)
        if self._opened:
            if self._users is not None:
                self._users.flush()
            self.service.store.close()


class Area:
    """Operations of one area over a backend."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @property
    def _service(self) -> Service:
        return self._backend.service


def operation(
    route: str,
    need: Need,
    *,
    command: str | Sequence[str] = (),
    tools: Sequence[str] = (),
    why: str = "",
    name: str | None = None,
    changes: bool | None = None,
    **options: Any,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declares a method as an operation. See `Operation` for the options.

    `route` is an HTTP method and a path below `/v1`, empty if the operation has none; `why` is the reason
    why an interface is missing. `changes` is false for an operation that only reads although it needs more
    than READ.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        method, _, path = route.partition(" ")
        owner, _, own_name = function.__qualname__.rpartition(".")
        declared = Operation(
            function, method, path, need,
            need is not Need.READ if changes is None else changes,
            (command,) if isinstance(command, str) else tuple(command),
            tuple(tools), why,
            name or (own_name if owner == "Memory" else f"{owner.lower()}.{own_name}"),
            **{"tag": "memories" if owner == "Memory" else owner.lower(), **options},
        )  # fmt: skip

        @wraps(function)
        def call(*args: P.args, **arguments: P.kwargs) -> R:
            memory = cast(Area, args[0])
            return cast(R, memory._backend.run(declared, memory, args[1:], arguments))

        call.operation = declared  # type: ignore[attr-defined]
        if _shared_arguments(function) is not None:
            call.__signature__ = signature_of(function, patch=declared.patch)  # type: ignore[attr-defined]
        return call

    return decorate
