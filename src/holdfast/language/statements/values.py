"""Classifies the values in statements: name, place, date, quantity, identifier, one of rivals."""

from __future__ import annotations

import math
import re

from holdfast.language.statements.rivals import CITIES, COUNTRIES, DEMONYMS, MONTHS, WEEKDAYS
from holdfast.language.statements.text import EXACT, is_name, is_number
from holdfast.language.statements.words import PARTICLES, SCALES, TECH

_ISO_DATE = re.compile(r"\d{4}-\d\d(-\d\d)?")
_PLAIN = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(am|pm)?")


def exact(token: str) -> bool:
    """Returns whether a value is an identifier, path, address, code span or quoted text."""
    return token[0] in EXACT and len(token) > 1


def is_exact(value: list[str]) -> bool:
    """Returns whether a value is a single identifier, path, address, code span, quoted text or odd number
    ("555-0101")."""
    token = value[0]
    return len(value) == 1 and (exact(token) or (is_number(token) and sort_of(token) == ""))


def is_named_value(value: list[str]) -> bool:
    """Returns whether a value is a name of anything: capitalised words and the particles between them."""
    return all(is_name(token) or (n and token in PARTICLES) for n, token in enumerate(value))


def person(value: list[str]) -> bool:
    """Returns whether a value may be the name of a person."""
    return is_named_value(value) and all(
        token not in TECH and token.lower() not in DEMONYMS for token in value
    )


def dated(value: list[str]) -> bool:
    """Returns whether a value is a date, a day of the week or a time of day."""
    return any(token.lower() in MONTHS or token.lower() in WEEKDAYS for token in value) or (
        len(value) == 1 and (sort_of(value[0]) == "time" or _ISO_DATE.fullmatch(value[0]) is not None)
    )


def one_rank(was: list[str], now: list[str]) -> bool:
    """Returns whether the values are two cities or two countries; a city and its country may both be true."""
    p, q = " ".join(was).lower(), " ".join(now).lower()
    return (p in CITIES and q in CITIES) or (p in COUNTRIES and q in COUNTRIES)


def rival(was: list[str], now: list[str], sets: dict[str, tuple[int, int]]) -> bool:
    """Returns whether two words of a closed set exclude each other, such as tabs and spaces."""
    if len(was) != 1 or len(now) != 1:
        return False
    p, q = sets.get(was[0].lstrip("=").lower()), sets.get(now[0].lstrip("=").lower())
    return p is not None and q is not None and p[0] == q[0] and p[1] != q[1]


def sort_of(token: str) -> str:
    """Returns "number", "time" (of day) or an empty string."""
    if _PLAIN.fullmatch(token):
        return "number"
    return "time" if _CLOCK.fullmatch(token) else ""


def measure(value: list[str]) -> tuple[str, float] | None:
    """Returns the dimension and the size of a number with a unit, or None."""
    if len(value) != 2 or not _PLAIN.fullmatch(value[0]) or value[1] not in SCALES:
        return None
    dimension, scale = SCALES[value[1]]
    return dimension, float(value[0]) * scale


def equal_quantities(was: list[str], now: list[str]) -> bool:
    """Returns whether two values are the same amount, or amounts that cannot be compared."""
    if len(was) == len(now) == 1 and _PLAIN.fullmatch(was[0]) and _PLAIN.fullmatch(now[0]):
        return float(was[0]) == float(now[0])
    if (
        len(was) == len(now) == 1
        and (first := _CLOCK.fullmatch(was[0]))
        and (second := _CLOCK.fullmatch(now[0]))
    ):
        # Without "am" and "pm" 9:00 may be 21:00.
        return (
            int(first[1]) % 12 == int(second[1]) % 12
            and first[2] == second[2]
            and not (first[3] and second[3])
        )
    p, q = measure(was), measure(now)
    return p is not None and q is not None and (p[0] != q[0] or math.isclose(p[1], q[1]))
