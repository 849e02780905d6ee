"""The PostgreSQL backend: its addresses, and opening a tenant if the extra is installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import unquote

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.core.extras import how_to_install
from holdfast.stores.base.backend import Engine, Indexes, Moved, Opened, Schema

if TYPE_CHECKING:
    from holdfast.stores.base.tenant_copies import TenantCopies
    from holdfast.stores.base.tenant_moves import TenantMoves


class PostgresBackend:
    """The backend in which a store is a tenant of a database; spool and keys are rows of the tenant."""

    encryption = None

    @property
    def copies(self) -> TenantCopies:
        with _needs_extra():
            from holdfast.stores.base.tenant_copies import TenantCopies
            from holdfast.stores.postgres.tenant_rows import TenantRows
        return TenantCopies(TenantRows())

    @property
    def moves(self) -> TenantMoves:
        with _needs_extra():
            from holdfast.stores.postgres.tenant_moves import PostgresTenantMoves
        return PostgresTenantMoves()

    @property
    def administration(self) -> PostgresBackend:
        return self

    def open(self, settings: Settings, *, create: bool = True) -> Opened:
        if settings.key or settings.key_file:
            raise InvalidInput(
                "Holdfast does not encrypt a store in PostgreSQL", code="config_invalid",
                hint="let the server encrypt its disk, and set no key for this store",
            )  # fmt: skip
        with _needs_extra():
            from holdfast.stores.postgres.spool_and_keys import PostgresKeys, PostgresReplays, PostgresSpool
            from holdfast.stores.postgres.store import PostgresStore
            from holdfast.stores.postgres.tenant import Tenant
        tenant = Tenant(settings.store, create=create)
        store = PostgresStore(tenant, cache_bytes=settings.cache_mb * 1024 * 1024)
        return Opened(store, PostgresSpool(tenant), PostgresKeys(tenant), PostgresReplays(tenant))

    def engine(self) -> Engine:
        with _needs_extra():
            import psycopg
        version, rest = divmod(psycopg.pq.version(), 10_000)
        return Engine(f"psycopg {psycopg.__version__}, libpq {version}.{rest}")

    def schema(self, settings: Settings) -> Schema | None:
        with _needs_extra():
            from holdfast.stores.postgres.migrate import schema_of
        return schema_of(settings.store)

    def prepare(self, settings: Settings, *, application: str) -> int:
        with _needs_extra():
            from holdfast.stores.postgres.migrate import migrate

        def save(schema: int) -> None:
            self.copies.save_before("migration", settings, schema=schema, role=application)

        return migrate(settings.store, application=application, before=save)

    def index(self, address: str, *, above: int) -> Indexes:
        with _needs_extra():
            from holdfast.stores.postgres.ann_index import make_indexes
        return make_indexes(address, above=above)

    def makes_file(self, location: str) -> bool:
        return False

    def without_password(self, location: str) -> str:
        """Parses an address as libpq does, which ends a password at the first "@"."""
        scheme, _, rest = location.partition("://")
        user, at, left = rest.partition("@")
        if at and "/" not in user:
            rest = user.partition(":")[0] + at + left
        place, separator, query = rest.partition("?")
        if "@" in (place.partition("@")[2] if at and "/" not in user else place):
            raise InvalidInput(
                "the address cannot be read: write @ and / in a password as %40 and %2F",
                code="argument_invalid",
            )
        pairs = [
            pair
            for pair in query.split("&")
            if unquote(pair.partition("=")[0]).strip() not in ("password", "sslpassword")
        ]
        return f"{scheme}://{place}" + (separator + "&".join(pairs) if any(pairs) else "")

    def from_anywhere(self, location: str) -> str:
        return self.without_password(location)

    def moved(self, location: str) -> Moved | None:
        return None

    def note_moved(self, location: str, moved: Moved) -> None:
        """Does nothing: a database has no place for a note that is read before it is opened."""


@contextmanager
def _needs_extra() -> Iterator[None]:
    """Names the extra where an import fails because it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("holdfast"):
            raise
        raise InvalidInput(
            f"a store in PostgreSQL needs the package {error.name}", code="extra_missing",
            hint=how_to_install("postgres"),
        ) from error  # fmt: skip


BACKEND = PostgresBackend()
