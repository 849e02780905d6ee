"""The system clock."""

from __future__ import annotations

import time

from holdfast.core.errors import HoldfastError


def wall_clock() -> int:
    """Returns the system time in UTC epoch milliseconds. Raises HoldfastError `clock_unusable`."""
    try:
        return time.time_ns() // 1_000_000
    except OverflowError as error:  # nanoseconds in 64 bits end in April 2262
        raise HoldfastError(
            "the clock of this machine shows a time after the year 2262, which Python cannot read",
            code="clock_unusable",
            hint="set the clock of this machine",
        ) from error
