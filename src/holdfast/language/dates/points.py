"""Calendar points that questions name, some with an open year, and the periods they denote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdfast.core.times import DAY
from holdfast.language.dates import words as vocab

if TYPE_CHECKING:
    from numpy.typing import NDArray

EPOCH = date(1970, 1, 1).toordinal()
YEARS_ON = 10
"""Most years of a range such as "2019-28"."""


class Period(NamedTuple):
    """A time from `start` until before `end`, in epoch milliseconds."""

    start: int
    end: int

    def nearness(self, at: NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the nearness of times: 1 inside the period, halved with each further length of it outside.

        The length counts as 1 to 30 days, because people name a day when they mean the next one.
        """
        away = np.maximum(np.maximum(self.start - at, at - self.end + 1), 0)
        half = min(max(self.end - self.start, DAY), 30 * DAY)
        return np.asarray(np.exp2(-away / half), np.float64)


class Part(NamedTuple):
    """A part of a longer time: its `n`th `unit`, from 0; -1 is the last.

    "days" counts `n` of them from the beginning or, below 0, up to the end.
    """

    unit: str
    n: int

    def of(self, period: Period) -> Period | None:
        first, length = period.start // DAY, (period.end - period.start) // DAY
        if shares := {"third": 3, "half": 2, "quarter": 4}.get(self.unit):
            n = self.n % shares
            start, count = first + length * n // shares, length * (n + 1) // shares - length * n // shares
            return days_from(start, count) if length >= shares else period
        if self.unit == "days":
            start, count = (first, self.n) if self.n > 0 else (first + length + self.n, -self.n)
        elif (every := vocab.LENGTH.get(self.unit, 1)) > 1 or self.unit == "day":
            start, count = (first + length - every, every) if self.n < 0 else (first + every * self.n, every)
        else:
            day, count = (5, 2) if self.unit == "weekend" else (vocab.WEEKDAYS[self.unit], 1)
            last = first + length - 1
            start = (
                last - (weekday(last) - day) % 7
                if self.n < 0
                else first + (day - weekday(first)) % 7 + 7 * self.n
            )
        start, end = max(start, first), min(start + count, first + length)
        return days_from(start, end - start) if start < end else None


class Point(NamedTuple):
    """A calendar time with a possibly open year: `months` months from `month` or, with a `day`, the days
    until `until`; a `part` of that; up to the end of the point `to`."""

    year: int | None
    month: int = 1
    months: int = 12
    day: int = 0
    until: int = 0
    part: Part | None = None
    to: Point | None = None

    def is_year(self) -> bool:
        return self == Point(self.year) and self.year is not None

    def period_in(self, year: int) -> Period | None:
        """Returns the period in a year, or in the point's own year; None for dates such as 30 February."""
        year = self.year or year
        try:
            if self.day:
                first = date(year, self.month, self.day).toordinal()
                end = date(year, self.month, self.until or self.day).toordinal() + 1
            else:
                first, end = first_of(year, self.month), first_of(year, self.month + self.months)
        except ValueError:
            return None
        whole: Period | None = days_from(first - EPOCH, end - first) if first < end else None
        if whole and self.part:
            whole = self.part.of(whole)
        if whole and self.to:
            last = self.to.period_in(year + (self.to.month < self.month))
            return Period(whole.start, last.end) if last and last.end > whole.start else None
        return whole


Item = Point | Period
Reading = tuple[int, list[Item]] | None
"""The next position and the items read, or None."""


def numeric(word: str) -> Iterator[Point]:
    """Yields the dates written by two or three numbers with one separator, else the year they begin with."""
    parts = re.split("[-/.]", word)
    signs = {sign for sign in word if not sign.isdecimal()}
    if len(parts) > 3 or len(signs) > 1 or max(map(len, parts)) > 4:
        return
    numbers = [int(part) for part in parts]
    first, last = numbers[0], numbers[-1]
    if is_year(parts[0]):
        month = numbers[1]
        if len(parts) == 3:
            day = Point(first, month, 1, last)
            yield day if month < 13 and day.period_in(first) else Point(first)
        elif is_year(parts[1]):
            yield Point(first, to=Point(last)) if first < last else Point(first)
        elif len(parts[1]) < 3 and 0 < month < 13:
            yield Point(first, month, 1)
        else:  # 2023-24
            following = 0 < last - first % 100 <= YEARS_ON and len(parts[1]) == 2 and signs != {"."}
            yield Point(first, to=Point(first - first % 100 + last)) if following else Point(first)
    elif len(parts) == 3 and (is_year(parts[2]) or (len(parts[2]) == 2 and signs == {"/"})):
        year = last if last > 99 else 2000 + last
        orders = [(numbers[1], first), (first, numbers[1])]  # day first, month first
        days = (Point(year, month, 1, day) for month, day in (orders[:1] if signs == {"."} else orders))
        yield from dict.fromkeys(day for day in days if day.month < 13 and day.day and day.period_in(year))
    elif len(parts) == 2 and is_year(parts[1]) and 0 < first < 13 and len(parts[0]) < 3:
        yield Point(last, first, 1)


def is_year(word: str) -> bool:
    """Returns whether a text is four digits from 1900 to 2099."""
    return len(word) == 4 and word.isdecimal() and word[:2] in {"19", "20"}


def day_of(word: str) -> int:
    """Returns a day of the month, plain or counted ("3rd", "1er"); 0 for everything else."""
    number = word.rstrip("abcdefghijklmnopqrstuvwxyz")
    is_day = (
        0 < len(number) < 3
        and number.isdecimal()
        and word[len(number) :] in {"", "st", "nd", "rd", "th", "er"}
    )
    return int(number) if is_day and int(number) < 32 else 0


def first_of(year: int, month: int) -> int:
    """Returns the first day of a month as an ordinal; months continue past December."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1).toordinal()


def weekday(day: int) -> int:
    """Returns the day of the week, 0 for Monday, of a day counted from 1970."""
    return (day + 3) % 7  # 1 January 1970 was a Thursday


def days_from(start: int, count: int) -> Period:
    """Returns the period of `count` days from a day counted from 1970."""
    return Period(start * DAY, (start + count) * DAY)
