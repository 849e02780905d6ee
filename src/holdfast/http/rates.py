"""Rate limits: requests of each principal a minute, by a token bucket."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from holdfast.core.errors import AccessDenied
from holdfast.core.places import Principal

PRINCIPALS_MAX = 10_000
"""Principals that are counted; whoever was quiet for longest begins anew."""


class TooOften(AccessDenied):
    """A refusal of what may be done again in `wait` seconds."""

    def __init__(self, message: str, wait: int) -> None:
        super().__init__(message, code="rate_limited", hint=f"try again in {wait} s")
        self.wait = wait


class Rates:
    """A limit of requests a minute for each principal, with bursts up to the limit; None: no limit."""

    def __init__(
        self, per_minute: int | None = None, *, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_minute = per_minute
        self._seconds = seconds
        self._buckets: OrderedDict[Principal, tuple[float, float]] = OrderedDict()

    def wait(self, principal: Principal) -> int | None:
        """Takes one token: returns None if the request may proceed, else the seconds to wait, rounded up."""
        if self._per_minute is None:
            return None
        now = self._seconds()
        tokens, at = self._buckets.pop(principal, (float(self._per_minute), now))
        tokens = min(self._per_minute, tokens + (now - at) * self._per_minute / 60)
        # whoever waited as long as the response said is let in, though the sum falls short by a rounding
        is_allowed = tokens >= 1 - 1e-9
        self._buckets[principal] = (max(tokens - is_allowed, 0.0), now)
        if len(self._buckets) > PRINCIPALS_MAX:
            self._buckets.popitem(last=False)
        return None if is_allowed else max(1, math.ceil((1 - tokens) * 60 / self._per_minute))
