"""The PostgreSQL store: snapshots, transactions, checking, closing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from holdfast.core.errors import Damaged, StoreError
from holdfast.core.events import Head
from holdfast.stores.base.derived import Derive
from holdfast.stores.base.ports import Reader, Writer
from holdfast.stores.base.read_counts import ReadCounts
from holdfast.stores.index.segments import Index
from holdfast.stores.postgres.check import problems
from holdfast.stores.postgres.connection import BUSY_TIMEOUT, Connection, busy
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.replicas import ReplicaReader, Replicas
from holdfast.stores.postgres.seals import seal_all
from holdfast.stores.postgres.spool_and_keys import PostgresReplays
from holdfast.stores.postgres.sql import statements
from holdfast.stores.postgres.tenant import Tenant
from holdfast.stores.postgres.writer import PostgresWriter
from holdfast.stores.sql.reader import Models

CACHE_BYTES = 512 * 1024 * 1024
"""What the index segments of one process may hold."""


@dataclass(frozen=True, slots=True)
class CachedState:
    """The cached state of a tenant in one process, with the change number and the end of the event chain at
    the last read.
    """

    index: Index
    models: Models
    change: int = 0
    head: Head = field(default_factory=Head)


class PostgresStore:
    """One tenant of a database that many tenants share. Any number of threads, processes and machines may
    have it open. Opening checks the end of the event chain. Raises StoreError."""

    def __init__(self, tenant: Tenant, *, cache_bytes: int = CACHE_BYTES) -> None:
        self._tenant = tenant
        self._cache_bytes = cache_bytes
        self._writing = threading.RLock()
        self._cached = CachedState(Index(cache_bytes), {})
        self._lost = self._find_loss()
        self._replicas = Replicas(tenant.replicas)

    @property
    def location(self) -> str:
        return self._tenant.location

    @property
    def encryption(self) -> str | None:
        return None

    @cached_property
    def digest_key(self) -> bytes:
        with self._tenant.transaction(
            "begin_reading", statements("reading.sql")["digest_key"], values={}
        ) as (
            _,
            (row,),
        ):
            if row is None:
                raise self._is_gone()
            return bytes(row[0])

    @property
    def lost(self) -> Damaged | None:
        return self._lost

    @property
    def reads(self) -> ReadCounts | None:
        return self._replicas.counts if self._replicas else None

    @contextmanager
    def read(self) -> Iterator[Reader]:
        with ExitStack() as opened:
            yield (self._replica_reader(opened) if self._replicas else None) or self._reader(opened)

    def _reader(self, stack: ExitStack) -> PostgresReader:
        """Opens a snapshot of the primary."""
        state = self._cached
        connection, row = self._enter_snapshot(stack, "state", state)
        change, sequence, digest, there, last_pool, connections = row
        state = self._caught_up(state, change, sequence, digest, there)
        return PostgresReader(
            connection, state.index, state.models, upto=change, last_pool=last_pool, connections=connections
        )

    def _replica_reader(self, stack: ExitStack) -> PostgresReader | None:
        """Opens a snapshot of a replica that holds what the primary holds at this moment, and so what this
        process knows; None if there is none.
        """
        state = self._cached
        with ExitStack() as asking:
            _, position = self._enter_snapshot(asking, "position", state)
        state = self._caught_up(state, *position)
        snapshot = self._replicas.snapshot(stack, state.change, state.head)
        if snapshot is None:
            return None
        replica, connection, (change, sequence, digest, there, last_pool, connections) = snapshot
        state = self._caught_up(state, change, sequence, digest, there)

        def fail_over(error: object) -> Connection:
            self._replicas.fail_over(replica, error)
            return self._enter_snapshot(stack, "position", state)[0]

        return ReplicaReader(
            connection, state.index, state.models, upto=change, last_pool=last_pool, connections=connections,
            waiting=replica.waiting, fail_over=fail_over,
        )  # fmt: skip

    def _enter_snapshot(
        self, stack: ExitStack, name: str, cached: CachedState
    ) -> tuple[Connection, tuple[Any, ...]]:
        """Opens a reading of the primary, closed with `stack`, and returns it with the row of its first
        statement."""
        first, seen = statements("reading.sql")[name], {"seen": cached.head.sequence}
        connection, (row,) = stack.enter_context(
            self._tenant.transaction("begin_reading", first, values=seen)
        )
        if row is None:
            raise self._is_gone()
        return connection, row

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        if self._lost is not None:
            raise self._lost
        # two statements: what was waited for is seen only by the second
        first = statements("writing.sql")["next_change"], statements("reading.sql")["last_pool"]
        state = self._cached
        patience = BUSY_TIMEOUT if patience is None else patience
        seen = {"seen": state.head.sequence, "patience": max(1, patience)}  # 0 would be no limit
        with (
            self._turn(patience),
            self._tenant.transaction("begin_writing", *first, values=seen) as (connection, (tenant, pools)),
        ):
            if tenant is None:
                raise self._is_gone()
            change, _, _, sequence, digest = tenant
            there, last_pool, connections = pools
            state = self._caught_up(state, change - 1, sequence, digest, there)
            transaction = PostgresWriter(
                connection, state.index, state.models, tenant, last_pool=last_pool, connections=connections
            )
            try:
                yield transaction
                self._tenant.commit(connection, transaction.finish())
            except BaseException:
                # loaded while the transaction had rows in hand that are now as they were
                state.index.drop(transaction.loaded)
                raise

    def check(self, *, thorough: bool, derive: Derive | None = None) -> list[str]:
        issues = [str(self._lost)] if self._lost else []
        with ExitStack() as opened:
            connection = self._reader(opened).connection
            return issues + problems(connection, thorough=thorough, derive=derive)

    def scrub(self) -> None:
        """Drops the bodies of kept answers, which may hold what was erased. Traces of erased rows in files of
        the server are removed by its vacuum and its log rotation, which its operator controls
        (docs/postgres.md).
        """
        PostgresReplays(self._tenant).blank()

    def reindex(self) -> None:
        return None

    def compact(self) -> int:
        """Leaves free space to the vacuum of the server."""
        return 0

    def accept(self) -> None:
        accept = statements("writing.sql")["accept"]
        with self._tenant.transaction("begin_writing", accept) as (connection, _):
            seal_all(connection)
            self._tenant.commit(connection)
        self._lost = None

    def close(self) -> None:
        """Closes all connections."""
        self._replicas.close()
        self._tenant.close()

    def _find_loss(self) -> Damaged | None:
        """Returns an error if the event chain ends before the head that was written with it."""
        sql = statements("reading.sql")
        with self._tenant.transaction("begin_reading", sql["head"], sql["last_event"]) as (_, rows):
            head, last = (Head(*row) if row else Head() for row in rows)
        if last.sequence >= head.sequence:
            return None
        return Damaged(
            f"{head.sequence - last.sequence} acknowledged event(s) are missing from {self.location}",
            code="history_lost",
            hint="restore a backup, or accept it: `holdfast doctor --accept-loss`, `Memory.accept_loss`",
        )

    @contextmanager
    def _turn(self, patience: int = BUSY_TIMEOUT) -> Iterator[None]:
        """Serialises the writers of this process, which wait so many milliseconds; waiting ones hold no
        connection, which readers need."""
        if not self._writing.acquire(timeout=patience / 1000):
            raise busy()
        try:
            yield
        finally:
            self._writing.release()

    def _caught_up(
        self, cached: CachedState, change: int, sequence: int, digest: str | None, there: str | None
    ) -> CachedState:
        """Returns the cached state that is valid in a snapshot taken after `cached`. If `cached` is not part
        of its history, as on a server that took over without the last commits, the cache is dropped.
        `there` is the hash of the event at which the chain ended before.
        """
        head = Head() if digest is None else Head(sequence, digest)
        if change < cached.change or (
            head != cached.head and cached.head.sequence and there != cached.head.hash
        ):
            cached = CachedState(Index(self._cache_bytes), {})
            self.__dict__.pop("digest_key", None)  # a backup of another tenant may have been restored
        if (cached.change, cached.head) != (change, head):
            cached = self._cached = replace(cached, change=change, head=head)
        return cached

    def _is_gone(self) -> StoreError:
        return StoreError(
            f"{self.location} is no longer a tenant", code="store_unavailable", hint="open it again"
        )
