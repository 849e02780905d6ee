"""Moves of tenants between servers: one transaction at each, and a mark that says which of both is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput, StoreError
from holdfast.stores.base.moving import Marked, moved
from holdfast.stores.base.rows import Contents, Tally
from holdfast.stores.postgres.connection import Connection, address
from holdfast.stores.postgres.sql import statements
from holdfast.stores.postgres.tenant import FROM, TO
from holdfast.stores.postgres.tenant_rows import TenantRows, commit, delete_rows, entered

if TYPE_CHECKING:
    from holdfast.config import Settings


class PostgresMoves:
    """Moves between two PostgreSQL servers."""

    def __init__(self) -> None:
        self._rows = TenantRows()

    def marked(self, settings: Settings) -> Marked:
        with entered(address(settings.store), "begin_reading") as connection:
            row = connection.execute(statements("tenant_rows.sql")["marked"].query).fetchone()
        if row is None:
            return Marked(False)
        mark = str(row[0] or "")
        return Marked(
            True,
            int(row[1]),
            mark.removeprefix(TO) if mark.startswith(TO) else None,
            mark.removeprefix(FROM) if mark.startswith(FROM) else None,
        )

    def move(
        self, source: Settings, target: Settings, *, here: str, there: str, before: Callable[[str], None]
    ) -> dict[str, int]:
        given, tally = address(source.store), Tally()
        with entered(given, "begin_writing") as holding:
            before("hold")
            _hold(holding, given.location)
            with self._rows.reading(source, whole=True) as contents:
                before("copy")
                counted = Contents(
                    contents.numbers, contents.digest_key, tally.counted(contents.tables),
                    secret=contents.secret,
                )  # fmt: skip
                self._rows.fill(target, counted, change=None, mark=FROM + here)
            before("switch")
            holding.execute(statements("tenant_rows.sql")["mark"].query, {"moved": TO + there})
            commit(holding, given)
        before("settle")
        self.settle(target, here=here)
        return {name: rows for name, (rows, _) in tally.tables.items()}

    def settle(self, target: Settings, *, here: str) -> None:
        given = address(target.store)
        with entered(given, "begin_writing") as connection:
            sql = statements("tenant_rows.sql")
            connection.execute(sql["settle"].query, {"moved": FROM + here})
            if connection.execute(sql["hold"].query).fetchone() != (None,):
                raise StoreError(
                    f"{given.location} has no copy of the tenant that was moved from {here}",
                    code="store_unavailable", hint="check the address of the server in the directory",
                )  # fmt: skip
            commit(connection, given)

    def drop(self, settings: Settings, *, is_marked: bool) -> None:
        given, sql = address(settings.store), statements("tenant_rows.sql")
        self._rows.check_replaceable(settings)
        with entered(given, "begin_writing") as connection:
            row = connection.execute(sql["hold"].query).fetchone()
            if row is None:
                return
            if row[0] is None:
                raise InvalidInput(
                    f"{given.location} is in use", code="argument_invalid", hint="only a copy is dropped"
                )
            delete_rows(connection)
            for name in ("drop_secrets", "drop_seals", *(() if is_marked else ("drop_tenant",))):
                connection.execute(sql[name].query)
            commit(connection, given)


def _hold(connection: Connection, location: str) -> None:
    """Takes the row of a tenant, so that nobody else writes. Raises StoreMoved, StoreError."""
    row = connection.execute(statements("tenant_rows.sql")["hold"].query).fetchone()
    if row is None:
        raise StoreError(
            f"there is no tenant at {location}", code="store_unavailable", hint="check the address"
        )
    if row[0] is not None:
        raise moved(location, to=str(row[0]).removeprefix(TO))
