"""Reads the times of a question: by name, relative to today, parts of them, and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from holdfast.core.times import DAY
from holdfast.language.dates import words as vocab
from holdfast.language.dates.names import Names
from holdfast.language.dates.points import EPOCH, Item, Part, Period, Point, Reading, days_from

YEARS_BACK = 10
"""Years back in which a month or day without a year is looked for."""
PERIODS_MAX = 100
"""Most times of one question that are read; each costs ranking a little."""
RECENT = 14
"""Days before today that count as recent."""


class Reader(Names):
    """A reader of one question, word by word; every position is visited a bounded number of times."""

    def read(self) -> list[Item]:
        items: dict[Item, None] = {}
        i = 0
        while i < self.count and len(items) < PERIODS_MAX:
            if reading := self._at(i):
                between = self.words[i - 1] in vocab.BETWEEN
                start = i
                i, read = self._linked(*reading, between=between)
                items.update(dict.fromkeys(self._open(self.words[start - 1], read)))
            else:
                i += 1
        return list(items)

    def _open(self, word: str, read: list[Item]) -> list[Item]:
        """Applies "since", "after" or "before" to a time: from then, or its end, until now; "before" gives
        none."""
        if word in vocab.BEFORE:
            return []
        if word not in vocab.SINCE or len(read) != 1:
            return read
        started = [period for period in self.resolved(read[0]) if period.start <= self.now]
        if not started:
            return []
        start = started[-1].end if word in ("after", "nach", "apres") else started[-1].start
        return [Period(start, max((self.today + 1) * DAY, start + 1))]

    def resolved(self, item: Item) -> Iterator[Period]:
        if isinstance(item, Period):
            yield item
            return
        this = self.date.year
        for year in [item.year] if item.year else range(this - YEARS_BACK, this + 1):
            if period := item.period_in(year):
                yield period

    def _linked(self, i: int, items: list[Item], *, between: bool) -> tuple[int, list[Item]]:
        """Extends a reading with the time that the next words connect to it: "March to May 2024"."""
        link = self.words[i]
        ties = link in vocab.TO or (between and link in vocab.AND)
        if len(items) != 1 or not (ties or link in vocab.AND):
            return i, items
        (first,) = items
        name = self.words[i + 1]
        if ties:
            if name in vocab.NOW:
                reading: Reading = (i + 2, [days_from(self.today, 1)])
            else:
                reading = self._at(i + 1, linked=True)
            if reading and len(reading[1]) == 1 and (whole := self._from_to(first, reading[1][0])):
                return reading[0], [whole]
        elif isinstance(first, Point) and not first.year and name in vocab.MONTHS:
            reading = self._at(i + 1, linked=name not in vocab.DOUBTFUL or self._titled(i + 1))
            if reading and isinstance(reading[1][0], Point):
                return reading[0], [first._replace(year=reading[1][0].year), *reading[1]]
        return i, items

    def _from_to(self, first: Item, last: Item) -> Item | None:
        """Returns the period between two dates, None if they are no period."""
        if isinstance(first, Point) and isinstance(last, Point):
            if not first.year and last.year:
                first = first._replace(year=last.year - (first.month > last.month))
            whole = first._replace(to=last)
            return whole if next(self.resolved(whole), None) else None
        ends = [list(self.resolved(item)) for item in (first, last)]
        if all(len(end) == 1 for end in ends) and ends[0][0].start < ends[1][0].end:
            return Period(ends[0][0].start, ends[1][0].end)
        return None

    def _at(self, i: int, *, inner: bool = False, linked: bool = False) -> Reading:
        """Reads the time at a position; `inner` excludes a part of a part, `linked` follows "to" or
        "early"."""
        word = self.words[i]
        if not inner and (reading := self._part(i)):
            return reading
        if word in vocab.LAST or word in vocab.THIS:
            return self._last(i)
        if word in vocab.BEFORE_LAST and (unit := vocab.UNITS.get(self.words[i + 1])):
            return self._back(i + 2, unit, 2)
        if word in vocab.NEXT:
            skipped = self._read_name(i + 1, linked=True)
            return (skipped[0], []) if skipped else None
        return self._read_counted(i) or self._single(i) or self._read_name(i, linked=linked)

    def _part(self, i: int) -> Reading:
        """Reads a part of a time: "early May", "the last week of May 2024", "the first ten days of June"."""
        word = self.words[i]
        if word in vocab.THIRDS:
            j = self._past(i + 1, vocab.OF | {"-"})
            if j == i + 1 and word not in vocab.BARE_PARTS:
                return None
            return self._parted(j, Part("third", vocab.THIRDS[word]))
        n = -1 if word in vocab.LAST else vocab.ORDINALS.get(word)
        if n is None:
            return None
        j, count = i + 1, 0
        if n < 1 and (number := self._number(j)):
            j, count = number
        name = self.words[j]
        unit = name if name in vocab.WEEKDAYS else vocab.PARTS.get(name)
        if unit is None or self.words[j + 1] not in vocab.OF:
            return None
        part = Part(unit, n)
        if count:
            part = Part("days", max(vocab.LENGTH.get(unit, 1), 1) * count * (-1 if n else 1))
        # the last week of something else is not last week
        skipped: Reading = (j + 2, []) if self.words[j + 1] == "of" else None
        return self._parted(self._past(j + 1, vocab.OF), part) or skipped

    def _parted(self, i: int, part: Part) -> Reading:
        """Reads a part of a period: "the second half of 2023"."""
        if not (reading := self._at(i, inner=True, linked=True)):
            return None
        read: list[Item] = []
        for item in reading[1]:
            if isinstance(item, Period):
                read += [period] if (period := part.of(item)) else []
            elif item.is_year() and (months := {"half": 6, "quarter": 3, "month": 1}.get(part.unit)):
                read.append(item._replace(month=1 + part.n % (12 // months) * months, months=months))
            else:
                read.append(item._replace(part=part))
        return reading[0], read

    def _last(self, i: int) -> Reading:
        """Reads "last week", "this May", "the last few weeks", "last Friday", "last night"."""
        word, name = self.words[i], self.words[i + 1]
        this = word in vocab.THIS
        if not this and (number := self._number(i + 1)):
            j, count = number
            unit = vocab.UNITS.get(self.words[j])
            return (j + 1, self._lately(count, unit)) if unit else None
        unit = vocab.UNITS.get(name)
        if not this and unit and self.words[i + 2] == "of":
            return i + 3, []  # the last year of a contract is not last year
        if (
            not this
            and unit
            and (word == "past" or unit == "fortnight")
            and unit not in {"night", "evening", "weekend"}
        ):
            return i + 2, self._lately(1, unit)
        if unit:
            excluded = unit in {"day", "fortnight"} or unit in vocab.WITHIN_A_DAY
            return None if excluded else self._back(i + 2, unit, 0 if this else 1)
        if name in vocab.WEEKDAYS:
            day = vocab.WEEKDAYS[name]
            since = self.date.weekday() - day if this else (self.date.weekday() - day) % 7 or 7
            return i + 2, [days_from(self.today - since, 1)]
        if not (reading := self._read_name(i + 1)):
            return None
        return reading[0], [self._of_year(item, "this" if this else "last") for item in reading[1]]

    def _read_counted(self, i: int) -> Reading:
        """Reads a counted time: "three weeks ago", "vor drei Wochen", "三周前", "les dix derniers jours"."""
        word = self.words[i]
        if word[-1:] == "前" and len(word) > 2:
            digits = re.match("[0-9]*", word)
            number = digits.group() if digits else ""
            rest = word[len(number) or 1 :].rstrip("之前").lstrip(" 个個かヶケカ")
            return i + 1, self._ago(int(number) if number else vocab.COUNTS[word[0]], vocab.UNITS[rest])
        before = 1 if word in {"vor", "hace"} else 3 if self.words[i : i + 3] == ["il", "y", "a"] else 0
        if not (reading := self._number(i + before)):
            return None
        j, count = reading
        name = self.words[j]
        if name in vocab.LAST and (unit := vocab.UNITS.get(self.words[j + 1])):
            return j + 2, self._lately(count, unit)
        unit = vocab.UNITS.get(name)
        if unit is None or not (before or self.words[j + 1] in vocab.AGO):
            return None
        if unit == "year" and self.words[i - 1] == "half":
            count, unit = 6 * count, "month"
        j = self._past(j + (1 if before else 2), vocab.NOW)  # three days ago today
        return j, self._ago(count, unit)

    def _single(self, i: int) -> Reading:
        """Reads single words and phrases: "yesterday", "the week before last", "la semana pasada", "去年"."""
        word, following = self.words[i], self.words[i + 1 : i + 3]
        for rest, unit, back in vocab.PHRASES.get(word, ()):
            if following[: len(rest)] == rest:
                return self._back(i + 1 + len(rest), unit, back)
        if word == "hier" and self.german:
            return None
        if word in vocab.SINGLE:
            return self._back(i + 1, *vocab.SINGLE[word])
        unit_or_none = vocab.UNITS.get(word)
        weekday = vocab.WEEKDAYS.get(word)
        if unit_or_none is None and weekday is None:
            return None
        back, j = (2, i + 3) if following == ["before", "last"] else (1, i + 2)
        if back == 1 and following[0] not in vocab.LAST_AFTER:
            return None
        if weekday is not None:
            since = (self.date.weekday() - weekday) % 7 or 7
            return j, [days_from(self.today - since - 7 * (back - 1), 1)]
        return self._back(j, unit_or_none or "", back) if unit_or_none not in {"hour", "fortnight"} else None

    def _number(self, i: int) -> tuple[int, int] | None:
        """Reads a number in digits or words. Returns the position after it and the number."""
        j = i + (self.words[i] in {"a", "ein"} and self.words[i + 1] in {"couple", "few", "paar"})
        word = self.words[j]
        number = (
            int(word) if len(word) < 4 and word.isascii() and word.isdecimal() else vocab.COUNTS.get(word)
        )
        if number is None:
            return None
        j += 1
        k = j + (self.words[j] == "-")
        if not word.isdecimal() and number >= 20 and (ones := vocab.COUNTS.get(self.words[k], 10)) < 10:
            j, number = k + 1, number + ones
        return j + (self.words[j] == "of"), number

    def _back(self, i: int, unit: str, back: int) -> tuple[int, list[Item]]:
        """Returns this unit (0), the last (1) or the one before that (2)."""
        if months := vocab.MONTHS_IN.get(unit):
            month = self.date.year * 12 + (self.date.month - 1) // months * months - months * back
            return i, [Point(month // 12, month % 12 + 1, months)]
        if unit == "recent":
            return i, [days_from(self.today - RECENT, RECENT + 1)]
        if unit == "night" and back:
            evening = (self.today - back) * DAY + DAY * 3 // 4
            return i, [Period(evening, evening + DAY // 2)]
        if unit in {"week", "weekend"}:
            monday = self.today - self.date.weekday() - 7 * back
            return i, [days_from(monday, 7) if unit == "week" else days_from(monday + 5, 2)]
        return i, [days_from(self.today - back, 1)]

    def _start(self, count: int, unit: str) -> int:
        """Returns the day that is some units before today."""
        if unit in vocab.WITHIN_A_DAY:
            return (self.now - count * vocab.WITHIN_A_DAY[unit]) // DAY
        if unit == "weekend":
            return self.today - self.date.weekday() + 5 - 7 * count
        if not (months := vocab.MONTHS_IN.get(unit)):
            return self.today - count * vocab.LENGTH.get(unit, 1)
        month = max(self.date.year * 12 + self.date.month - 1 - count * months, 12)
        day = self.date.day
        while True:  # three months before 31 May is the last of February
            try:
                return date(month // 12, month % 12 + 1, day).toordinal() - EPOCH
            except ValueError:
                day -= 1

    def _ago(self, count: int, unit: str) -> list[Item]:
        length = 2 if unit == "weekend" else vocab.LENGTH.get(unit, 1)
        return [days_from(self._start(count, unit) - (length // 2 if length > 2 else 0), length)]

    def _lately(self, count: int, unit: str) -> list[Item]:
        start = self._start(count, unit)
        return [days_from(start, max(self.today - start, 0) + 1)]
