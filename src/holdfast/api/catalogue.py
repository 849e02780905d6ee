"""Catalogue of all operations: those declared beside their methods, and the few written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from holdfast.api.operation import MODULES, Area, Operation
from holdfast.features.access.access import Need, Permission


@dataclass(frozen=True, slots=True)
class Exceptional:
    """An operation that no method declares, and the reason: it streams, uploads, or has only one
    interface.
    """

    name: str
    need: Need
    why: str
    changes: bool = True
    command: tuple[str, ...] = ()
    route: str | None = None

    @property
    def permission(self) -> Permission:
        """Returns the permission that a credential needs for the operation."""
        return Permission(self.name, self.need, self.changes)


EXCEPTIONS = (
    Exceptional(
        "import", Need.IMPORTS, "an upload, as a job where it is large", True, ("import",), "POST /v1/import"
    ),
    Exceptional(
        "jobs.events", Need.JOBS, "a stream; other faces ask again", False, (), "GET /v1/jobs/{id}/events"
    ),
    Exceptional("stream", Need.READ, "of a running service, for its pages", False, (), "GET /v1/stream"),
    Exceptional("metrics", Need.MANAGE, "of a running service, for Prometheus", False, (), "GET /metrics"),
    Exceptional("folders.watch", Need.IMPORTS, "a service watches by itself", True, ("folders watch",)),
    Exceptional("models.key", Need.MANAGE, "in the keychain of one machine", True, ("models key",)),
)
"""Operations that are written by hand."""

OPEN_ROUTES = {
    "GET /health": "says only that the service runs",
    "GET /health/live": "says only that the service runs",
    "GET /health/ready": "says only that the store can be read",
}
"""Routes without authorisation, and why."""

COMMANDS_ONLY = {
    "try": "shows Holdfast at work on a store of its own",
    "eval": "measures recall on a set of your own",
    "completion": "completes words in a shell",
    "open": "opens the web interface in a browser",
    "serve": "starts the HTTP face",
    "worker": "does the jobs of a store",
    "agents": "writes hooks and the MCP face into clients' settings",
    "mcp": "starts the MCP face alone, and writes it into clients' settings",
    "projects here": "says which project a folder belongs to; a service has no folders of its clients",
    "described refresh": "reads sources of this machine, which a service does not have",
    "self": "looks at this installation, not at what is in a store",
    "encrypt": "changes the file of a store, not what is in it",
    "rekey": "changes the file of a store, not what is in it",
    "decrypt": "changes the file of a store, not what is in it",
    "login": "chooses the store, and holds no memory",
    "logout": "chooses the store, and holds no memory",
    "migrate": "moves memories between two stores, by who may read both anyway",
    "store": "prepares the database of a team, and holds no memory",
    "tenants": "says where tenants are, as their administrator, and holds no memory",
}
"""Commands that are no operation on a memory, with all below them, and why."""

METHODS_ONLY = {
    "Memory.over": "makes a memory over a service",
    "Memory.on": "makes a memory over a backend",
    "Memory.as_user": "acts as another user of an opened store; a service knows who acts from the API key",
    "Memory.with_consent": "acts as the same agent once its user has agreed; a credential cannot state that",
    "Memory.close": "lets go of the store",
    "Memory.is_available": "asks a service for `GET /health/ready`",
    "Memory.reconcile": "reads a source where it is, then `Described.apply`",
    "Described.scan": "reads a source where it is, then `Described.apply`",
    "Described.scan_all": "reads sources where they are, then `Described.apply`",
    "Described.refresh": "reads sources where they are, then `Described.apply`",
    "Maps.scan": "scans a folder where its files are, then `Maps.merge`",
    "Sessions.move": "`Sessions.update` with a project",
}
"""Methods that are no operation of their own, and why."""


@cache
def areas() -> Mapping[str, type[Area]]:
    """Returns the classes that declare operations, `Memory` first, by their attribute on a memory."""
    classes = {}
    for module in MODULES:
        name = module.capitalize()
        classes[module] = getattr(import_module(f"holdfast.api.{module}"), name)
    return classes


@cache
def operations() -> Mapping[str, Operation]:
    """Returns all declared operations by name, in the order of their declaration."""
    by_name: dict[str, Operation] = {}
    for cls in areas().values():
        for member in vars(cls).values():
            declared = getattr(member, "operation", None)
            if isinstance(declared, Operation):
                by_name[declared.name] = declared
    return by_name


@cache
def permissions() -> Mapping[str, Permission]:
    """Returns the permission that each operation needs, by name."""
    declared = {name: operation.permission for name, operation in operations().items()}
    return declared | {exception.name: exception.permission for exception in EXCEPTIONS}
