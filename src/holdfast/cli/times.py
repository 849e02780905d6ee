"""Times as people type them on the command line."""

from __future__ import annotations

import time

import click

_ENDS = frozenset({"until", "as_of", "valid_until", "expires_at", "expires"})
"""Options for which a day means its end."""
_AHEAD = frozenset({"valid_until", "expires_at", "expires"})
"""Options for which `30d` means in 30 days."""


class Time(click.ParamType[object]):
    """A time: a date, or words such as `yesterday`, `2 weeks ago`, `7d`, `last monday`; a day means its
    beginning, for an end its end."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        """Returns the time that words name, as ISO 8601 in UTC; any other text unchanged."""
        from holdfast.core.errors import InvalidInput
        from holdfast.core.times import NEVER, UNSTATED, to_iso, to_millis

        if not isinstance(value, str) or value in (NEVER, UNSTATED):
            return value
        try:
            to_millis(value)
        except InvalidInput:
            from holdfast.language.dates.moment import moment

            name = None if param is None else param.name
            now = int(time.time() * 1_000)
            instant = moment(value, now, end=name in _ENDS, ahead=name in _AHEAD)
            return value if instant is None else to_iso(instant)
        return value


TIME = Time()
