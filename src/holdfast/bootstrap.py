"""The composition root: from settings to a service over the store that they name."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast import config
from holdfast.config import Settings
from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.places import Principal
from holdfast.core.storage import MB, Quotas
from holdfast.embeddings.static import StaticEmbedder
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service, no_backups
from holdfast.stores.base.backend import Administration, Indexes
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.ports import Clock, Embedder, Store
from holdfast.stores.base.registry import backend_of

if TYPE_CHECKING:
    from holdfast.stores.base.backend import Copies
    from holdfast.stores.base.backup_files import BackupPlace

STATIC, NEURAL = "static", "neural"
"""The name of the built-in embedder in the settings."""


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
    quotas = Quotas(
        settings.quota_memories, settings.quota_mb * MB,
        settings.quota_store_memories, settings.quota_store_mb * MB,
    )  # fmt: skip
    service = Service(
        _bounded(opened.store, quotas), embedder or StaticEmbedder(settings.dimensions), principal, clock,
        secret_entropy=settings.secret_entropy, topics=settings.topics,
        expiry_days=settings.expiry_days, pii_patterns=settings.pii_patterns,
        learning_trust=settings.learning_trust, sharing=settings.sharing,
        tidy=settings.tidy, names=settings.names,
        system_prompt=settings.system_prompt, quotas=quotas,
        model_addresses=settings.model_addresses, model_key_files=settings.model_key_files,
        spool=opened.spool, keys=opened.keys, replays=opened.replays,
        backup_place=partial(backup_place, settings),
    )  # fmt: skip
    if embedder is None and settings.embedder != STATIC:
        service.embedder = _embedder(settings.embedder, settings, service)
    if embedder is None and settings.embedder_next not in (None, settings.embedder):
        service.next_embedder = _embedder(settings.embedder_next, settings, service)
    return _watched(service) if config.wants_traces() else service


def _embedder(name: str, settings: Settings, service: Service) -> Embedder:
    """Returns the embedder that a setting names. Raises InvalidInput `config_invalid`, NotFound."""
    kind, _, which = name.partition(":")
    if name == STATIC:
        return StaticEmbedder(settings.dimensions)
    if name == NEURAL:
        from holdfast.embeddings.neural import NeuralEmbedder

        return NeuralEmbedder(settings.dimensions)
    if kind == "onnx" and which:
        from holdfast.embeddings.onnx import OnnxEmbedder

        return OnnxEmbedder(config.path_of(which, "embedder"))
    if kind == "sentence-transformers" and which:
        from holdfast.embeddings.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(which)
    if kind == "model" and which:
        from holdfast.features.models.embedding import RemoteEmbedder

        return RemoteEmbedder(service, which)
    raise InvalidInput(
        f"there is no embedder {safe_repr(name)}", code="config_invalid",
        hint="static, neural, onnx:FOLDER, sentence-transformers:NAME or model:NAME",
    )  # fmt: skip


def backup_place(settings: Settings, to: str | Path | None = None) -> BackupPlace:
    """Returns where the backups of a store are: in the named folder or bucket, that of the settings, or the
    folder `backups` beside a file. Raises InvalidInput, `backup_folder_missing` if there is none."""
    import tempfile

    from holdfast.stores.base.backup_addresses import location_of
    from holdfast.stores.base.backup_files import BackupPlace

    home = copies_of(settings).home(settings)
    to = settings.backup_folder if to is None else to
    if to is None and home.file is not None:
        to = home.file.parent / "backups"
    if to is None:
        raise InvalidInput(
            "the folder for backups of a database is not named", code="backup_folder_missing",
            hint="name it with --to or in the setting backup_folder (HOLDFAST_BACKUP_FOLDER)",
        )  # fmt: skip
    # what is of a file stays on its disk
    scratch = Path(tempfile.gettempdir()) if home.file is None else home.file.parent
    return BackupPlace(location_of(to), home.name, settings.backup_days, home.stem, scratch)


def copies_of(settings: Settings) -> Copies:
    """Returns how a kind of store is copied. Raises InvalidInput if Holdfast makes no backups of it."""
    copies = backend_of(settings.store).copies
    if copies is None:
        raise no_backups()
    return copies


def prepare_database(settings: Settings, *, application: str) -> int:
    """Brings the tables of the configured database to what this version needs, as their owner, after a backup
    of each tenant, and lets the role that serves use them; returns the schema. Raises InvalidInput,
    StoreError."""
    return _administration(settings.store).prepare(settings, application=application)


def index_database(address: str, *, above: int) -> Indexes:
    """Gives the pools of a tenant whose vectors take more than so many bytes in memory an index of the
    server, as the owner of the tables, and takes it from the others. Raises InvalidInput, StoreError."""
    return _administration(address).index(address, above=above)


def _administration(address: str) -> Administration:
    """Returns what prepares and indexes the database at an address. Raises InvalidInput for a store that is
    no database."""
    administration = backend_of(address).administration
    if administration is None:
        raise InvalidInput(
            f"{safe_repr(address)} is not the address of a database", code="argument_invalid",
            hint="a store in a file needs no preparation",
        )  # fmt: skip
    return administration


def _bounded(store: Store, quotas: Quotas) -> Store:
    """Returns the store with its quotas, if it has any."""
    if not quotas:
        return store
    from holdfast.features.access.quota_store import QuotaStore

    return QuotaStore(store, quotas)


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
