"""Profiles of columns: type, range, how much is empty, typical values; never a value that may be personal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from holdfast.language.entities.lexicon import FIRST_NAMES
from holdfast.language.pii import risks_of_all

ROWS = 20_000
"""Most rows of a table from which its columns are profiled."""
VALUES = 8
"""Most different values of a column that are listed."""
VALUE_MAX = 30
"""Most characters of a value that is listed."""
REPEATS = 3
"""Times that values have to repeat on average before they count as a choice and not as data."""
VALUE_READ = 1_000
"""Most characters of a value that are looked at."""
CHECKED = 200
"""Values of a column that are searched for personal data."""

_PERSONAL = re.compile(
    r"(?:^|_)(?:e?mail|phone|mobile|fax|(?:first|last|full|sur|nick|middle|user|maiden)_?names?|surname|address"
    r"|street|birth\w*|dob|ssn|iban|passport|tax_?id|salary|wage|password|passwd|pwd|secret|token|credential\w*"
    r"|contact|person|patient|employee|customer_name|vorname|nachname|familienname|geburts\w*|telefon|strasse"
    r"|anschrift|gehalt|kennwort|passwort|ip|ip_address)(?:$|_)"
)
_PEOPLE = re.compile(
    r"^(?:customer|client|user|member|author|assignee|owner|manager|seller|buyer|guest|student|teacher|name|sender"
    r"|recipient|participant|attendee|driver|doctor|kunde|kundin|mitarbeiter|besitzer|verfasser|fahrer|arzt)s?$"
)
"""Names of columns whose texts are mostly names of people."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_OTHER_DATE = re.compile(
    r"(\d{4})/(\d\d?)/(\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4})|(\d\d?)/(\d\d?)/(\d{4})"
    r"|([A-Z][a-z]{2})[a-z]*\.? (\d\d?),? (\d{4})|(\d\d?)[ -]([A-Z][a-z]{2})[a-z]*[ -](\d{4})"
)
"""Dates in other forms: 2024/1/31, 31.1.2024, 1/31/2024, Jan 31 2024, 31-Jan-2024."""
_OTHER_MOMENT = re.compile(r"(.{6,20}?),? (\d\d?):(\d\d)(?::\d\d(?:\.\d+)?)?(?: ?([AaPp])\.?[Mm]\.?)?")
"""A date in another form, and a time: 1/31/2024 2:05 PM."""
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_TIME = re.compile(r"\d\d:\d\d(?::\d\d)?")
_IDENTIFYING = frozenset({"integer", "text", "date", "month", "date and time"})
"""Types of which a value may be all that a row is known by."""
_KEY = re.compile(r"(?:^|[_ .-])(?:id|key|code|nr|no|number|uuid|date|sku)$")
"""Ends of the names of columns that may be keys."""
_TRUTH = frozenset({"true", "false", "yes", "no"})
_EMPTY = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "#n/a"})


def is_personal_name(name: str) -> bool:
    """Returns whether a column is called as columns of personal data are, or of secrets."""
    return bool(_PERSONAL.search(_plain(name)))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", _CAMEL.sub("_", name).lower()).strip("_")


def column(name: str, values: Iterable[Any], **more: Any) -> dict[str, Any]:
    """Returns the profile of a column. `more` are properties that are known, such as its declared type."""
    total = 0
    filled: list[Any] = []
    for value in values:
        total += 1
        value = _beginning(value)
        if value is not None and not (isinstance(value, str) and value.strip().lower() in _EMPTY):
            filled.append(value)
    kind, plain = _typed(filled)
    profile: dict[str, Any] = {"name": name, "type": kind, **{k: v for k, v in more.items() if v is not None}}
    if total and len(filled) < total:
        profile["empty"] = round(1 - len(filled) / total, 3)
    if not filled:
        return profile
    texts = [str(value) for value in filled[:CHECKED]]
    if is_personal_name(name) or max(risks_of_all(texts), default=0) > 0:
        profile["personal"] = True
        return profile
    different = set(plain) if kind != "binary" else set()
    if len(different) == len(plain) > 1 and kind in _IDENTIFYING:
        profile["unique"] = True
    if kind in ("integer", "number", "date", "month", "time", "date and time"):
        profile["min"], profile["max"] = min(plain), max(plain)
    elif kind == "yes or no":
        pass
    elif different and len(different) <= VALUES and len(plain) >= REPEATS * len(different):
        listed = sorted(map(str, different))
        if kind == "text" and (_PEOPLE.search(_plain(name)) or _are_people(listed)):
            profile["different"] = len(listed)
        elif all(len(text) <= VALUE_MAX for text in listed):
            profile["values"] = listed
    return profile


def _are_people(values: Sequence[str]) -> bool:
    """Returns whether a third of the values, and more than one, hold a first name, as "Berg, Ana"."""
    matches = [
        any(word.title() in FIRST_NAMES for word in (words[0], words[-1]))
        for value in values
        if 0 < len(words := value.replace(",", " ").split()) < 4
    ]
    return sum(matches) > 1 and 3 * sum(matches) >= len(values)


def _beginning(value: Any) -> Any:
    """Returns a value, of a long one as much as is looked at."""
    if isinstance(value, list):  # such as an embedding: its first hundred numbers are enough
        beginning = str(value[:100])
        value = beginning if len(beginning) >= VALUE_READ else str(value[: VALUE_READ // 2])
    elif isinstance(value, dict):
        value = str(value)
    return value[:VALUE_READ] if isinstance(value, str | bytes) else value


def _typed(values: Sequence[Any]) -> tuple[str, list[Any]]:
    """Returns the type that all values have, and the values in it."""
    if not values:
        return "empty", []
    if all(isinstance(value, bool) for value in values):
        return "yes or no", list(values)
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return "integer", list(values)
    if all(isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in values):
        numbers = [float(value) for value in values]
        finite = [number for number in numbers if number == number and abs(number) != float("inf")]
        if (
            finite
            and all(number.is_integer() for number in finite)
            and all(abs(number) < 1e15 for number in finite)
        ):
            return "integer", [int(number) for number in finite]
        return "number", finite or [0.0]
    if all(isinstance(value, datetime) for value in values):
        naive = [value.replace(tzinfo=None) for value in values]
        if all(moment.time() == time() for moment in naive):
            return "date", [moment.date().isoformat() for moment in naive]
        return "date and time", [moment.isoformat(" ", "minutes") for moment in naive]
    if all(isinstance(value, date) for value in values):
        return "date", [str(value)[:10] for value in values]
    if all(isinstance(value, bytes | bytearray | memoryview) for value in values):
        return "binary", []
    return _typed_texts([str(value).strip() for value in values])


def _typed_texts(texts: list[str]) -> tuple[str, list[Any]]:
    """Returns the type of texts and the values that they stand for."""
    if all(map(_INTEGER.fullmatch, texts)) and not any(
        len(t) > 1 and t.lstrip("+-")[0] == "0" for t in texts
    ):
        return "integer", [int(text) for text in texts]
    if all(map(_NUMBER.fullmatch, texts)) and any("." in t or "e" in t.lower() for t in texts):
        return "number", [float(text.rstrip("%")) for text in texts]
    if all(map(_DATE.fullmatch, texts)):
        return "date", list(texts)
    if all(map(_MONTH.fullmatch, texts)):
        return "month", list(texts)
    if all(map(_MOMENT.fullmatch, texts)):
        return "date and time", [text.replace("T", " ")[:16] for text in texts]
    if dates := _dates(texts):
        return "date", dates
    if moments := _moments(texts):
        return "date and time", moments
    if all(map(_TIME.fullmatch, texts)):
        return "time", list(texts)
    if {text.lower() for text in texts} <= _TRUTH:
        return "yes or no", list(texts)
    return "text", list(texts)


def _moments(texts: Sequence[str]) -> list[str]:
    """Returns dates of other forms with times in the usual form; nothing if some text is none."""
    matches = [match for text in texts if (match := _OTHER_MOMENT.fullmatch(text))]
    dates = _dates([match[1] for match in matches]) if len(matches) == len(texts) else []
    times = [
        (int(match[2]) % 12 + 12 * (match[4].lower() == "p") if match[4] else int(match[2]), match[3])
        for match in matches
    ]
    return [f"{day} {hour:02}:{minute}" for day, (hour, minute) in zip(dates, times, strict=False)]


def _dates(texts: Sequence[str]) -> list[str]:
    """Returns dates in the usual form; nothing if some text is none, or the day cannot be told from the
    month."""
    matches = [match for text in texts if (match := _OTHER_DATE.fullmatch(text))]
    if len(matches) < len(texts):
        return []
    slashed = [(int(match[7]), int(match[8])) for match in matches if match[9]]
    is_day_first = any(first > 12 for first, _ in slashed)
    if slashed and is_day_first == any(second > 12 for _, second in slashed):
        return []
    dates = []
    for fields in matches:
        if fields[1]:
            year, month, day = int(fields[1]), int(fields[2]), int(fields[3])
        elif fields[6]:
            year, month, day = int(fields[6]), int(fields[5]), int(fields[4])
        elif fields[9]:
            first, second = int(fields[7]), int(fields[8])
            year, (day, month) = int(fields[9]), (first, second) if is_day_first else (second, first)
        else:
            name = fields[10] or fields[14]
            month = 1 + _MONTHS.index(name) if name in _MONTHS else 0
            year, day = int(fields[12] or fields[15]), int(fields[11] or fields[13])
        try:
            dates.append(date(year, month, day).isoformat())
        except ValueError:
            return []
    return dates


def keys_of(columns: Sequence[Mapping[str, Any]]) -> list[str]:
    """Returns the first column that is called like a key and whose values all differ and are never empty."""
    unique = [str(column["name"]) for column in columns if column.get("unique") and not column.get("empty")]
    return [name for name in unique if _KEY.search(name.lower())][:1]


def table(name: str, header: Sequence[str], rows: Sequence[Sequence[Any]], **more: Any) -> dict[str, Any]:
    """Returns the data of a table entity from its rows."""
    columns = [
        column(str(title), (row[at] if at < len(row) else None for row in rows))
        for at, title in enumerate(header)
    ]
    data = {"name": name, "rows": len(rows), "columns": columns, "keys": keys_of(columns), **more}
    return {key: value for key, value in data.items() if value not in (None, [], {})}
