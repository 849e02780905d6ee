"""Moves of tenants between servers: copied while they are written, and marked where each of both is used."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.core.errors import Conflict, Damaged, InvalidInput, StoreBusy, StoreError
from holdfast.stores.base.rows import Contents, Tally
from holdfast.stores.base.tenant_moves import TenantState, moved_error
from holdfast.stores.postgres.connection import Address, Connection, address
from holdfast.stores.postgres.sql import statements
from holdfast.stores.postgres.tenant import FROM, PART, TO
from holdfast.stores.postgres.tenant_changes import bring_up_to_date, position, seals
from holdfast.stores.postgres.tenant_rows import (
    TenantRows,
    commit,
    contents_of,
    delete_rows,
    server_tables,
    tenant_transaction,
)

if TYPE_CHECKING:
    from holdfast.config import Settings

_COPY = re.compile(f"({FROM}|{PART})(\\d*):(.*)", re.DOTALL)
"""The mark of a copy: whether it is whole, the position of the snapshot that it holds, and its server."""
FEW = 1_000
"""Rows that may have changed in the last round, for which writers wait."""
ROUNDS = 30
"""Rounds after which a tenant is written faster than it is copied."""


class PostgresTenantMoves:
    """Moves between two PostgreSQL servers.

    A copy is marked with the position of the snapshot that it holds, in the transaction that brings it there,
    so that another run goes on from it.
    """

    def __init__(self) -> None:
        self._rows = TenantRows()

    def state(self, settings: Settings) -> TenantState:
        with tenant_transaction(address(settings.store), "begin_reading") as connection:
            row = connection.execute(statements("tenant_moves.sql")["state"].query).fetchone()
        if row is None:
            return TenantState(False)
        mark, memories = str(row[0] or ""), int(row[1])
        if copied := _COPY.fullmatch(mark):
            return TenantState(True, memories, copied_from=copied[3], can_resume=bool(copied[2]))
        return TenantState(True, memories, mark.removeprefix(TO) or None)

    def move(
        self,
        source: Settings,
        target: Settings,
        *,
        here: str,
        there: str,
        resume: bool,
        before: Callable[[str], None],
    ) -> dict[str, int]:
        origin, copy = address(source.store), address(target.store)
        if not resume:
            before("copy")
            self._copy(source, target, here)
        try:
            for _ in range(ROUNDS):
                before("catch up")
                with tenant_transaction(origin, "begin_reading") as snapshot:
                    if _catch_up(snapshot, copy, here) <= FEW:
                        break
            else:
                raise StoreBusy(
                    f"{origin.location} is written faster than it is copied", code="store_busy",
                    hint="run it again when few write: what was copied stays, unused",
                )  # fmt: skip
            before("hold")
            with tenant_transaction(origin, "begin_writing") as holding:
                _hold(holding, origin.location)
                before("finish")
                _catch_up(holding, copy, here, is_final=True)
                before("switch")
                _mark(holding, TO + there)
                rows = {name: count for name, (count, _) in seals(holding).items()}
                commit(holding, origin)
        except (Damaged, Conflict) as error:
            with tenant_transaction(copy, "begin_writing") as connection:
                _mark(connection, f"{PART}:{here}")  # without a position: the next run copies it anew
                commit(connection, copy)
            if isinstance(error, Damaged):
                raise
            raise StoreError(
                f"what changed in {origin.location} was not taken by its copy", code="store_io",
                hint="run it again: it is copied anew",
            ) from error  # fmt: skip
        before("settle")
        self.settle(target, here=here)
        return rows

    def settle(self, target: Settings, *, here: str) -> None:
        parsed = address(target.store)
        with tenant_transaction(parsed, "begin_writing") as connection:
            sql = statements("tenant_moves.sql")
            connection.execute(sql["settle"].query, {"here": here})
            if connection.execute(sql["hold"].query).fetchone() != (None,):
                raise StoreError(
                    f"{parsed.location} has no whole copy of the tenant that was moved from {here}",
                    code="store_unavailable", hint="check the address of the server in the directory",
                )  # fmt: skip
            commit(connection, parsed)

    def drop(self, settings: Settings, *, is_marked: bool) -> None:
        parsed, sql = address(settings.store), statements("tenant_moves.sql")
        self._rows.check_replaceable(settings)
        with tenant_transaction(parsed, "begin_writing") as connection:
            row = connection.execute(sql["hold"].query).fetchone()
            if row is None:
                return
            if row[0] is None:
                raise InvalidInput(
                    f"{parsed.location} is in use", code="argument_invalid", hint="only a copy is dropped"
                )
            delete_rows(connection)
            for name in ("drop_secrets", "drop_seals", *(() if is_marked else ("drop_tenant",))):
                connection.execute(sql[name].query)
            commit(connection, parsed)

    def _copy(self, source: Settings, target: Settings, here: str) -> None:
        """Copies a snapshot, in one transaction of the target; nobody waits for it."""
        origin, tally = address(source.store), Tally()
        with tenant_transaction(origin, "begin_reading") as snapshot:
            since, contents = position(snapshot), contents_of(snapshot, origin, everything=True)
            counted = Contents(
                contents.numbers, contents.digest_key, tally.counting(contents.tables), secret=contents.secret
            )
            self._rows.fill(target, counted, change=None, mark=f"{PART}{since}:{here}")
        # a planner that does not know of the tenant would go through its rows once for each key
        with tenant_transaction(address(target.store), "begin_writing") as connection:
            tables = server_tables(connection)
            connection.execute("COMMIT")
            for table in tables:
                connection.execute(table.analyze.encode())


def _catch_up(source: Connection, copy: Address, here: str, *, is_final: bool = False) -> int:
    """Brings a copy up to date with what a snapshot holds; `is_final` if nothing is written after that.
    Returns the number of rows that had changed. Raises Damaged."""
    with tenant_transaction(copy, "begin_writing") as connection:
        row = connection.execute(statements("tenant_moves.sql")["hold"].query).fetchone()
        copied = None if row is None else _COPY.fullmatch(str(row[0]))
        if copied is None or copied[3] != here:
            raise StoreError(
                f"{copy.location} has no copy of the tenant from {here}", code="store_unavailable",
                hint="see where it is: holdfast tenants list",
            )  # fmt: skip
        now = position(source)
        changed = bring_up_to_date(source, connection, copied[2], copy.location)
        _mark(connection, f"{FROM if is_final else PART}{now}:{here}")
        commit(connection, copy)
    return changed


def _mark(connection: Connection, mark: str) -> None:
    connection.execute(statements("tenant_rows.sql")["mark"].query, {"moved": mark})


def _hold(connection: Connection, location: str) -> None:
    """Takes the row of a tenant, so that nobody else writes. Raises StoreMoved, StoreError."""
    row = connection.execute(statements("tenant_moves.sql")["hold"].query).fetchone()
    if row is None:
        raise StoreError(
            f"there is no tenant at {location}", code="store_unavailable", hint="check the address"
        )
    if row[0] is not None:
        raise moved_error(location, to=str(row[0]).removeprefix(TO))
