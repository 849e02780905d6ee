"""The one time that somebody means by words such as `yesterday`, `2 weeks ago`, `7d` or `next friday`."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime

from holdfast.core.times import DAY
from holdfast.language.dates import words as vocab
from holdfast.language.dates.points import Period, weekday
from holdfast.language.dates.read import periods_in, plain

_SHORT = {"m": "minute", "min": "minute", "h": "hour", "hr": "hour", "d": "day", "w": "week", "mo": "month",
          "y": "year", "yr": "year"}  # fmt: skip
_SPAN = re.compile(r"(?:(in|vor) )?(\d{1,5}|[a-z]+) ?([a-z]+?)s?(?: (ago|back))?")
_WRITTEN = re.compile(r"[0-9][-:/.T+][0-9]")
"""A date or time in figures: where it cannot be read as one, no part of it is meant."""
_FILLERS = frozenset(
    "a an the of in on at by for der die das dem den am im vom le la les du en el de del los".split()
)
_TOMORROW = frozenset({"tomorrow", "morgen", "demain", "manana"})


def moment(text: str, now: int, *, end: bool = False, ahead: bool = False) -> int | None:
    """Returns the time that words name, in epoch milliseconds: where it begins or, with `end`, where it ends.
    None if they name none. Days are those of UTC; a span of minutes or hours is exact, and one without `in`
    or `ago` lies behind or, with `ahead`, ahead."""
    words = " ".join(plain(text).lower().split())
    if words in vocab.NOW and words not in ("today", "heute"):
        return now
    today = now // DAY
    day: int | None = None
    span = _SPAN.fullmatch(words)
    if span is not None and (resolved := _span(now, ahead, *span.groups())) is not None:
        exact, day = resolved
        if exact is not None:
            return exact
    elif words in _TOMORROW:
        day = today + 1
    else:
        *before, last = words.split() or [""]
        if last in vocab.WEEKDAYS and (not before or (len(before) == 1 and before[0] in vocab.NEXT)):
            days = (vocab.WEEKDAYS[last] - weekday(today)) % 7
            day = today + (days or 7 if before else days - 7 if days else 0)
    if day is not None:
        return (day + 1 if end else day) * DAY
    periods = periods_in(text, now)
    if not periods or _WRITTEN.search(text) or _says_more(words.split(), periods, now):
        return None
    period = max(periods)
    return period.end if end else period.start


def _says_more(words: list[str], periods: tuple[Period, ...], now: int) -> bool:
    """Returns whether a word beside the time means something else, such as a misspelt one."""
    return any(
        word not in _FILLERS and periods_in(" ".join(words[:at] + words[at + 1 :]), now) == periods
        for at, word in enumerate(words)
    )


def _span(
    now: int, ahead: bool, before: str | None, amount: str, unit: str, after: str | None
) -> tuple[int | None, int] | None:
    """Returns the exact time of a span from now, if it is one of hours or minutes, and the day; None if it is
    no span."""
    unit = vocab.UNITS.get(unit) or vocab.UNITS.get(f"{unit}s") or _SHORT.get(unit) or unit
    count = int(amount) if amount.isdigit() else vocab.COUNTS.get(amount)
    if count is None or (before == "in" and after is not None):
        return None
    sign = 1 if before == "in" or (ahead and before is None and after is None) else -1
    if unit in vocab.WITHIN_A_DAY:
        exact = now + sign * count * vocab.WITHIN_A_DAY[unit]
        return exact, exact // DAY
    if unit in vocab.MONTHS_IN:
        return None, _months(now, sign * count * vocab.MONTHS_IN[unit])
    if unit == "day" or unit in ("week", "fortnight"):
        return None, now // DAY + sign * count * vocab.LENGTH.get(unit, 1)
    return None


def _months(now: int, months: int) -> int:
    """Returns the day some months from now: the same of its month, or the last."""
    then = datetime.fromtimestamp(now / 1_000, UTC)
    year, month = divmod(then.year * 12 + then.month - 1 + months, 12)
    if not 1 <= year <= 9_999:
        return now // DAY
    last = monthrange(year, month + 1)[1]
    return int(datetime(year, month + 1, min(then.day, last), tzinfo=UTC).timestamp()) * 1_000 // DAY
