"""Answers to requests with an idempotency key, and the protocol of their storage."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

QUOTA = 1_000
"""Requests of one credential that are kept; its own oldest ones give way."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One request and its answer. `status` is 0 while it is running, for which `until` is when it counts as
    broken off; `body` is None if the answer is no longer kept. Times are UTC epoch milliseconds.
    """

    fingerprint: str
    until: int
    status: int = 0
    headers: str = "[]"
    body: bytes | None = None


class Replays(Protocol):
    """Storage for the answers of one tenant, by credential (`who`) and key, each a digest. Durable, and the
    same for all processes.
    """

    def reserve(self, who: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        """Notes a request that begins, unless one with its key is known: that is returned. Drops what is
        older than `now`, and the oldest of the credential beyond its quota.
        """

    def answer(self, who: str, key: str, replay: Replay) -> None:
        """Stores the answer of a request."""

    def release(self, who: str, key: str) -> None:
        """Drops a request, so that it may be made again."""

    def blank(self) -> None:
        """Drops the bodies of all answers, which may hold what was erased. The requests stay known."""


class MemoryReplays:
    """Answers in memory, for the lifetime of the process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[tuple[str, str], Replay] = {}

    def reserve(self, who: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        with self._lock:
            self._known = {slot: one for slot, one in self._known.items() if one.until > now}
            known = self._known.setdefault((who, key), replay)
            if known is not replay:
                return known
            own = [slot for slot in self._known if slot[0] == who]
            for slot in own[: max(0, len(own) - QUOTA)]:
                del self._known[slot]
            return None

    def answer(self, who: str, key: str, replay: Replay) -> None:
        with self._lock:
            self._known[who, key] = replay

    def release(self, who: str, key: str) -> None:
        with self._lock:
            self._known.pop((who, key), None)

    def blank(self) -> None:
        with self._lock:
            self._known = {slot: replace(one, body=None) for slot, one in self._known.items()}
