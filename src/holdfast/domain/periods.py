"""Periods: the times that a question speaks of ("last week", "in May 2023"), as soft bounds in time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdfast.domain.times import DAY

if TYPE_CHECKING:
    from numpy.typing import NDArray

YEARS_BACK = 10
"""How far back a month or day is looked for that is named without its year."""

_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()

_MONTH = "|".join(f"{name}|{name[:3]}" for name in _MONTHS) + "|sept"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNT = rf"(?P<count>an?|\d{{1,3}}|{'|'.join(_NUMBERS)}|a couple of|a few|several)"

_MAYBE = re.compile(
    rf"\d|ago\b|last|past|this|previous|today|tonight|yesterday|recently|lately|[今昨前上这去]|{_MONTH}",
    re.IGNORECASE,
)
"""What every period holds some of: most questions are done with here."""


@cache
def _readings() -> tuple[re.Pattern[str], ...]:
    """The first reading that fits a place in the text counts; what it takes is not read again."""
    patterns = (
        rf"\b{_YEAR}[-/.年](?P<number>\d{{1,2}})(?:[-/.月](?P<day>\d{{1,2}})日?|月|\b)",
        rf"\b(?P<month>{_MONTH})\.?\s+{_DAY}\b(?:,?\s+{_YEAR}\b)?",
        rf"\b{_DAY}\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+{_YEAR}\b)?",
        rf"\b(?P<month>{_MONTH})\.?,?\s+(?:of\s+)?{_YEAR}\b",
        # "may" and "march" alone are verbs more often than months
        rf"\b(?:in|during|since|of|by|until|last|this|early|late|mid)[\s-]+(?P<month>{_MONTH})\b",
        r"\b(?P<year>(?:19|20)\d\d)(?:年|\b)",
        r"\b(?P<last>last|this|past|previous)\s+(?P<unit>week|month|year|weekend)\b",
        rf"\blast\s+(?P<weekday>{'|'.join(_DAYS)})\b",
        rf"\b{_COUNT}\s+(?P<unit>day|week|month|year)s?\s+ago\b",
        rf"\b(?:the\s+)?(?:last|past)\s+{_COUNT}\s+(?P<unit>day|week|month|year)s\b",
        r"\b(?P<near>today|tonight|yesterday|recently|lately)\b|(?P<here>今天|昨天|前天|上周|上星期|这周|上个月|这个月|去年|今年)",
    )
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_LENGTH = {"day": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}
_ABOUT = {"a": 1, "an": 1, "a couple of": 2, "a few": 3, "several": 4}
_CHINESE = {
    "今天": ("this", "day"), "昨天": ("last", "day"), "前天": ("ago", "day"), "上周": ("last", "week"),
    "上星期": ("last", "week"), "这周": ("this", "week"), "上个月": ("last", "month"),
    "这个月": ("this", "month"), "去年": ("last", "year"), "今年": ("this", "year"),
}  # fmt: skip


class Period(NamedTuple):
    """Time from `start` until before `end`, epoch milliseconds."""

    start: int
    end: int

    def nearness(self, at: NDArray[np.int64]) -> NDArray[np.float64]:
        """1 inside the period; outside halved with every further length of it, counted as 1 to 30 days:
        people speak of a day on the next one."""
        away = np.maximum(np.maximum(self.start - at, at - self.end + 1), 0)
        half = min(max(self.end - self.start, DAY), 30 * DAY)
        return np.asarray(np.exp2(-away / half), np.float64)


def periods_in(text: str, now: int) -> tuple[Period, ...]:
    """The periods that a question names, seen from `now` (epoch milliseconds, UTC); none in most questions.

    Relative ones end now at the latest; a month or day without a year is meant in each of the last years.
    """
    if not _MAYBE.search(text):
        return ()
    today = datetime.fromtimestamp(now / 1000, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    found: list[Period] = []
    for reading in _readings():
        for match in reading.finditer(text):
            found += (period for period in _meant(match, today) if period.start <= now)
        text = reading.sub(" ", text)
    return tuple(found)


def _meant(match: re.Match[str], today: datetime) -> Iterator[Period]:
    named = {name: value.lower() for name, value in match.groupdict().items() if value}
    if here := named.get("here"):
        yield _back(*_CHINESE[here], today)
    elif near := named.get("near"):
        yield {
            "yesterday": _days(today - timedelta(1), 1),
            "recently": _days(today - timedelta(14), 15),
            "lately": _days(today - timedelta(14), 15),
        }.get(near, _days(today, 1))
    elif weekday := named.get("weekday"):
        since = (today.weekday() - _DAYS.index(weekday)) % 7 or 7
        yield _days(today - timedelta(since), 1)
    elif unit := named.get("unit"):
        if count := named.get("count"):
            yield _counted(count, unit, today, ago=match.group().lower().endswith("ago"))
        else:
            yield _back("this" if named["last"] == "this" else "last", unit, today)
    else:
        yield from _calendar(named, today)


def _back(last: str, unit: str, today: datetime) -> Period:
    """This or the last day, week, month or year; `ago` is the one before the last."""
    if unit == "month":
        first = today.replace(day=1)
        start = first if last == "this" else (first - timedelta(1)).replace(day=1)
        return _days(start, 31)
    if unit == "year":
        return _days(datetime(today.year - (last != "this"), 1, 1, tzinfo=UTC), 365)
    length = _LENGTH[unit]
    start = today if unit == "day" else today - timedelta(today.weekday())
    return _days(start - timedelta({"this": 0, "last": 1, "ago": 2}[last] * length), length)


def _counted(count: str, unit: str, today: datetime, *, ago: bool) -> Period:
    number = (
        _ABOUT[count] if count in _ABOUT
        else _NUMBERS.index(count) + 1 if count in _NUMBERS
        else int(count)
    )  # fmt: skip
    length = _LENGTH[unit]
    start = today - timedelta(number * length)
    if not ago:
        return _days(start, number * length + 1)
    return _days(start - timedelta(length // 2), length)


def _calendar(named: dict[str, str], today: datetime) -> Iterator[Period]:
    month = int(named["number"]) if "number" in named else _month(named.get("month"))
    day = int(named["day"]) if "day" in named else None
    years = [int(named["year"])] if "year" in named else range(today.year - YEARS_BACK, today.year + 1)
    for year in years:
        try:
            start = datetime(year, month or 1, day or 1, tzinfo=UTC)
        except ValueError:
            continue  # 30 February
        if day:
            yield _days(start, 1)
        elif month:
            following = (start + timedelta(31)).replace(day=1)
            yield _days(start, (following - start).days)
        else:
            yield _days(start, 366 if year % 4 == 0 else 365)


def _month(name: str | None) -> int | None:
    if name is None:
        return None
    return next(i for i, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _days(start: datetime, count: int) -> Period:
    first = round(start.timestamp() * 1000)
    return Period(first, first + count * DAY)
