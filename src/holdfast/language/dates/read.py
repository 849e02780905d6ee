"""Finds the periods that a question names.

A question is cut into words, numbers and East Asian phrases. The first reading that fits a position counts,
and its words are not read again, so "22 May 2026" names no whole year. Readings are tried in this order:

1. a part of a longer time (early May, the last week of May 2024, the first half of last year);
2. last and this with a unit, weekday, month or season (last week, this May); the last few weeks;
3. counted units (three weeks ago: the seven days around the one that lies 21 days back);
4. single words and phrases (yesterday, the week before last; recently: today and the 14 days before it);
5. dates in digits (2023-05-08, 15.03.2024, 05/2023, 2019-2021) and with 年月日; days and months by name,
   quarters, seasons, fiscal years, years.

Two of them form a range where the question says so (from March to May 2024). "Since" and "after" reach until
today; "before" gives no period, because it has no beginning. Names and plain phrases are read in
English, German, French and Spanish, with and without accents, common ones in Chinese and Japanese. Days are
those of UTC, weeks begin on Monday, seasons are the northern ones in whole months; bounds are milliseconds.
05/07/2023 is two periods, 5 July and 7 May: nothing says which. What lies in the future is left out.
"""

from __future__ import annotations

import re
from functools import cache

from holdfast.language.dates import words as vocab
from holdfast.language.dates.points import Period, Point
from holdfast.language.dates.reader import PERIODS_MAX, Reader

_EASTERN = "\u3005-\u9fff"
_DIGIT_OR_EASTERN = re.compile(rf"[0-9{_EASTERN}]")
_ACCENTS = zip(
    "aceinouAEIOU", "àáâäã ç éèêë íìîï ñ óòôöõ úùûü ÀÁÂÄÃ ÉÈÊË ÍÌÎÏ ÓÒÔÖÕ ÚÙÛÜ".split(), strict=True
)
_PLAIN: dict[int, str | None] = {
    **dict.fromkeys(range(0x300, 0x370)),
    **{0xFF01 + i: chr(0x21 + i) for i in range(94)},
    **{ord(accented): letter for letter, group in _ACCENTS for accented in group},
    **dict.fromkeys(map(ord, "‐‑‒–—"), "-"),
    ord("’"): "'",
}
"""Full-width signs, accents and dashes to those of ASCII."""


def plain(text: str) -> str:
    """Returns a text without accents, with signs as in ASCII."""
    return text if text.isascii() else text.translate(_PLAIN)


def periods_in(text: str, now: int) -> tuple[Period, ...]:
    """Returns the periods that a question names, relative to `now` (epoch milliseconds, UTC); usually none.

    Each begins at `now` at the latest and has its whole length, so that "this year" ends with December. A
    month or day without a year means each of the last ten years, unless the question also names one.
    """
    text = plain(text)
    raw = _token(text.isascii()).findall(text)
    words = [word.lower() for word in raw]
    if vocab.SIGNS.isdisjoint(words) and not _DIGIT_OR_EASTERN.search(text):
        return ()
    reader = Reader(raw, words, now)
    items = reader.read()
    years = {item.year for item in items if isinstance(item, Point) and item.is_year()}
    if len(years) == 1 and any(isinstance(item, Point) and not item.year for item in items):
        (year,) = years
        items = [
            item._replace(year=item.year or year) if isinstance(item, Point) else item
            for item in items
            if not (isinstance(item, Point) and item.is_year())
        ]
    periods = (period for item in items for period in reader.resolved(item) if period.start <= now)
    return tuple(dict.fromkeys(periods))[:PERIODS_MAX]


@cache
def _token(ascii_only: bool) -> re.Pattern[str]:
    """Compiles the token pattern on first use. With the phrases it takes milliseconds, and ASCII alone holds
    none."""
    letter = rf"[^\W{_EASTERN}]"
    simple = rf"[0-9]++(?:[-/.][0-9]++)*+(?=T[0-9]|(?!{letter}))|{letter}++|\S"
    if ascii_only:
        return re.compile(simple)
    phrases = sorted((word for word in vocab.SINGLE if not word.isascii()), key=len, reverse=True)
    # 前年 but not 以前年轻 or 目前年龄, 本周 but not 本周期
    exceptions = {"年": "(?![轻輕龄齡])", "周": "(?![期围圍边邊])", "週": "(?![期])"}
    day = "(?: ?[0-9]{1,2} ?[日号號])?"
    return re.compile(
        "(?:[0-9]{1,3}|[一二两兩三四五六七八九十几幾数]) ?"
        "(?:[个個かヶケカ]月|[个個]?(?:天|日|週間?|周|星期|礼拜|禮拜|年))之?前"
        f"|[0-9]{{4}} ?年(?: ?[0-9]{{1,2}} ?月{day})?|[0-9]{{1,2}} ?月{day}|から"
        f"|{'|'.join(word + exceptions.get(word[-1], '') for word in phrases)}|{simple}"
    )
