"""A store for the requests of one user, who may add to it so many times a minute."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from holdfast.http.rates import TooOften
from holdfast.stores.base.wrapper import StoreWrapper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.core.places import Principal
    from holdfast.http.rates import Rates
    from holdfast.stores.base.ports import Store, Writer


_COUNTED: ContextVar[list[bool] | None] = ContextVar("counted", default=None)
"""Whether the present request was counted, shared with the threads that work for it; None: each transaction
counts."""


@contextmanager
def one_request() -> Iterator[None]:
    """Counts all transactions within as one: what a request has begun, such as an import, is not stopped
    midway."""
    token = _COUNTED.set([False])
    try:
        yield
    finally:
        _COUNTED.reset(token)


class WriteRates:
    """The writes of all users: what is done in the background for them is not counted."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._lock = threading.Lock()

    def take(self, user: Principal) -> None:
        """Counts a write. Raises TooOften if it is one too many."""
        with self._lock:
            wait = self._rates.wait(user)
        if wait is not None:
            raise TooOften("nothing was stored: you have added too often in this minute", wait)


class WriteRateStore(StoreWrapper):
    """A store that counts the requests of one user that add versions of memories, and transactions outside of
    requests."""

    def __init__(self, store: Store, rates: WriteRates, user: Principal) -> None:
        super().__init__(store)
        self._rates = rates
        self._user = user

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        """Opens a transaction, which is rolled back with TooOften if it is one too many."""
        with self._store.write(patience=patience) as tx:
            yield tx
            counted = _COUNTED.get()
            if tx.grown() and counted != [True]:
                self._rates.take(self._user)
                if counted is not None:
                    counted[:] = [True]
