"""Bounded waits for the answers of a server: a connection whose server says nothing any more is broken off.

A server that is suspended, or whose network is gone, would otherwise be waited for without end.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psycopg

from holdfast.stores.postgres.connection import REPLICA_TIMEOUT, Connection

STEP = 0.25
"""Seconds between two looks at the connections that are waited for."""
LONGEST = 120.0
"""Seconds after which an answer is no longer waited for, though the server lets others in."""


@dataclass(slots=True, eq=False)
class Wait:
    """A connection whose answer is waited for. `until` is when the next look is due, `ends` when it is broken
    off in any case."""

    watch: AnswerWatch
    connection: Connection
    until: float
    ends: float


@dataclass(slots=True)
class Waits:
    """All waits of this process, and the one thread that looks at them."""

    all: set[Wait] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    has_waits: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def add(self, wait: Wait) -> None:
        with self.lock:
            self.all.add(wait)
            self.has_waits.set()
            if self.thread is None or not self.thread.is_alive():
                self.thread = threading.Thread(target=self._look, name="holdfast-answers", daemon=True)
                self.thread.start()

    def drop(self, wait: Wait) -> None:
        with self.lock:
            self.all.discard(wait)
            if not self.all:
                self.has_waits.clear()

    def forget(self) -> None:
        """Starts anew in a process that was forked: the connections are those of its parent, which has the
        thread, and the lock may have been held."""
        self.all, self.lock, self.has_waits, self.thread = set(), threading.Lock(), threading.Event(), None

    def _look(self) -> None:
        """Ends the connections whose answer is overdue, unless their server still accepts others."""
        while True:
            self.has_waits.wait()
            time.sleep(STEP)
            now = time.monotonic()
            with self.lock:
                due = [wait for wait in self.all if wait.until <= now]
            alive: dict[AnswerWatch, bool] = {}
            for wait in due:
                if wait.ends > now and wait.watch not in alive:
                    alive[wait.watch] = wait.watch.lets_in()
                if wait.ends > now and alive[wait.watch]:
                    wait.until = min(wait.ends, time.monotonic() + REPLICA_TIMEOUT)
                else:
                    self._break_off(wait)

    def _break_off(self, wait: Wait) -> None:
        """Ends a connection under whoever waits for it. Its own methods are for one thread at a time, and
        there may be no descriptor left for another."""
        with self.lock, suppress(OSError, psycopg.Error):
            if wait in self.all:
                self.all.discard(wait)
                same = socket.socket(fileno=wait.connection.fileno())
                try:
                    same.shutdown(socket.SHUT_RDWR)
                finally:
                    same.detach()


_WAITS = Waits()
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_WAITS.forget)


class AnswerWatch:
    """Watches the connections to one server while their answers are waited for."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    @contextmanager
    def waiting(self, connection: Connection, *, may_work: bool = False) -> Iterator[None]:
        """Breaks the connection off if the block takes longer than the patience with a replica; one that
        `may_work` for long only if the server lets nobody in any more either."""
        until = time.monotonic() + REPLICA_TIMEOUT
        wait = Wait(self, connection, until, until + LONGEST if may_work else until)
        _WAITS.add(wait)
        try:
            yield
        finally:
            _WAITS.drop(wait)

    def lets_in(self) -> bool:
        """Returns whether the server accepts another connection in time; also where this process may open
        none, which says nothing of the server."""
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
            psycopg.connect(self._conninfo, connect_timeout=REPLICA_TIMEOUT).close()
        except psycopg.Error:
            return False
        except OSError:  # no descriptor is free
            return True
        return True
