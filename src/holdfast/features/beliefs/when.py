"""Dates of what was said in relation to its day: "yesterday", "for three years", "since May"."""

from __future__ import annotations

import re

from holdfast.core.times import DAY, to_iso
from holdfast.language.dates.moment import moment
from holdfast.language.dates.read import periods_in

_LEAD = re.compile(r"(?:ever since|since|seit|in|im)\s+", re.IGNORECASE)
_SINCE = re.compile(r"(?:ever since|since|seit)\s", re.IGNORECASE)
_LASTED = re.compile(
    r"(?:for|over|about|seit|schon)\s+(?:(?:about|almost|nearly|over|more than|around|the last|the past|fast"
    r"|über|etwa|rund|ungefähr|circa)\s+)*(?P<n>\d+|\w+)\s+"
    r"(?P<unit>years?|months?|weeks?|days?|jahre?n?|monate?n?|wochen?|tage?n?)\b",
    re.IGNORECASE,
)
_UNITS = {"y": "years", "j": "years", "m": "months", "w": "weeks", "d": "days", "t": "days"}
_NUMBERS = {
    word: str(number)
    for words in (
        "a two three four five six seven eight nine ten eleven twelve",
        "einem zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "one zwo",
    )
    for number, word in enumerate(words.split(), 1)
} | {"einer": "1", "an": "1"}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_AHEAD = re.compile(
    r"(?:tomorrow|tonight|today|übermorgen|morgen|heute|(?:on|am|next|this|nächsten|diesen) "
    r"(?:mon|tues|wednes|thurs|fri|satur|sun|diens|mitt|donners|frei|sams|sonn)\w*)",
    re.IGNORECASE,
)


def dated(expression: str | None, at: int, *, ahead: bool = False) -> str | None:
    """Returns the date of a time that was said at another time: "yesterday" is a day, "last month" a month,
    "two years ago" a year. A time that says its year, or that names none, is returned as it was said."""
    if expression is None:
        return None
    phrase = _LEAD.sub("", expression.strip(), count=1)
    if _YEAR.search(phrase):
        return phrase
    if ahead:
        day = moment(phrase, at, ahead=True) if _AHEAD.fullmatch(phrase) else None
        return expression if day is None else to_iso(day)[:10]
    if (lasted := _LASTED.match(expression)) is not None:
        number = _NUMBERS.get(lasted["n"].lower(), lasted["n"])
        phrase = f"{number} {_UNITS[lasted['unit'][0].lower()]} ago"
    periods = periods_in(phrase, at) or periods_in(expression, at)
    if not periods:
        return phrase
    start, end = max(periods)
    if _SINCE.match(expression) and end > at:  # it reaches until then
        return to_iso(start)[: 7 if at - start > 31 * DAY else 10]
    days = (end - start) // DAY
    middle = to_iso((start + end) // 2)
    if days <= 1:
        return to_iso(start)[:10]
    if days <= 8:
        return f"about {middle[:10]}"
    return middle[:7] if days <= 100 else middle[:4]
