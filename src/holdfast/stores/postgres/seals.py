"""Seals: keyed digests over all rows of each table of a tenant, by which foreign changes are noticed.

The seal of a table is the exclusive or of the digests of its rows. Triggers keep it, with the key that each
of our transactions sets beside the tenant; who changes rows without it leaves them without a seal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from holdfast.stores.postgres.connection import Connection
from holdfast.stores.postgres.sql import statements


def seal_key(connection: Connection) -> str:
    """Returns the key of the tenant, made once."""
    sql = statements("seals.sql")
    row = connection.execute(sql["key"].query).fetchone()
    return "" if row is None else str(row[0])


def make_key(connection: Connection) -> None:
    """Makes the key of a new tenant."""
    connection.execute(statements("seals.sql")["make_key"].query)


def seal_all(connection: Connection, *, foreign: Collection[str] = ()) -> None:
    """Seals all tables of the tenant as they are, in the transaction of the caller; those of `foreign`, which
    others had changed before, so that this stays noticed."""
    sql = statements("seals.sql")
    connection.execute(sql["clear"].query)
    for table, (rows, digest) in _present(connection):
        sealed = {"name": table, "rows": rows, "digest": digest ^ (table in foreign)}
        connection.execute(sql["change"].query, sealed)


def hold_tenants(connection: Connection) -> list[str]:
    """Returns the names of all tenants, and keeps others from using or making one until the transaction ends.

    Who uses a tenant reads its row first, too, so neither waits for what the other has.
    """
    names = statements("tenant_rows.sql")
    connection.execute(names["unbind_tenants"].query)
    tenants = [str(row[0]) for row in connection.execute(names["tenant_names"].query)]
    connection.execute(statements("seals.sql")["bind_tenants"].query)
    return tenants


def foreign_tables(
    connection: Connection, tenants: Iterable[str], *, path: str, role: str
) -> dict[str, frozenset[str]]:
    """Returns for each tenant the tables whose rows are not those that were written."""
    entered = _each_tenant(connection, tenants, path=path, role=role)
    return {tenant: frozenset(table for table, _, _ in _changed(connection)) for tenant in entered}


def seal_tenants(
    connection: Connection, foreign: Mapping[str, Collection[str]], *, path: str, role: str
) -> None:
    """Seals all tables of these tenants as they are, in the transaction of the caller; what others changed
    in them before that stays noticed."""
    for tenant in _each_tenant(connection, foreign, path=path, role=role):
        seal_all(connection, foreign=foreign[tenant])


def _each_tenant(connection: Connection, tenants: Iterable[str], *, path: str, role: str) -> Iterator[str]:
    """Yields each tenant while the connection is in it.

    For one whom no policy binds, all rows would be those of each tenant: `role`, which is bound, acts there.
    """
    act_as, enter = statements("seals.sql")["act_as"].query, statements("connecting.sql")["enter"].query
    is_bound = connection.execute(statements("tenant_rows.sql")["is_bound"].query).fetchone() == (True,)
    if not is_bound:
        connection.execute(act_as, {"role": role})
    values: dict[str, str | None] = {"path": path, "patience": "0", "idle": None}
    for tenant in tenants:
        connection.execute(enter, values | {"tenant": tenant, "seal": None})
        connection.execute(enter, values | {"tenant": tenant, "seal": seal_key(connection)})
        yield tenant
    if not is_bound:
        connection.execute(act_as, {"role": "none"})


def broken(connection: Connection) -> Iterator[str]:
    """Yields a description of each table whose rows are not those that were written."""
    sql = statements("seals.sql")
    if connection.execute(sql["is_in_force"].query).fetchone() != (True,):
        yield "the key of the seals is missing or another, so changes made by others cannot be noticed"
        return
    for table, was, now in _changed(connection):
        if now is None:
            yield f"the table {table} was sealed and is gone"
        else:
            yield (
                f"rows of {table} were changed, added or removed outside of Holdfast:"
                f" {was:,} were written, {now:,} are there"
            )


def _changed(connection: Connection) -> Iterator[tuple[str, int, int | None]]:
    """Yields each table whose rows are not those that were written, with their number as written and now;
    None where the table is gone."""
    rows = connection.execute(statements("seals.sql")["all"].query).fetchall()
    stored = {table: (count, digest) for table, count, digest in rows}
    for table, now in _present(connection):
        was = stored.pop(table, (0, 0))
        if now != was:
            yield table, was[0], now[0]
    for table, (count, _) in stored.items():
        yield table, count, None


def _present(connection: Connection) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yields each sealed table with its rows and the digest of them."""
    for table, read in connection.execute(statements("seals.sql")["tables"].query).fetchall():
        row = connection.execute(str(read).encode()).fetchone()
        assert row is not None
        yield table, (row[0], row[1])
