"""Changes of a tenant since a snapshot: found by the versions of its rows, and put into its copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from psycopg import errors

from holdfast.core.errors import Damaged
from holdfast.stores.base.rows import Row, Table, Tally
from holdfast.stores.postgres.connection import Connection
from holdfast.stores.postgres.sql import statements
from holdfast.stores.postgres.tenant_rows import (
    ServerTable,
    begin_sealing,
    put_numbers,
    server_tables,
    tenant_numbers,
)

COUNTED = ("passages", "vectors")
"""Tables of whose rows the seal has only the number."""
ZONED = ("replays",)
"""Tables whose digests depend on the time zone of the server."""


@dataclass(slots=True)
class Change:
    """The changes of a table: rows that were written, and keys of rows that are gone."""

    table: ServerTable
    rows: list[Row]
    deleted: list[Row] = field(default_factory=list)


def position(connection: Connection) -> str:
    """Returns the position of a snapshot: what it does not hold was written by the transaction of this
    number, or by a later one."""
    row = connection.execute(statements("tenant_moves.sql")["position"].query).fetchone()
    assert row is not None
    return str(row[0])


def bring_up_to_date(source: Connection, copy: Connection, since: str, label: str) -> int:
    """Puts what changed in a tenant since a position into its copy, in the transactions of both; returns the
    number of rows.

    Each row is read again and compared. Then the seals of both agree, which are kept with every write:
    nothing was missed. Raises Damaged.
    """
    begin_sealing(copy)
    tally, now, then = Tally(), seals(source), seals(copy)
    changes = []
    for table in server_tables(copy):
        if table.name in COUNTED or now.get(table.name) != then.get(table.name):
            (written,) = tally.counting([_written(table, source, copy, since)])
            changes.append(Change(table, list(written.rows)))
    for change in changes:
        name = change.table.name
        more = now.get(name, (0, 0))[0] - then.get(name, (0, 0))[0]
        if more != len(change.rows) - _count_replaced(copy, change):
            stay = set(source.execute(change.table.read_keys.encode()))
            there = copy.execute(change.table.read_keys.encode())
            change.deleted = [key for key in there if key not in stay]
    blocked = [change for change in reversed(changes) if not _deleted(copy, change)]
    for change in changes:
        if change.rows:
            change.table.put(copy, change.rows)
    for change in blocked:
        _delete(copy, change)
    _follow_pools(copy, changes)
    tally.check(
        (change.table.some_rows(copy, change.table.keys_of(change.rows)) for change in changes), label
    )
    _check_seals(now, seals(copy), label)
    numbers = tenant_numbers(source)
    assert numbers is not None
    put_numbers(copy, *numbers)
    return sum(len(change.rows) + len(change.deleted) for change in changes)


def seals(connection: Connection) -> dict[str, tuple[int, int]]:
    """Returns the seal of each table of a tenant: the number of its rows, and the exclusive or of their
    digests."""
    rows = connection.execute(statements("tenant_moves.sql")["sealed"].query).fetchall()
    return {name: (count, digest) for name, count, digest in rows if count or digest}


def _written(table: ServerTable, source: Connection, copy: Connection, since: str) -> Table:
    """Returns the rows that were written since a position and that the copy lacks. A transaction of anybody
    on the server, for as long as it lasts, keeps a position where it began."""
    recent = table.rows_since(source, since)
    rows = list(recent.rows)
    there = set(table.some_rows(copy, table.keys_of(rows)).rows) if rows else set()
    return replace(recent, rows=[row for row in rows if row not in there])


def _follow_pools(copy: Connection, changes: list[Change]) -> None:
    """Puts the vectors of memories that were moved into their pools."""
    for change in changes:
        if change.table.name == "memories" and change.rows:
            place = change.table.columns.index("number")
            numbers = [row[place] for row in change.rows]
            copy.execute(statements("tenant_moves.sql")["follow_pools"].query, {"memories": numbers})


def _count_replaced(copy: Connection, change: Change) -> int:
    """Returns how many of the rows that were written take the place of others."""
    if not change.rows:
        return 0
    keys = change.table.keys_of(change.rows)
    return len(copy.execute(change.table.read_some_keys.encode(), (keys,)).fetchall())


def _delete(copy: Connection, change: Change) -> None:
    if change.deleted:
        keys = change.table.as_keys(change.deleted)
        copy.execute(change.table.delete_some.encode(), (keys,))


def _deleted(copy: Connection, change: Change) -> bool:
    """Deletes the rows that are gone; returns false if rows refer to them that are replaced later."""
    sql = statements("tenant_moves.sql")
    copy.execute(sql["try_deleting"].query)
    try:
        _delete(copy, change)
    except errors.ForeignKeyViolation:
        copy.execute(sql["give_up_deleting"].query)
        return False
    copy.execute(sql["end_deleting"].query)
    return True


def _check_seals(
    now: Mapping[str, tuple[int, int]], there: Mapping[str, tuple[int, int]], label: str
) -> None:
    """Raises Damaged `store_damaged` if the counts or digests of the tables differ."""
    differing = [
        name
        for name in sorted({*now, *there})
        if now.get(name) != there.get(name)
        if name not in ZONED or now.get(name, (0, 0))[0] != there.get(name, (0, 0))[0]
    ]
    if differing:
        raise Damaged(
            f"{label} does not hold what was written: {', '.join(differing)}", code="store_damaged",
            hint="the tenant stays where it is; run `holdfast doctor` on it, then move it again",
        )  # fmt: skip
