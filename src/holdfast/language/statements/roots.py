"""Excludes, at little cost, texts that differ in a word for which no other one stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from holdfast.language.dates.words import MONTHS
from holdfast.language.statements.amounts import NUMBERS, UNITS
from holdfast.language.statements.form import FOLDED
from holdfast.language.statements.german import STRONG
from holdfast.language.statements.openings import ENGLISH_MARKS, FRONTS, GERMAN_FRONTS, GERMAN_MARKS, LEAD
from holdfast.language.statements.verbs import CONVERSE_VERBS, IRREGULAR, REVERSED
from holdfast.language.statements.wordings import (
    DAYS,
    ENGLISH,
    ENGLISH_PHRASES,
    GERMAN,
    GERMAN_DAYS,
    GERMAN_PHRASES,
    REPEATED,
    SEPARABLE,
    SHORTENED,
    STREETS,
    TITLES,
)
from holdfast.language.statements.words import EXPANSIONS, FUNCTION

_WORD = re.compile(r"[^\W\d_]{3,}")
_PREFIX = re.compile(r"(?:ab|an|auf|aus|ein|mit|nach|vor|weg|zu|um)?ge(?=\w{4})")
"""The prefixes of German participles before the stem."""


def may_agree(first: str, second: str) -> bool:
    """Returns whether two texts can say the same: they share most of their words, and of those that
    only one of them has each is one that has another form."""
    own, other = _roots(first), _roots(second)
    apart = own ^ other
    if not apart and _another_number(first.split(), second.split()):
        return False
    if len(apart - _SMALL) > 2 + len(own | other) // 4:
        return False
    return apart <= _VARIED or "-" in first or "-" in second


def _another_number(first: list[str], second: list[str]) -> bool:
    """Returns whether only one number differs, which has no other form."""
    if len(first) != len(second):
        return False
    apart = [(x, y) for x, y in zip(first, second, strict=True) if x != y]
    return len(apart) == 1 and all(token.strip(".,;").isdecimal() for token in apart[0])


@lru_cache(1_024)
def _roots(text: str) -> frozenset[str]:
    """Returns the beginnings of the words of a text."""
    return _roots_of(_WORD.findall(text.lower().translate(FOLDED).replace("ß", "ss")))


def _roots_of(words: Iterable[str]) -> frozenset[str]:
    return frozenset((_PREFIX.sub("", word) if "ge" in word[:6] else word)[:4] for word in words)


def _varied() -> frozenset[str]:
    """Returns the roots of the words that may be in one of two texts that say the same."""
    words: set[str] = set()
    for pairs in (ENGLISH, GERMAN, SHORTENED):
        words.update(pairs.keys(), pairs.values())
    for phrases in (ENGLISH_PHRASES, GERMAN_PHRASES):
        words.update(
            word for forms in phrases.values() for parts, other in forms for word in (*parts, *other)
        )
    words.update(UNITS, MONTHS, REVERSED, REPEATED, CONVERSE_VERBS, *NUMBERS.values(), *EXPANSIONS.values())
    words.update(word for base, forms in IRREGULAR.items() for word in (base, *forms))
    words.update(word for done, forms in STRONG.items() for word in (done, *forms))
    words.update(word for verb, other in SEPARABLE.items() for word in (*verb, other))
    words.update(FUNCTION, FRONTS, GERMAN_FRONTS, ENGLISH_MARKS, GERMAN_MARKS, EXPANSIONS)
    words.update(DAYS, DAYS.values(), GERMAN_DAYS, STREETS, TITLES)
    return _roots(f"{' '.join(words)} {LEAD.pattern} {_OTHERS}")


_OTHERS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth monday tuesday
    wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
    street avenue road boulevard degrees dept sat sun mio ave str celsius fahrenheit there unless
    forbidden prohibited allowed verboten erlaubt deshalb weil thanks danke vielen kindly actually above
    below behind front contains belongs opposite doktor doctor professor mister herr frau nobody smoking
    north south east west left right find wurde werden wurden noon midnight mitternacht falls development
"""
_VARIED = _varied()
_SMALL = _roots(" ".join([*FUNCTION, *ENGLISH_MARKS, *GERMAN_MARKS]))
