"""What every use case works with: the store, the embedder, the clock, and who is asking."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from holdfast.domain.entropy import ENTROPY_THRESHOLD
from holdfast.domain.ids import uuid7
from holdfast.domain.places import Principal
from holdfast.engine.ports import Clock, Embedder, Store, Use


def wall_clock() -> int:
    """UTC epoch milliseconds by the system's clock."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Service:
    """One opened tenant. `randomness` gives n random bytes; `uses` collects what was given out until it is
    written in a batch, off the read path (S2.33)."""

    store: Store
    embedder: Embedder
    principal: Principal
    clock: Clock = wall_clock
    randomness: Callable[[int], bytes] = os.urandom
    secret_entropy: float = ENTROPY_THRESHOLD
    uses: dict[str, Use] = field(default_factory=dict)
    requests: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def new_id(self, now: int) -> str:
        """A fresh UUIDv7."""
        return uuid7(now, self.randomness(10))
