"""The rows of one tenant: read in one snapshot, put back in one transaction, under row-level security."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import groupby, islice
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

import numpy as np
import psycopg

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput, StoreBusy, StoreError
from holdfast.stores.base.backend import Home
from holdfast.stores.base.rows import Contents, Numbers, Row, Table, Tally
from holdfast.stores.postgres.connection import (
    BUSY_TIMEOUT,
    CONNECT_TIMEOUT,
    Address,
    Connection,
    Reals,
    address,
    address_of,
    cannot_open,
    configure,
    connection_lost,
    database,
    translated,
)
from holdfast.stores.postgres.migrate import check_version, current_version, search_path
from holdfast.stores.postgres.seals import make_key, seal_key
from holdfast.stores.postgres.sql import statements
from holdfast.stores.postgres.tenant import check_here

BATCH = 500
"""Rows that are read or written at a time."""
BESIDE = ("keys", "replays", "spool")
"""Tables of what lies next to a store in a file: keys, answers to repeat, payloads of jobs."""
VECTORS = "vectors"
"""The table whose rows hold what JSON does not."""
_UNUSUAL = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class ServerTable:
    """A table of the schema with the statements for its rows of the tenant (`tables` in tenant_rows.sql)."""

    name: str
    columns: list[str]
    read: str
    add: str
    delete: str
    key: list[str]
    read_since: str
    read_keys: str
    read_some: str
    read_some_keys: str
    delete_some: str
    analyze: str
    replace: str

    def rows(self, connection: Connection) -> Table:
        """Returns all rows of the tenant, which are read when they are asked for."""
        return self._table(connection, self.read, ())

    def rows_since(self, connection: Connection, position: str) -> Table:
        """Returns the rows that were written since the position of an earlier snapshot, and maybe others."""
        return self._table(connection, self.read_since, (position,))

    def some_rows(self, connection: Connection, keys: str) -> Table:
        """Returns the rows of some keys."""
        return self._table(connection, self.read_some, (keys,))

    def keys_of(self, rows: Iterable[Row]) -> str:
        """Returns the keys of rows as JSON."""
        places = [self.columns.index(name) for name in self.key]
        return self.as_keys(tuple(row[place] for place in places) for row in rows)

    def as_keys(self, keys: Iterable[Row]) -> str:
        """Returns keys as JSON."""
        return json.dumps([dict(zip(self.key, key, strict=True)) for key in keys])

    def insert(self, connection: Connection, rows: Iterable[Row]) -> None:
        """Adds rows, some hundred at a time."""
        for number, batch in enumerate(_batches(rows), 1):
            if number & (number - 1) == 0:  # a plan for a small table would scan a large one for each row
                connection.execute(statements("writing.sql")["plan_anew"].query)
            if self.name == VECTORS:
                _add_vectors(connection, self.columns, batch)
            else:
                connection.execute(self.add.encode(), (_as_rows(self.columns, batch),))

    def put(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Puts rows in the place of those that have their keys, all at once."""
        if self.name == VECTORS:  # nothing refers to them
            connection.execute(self.delete_some.encode(), (self.keys_of(rows),))
            self.insert(connection, rows)
        else:
            connection.execute(self.replace.encode(), (self.keys_of(rows), _as_rows(self.columns, rows)))

    def _table(self, connection: Connection, read: str, values: tuple[str, ...]) -> Table:
        return Table(self.name, tuple(self.columns), _rows(connection, self, read, values))


class TenantRows:
    """Reads and replaces tenants, each by the address in the settings."""

    def home(self, settings: Settings) -> Home:
        parsed = address(settings.store)
        return Home(unquote(parsed.location), _UNUSUAL.sub("_", parsed.tenant))

    def exists(self, settings: Settings) -> bool:
        parsed = address(settings.store)
        with tenant_transaction(parsed, "begin_reading") as connection:
            return tenant_numbers(connection) is not None

    def check_replaceable(self, settings: Settings) -> None:
        parsed = address(settings.store)
        with tenant_transaction(parsed, "begin_reading") as connection:
            if _first(connection, "may_replace") is not True:
                raise StoreError(
                    f"the role may not replace what {parsed.location} holds: it only adds events",
                    code="store_unsafe",
                    hint="restore as the owner of the tables: --store 'postgresql://OWNER@…?tenant=…', or"
                    " with --into and the address of a new tenant",
                )

    def tenants(self, settings: Settings, *, role: str) -> list[Settings]:
        sql, parsed = statements("tenant_rows.sql"), database(settings.store)
        try:
            with psycopg.connect(
                parsed.conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT
            ) as connection:
                is_bound = _first(connection, "is_bound")
                connection.execute(statements("connecting.sql")["begin_writing"].query)
                connection.execute(sql["unbind_tenants"].query)  # rolled back: for these names alone
                names = [row[0] for row in connection.execute(sql["tenant_names"].query)]
                connection.execute("ROLLBACK")
        except psycopg.Error as error:
            raise cannot_open(parsed.location, error) from error
        acting = {} if is_bound else {"options": f"-c role={role}"}
        return [
            replace(settings, store=address_of(settings.store, {"tenant": name, **acting})) for name in names
        ]

    @contextmanager
    def reading(self, settings: Settings, *, schema: int | None = None) -> Iterator[Contents]:
        parsed = address(settings.store)
        with tenant_transaction(parsed, "begin_reading", schema=schema) as connection:
            if schema is None:  # a copy that is not used is no backup
                check_here(
                    connection.execute(statements("connecting.sql")["moved_reading"].query).fetchone(),
                    parsed.location,
                )
            yield contents_of(connection, parsed, schema=schema)

    def fill(
        self, settings: Settings, contents: Contents, *, change: int | None, mark: str | None = None
    ) -> None:
        parsed = address(settings.store)
        with tenant_transaction(parsed, "begin_writing") as connection:
            whole = contents.secret is not None
            existing = server_tables(connection, everything=whole)
            tables = {table.name: table for table in existing}
            last = _hold(connection, parsed, change, contents.secret) + 1
            if change is not None:
                check_here(
                    connection.execute(statements("connecting.sql")["moved_reading"].query).fetchone(),
                    parsed.location,
                )
                delete_rows(connection, everything=whole)
                connection.execute(statements("tenant_rows.sql")["forget_answers"].query)
            tally, numbers = Tally(), contents.numbers
            numbers = replace(numbers, change=max(last, numbers.change))
            # nobody has read the copy of a tenant that moves, so that its rows stay as they are
            rows = contents.tables if whole else _changed(contents.tables, numbers.change)
            for table in tally.counting(rows):
                target = tables.pop(table.name, None)
                if target is None or tuple(target.columns) != table.columns:
                    raise _differs(parsed, table.name)
                if target.name == VECTORS:
                    # a planner that does not know of the tenant would go through its rows for each of them
                    _analyze(
                        connection,
                        (
                            server_table
                            for server_table in existing
                            if server_table.name in ("memories", "passages")
                        ),
                    )
                target.insert(connection, table.rows)
            if tables:
                raise _differs(parsed, next(iter(tables)))
            put_numbers(connection, numbers, contents.digest_key)
            tally.check((table.rows(connection) for table in existing), parsed.location)
            if mark is not None:
                connection.execute(statements("tenant_rows.sql")["mark"].query, {"moved": mark})
            commit(connection, parsed)


@contextmanager
def tenant_transaction(address: Address, begin: str, *, schema: int | None = None) -> Iterator[Connection]:
    """Opens a connection in a transaction of the tenant, which is rolled back unless it was committed. With
    `schema` the tables are those of that earlier version."""
    sql = statements("connecting.sql")
    try:
        connection = psycopg.connect(address.conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT)
    except psycopg.Error as error:
        raise cannot_open(address.location, error) from error
    with translated(address.location), connection:
        configure(connection)
        if schema is None or current_version(connection) != schema:
            check_version(connection, address.location)
        if _first(connection, "is_bound") is not True:
            raise StoreError(
                f"no policy binds this role in {address.location}: it would copy the rows of every tenant",
                code="store_unsafe", hint="use the role that serves, or the owner of the tables",
            )  # fmt: skip
        path = search_path(connection)
        connection.execute(sql[begin].query)
        connection.execute(
            sql["enter"].query,
            {
                "tenant": address.tenant,
                "path": path,
                "patience": str(BUSY_TIMEOUT),
                "idle": None,
                "seal": None,
            },
        )
        yield connection


def contents_of(
    connection: Connection, address: Address, *, schema: int | None = None, everything: bool = False
) -> Contents:
    """Returns a tenant in the snapshot of a connection, with `everything` all that moves. Raises
    StoreError."""
    tenant = tenant_numbers(connection)
    if tenant is None:
        raise StoreError(
            f"there is no tenant at {address.location}", code="store_unavailable", hint="check the address"
        )
    tables = (table.rows(connection) for table in server_tables(connection, everything=everything))
    return Contents(*tenant, tables, schema, bytes(_first(connection, "secret")) if everything else None)


def _hold(connection: Connection, address: Address, change: int | None, secret: bytes | None) -> int:
    """Makes the tenant, with a secret if it has one, or takes its row so that nobody else writes; returns its
    last change. Raises InvalidInput if it is to be made and there, StoreBusy if it was written since."""
    connecting, row = statements("connecting.sql"), None
    if change is None:
        if tenant_numbers(connection) is not None:
            raise InvalidInput(
                f"{address.location} exists", code="argument_invalid",
                hint="name a tenant that does not exist yet",
            )  # fmt: skip
        connection.execute(connecting["add_tenant"].query)
        if secret is not None:
            connection.execute(statements("tenant_rows.sql")["put_secret"].query, {"secret": secret})
        make_key(connection)
    row = connection.execute(statements("writing.sql")["next_change"].query).fetchone()
    last = 0 if row is None else int(row[0]) - 1
    if row is None or (change is not None and change != last):
        raise StoreBusy(
            f"{address.location} was written while it was being restored",
            code="store_busy", hint="stop its services and workers, then restore again",
        )  # fmt: skip
    begin_sealing(connection)
    return last


def begin_sealing(connection: Connection) -> None:
    """Lets what this transaction changes of a tenant be sealed."""
    seal = {"seal": seal_key(connection)}
    connection.execute(statements("tenant_rows.sql")["seal_key"].query, seal)


def server_tables(connection: Connection, *, everything: bool = True) -> list[ServerTable]:
    """Returns the tables in the order in which they were made, with `everything` those of keys, payloads and
    answers too."""
    rows = connection.execute(statements("tenant_rows.sql")["tables"].query).fetchall()
    return [table for table in (ServerTable(*row) for row in rows) if everything or table.name not in BESIDE]


def _analyze(connection: Connection, tables: Iterable[ServerTable]) -> None:
    for table in tables:
        connection.execute(table.analyze.encode())


def delete_rows(connection: Connection, *, everything: bool = True) -> None:
    """Deletes the rows of a tenant, in the transaction of the caller."""
    for table in reversed(server_tables(connection, everything=everything)):
        connection.execute(table.delete.encode())


def _rows(connection: Connection, table: ServerTable, read: str, values: tuple[str, ...]) -> Iterator[Row]:
    """Yields the rows of a table in batches."""
    with connection.cursor("tenant_rows", binary=True) as cursor:
        cursor.itersize = BATCH
        cursor.execute(read.encode(), values)
        if table.name != VECTORS:
            yield from cursor
            return
        place = table.columns.index("vector")
        for row in cursor:
            halves = np.frombuffer(row[place][4:], ">f2").astype("<f2").tobytes()
            yield (*row[:place], halves, *row[place + 1 :])


def _changed(tables: Iterable[Table], change: int) -> Iterator[Table]:
    """Yields tables whose memories have changed now, so that each process that knows them reads them anew."""
    for table in tables:
        if table.name != "memories":
            yield table
            continue
        place = table.columns.index("change")
        rows = ((*row[:place], change, *row[place + 1 :]) for row in table.rows)
        yield replace(table, rows=rows)


def _as_rows(columns: Sequence[str], rows: Sequence[Row]) -> str:
    return json.dumps([dict(zip(columns, map(_as_json, row), strict=True)) for row in rows])


def _add_vectors(connection: Connection, columns: Sequence[str], batch: Sequence[Row]) -> None:
    """Inserts vectors, those of one model and size together."""
    sql = statements("tenant_rows.sql")["insert_vectors"]
    code, model, passage, scale, vector = map(columns.index, ("code", "model", "passage", "scale", "vector"))

    def sort(row: Row) -> tuple[Any, int]:
        return row[model], len(row[vector])

    for (number, size), same in groupby(sorted(batch, key=sort), sort):
        rows = list(same)
        halves = np.frombuffer(b"".join(map(itemgetter(vector), rows)), "<f2")
        connection.execute(
            sql.query,
            {
                "model": number, "dim": size // 2, "vector": Reals.of(halves),
                "passage": [row[passage] for row in rows], "scale": [row[scale] for row in rows],
                "code": [row[code] for row in rows],
            },
        )  # fmt: skip


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch


def _as_json(value: Any) -> Any:
    return f"\\x{value.hex()}" if isinstance(value, bytes) else value


def tenant_numbers(connection: Connection) -> tuple[Numbers, bytes] | None:
    """Returns the last numbers of the tenant and the key of its digests, None if there is no tenant."""
    row = connection.execute(statements("tenant_rows.sql")["numbers"].query).fetchone()
    return None if row is None else (Numbers(*row[:4]), bytes(row[4]))


def put_numbers(connection: Connection, numbers: Numbers, digest_key: bytes) -> None:
    """Notes the last numbers of a tenant, and the end of its chain as it is."""
    values = {**asdict(numbers), "digest_key": digest_key}
    connection.execute(statements("tenant_rows.sql")["put_numbers"].query, values)
    connection.execute(statements("writing.sql")["accept"].query)


def commit(connection: Connection, address: Address) -> None:
    """Commits. If the connection breaks now, the outcome is unknown."""
    try:
        connection.execute("COMMIT")
    except psycopg.OperationalError as error:
        raise connection_lost(address.location, committing=True) from error


def _first(connection: Connection, name: str) -> Any:
    row = connection.execute(statements("tenant_rows.sql")[name].query).fetchone()
    return row[0] if row else None


def _differs(address: Address, table: str) -> StoreError:
    return StoreError(
        f"the table {table} of {address.location} is not that of the backup",
        code="store_newer", hint="restore with the version of Holdfast that made the backup",
    )  # fmt: skip
