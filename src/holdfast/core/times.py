"""Times: UTC epoch milliseconds internally, ISO 8601 externally, any readable date as input."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput

When = datetime | date | int | float | str
"""The types accepted for a time: datetime or date (naive means UTC), epoch milliseconds, or text."""

EARLIEST = -62_135_596_800_000
LATEST = 253_402_300_799_999
DAY = 86_400_000
"""Milliseconds in a day."""
NEVER = "never"
"""Value of a time that removes the end of an interval."""
UNSTATED = "unstated"
"""Value of a time that removes the stated begin of an interval."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_DIGITS = re.compile(r"[+-]?\d{9,}", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)", re.ASCII)
"""A date as it is written where the day comes first, such as 7.3.2026."""
_NO_DATE = re.compile(r"[^\w\s:.,/+()-]|\A-|[\x00-\x08\x0e-\x1f]")
"""Characters that no date contains; python-dateutil would skip them silently."""


def to_millis(value: When, *, name: str = "at") -> int:
    """Converts a time to UTC epoch milliseconds.

    Accepts a datetime (naive means UTC), a date, epoch milliseconds, ISO 8601, or any date that
    python-dateutil reads. Raises InvalidInput `time_invalid`.
    """
    millis: float
    if isinstance(value, bool):
        raise _invalid_time(value, name)
    if isinstance(value, int | float):
        if not EARLIEST <= value <= LATEST:  # NaN is in no range
            raise _invalid_time(value, name)
        millis = value
    elif isinstance(value, datetime):
        millis = _millis_of(value)
    elif isinstance(value, date):
        millis = _millis_of(datetime(value.year, value.month, value.day, tzinfo=UTC))
    elif isinstance(value, str):
        millis = _parse(value, name)
    else:
        raise _invalid_time(value, name)
    if not EARLIEST <= millis <= LATEST:
        raise _invalid_time(value, name)
    return int(millis)


def end_of(value: When, *, name: str) -> int:
    """Converts the end of a range, which is not part of it, to UTC epoch milliseconds: a day means its end.
    Raises InvalidInput `time_invalid`."""
    is_day = isinstance(value, date) and not isinstance(value, datetime)
    if isinstance(value, str):
        is_day = any(day.fullmatch(value.strip()) for day in (_DAY, _DOTTED))
    return to_millis(value, name=name) + (DAY if is_day else 0)


def to_iso(millis: int) -> str:
    """Returns a time as ISO 8601 in UTC, with milliseconds only if they are not 0: `2023-05-07T13:56:00Z`.

    One that no year can hold, as a damaged store may have it, becomes the first or last that one can.
    """
    moment = _EPOCH + timedelta(milliseconds=min(max(millis, EARLIEST), LATEST))
    return moment.isoformat(timespec="milliseconds" if millis % 1_000 else "seconds") + "Z"


def _millis_of(moment: datetime) -> float:
    """Returns a time as milliseconds since 1970; without a time zone it is UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return delta.days * DAY + delta.seconds * 1000 + delta.microseconds // 1000


def _parse(text: str, name: str) -> float:
    """Returns a time in text as milliseconds since 1970. Raises InvalidInput."""
    text = text.strip()
    if len(text) > 100:
        raise _invalid_time(text[:40] + "…", name)
    if _DIGITS.fullmatch(text):
        return int(text)
    try:
        return _millis_of(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        pass
    if _NO_DATE.search(text):
        raise _invalid_time(text, name)
    text = _DOTTED.sub(lambda match: f"{match[3]}-{int(match[2]):02}-{int(match[1]):02}", text)
    # dateutil costs 60 ms to import: only for dates that need it
    from dateutil import parser

    if not any(c.isdigit() for c in text):
        raise _invalid_time(text, name)
    try:
        # twice with different defaults: a text that leaves the year open is not a time
        first, second = (
            _millis_of(parser.parse(text, default=datetime(year, 1, 1, tzinfo=UTC), tzinfos=_zone))
            for year in (1972, 1976)
        )
    except (ValueError, OverflowError, TypeError, AttributeError) as error:
        raise _invalid_time(text, name) from error
    if first != second:
        raise _invalid_time(text, name)
    return first


def _zone(name: str | None, offset: int | None) -> int | None:
    """Returns the offset as written. Raises ValueError for a zone name, which is ambiguous."""
    if name is not None and offset is None:
        raise ValueError(f"time zone {name!r} is ambiguous")
    return offset


def _invalid_time(value: object, name: str) -> InvalidInput:
    """Returns the error for a value that is no time."""
    return InvalidInput(
        f"{name}: cannot read {safe_repr(value)} as a time",
        code="time_invalid",
        hint="give a datetime, epoch milliseconds, or text such as 2026-05-07T13:56:00Z",
    )
