"""Words and fragments of patterns that the grammar of statements is composed of, in English and German."""

from __future__ import annotations

import re

ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
}  # fmt: skip
NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
}  # fmt: skip
GERMAN_ORDINALS = {
    "erst": 1, "zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "sechst": 6, "siebt": 7, "acht": 8,
    "neunt": 9, "zehnt": 10,
}  # fmt: skip
"""Stems, with an ending: der zweite, zweitens."""
GERMAN_NUMBERS = {
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
    "zehn": 10,
}  # fmt: skip
_COUNTS = {**NUMBERS, **GERMAN_NUMBERS}

_EN_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
_DE_ORDINAL = rf"(?:{'|'.join(GERMAN_ORDINALS)})(?:e[rsnm]?|ens)?"
ORDINAL = rf"(?:{_EN_ORDINAL}|\d{{1,3}}(?:st|nd|rd|th)|{_DE_ORDINAL}|\d{{1,3}}\.(?= ))"
COUNT = rf"(?:\d{{1,3}}|{'|'.join(_COUNTS)})"
END = r"(?:very )?(?:last|bottom|letzte[rsn]?)"
"""Words for the last rank."""
_NUMBER = r"(?:number|no\.?|nr\.?|nummer|platz|rang|rank|position|spot|place|slot|stelle)"
POSITION = rf"(?:#\s?\d{{1,3}}|{_NUMBER} #?{COUNT}|{ORDINAL}|{END}|{COUNT})"
"""A reference to a rank: #2, number two, second, zweite, last."""

FAVOURITE = (
    r"(?:favoriten|fav(?:ou?rite?s?|ou?rit|ou?reit|roite|erite|orit|e?s?)|best[- ]loved|preferred"
    r"|most(?: |-)(?:loved|liked|favou?red)|liebste[rsnm]?)"
)
LEAST = (
    r"(?:least(?:[ -])(?:fav(?:ou?rite?s?|e?s?)|liked|loved|preferred)|most(?:[ -])(?:hated|disliked"
    r"|despised)|unliebste[rsnm]?|meist ?gehasste[rsnm]?|(?:am )?wenigsten geliebte[rsnm]?)"
)
MY = r"(?:my|mein(?:e[rsnm]?)?)"


def rank_named(text: str) -> int | None:
    """Returns the rank that a word such as `#2`, `second` or `zweite` names, -1 for the last; None if
    none."""
    low = text.lower().strip(" .)")
    if re.fullmatch(END, low):
        return -1
    digits = re.sub(r"\D", "", low)
    if digits:
        return int(digits)
    word = low.rsplit(" ", 1)[-1]
    if word in ORDINALS:
        return ORDINALS[word]
    if word in _COUNTS:
        return _COUNTS[word]
    for stem, rank in GERMAN_ORDINALS.items():
        if re.fullmatch(rf"{stem}(?:e[rsnm]?|ens)", word):
            return rank
    return None
