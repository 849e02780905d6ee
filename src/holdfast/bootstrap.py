"""The composition root: from settings to a service over the store that they name."""

from __future__ import annotations

from holdfast import config
from holdfast.config import Settings
from holdfast.core.arguments import shown
from holdfast.core.errors import InvalidInput
from holdfast.core.places import Principal
from holdfast.embeddings.static import StaticEmbedder
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service, wall_clock
from holdfast.stores.base.backend import Administration, Indexes
from holdfast.stores.base.ports import Clock, Embedder
from holdfast.stores.base.registry import backend_of


def open_service(
    settings: Settings, *, embedder: Embedder | None = None, clock: Clock = wall_clock, create: bool = True
) -> Service:
    """Opens the configured store and returns a service over it. Raises StoreError if it cannot be opened, or
    without `create` if it does not exist: a mistyped path must not look like an empty store."""
    principal = Principal(
        user=checked_name(settings.user, "user"),
        agent=None if settings.agent is None else checked_name(settings.agent, "agent"),
    )
    opened = backend_of(settings.store).open(settings, create=create)
    service = Service(
        opened.store, embedder or StaticEmbedder(settings.dimensions), principal, clock,
        secret_entropy=settings.secret_entropy, topics=settings.topics,
        expiry_days=settings.expiry_days, pii_patterns=settings.pii_patterns,
        learning_trust=settings.learning_trust, spool=opened.spool, keys=opened.keys, replays=opened.replays,
    )  # fmt: skip
    return _watched(service) if config.wants_traces() else service


def prepare_database(address: str, *, application: str) -> int:
    """Brings the tables of a database to what this version needs, as their owner, and lets the role that
    serves use them; returns the schema. Raises InvalidInput, StoreError."""
    return _administration(address).prepare(address, application=application)


def index_database(address: str, *, above: int) -> Indexes:
    """Gives the pools of a tenant whose vectors take more than so many bytes in memory an index of the
    server, as the owner of the tables, and takes it from the others. Raises InvalidInput, StoreError."""
    return _administration(address).index(address, above=above)


def _administration(address: str) -> Administration:
    found = backend_of(address).administration
    if found is None:
        raise InvalidInput(
            f"{shown(address)} is no address of a database", code="argument_invalid",
            hint="a store in a file needs no preparation",
        )  # fmt: skip
    return found


def _watched(service: Service) -> Service:
    """Returns the service with spans, if their packages are installed: variables that other programs need
    must not break this one."""
    try:
        from holdfast import telemetry
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("holdfast"):
            raise
        return service
    return telemetry.watched(service)
