"""Answers to requests with an idempotency key, and the protocol of their storage."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import replace
from threading import Lock
from typing import Protocol

from holdfast.core.value_classes import value_class

REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
"""The mark of the request with an idempotency key that is being done. The events that it adds carry it, so
that what was committed is known as done even if the process ended before the answer was stored."""
BROKEN_OFF_MS = 86_400_000
"""Milliseconds for which a request that was broken off stays known."""
QUOTA = 1_000
"""Requests of one credential that are kept; its own oldest ones give way."""


@value_class
class Replay:
    """One request and its answer. `status` is 0 while it is running, for which `until` is when it counts as
    broken off; `body` is None if the answer is no longer kept. `head` is the number of the last event before
    it began. Times are UTC epoch milliseconds.
    """

    fingerprint: str
    until: int
    status: int = 0
    headers: str = "[]"
    body: bytes | None = None
    head: int = 0

    def is_broken_off(self, now: int) -> bool:
        """Returns whether it was not answered in its time."""
        return not self.status and self.until <= now

    def is_over(self, now: int) -> bool:
        """Returns whether it need not be known any more."""
        return self.until <= now - (0 if self.status else BROKEN_OFF_MS)


class Replays(Protocol):
    """Storage for the answers of one tenant, by credential (`who`) and key, each a digest. Durable, and the
    same for all processes.
    """

    def reserve(self, caller: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        """Notes a request that begins, unless one with its key is known: that is returned. Drops what is
        over, and the oldest of the credential beyond its quota.
        """

    def take_over(self, caller: str, key: str, previous: Replay, replay: Replay) -> Replay | None:
        """Begins a request that was broken off again; returns what is known if that is another by now."""

    def answer(self, caller: str, key: str, replay: Replay) -> None:
        """Stores the answer of a request, without its body if anything was erased since it began."""

    def release(self, caller: str, key: str) -> None:
        """Drops a request, so that it may be made again."""

    def drop_old(self, now: int) -> None:
        """Drops the requests that are over, with their answers."""

    def blank(self) -> None:
        """Drops the bodies of all answers, which may hold what was erased, also of requests that are still
        running. The requests stay known."""


class MemoryReplays:
    """Answers in memory, for the lifetime of the process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._replays: dict[tuple[str, str], Replay] = {}
        self._erased: set[tuple[str, str]] = set()
        """Requests that were running when something was erased."""

    def reserve(self, caller: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        with self._lock:
            self._drop_old(now)
            existing = self._replays.setdefault((caller, key), replay)
            if existing is not replay:
                return existing
            own = [slot for slot in self._replays if slot[0] == caller]
            for slot in own[: max(0, len(own) - QUOTA)]:
                del self._replays[slot]
            return None

    def take_over(self, caller: str, key: str, previous: Replay, replay: Replay) -> Replay | None:
        with self._lock:
            present = self._replays.get((caller, key))
            if present == previous:
                self._replays[caller, key] = replay
            return None if present == previous else present

    def answer(self, caller: str, key: str, replay: Replay) -> None:
        with self._lock:
            was_erased = (caller, key) in self._erased or (caller, key) not in self._replays
            self._replays[caller, key] = replace(replay, body=None) if was_erased else replay
            self._erased.discard((caller, key))

    def release(self, caller: str, key: str) -> None:
        with self._lock:
            self._replays.pop((caller, key), None)
            self._erased.discard((caller, key))

    def drop_old(self, now: int) -> None:
        with self._lock:
            self._drop_old(now)

    def _drop_old(self, now: int) -> None:
        self._replays = {slot: replay for slot, replay in self._replays.items() if not replay.is_over(now)}

    def blank(self) -> None:
        with self._lock:
            self._erased |= {slot for slot, replay in self._replays.items() if not replay.status}
            self._replays = {slot: replace(replay, body=None) for slot, replay in self._replays.items()}
