"""Reads numbers, quantities, dates and times of day among the words of a text into one form of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from holdfast.language.dates.words import MONTHS

_GROUPED = {
    "en": re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"),
    "de": re.compile(r"[+-]?\d{1,3}(?:[.]\d{3})+(?:,\d+)?"),
}
_FRACTION = {"en": re.compile(r"[+-]?\d+\.\d+"), "de": re.compile(r"[+-]?\d+,\d+")}
_WHOLE = re.compile(r"[+-]?\d+")
_APART = re.compile(r"([+-]?\d[\d.,]*)-?([^\W\d_]{1,7}|%|€|°[CF]?)")
_BEFORE = re.compile(r"(US\$|[$€£])([\d.,]*\d)([kKmM]?)")
_CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)")
_HALF_DAY = re.compile(r"(\d{1,2})(?:[:.](\d\d))?(am|pm|a\.m\.?|p\.m\.?)", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})?")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_YEAR = re.compile(r"(?:19|20|21)\d\d")

_SMALL = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
}
NUMBERS: dict[str, dict[str, Decimal]] = {
    lang: {word: Decimal(n) for n, word in enumerate(text.split()) if word not in ("one", "eins")}
    | {word: Decimal(10 * n) for n, word in enumerate(_TENS[lang].split(), 2)}
    for lang, text in _SMALL.items()
}
NUMBERS["de"] |= {
    f"{('ein' if n == 1 else small)}und{ten}": Decimal(10 * m + n)
    for m, ten in enumerate(_TENS["de"].split(), 2)
    for n, small in enumerate(_SMALL["de"].split()[1:10], 1)
} | {
    "hundert": Decimal(100),
    "anderthalb": Decimal("1.5"),
    "eineinhalb": Decimal("1.5"),
    "zweieinhalb": Decimal("2.5"),
}
_TIMES = {
    "en": {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9},
    "de": {"tausend": 1000, "Million": 10**6, "Millionen": 10**6, "Mio": 10**6, "Milliarden": 10**9},
}
_ORDINALS = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th".split(),
        strict=True,
    )
)

_ORDINALS |= {
    f"{ten}{'' if not n else '-' + ordinal}": f"{10 * m + n}{('th', 'st', 'nd', 'rd', *['th'] * 6)[n]}"
    for m, ten in enumerate(_TENS["en"].split(), 2)
    for n, ordinal in enumerate(["", *list(_ORDINALS)[:9]])
    if n
}

_BASES = """
    ms millisecond milliseconds msec Millisekunde Millisekunden=second 0.001
    s sec secs second seconds Sekunde Sekunden=second 1
    min mins minute minutes Minute Minuten=second 60
    h hr hrs hour hours Stunde Stunden Std=second 3600
    day days Tag Tage Tagen=second 86400
    week weeks wk wks Woche Wochen=second 604800
    month months Monat Monate Monaten=month 1
    year years yr yrs Jahr Jahre Jahren=month 12
    fortnight fortnights=second 1209600
    decade decades Jahrzehnt Jahrzehnte Jahrzehnten=month 120
    % percent Prozent=percent 1
    € EUR Euro Euros euro euros=EUR 1
    $ dollar dollars Dollar=$ 1
    US$ USD=USD 1
    £ GBP=GBP 1
    CHF Franken=CHF 1
    mm millimetre millimetres millimeter millimeters Millimeter Millimetern=metre 0.001
    cm centimetre centimetres centimeter centimeters Zentimeter Zentimetern=metre 0.01
    m metre metres meter meters Meter Metern=metre 1
    km kilometre kilometres kilometer kilometers Kilometer Kilometern=metre 1000
    mg milligram milligrams Milligramm=gram 0.001
    g gram grams Gramm=gram 1
    kg kilogram kilograms kilo kilos Kilo Kilogramm=gram 1000
    ml millilitre millilitres milliliter milliliters Milliliter Millilitern=litre 0.001
    l L litre litres liter liters Liter Litern=litre 1
    °C=°C 1
    °F=°F 1
    W watt watts Watt=watt 1
    kW kilowatt kilowatts Kilowatt=watt 1000
    KB=KB 1
    MB megabyte megabytes Megabyte=MB 1
    GB gigabyte gigabytes Gigabyte=GB 1
    TB terabyte terabytes Terabyte=TB 1
"""
UNITS: dict[str, tuple[str, Decimal]] = {
    name: (base.split()[0], Decimal(base.split()[1]))
    for line in _BASES.strip().splitlines()
    for names, base in [line.split("=")]
    for name in names.split()
}
_ONE = {
    "en": frozenset({"one", "a", "an"}),
    "de": frozenset({"ein", "eine", "einen", "einem", "einer", "eines"}),
}
_BEFORE_ONE = frozenset("after for within in every least most than nach in binnen von für alle".split())
_HALVES = frozenset({"halbe", "halben", "halber", "half"})
_ABOUT = frozenset({"about", "around", "roughly", "approximately", "rund"})
_DEGREES = {"Celsius": "°C", "C": "°C", "Fahrenheit": "°F", "F": "°F"}
_CODES = frozenset({"EUR", "USD", "GBP", "CHF"})
_MORE: dict[tuple[str, ...], list[str]] = {
    ("or", "more"): ["at", "least"], ("or", "fewer"): ["at", "most"], ("or", "less"): ["at", "most"],
    ("oder", "mehr"): ["mindestens"], ("oder", "weniger"): ["höchstens"],
}  # fmt: skip
_UP_TO: dict[tuple[str, ...], list[str]] = {("up", "to"): ["at", "most"], ("bis", "zu"): ["höchstens"]}
_RANKS = {
    "over": "more than", "above": "more than", "exceeding": "more than", "under": "less than",
    "below": "less than", "fewer": "less", "über": "mehr als", "unter": "weniger als",
}  # fmt: skip


_OPENERS: tuple[Iterable[str], ...] = (
    MONTHS, *NUMBERS.values(), *_ONE.values(), _ORDINALS, _RANKS, _ABOUT, _CODES, ("up", "bis", "us"),
    ("noon", "midnight", "Mitternacht"),
)  # fmt: skip
_OPENS_AMOUNT = frozenset(word.lower() for words in _OPENERS for word in words)
"""Words of letters alone, in small ones, that may be the first of what is read as one word."""


def with_amounts(tokens: list[str], lang: str) -> list[str]:
    """Returns the words of a text with each number, quantity, date and time of day as one word, in the same
    form however it was written: "1,000", "1000"; "one hour", "60 min"; "12 May 2026", "2026-05-12"."""
    result: list[str] = []
    at = 0
    while at < len(tokens):
        if (token := tokens[at]).isalpha() and token.lower() not in _OPENS_AMOUNT:
            result.append(token)
            at += 1
            continue
        size, words = _read(tokens, at, lang, result)
        result += words
        at += size
    return result


def _read(tokens: list[str], at: int, lang: str, before: list[str]) -> tuple[int, list[str]]:
    """Returns how many tokens were read at a place, and the words that stand for them."""
    token = tokens[at]
    if token[0] in "0123456789+-" or token[0] in "$€£U":
        if dated := _date(tokens, at, lang):
            return dated
        if timed := _time(tokens, at, lang):
            return timed
    elif token.lower() in MONTHS and token[0].isupper() and (dated := _month_first(tokens, at)):
        return dated
    if token in _CODES and at + 1 < len(tokens) and (number := _number(tokens, at + 1, lang)):
        return 1 + number[0], [f"{_plain(number[1])}·{token}"]
    if number := _number(tokens, at, lang):
        size, words = _measured(tokens, at, *number)
        more = _MORE.get(tuple(tokens[at + size : at + size + 2]))
        return (size + 2, [*more, *words]) if more else (size, words)
    if (
        (bound := _UP_TO.get(tuple(tokens[at : at + 2])))
        and at + 2 < len(tokens)
        and _number(tokens, at + 2, lang)
    ):
        return 2, bound
    if token in _ONE.get(lang, ()) and at + 1 < len(tokens):
        return _read_one(tokens, at, before)
    if lang == "en" and token.lower() in _ORDINALS:
        return 1, [_ORDINALS[token.lower()]]
    if token in ("noon", "midnight", "Mitternacht"):
        return 1, ["12:00pm" if token == "noon" else "0:00"]
    if token in _RANKS and at + 1 < len(tokens) and _number(tokens, at + 1, lang):
        return 1, _RANKS[token].split()
    if token in _ABOUT and at + 1 < len(tokens) and _number(tokens, at + 1, lang):
        return 1, ["about" if lang == "en" else "etwa"]
    return 1, [token]


def _value(token: str, lang: str) -> Decimal | None:
    """Returns the value of a number in digits as the language writes it; None for a code or any other word.
    Without a language only whole numbers are read."""
    kind = lang or "en"
    if _WHOLE.fullmatch(token):
        # a leading zero is part of a code, not of a number
        return None if len(token) > 15 or (token[0] == "0" and len(token) > 1) else Decimal(token)
    if lang and _GROUPED[kind].fullmatch(token):
        plain = token.replace("," if kind == "en" else ".", "")
        return Decimal(plain.replace(",", "."))
    if lang and _FRACTION[kind].fullmatch(token):
        return Decimal(token.replace(",", "."))
    return None


def _number(tokens: list[str], at: int, lang: str) -> tuple[int, Decimal] | None:
    """Returns how many tokens a number has, and its value; a decimal fraction without a unit may be a version
    and stays as it was written."""
    token = tokens[at]
    value = _value(token, lang)
    size = 1
    if value is None:
        named = NUMBERS.get(lang, {})
        low = token.lower()
        first, _, last = low.partition("-")
        if low in named:
            value = Decimal(named[low])
            after = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
            if lang == "en" and low in _TENS["en"] and 0 < NUMBERS["en"].get(after, 0) < 10:
                value, size = value + named[after], 2
        elif last and named.get(first, 0) >= 20 and (last == "one" or 0 < named.get(last, 0) < 10):
            value = Decimal(named[first] + named.get(last, 1))
        elif low in _ONE.get(lang, ()) and at + 1 < len(tokens) and tokens[at + 1] in _TIMES.get(lang, {}):
            value = Decimal(1)
    if value is None:
        return None
    while at + size < len(tokens) and tokens[at + size] in _TIMES.get(lang, {}):
        value, size = value * _TIMES[lang][tokens[at + size]], size + 1
    return size, value


def _measured(tokens: list[str], at: int, size: int, value: Decimal) -> tuple[int, list[str]]:
    """Returns the number of tokens of an amount with its unit, and the tokens that replace them: the amount
    in the base unit. A decimal fraction without a unit keeps its digits."""
    unit = tokens[at + size] if at + size < len(tokens) else ""
    following = tokens[at + size + 1] if at + size + 1 < len(tokens) else ""
    if unit in ("degrees", "degree", "Grad", "°") and following in _DEGREES:
        return size + 2, [f"{_plain(value)}·{_DEGREES[following]}"]
    if unit == "k" and following.endswith("s"):  # "10k requests", but "a 5k run"
        return size + 1, [_plain(value * 1000)]
    if unit in UNITS:
        base, scale = UNITS[unit]
        return size + 1, [f"{_plain(value * scale)}·{base}"]
    is_fraction = size == 1 and _WHOLE.fullmatch(tokens[at]) is None and tokens[at][0].isdecimal()
    if is_fraction and not re.search(r"[.,]\d{3}\b", tokens[at]):
        return 1, [tokens[at].replace(",", ".")]
    return size, [_plain(value)]


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _read_one(tokens: list[str], at: int, before: list[str]) -> tuple[int, list[str]]:
    """Reads "one hour", "after an hour", "eine halbe Stunde", "ein Tag"."""
    following = tokens[at + 1]
    if following in _HALVES and at + 2 < len(tokens) and tokens[at + 2] in UNITS:
        base, scale = UNITS[tokens[at + 2]]
        return 3, [f"{_plain(scale / 2)}·{base}"]
    is_counted = tokens[at] == "one" or (before and before[-1] in _BEFORE_ONE)
    if is_counted and following in UNITS and UNITS[following][0] in ("second", "month"):
        base, scale = UNITS[following]
        return 2, [f"{_plain(scale)}·{base}"]
    return 1, [tokens[at]]


def _date(tokens: list[str], at: int, lang: str) -> tuple[int, list[str]] | None:
    """Reads "12 September 2026", "12. September", "12th of September, 2026", "2026-09-12", "12.09.2026"."""
    token = tokens[at]
    if _ISO.fullmatch(token):
        return 1, [_date_token(token[:4], int(token[5:7]), int(token[8:]))]
    dotted = _DOTTED.fullmatch(token)
    if dotted and (lang == "de" or dotted[3]):
        day, month = int(dotted[1]), int(dotted[2])
        return (1, [_date_token(dotted[3], month, day)]) if day < 32 and month < 13 else None
    number = _ORDINAL.fullmatch(token)
    day = int(number[1]) if number else int(token) if token.isdecimal() and len(token) < 3 else 0
    if not 0 < day < 32:
        return None
    size = 1
    if tokens[at + size : at + size + 1] == ["."] or (number and tokens[at + size : at + size + 1] == ["of"]):
        size += 1
    name = tokens[at + size] if at + size < len(tokens) else ""
    if not name[:1].isupper() or name.lower() not in MONTHS:
        return None
    size += 1
    year, more = _year(tokens, at + size)
    return size + more, [_date_token(year, MONTHS[name.lower()], day)]


def _month_first(tokens: list[str], at: int) -> tuple[int, list[str]] | None:
    """Reads "September 12, 2026" and "September 2026"."""
    month = MONTHS[tokens[at].lower()]
    stop = len(tokens[at]) < 5 and tokens[at + 1 : at + 2] == ["."]  # "Sept. 12"
    if stop:
        dated = _month_first([tokens[at], *tokens[at + 2 :]], 0)
        return (dated[0] + 1, dated[1]) if dated else None
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    if _YEAR.fullmatch(following):
        return 2, [f"@{following}-{month:02}"]
    ordinal = _ORDINAL.fullmatch(following)
    number = ordinal[1] if ordinal else following
    if not (number.isdecimal() and len(number) < 3 and 0 < int(number) < 32):
        return None
    year, more = _year(tokens, at + 2)
    return 2 + more, [_date_token(year, month, int(number))]


def _year(tokens: list[str], at: int) -> tuple[str | None, int]:
    """Returns the year at a place, a comma before it left out, and how many tokens it takes."""
    comma = tokens[at : at + 1] == [","]
    year = tokens[at + comma] if at + comma < len(tokens) else ""
    return (year, 1 + comma) if _YEAR.fullmatch(year) else (None, 0)


def _date_token(year: str | None, month: int, day: int) -> str:
    return f"@{year or '-'}-{month:02}-{day:02}"


def _time(tokens: list[str], at: int, lang: str) -> tuple[int, list[str]] | None:
    """Reads "9:15 am", "2 pm", "20 Uhr" and "9.15 Uhr". Without "am" 9:15 may be in the evening."""
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    if lang == "de" and following == "Uhr":
        clock = _CLOCK.fullmatch(token) or re.fullmatch(r"(\d{1,2})()", token)
        return (2, [f"{int(clock[1])}:{clock[2] or '00'}"]) if clock else None
    joined = f"{token}{following}" if following.lower().rstrip(".") in ("am", "pm", "a.m", "p.m") else token
    if half := _HALF_DAY.fullmatch(joined):
        hour = int(half[1])
        if 1 <= hour <= 12:
            is_pm = half[3][0] in "pP"
            full = hour % 12 + 12 * is_pm
            mark = ("pm" if is_pm else "am") if 1 <= full <= 12 else ""
            return (2 if joined != token else 1), [f"{full}:{half[2] or '00'}{mark}"]
    if (clock := _CLOCK.fullmatch(token)) and ":" in token:
        return 1, [f"{int(clock[1])}:{clock[2]}"]
    return None


def split_unit(chunk: str) -> list[str]:
    """Returns a number and the unit or currency written with it as two words: "10MB", "15%", "€340"."""
    if matched := _BEFORE.fullmatch(chunk):
        return [matched[2] + matched[3], matched[1]] if not matched[3] else [chunk]
    if (matched := _APART.fullmatch(chunk)) and not _ORDINAL.fullmatch(chunk):
        return [matched[1], matched[2]]
    return [chunk]
