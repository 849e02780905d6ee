"""Seals: keyed digests over all rows of each table of a tenant, by which foreign changes are noticed.

The seal of a table is the exclusive or of the digests of its rows. Triggers keep it, with the key that each
of our transactions sets beside the tenant; who changes rows without it leaves them without a seal.
"""

from __future__ import annotations

from collections.abc import Iterator

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


def seal_all(connection: Connection) -> None:
    """Seals all tables of the tenant as they are, in the transaction of the caller."""
    sql = statements("seals.sql")
    connection.execute(sql["clear"].query)
    for table, (rows, digest) in _present(connection):
        connection.execute(sql["change"].query, {"name": table, "rows": rows, "digest": digest})


def broken(connection: Connection) -> Iterator[str]:
    """Yields a description of each table whose rows are not those that were written."""
    sql = statements("seals.sql")
    if connection.execute(sql["is_in_force"].query).fetchone() != (True,):
        yield "the key of the seals is missing or another, so changes made by others cannot be noticed"
        return
    rows = connection.execute(sql["all"].query).fetchall()
    stored = {table: (count, digest) for table, count, digest in rows}
    for table, now in _present(connection):
        was = stored.pop(table, (0, 0))
        if now != was:
            yield (
                f"rows of {table} were changed, added or removed outside of Holdfast:"
                f" {was[0]:,} were written, {now[0]:,} are there"
            )
    for table in stored:
        yield f"the table {table} was sealed and is gone"


def _present(connection: Connection) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yields each sealed table with its rows and the digest of them."""
    for table, read in connection.execute(statements("seals.sql")["tables"].query).fetchall():
        row = connection.execute(str(read).encode()).fetchone()
        assert row is not None
        yield table, (row[0], row[1])
