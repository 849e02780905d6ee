"""The rows of a whole tenant, as they pass between a database server and a store in a file."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.errors import Damaged
from holdfast.stores.base.backend import Copies, Home

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.config import Settings

Row = tuple[Any, ...]
_FORM = 2
"""A form of marshal without references between values, so that equal rows have equal bytes."""
_MODULUS = 1 << 64


@dataclass(frozen=True, slots=True)
class Numbers:
    """The last change of a tenant, and the last numbers that it gave out."""

    change: int
    memory: int
    passage: int
    session: int


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one table, whose columns are in the order of their names. Values are `int`, `float`, `str`,
    `bytes` and None; a vector is its float16 numbers, little-endian."""

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Row]


@dataclass(frozen=True, slots=True)
class Contents:
    """A tenant in one snapshot: its numbers, the key of the digests of what was forgotten, and its tables,
    each to be read once, in turn. Keys of API access, payloads of jobs and seals are not in it, unless the
    tenant moves: then `secret` is the key of its seals and signatures, and the tables hold all but seals.
    `schema` is that of the tables, None for the present one."""

    numbers: Numbers
    digest_key: bytes
    tables: Iterable[Table]
    schema: int | None = None
    secret: bytes | None = None


@dataclass(slots=True)
class Tally:
    """The number of rows in each table and the sum of their digests, whatever their order."""

    tables: dict[str, tuple[int, int]] = field(default_factory=dict)

    def counting(self, tables: Iterable[Table]) -> Iterator[Table]:
        """Yields tables whose rows are counted as they are read."""
        for table in tables:
            yield Table(table.name, table.columns, self._counting_rows(table))

    def check(self, tables: Iterable[Table], label: str) -> None:
        """Raises Damaged unless these tables have the rows that were counted."""
        actual = Tally()
        for table in actual.counting(tables):
            for _ in table.rows:
                pass
        differing = [name for name, now in actual.tables.items() if self.tables.pop(name, (0, 0)) != now]
        if differing or any(rows for rows, _ in self.tables.values()):
            names = ", ".join(differing or self.tables)
            raise Damaged(
                f"{label} does not hold what was copied: {names}",
                code="store_damaged", hint="nothing was changed; check the disk, then run it again",
            )  # fmt: skip

    def _counting_rows(self, table: Table) -> Iterator[Row]:
        """Yields the rows of a table, and notes their number and digest."""
        rows = total = 0
        for row in table.rows:
            rows += 1
            digest = blake2b(marshal.dumps(row, _FORM), digest_size=8).digest()
            total = (total + int.from_bytes(digest, "little")) % _MODULUS
            yield row
        self.tables[table.name] = (rows, total)


class ServerRows(Protocol):
    """The rows of a tenant in a database server."""

    def home(self, settings: Settings) -> Home:
        """Returns how backups of the configured tenant are named."""

    def exists(self, settings: Settings) -> bool:
        """Returns whether the tenant exists. Raises StoreError if the server cannot be asked."""

    def check_replaceable(self, settings: Settings) -> None:
        """Raises StoreError unless the role of the address may replace what the tenant holds."""

    def tenants(self, settings: Settings, *, role: str) -> list[Settings]:
        """Returns the settings of each tenant of the configured database, for its owner, or for a superuser
        who acts as `role`. Raises StoreError."""

    def reading(self, settings: Settings, *, schema: int | None = None) -> AbstractContextManager[Contents]:
        """Opens a snapshot of the tenant, which holds up nobody; with `schema` of one whose tables are those
        of an earlier version. Raises StoreError."""

    def fill(self, settings: Settings, contents: Contents, *, change: int | None) -> None:
        """Makes a tenant of rows, or replaces what it holds if `change` is still its last change: in one
        transaction, in which every row is read again and compared. Raises StoreBusy, StoreError."""


class FileRows(Copies, Protocol):
    """Copies of files that can be made of rows, and read as rows."""

    def write_rows(self, settings: Settings, target: Path, contents: Contents) -> None:
        """Makes a store in a file of rows, under the key of backups if the settings name one. Raises
        StoreError, Damaged if the file does not hold them afterwards."""

    def checked(self, settings: Settings, copy: Path) -> tuple[int, int, str]:
        """Returns the numbers of memories and events in a copy made of rows, whatever its schema, and its
        encryption. Raises Damaged."""

    def reading_rows(self, copy: Settings) -> AbstractContextManager[Contents]:
        """Opens a snapshot of a store in a file. Raises StoreError."""
