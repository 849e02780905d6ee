"""Reads the days, months, quarters, seasons and years that a question names or writes in digits."""

from __future__ import annotations

import re
from collections.abc import Set
from datetime import date

from holdfast.core.times import DAY
from holdfast.language.dates import words as vocab
from holdfast.language.dates.points import EPOCH, Item, Period, Point, Reading, day_of, is_year, numeric


class Names:
    """The words of one question, read from any position with a bounded look-ahead."""

    def __init__(self, raw: list[str], words: list[str], now: int) -> None:
        # padding, so that no reading passes an end of the list: none looks further ahead, or back beyond -2
        self.words = words + [""] * 24
        self.raw = raw + [""] * 24
        self.shouted = not any(word.islower() for word in raw)
        self.german = "hier" in words and not vocab.HERE.isdisjoint(words)
        self.count = len(words)
        self.now = now
        self.today = now // DAY
        self.date = date.fromordinal(EPOCH + self.today)

    def _read_name(self, i: int, *, linked: bool = False) -> Reading:
        """Reads days, months, quarters, seasons and years by name or number."""
        word = self.words[i]
        if "0" <= word[:1] <= "9":
            return self._digits(i)
        if word in vocab.MONTHS:
            return self._month(i, linked=linked)
        if word in vocab.SEASONS:
            return self._season(i, linked=linked)
        if len(word) == 2 and word[0] in "qh" and "1" <= word[1] <= ("4" if word[0] == "q" else "2"):
            months = 3 if word[0] == "q" else 6
            point = Point(None, (int(word[1]) - 1) * months + 1, months)
            j, year = self._year_after(i + 1)
            if year:
                return j, [point._replace(year=year)]
            introduced = linked or self.words[i - 1] in vocab.BEFORE_MONTH
            return (i + 1, [self._of_year(point, "latest")]) if introduced and months == 3 else None
        if word in vocab.FISCAL and self.words[i + 1] == "year":
            return self._fiscal(i + 2)
        if word == "fy":
            return self._fiscal(i + 1)
        named = self._year(i)
        return (i + 1, [Point(named[1])]) if named and word[:2] == "fy" else None

    def _digits(self, i: int) -> Reading:
        """Reads a date that begins with a number: "3 May", or "2024年5月"."""
        word = self.words[i]
        if word[-1] in "年月日号號":
            numbers = [int(digits) for digits in re.findall("[0-9]+", word)]
            year = numbers.pop(0) if "年" in word else None
            month, day = (*numbers, 0, 0)[:2]
            point = Point(year, month or 1, 1 if month else 12, day)
            return i + 1, [point] if ("月" not in word or 0 < month < 13) and (
                year is None or 1900 <= year < 2100
            ) else []
        if reading := self._day_month(i):
            return reading
        if not word.isdecimal():
            return (i + 1, list(numeric(word))) if re.fullmatch("[0-9]+(?:[-/.][0-9]+)+", word) else None
        if not (named := self._year(i)) or self.words[i - 1] in {"#", "$", "€", "£"}:
            return None
        j, year = named
        quarter = self.words[j + (self.words[j] in {"-", "/"})]
        if len(quarter) == 2 and quarter[0] == "q" and "1" <= quarter[1] <= "4":
            return j + 1 + (self.words[j] != quarter), [Point(year, 3 * int(quarter[1]) - 2, 3)]
        return j, [Point(year)]

    def _days_of(self, i: int) -> tuple[int, int, int] | None:
        """Reads the day or days of a month. Returns the next position, the first and the last day ("3 to
        10")."""
        first, dash, last = self.words[i].partition("-")
        day, until = day_of(first), day_of(last if dash else first)
        if not (day and until):
            return None
        j = i + 1 + (self.words[i + 1] == ".")
        ties = self.words[j] in vocab.TO or (
            self.words[j] in vocab.AND and self.words[i - 1] in vocab.BETWEEN
        )
        if ties and not dash and (end := day_of(self.words[j + 1])):
            return j + 2 + (self.words[j + 2] == "."), day, end
        return j, day, until

    def _day_month(self, i: int) -> Reading:
        """Reads "22 May 2026", "3rd of May", "22. Mai", "3-10 May"; a plain "10 may" is usually a verb."""
        if not (days := self._days_of(i)):
            return None
        j, day, until = days
        dotted = self.words[j - 1] == "."
        k = self._past(j, vocab.OF_DAY)
        name = self.words[k]
        if not (month := vocab.MONTHS.get(name)):
            return None
        end, year = self._year_after(self._abbreviated(k))
        introduced = (
            self.words[i - 1] in vocab.BEFORE_DAY
            or not self.words[i][-1].isdecimal()
            or "of" in self.words[j:k]
        )
        doubtful = name in vocab.DOUBTFUL and name != "mars"
        if doubtful and not year and (dotted or not (self._titled(k) or introduced)):
            return None
        return end, [Point(year, month, 1, day, until)]

    def _month(self, i: int, *, linked: bool) -> Reading:
        """Reads "May 3, 2023", "May 2023" and, if other words show that it is a month, "May"."""
        name, before = self.words[i], self.words[i - 1]
        month, titled = vocab.MONTHS[name], self._titled(i)
        doubtful = name in vocab.DOUBTFUL and (not titled or name == "mars")
        j = self._abbreviated(i)
        k = j + (self.words[j] == "the")
        if days := self._days_of(k):
            end, day, until = days
            if self.words[end] in vocab.MONTHS and until != day:  # May 3 to 10 June
                end, until = k + 1, day
            end, year = self._year_after(end)
            if (
                year
                or not doubtful
                or not self.words[k][-1].isdecimal()
                or before in vocab.SAYS_IN
                or before == "on"
            ):
                return end, [Point(year, month, 1, day, until)]
            return None
        end, year = self._year_after(j)
        point = Point(year, month, 1)
        if year and not (name == "mars" and titled and before not in vocab.SAYS_IN):  # a planet
            return end, [point]
        if self.words[j] in vocab.LAST_AFTER:
            return j + 1, [self._of_year(point, "last")]
        ties = self.words[j] in vocab.TO | vocab.AND and self.words[j + 1] in vocab.MONTHS
        introduced = before in (vocab.BEFORE_MONTH if name in vocab.ENGLISH else vocab.BEFORE_FOREIGN)
        if doubtful:
            shown = introduced and (before in vocab.SAYS_IN or ties or not self.words[j][:1].isalpha())
        else:
            shown = introduced or (ties and self.words[j] in vocab.TO)
        return (j, [point]) if linked or shown else None

    def _season(self, i: int, *, linked: bool) -> Reading:
        """Reads a season with its year, if one follows."""
        name, before = self.words[i], self.words[i - 1]
        if name == "ete" and before not in {"'", "en", "cet"}:
            return None  # the French for "been", too
        point = Point(None, 3 + 3 * vocab.SEASONS[name], 3)
        both = self._fiscal(self._past(i + 1, vocab.OF))
        if both and isinstance(first := both[1][0], Point) and first.to:
            return both[0], [point._replace(year=first.year)]
        end, year = self._year_after(i + 1)
        if year:
            # the winter of 2023 is the one that begins in it or the one that ends in it
            years = [year - 1, year] if point.month == 12 else [year]
            return end, [point._replace(year=possible_year) for possible_year in years]
        if self.words[i + 1] in vocab.LAST_AFTER:
            return i + 2, [self._of_year(point, "last")]
        the = before == "the" and self.words[i - 2] in vocab.BEFORE_SEASON
        introduced = linked or the or before == "im" or before in vocab.LAST or before in vocab.THIS
        return (i + 1, [point]) if introduced else None

    def _fiscal(self, i: int) -> Reading:
        """Reads a fiscal or school year, "2023-24", as the calendar years that it touches or is named
        after."""
        word = self.words[i]
        first, _, last = word.replace("/", "-").partition("-")
        if is_year(first) and len(last) == 2 and last.isdecimal():
            year = int(first)
            return i + 1, [Point(year, to=Point(year + (int(last) - year) % 100))]
        if len(word) == 2 and word.isdecimal():
            return i + 1, [Point(2000 + int(word))]
        end, named = self._year_after(i)
        return (end, [Point(named)]) if named else None

    def _year(self, i: int) -> tuple[int, int] | None:
        """Reads a year: "2023", "FY24", "'24", "last year", "去年"."""
        word, following = self.words[i], self.words[i + 1]
        if is_year(word):
            return i + 1, int(word)
        if word[:2] == "fy" and word[2:].isdecimal() and (len(word) == 4 or is_year(word[2:])):
            return i + 1, 2000 + int(word[-2:]) if len(word) == 4 else int(word[2:])
        if word == "'" and len(following) == 2 and following.isdecimal():
            return i + 2, 2000 + int(following)
        back: int | None = None
        j = i + 1
        if word in vocab.SINGLE:
            unit, back = vocab.SINGLE[word]
            back = back if unit == "year" else None
        elif vocab.UNITS.get(following) == "year":
            back = 1 if word in vocab.LAST else 0 if word in vocab.THIS else None
            j = i + 2
        elif vocab.UNITS.get(word) == "year" and following in vocab.LAST_AFTER:
            back, j = 1, i + 2
        elif word == "year" and self.words[i + 1 : i + 3] == ["before", "last"]:
            back, j = 2, i + 3
        return None if back is None else (j, self.date.year - back)

    def _year_after(self, i: int) -> tuple[int, int | None]:
        """Reads the year in the next words. Returns the next position, or `i` and None without one."""
        j = i
        for _ in range(4):
            if reading := self._year(j):
                return reading[0] + (self.words[reading[0]] == ")"), reading[1]
            if self.words[j] not in vocab.BEFORE_YEAR:
                break
            j += 1
        return i, None

    def _of_year(self, item: Item, position: str) -> Item:
        """Sets the year of a yearly item to "this", the "last" or the "latest" one.

        The last May may be under way; the last summer is over.
        """
        if isinstance(item, Period) or item.year:
            return item
        years = range(self.date.year, self.date.year - 9, -1)
        until = self.today * DAY
        for year in years[:2] if position == "this" else years:
            period = item.period_in(year)
            over = position == "last" and item.months == 3
            if (
                period
                and (period.end if over else period.start) <= until
                and (position != "this" or until < period.end)
            ):
                return item._replace(year=year)
        return item._replace(year=self.date.year)

    def _past(self, i: int, words: Set[str]) -> int:
        return next((j for j in range(i, i + 3) if self.words[j] not in words), i + 3)

    def _abbreviated(self, i: int) -> int:
        """Returns the position after the name of a month and its stop: "Dec." does not end a sentence."""
        return i + 1 + (self.words[i + 1] == "." and len(self.words[i]) < 5 and self.words[i] != "may")

    def _titled(self, i: int) -> bool:
        return self.raw[i][:1].isupper() and (self.raw[i][1:].islower() or self.shouted)
