"""Replicas that a tenant is read from, while they answer and hold what the primary held a moment ago."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg

from holdfast.core.errors import HoldfastError, StoreError
from holdfast.core.events import Head
from holdfast.stores.base.read_counts import BEHIND, BROKEN, FAILED, PRIMARY, ReadCounts
from holdfast.stores.postgres.answer_watch import AnswerWatch
from holdfast.stores.postgres.connection import REPLICA_TIMEOUT, Address, Connection
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.sql import Statement, statements
from holdfast.stores.postgres.tenant import Tenant

if TYPE_CHECKING:
    from holdfast.stores.index.segment import Row

READ_WAIT = 0.1
"""Seconds to wait for a replica to replay what the primary holds."""
STEP = 0.004
"""Seconds between two looks at a replica that is waited for."""
BEHIND_PAUSE, GONE_PAUSE = 1.0, 5.0
"""Seconds for which nothing is asked of a replica that was too far behind, or that failed."""

T = TypeVar("T")
State = tuple[Any, ...]
log = logging.getLogger("holdfast.postgres")


class Replica:
    """One server that follows the primary. It is opened, with the checks of every server, when the store is,
    and opened anew in the background after it failed."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._watch = AnswerWatch(address.conninfo)
        self.paused_for = ""
        self._tenant: Tenant | None = None
        self._paused_until = 0.0
        self._opening = threading.Lock()
        self._is_closed = False
        self._is_logged = False
        self._open(at_start=True)

    @property
    def location(self) -> str:
        """Returns its database, without credentials."""
        return self._address.location

    def waiting(self, connection: Connection) -> AbstractContextManager[None]:
        """Bounds the wait for the answer to a statement, which may take long on a server that works."""
        return self._watch.waiting(connection, may_work=True)

    def tenant(self) -> Tenant | None:
        """Returns the tenant there, or None while it is not asked."""
        if time.monotonic() < self._paused_until:
            return None
        if self._tenant is None and not self._opening.locked():
            threading.Thread(target=self._open, name="holdfast-replica", daemon=True).start()
        return self._tenant

    def pause(self, seconds: float, reason: str, why: object) -> None:
        """Leaves the server alone for some time; the first time since it was read from, the log tells it."""
        self._paused_until, self.paused_for = time.monotonic() + seconds, reason
        if not self._is_logged:
            log.warning("%s is not read from: %s", self._address.location, why)
        self._is_logged = True

    def note_read(self) -> None:
        """Notes that it was read from."""
        self._is_logged = False

    def fail(self, why: object) -> None:
        """Gives its connections up; it is opened anew after a pause."""
        self.pause(GONE_PAUSE, FAILED, why)
        tenant, self._tenant = self._tenant, None
        if tenant is not None:  # closing waits for connections that are being opened
            threading.Thread(target=tenant.close, name="holdfast-replica", daemon=True).start()

    def close(self) -> None:
        """Closes all connections."""
        with self._opening:
            self._is_closed = True
            if self._tenant is not None:
                self._tenant.close()

    def _open(self, *, at_start: bool = False) -> None:
        """Opens the tenant. Raises StoreError `store_unsafe` at the start if nothing keeps tenants apart
        there."""
        with self._opening:
            if self._tenant is not None or self._is_closed:
                return
            try:
                self._tenant = Tenant(
                    self._address, create=False, timeout=REPLICA_TIMEOUT, waiting=self._watch.waiting
                )
            except HoldfastError as error:
                if error.code == "store_unsafe" and at_start:
                    raise
                self.pause(GONE_PAUSE, FAILED, error)


class Replicas:
    """The replicas of one tenant, asked in turn. `counts` says which readings went where, and why."""

    def __init__(self, addresses: Sequence[Address]) -> None:
        self._all = [Replica(address) for address in addresses]
        self._turn = 0
        self.counts = ReadCounts()

    def __bool__(self) -> bool:
        return bool(self._all)

    def snapshot(self, stack: ExitStack, change: int, head: Head) -> tuple[Replica, Connection, State] | None:
        """Opens a snapshot of the tenant that holds at least a change, in a history that contains an event;
        closed with `stack`. Returns None if no replica has one in time."""
        self._turn += 1
        reason = FAILED
        for place in range(len(self._all)):
            replica = self._all[(self._turn + place) % len(self._all)]
            tenant = replica.tenant()
            if tenant is None:
                reason = replica.paused_for
                continue
            try:
                snapshot, lag = _awaited(tenant, stack, change, head)
            except StoreError as error:
                reason = FAILED
                replica.fail(error)
                continue
            self.counts.lag[replica.location] = lag
            if snapshot is not None:
                replica.note_read()
                self.counts.served[replica.location, ""] += 1
                return replica, *snapshot
            reason = BEHIND
            replica.pause(BEHIND_PAUSE, reason, f"it is no standby that has replayed the change {change}")
        self.counts.served[PRIMARY, reason] += 1
        return None

    def fail_over(self, replica: Replica, error: object) -> None:
        """Notes that a replica failed in the middle of a reading, which goes on at the primary."""
        replica.fail(error)
        self.counts.served[PRIMARY, BROKEN] += 1

    def close(self) -> None:
        """Closes all connections."""
        for replica in self._all:
            replica.close()


def _awaited(
    tenant: Tenant, stack: ExitStack, change: int, head: Head
) -> tuple[tuple[Connection, State] | None, float]:
    """Opens a snapshot at a replica once it has replayed the change and contains the event; None if it has
    not in `READ_WAIT` seconds, or was promoted. Returns it with the seconds by which the replica was behind
    at first: the age of what it replayed last."""
    lag = None
    first = statements("reading.sql")["state"], statements("connecting.sql")["follows"]
    until = time.monotonic() + READ_WAIT
    while True:
        with ExitStack() as here:
            connection, (row, (follows, age)) = here.enter_context(
                tenant.transaction("begin_reading", *first, values={"seen": head.sequence})
            )
            if not follows:  # it has been promoted, and may hold what the primary never will
                return None, 0.0
            is_there = row is not None and row[0] >= change and _contains(row, head)
            if lag is None:
                lag = 0.0 if is_there else float(age or 0.0)
            if is_there:
                stack.push(here.pop_all())
                return (connection, row), lag
        if time.monotonic() > until:
            return None, lag
        time.sleep(STEP)


def _contains(row: State, head: Head) -> bool:
    """Returns whether the chain of a snapshot contains an event, and so all before it."""
    _, sequence, digest, there, *_ = row
    return not head.sequence or head.hash == (digest if sequence == head.sequence else there)


class ReplicaReader(PostgresReader):
    """A snapshot of a replica. If the replica fails, the reading goes on at the primary, with what that holds
    then: no less than the snapshot held, unless something was erased meanwhile."""

    def __init__(
        self,
        *args: Any,
        waiting: Callable[[Connection], AbstractContextManager[None]],
        fail_over: Callable[[object], Connection],
        **more: Any,
    ) -> None:
        self._waiting = waiting
        self._fail_over: Callable[[object], Connection] | None = fail_over
        super().__init__(*args, **more)

    def _with_failover(self, run: Callable[[], T]) -> T:
        """Runs a read on the replica, and on the primary server if the replica fails."""
        if self._fail_over is None:
            return run()
        try:
            with self._waiting(self._connection):
                return run()
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            self._connection, self._fail_over = self._fail_over(error), None
            return run()

    def _fetched(self, statement: Statement, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        fetch = super()._fetched
        return self._with_failover(lambda: fetch(statement, values))

    def _named_rows(self, statement: Statement, values: dict[str, Any]) -> list[dict[str, Any]]:
        fetch = super()._named_rows
        return self._with_failover(lambda: fetch(statement, values))

    def _changes(self, since: dict[str, Any]) -> tuple[list[tuple[Any, ...]], Iterator[Row]]:
        fetch = super()._changes
        return self._with_failover(lambda: fetch(since))

    def _load(self, pool: int) -> None:
        load = super()._load
        self._with_failover(lambda: load(pool))

    def _vectors(self, values: dict[str, Any]) -> list[tuple[int, bytes]]:
        fetch = super()._vectors
        return self._with_failover(lambda: fetch(values))
