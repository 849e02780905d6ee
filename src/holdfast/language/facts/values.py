"""Reads the values of a list in any form: marks of ranks, bullets, lines, running text; cleans values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.facts import RANK_MAX, RANKED_MAX
from holdfast.language.facts.lexicon import GERMAN_ORDINALS, ORDINALS, rank_named
from holdfast.language.facts.lists import folded

LIST_MAX = 100
"""Most items of one list."""
NESTED_MAX = 8
"""Most nested pairs of marks that are removed around a value."""

_WORDS = "|".join([*sorted(ORDINALS, key=len, reverse=True), *(f"{stem}ens" for stem in GERMAN_ORDINALS)])
MARK = (
    r"(?:[*_]{2}|[(\[])?(?:(?<![\w.,:/])"
    r"(?:(?P<bracket>\d{1,3})[)\]](?!\d)|(?P<dot>\d{1,3})[.:](?:[*_]{2})?(?=\s|[A-ZÄÖÜ]|$)"
    r"|#(?P<hash>\d{1,3})(?:[.:)](?!\d)|(?=\s))"
    rf"|(?P<word>{_WORDS})\s?:(?!\d)|(?P<key>\d)\ufe0f?\u20e3|(?P<medal>[\U0001f947-\U0001f949])"
    rf"|(?P<metal>gold|silver|silber|bronze)(?:\s?:(?!\d)|\s(?:for|goes to|to|für|geht an|an)\s)"
    rf"|(?P<round>[\u2460-\u2473])"
    rf"|(?P<letter>[a-h])\)(?=\s*\S))(?:[*_]{{2}})?"
    r"|(?P<place>(?:place|platz|rang|number|nummer) \d{1,3})\s?[:=])"
)
"""A mark of a rank, in whatever brackets and bold type."""
_MARK = re.compile(MARK, re.IGNORECASE)
BULLET = re.compile(
    r"[ \t]*(?:[-*•·‣▪◦–—+✓✔►▸→]|[^\w\s\"'“„(\[#*.,:;!?&@$€£<>/\\=+%-]{1,2}\ufe0f?)[ \t]+(?=\S)"
)
"""The mark of an item without a rank: a bullet, a dash or an emoji."""
_OPENS = re.compile(
    r"(?:[:,;.!?–—=(-]|\b(?:is|are|were|order|list|rankings?|sind|ist|now|jetzt|and|und))\s*$|^\s*$",
    re.IGNORECASE,
)
_AND = re.compile(r"(?:[ ,;]+(?:and|then|&|und|dann|sowie|oder))+[ ,;]*$", re.IGNORECASE)
_COMMA = re.compile(
    r"\s*[,;、]\s*(?:(?:and|then|und|dann|sowie|also|auch|&)\s+(?:then\s+|also\s+|dann\s+|auch\s+)?)?"
    r"|\s+[>→|/•·]\s+",
    re.IGNORECASE,
)
_SEMICOLON = re.compile(r"\s*;\s*(?:(?:and|then|und|dann|sowie|also|auch|&)\s+)?", re.IGNORECASE)
_OXFORD = re.compile(r"[,;]\s*(?:and|und|then|dann|sowie|plus|&)\s", re.IGNORECASE)
_LAST_AND = re.compile(
    r"\s+(?:and|then|und|dann|sowie|plus)\s+(?:then\s+|also\s+|dann\s+|auch\s+)?", re.IGNORECASE
)
_AMPERSAND = re.compile(r"\s+[&+]\s+|\s+n\s+(?=[a-z])")
_CITATION = r"\[(?:M?\d{1,3})(?:, ?M?\d{1,3}){0,20}\]|(?<![\w#])M\d{1,3}(?![\w#])"
_ONLY_JUNK = re.compile(r"M\d{1,3}|\[M?\d{1,3}\]")
_MODEL = re.compile(r"\bModel:", re.IGNORECASE)
_JUNK = re.compile(r"(?:^|(?<=[\s,;]))(?:M\d{1,3}|##)$", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|st|jr|sr|vs|no|nr|mt|ft|bzw|usw|ca|z\.b|d\.h|e\.g|i\.e)|\b\w)\.$", re.IGNORECASE
)
_PAIRS = ('""', "''", "“”", "‘’", "„“", "„”", "«»", "»«", "()", "[]", "**", "__", "``", "~~", "{}", "<>")
_DECORATION = "\u200d\ufe0f\u20e3"


def marks(text: str) -> list[tuple[int, int, int]]:
    """Returns the marks of ranks in a text as (rank, start, end).

    In running text a mark follows a separator or continues the count, so "Area 51. It" is not one.
    """
    markers: list[tuple[int, int, int]] = []
    seen: set[int] = set()
    for match in _MARK.finditer(text):
        rank = _rank_of(match)
        if not 1 <= rank <= RANK_MAX:
            continue
        before = text[max(match.start() - 60, 0) : match.start()].rstrip(" \t(*_[")
        opens = not before or before[-1] in ",;\n" or bool(_OPENS.search(before))
        hashes = match.lastgroup in ("hash", "key", "medal", "round", "place") and not markers
        continues = bool(markers) and (
            rank == markers[-1][0] + 1 or (rank not in seen and match.lastgroup != "dot")
        )
        if match["letter"] and rank != (markers[-1][0] + 1 if markers else 1):
            continue
        if opens or continues or hashes or (markers and match["dot"] and rank not in seen and rank <= 20):
            seen.add(rank)
            markers.append((rank, match.start(), match.end()))
            if len(markers) > LIST_MAX:
                break
    return markers


def _rank_of(match: re.Match[str]) -> int:
    """Returns the rank of a mark, in any of its forms; 0 if it is not a rank."""
    form = match.lastgroup or ""
    if form == "round":
        return ord(match[form]) - 0x245F
    if form == "medal":
        return ord(match[form]) - 0x1F946
    if form == "metal":
        return 1 + "gsb".index(match[form][0].lower())
    if form == "letter":
        return ord(match[form].lower()) - 96
    return rank_named(match[form]) or 0


def marked_values(text: str, *, in_lines: bool) -> list[tuple[int, str]]:
    """Returns the items of a list with marks as (rank, value) in their order in the text; the first value of
    a rank counts. In running text the last item ends with its sentence."""
    markers = marks(text)
    if not markers:
        return []
    pairs: dict[int, str] = {}
    ends = [start for _, start, _ in markers[1:]] + [len(text)]
    for (rank, _, begin), end in zip(markers, ends, strict=True):
        is_last = end == len(text)
        value = _marked_value(text[begin:end], cuts=not in_lines or is_last)
        if value:
            pairs.setdefault(rank, value)
    return list(pairs.items())[:LIST_MAX]


def _marked_value(text: str, *, cuts: bool) -> str:
    line = " ".join(text.lstrip(" \t").split("\n", 1)[0].split())
    if cuts:
        line = first_sentence(line)
    return clean_value(_AND.sub("", line.rstrip(" ,;")).lstrip(" -–—:=>"), RANKED_MAX)


def first_sentence(line: str) -> str:
    """Returns a line up to the end of its first sentence."""
    for end in _SENTENCE_END.finditer(line):
        if not ABBREVIATED.search(line[max(end.start() - 4, 0) : end.start() + 1]):
            return line[: end.start()]
    return line


_SENTENCE_END = re.compile(r"[.!?…] (?=\S)")


def items_of(text: str) -> list[str]:
    """Returns the values of a list in running text, "A, B, and C.", in order, each once.

    Where commas separate the values, only the last "and" does so as well: "Fish and Chips, Stew and Soup".
    Where several semicolons do, commas belong to the values: "Le Guin, Ursula; Borges, Jorge; Calvino".
    """
    separator = _SEMICOLON if text.count(";") > 1 else _COMMA
    parts = [part for part in separator.split(text.strip())[: LIST_MAX + 1] if part and part.strip()]
    if len(parts) == 1:
        parts = _LAST_AND.split(parts[0])
        if len(parts) == 1:
            parts = _AMPERSAND.split(parts[0])
        elif len(parts) > 2:
            parts = []  # "Parks and Recreation and Mad Men"
    elif parts and not _OXFORD.search(text):
        last = parts.pop()
        links = list(_LAST_AND.finditer(last))
        if links:
            parts = [*parts, last[: links[-1].start()], last[links[-1].end() :]] if len(links) < 3 else []
        else:
            parts += _AMPERSAND.split(last)
    values: dict[str, str] = {}
    for item in parts[:LIST_MAX]:
        value = clean_value(_OPENING.sub("", item.strip()), RANKED_MAX)
        if value:
            values.setdefault(folded(value), value)
    return list(values.values())


_OPENING = re.compile(
    r"^(?:(?:and|also|both|either|then|und|dann|auch|sowohl|followed by|gefolgt von|definitely"
    r"|probably|of course|natürlich|maybe)\s+)+",
    re.IGNORECASE,
)


def lines_of(lines: list[str]) -> Iterator[tuple[int | None, str]]:
    """Yields the items of a list with one item in each line."""
    for line in lines[:LIST_MAX]:
        mark = _MARK.match(line.lstrip(" \t-*•>").lstrip())
        stripped = line.lstrip(" \t-*•>").lstrip()
        if mark and 1 <= _rank_of(mark) <= RANK_MAX:
            rank: int | None = _rank_of(mark)
            rest = stripped[mark.end() :]
        else:
            bullet = BULLET.match(line)
            rank, rest = None, line[bullet.end() :] if bullet else line
        value = clean_value(_AND.sub("", " ".join(rest.split()).rstrip(" ,;")).lstrip(" -–—:=>"), RANKED_MAX)
        if value:
            yield rank, value


def is_item(line: str) -> bool:
    """Returns whether a line is an item of a list."""
    stripped = line.lstrip(" \t-*•>").lstrip()
    mark = _MARK.match(stripped)
    return bool((mark and 1 <= _rank_of(mark) <= RANK_MAX) or (BULLET.match(line) and line.strip(" -*_–—=")))


def clean_value(value: str, limit: int) -> str:
    """Returns a value without control characters, debris and marks at its ends, cut to `limit` characters."""
    plain = " ".join(_CONTROL.sub(" ", value[: 4 * limit]).split())
    if "[REDACTED" in plain:  # what was there is not known
        return ""
    for _ in range(NESTED_MAX):
        before, plain = plain, _without_marks(plain)[:limit]
        if plain == before:
            break
    has_ink = any(c.isalnum() or ord(c) > 0x2000 for c in plain)
    return "" if not has_ink or _ONLY_JUNK.fullmatch(plain) or _MODEL.match(plain) else plain


def _without_marks(plain: str) -> str:
    """Returns a value without the marks around it: brackets, quotation marks, bold type, stops and emoji."""
    match = _MODEL.search(plain)
    plain = plain[: match.start()] if match and match.start() else plain
    plain = tagged[2] if (tagged := _TAGGED.fullmatch(plain)) else plain
    while junk := _JUNK.search(plain := plain.rstrip(" ,;")):
        plain = plain[: junk.start()]
    plain = plain.lstrip(" ,;")
    for pair in _PAIRS:
        opening, closing = pair[0], pair[1]
        if len(plain) > 1 and plain[0] == opening and plain[-1] == closing:
            inner = plain[1:-1]
            if (opening not in inner and closing not in inner) or opening == closing:
                plain = inner.strip(" *_")
        elif plain and plain[-1] == closing and opening not in plain and closing in "*_`":
            plain = plain.rstrip("*_`")
        elif plain and plain[0] == opening and closing not in plain[1:] and opening in "([{*_":
            plain = plain[1:]
    if plain.endswith((".", "!", "…")) and (len(plain) < 3 or not ABBREVIATED.search(plain)):
        plain = plain.rstrip(".!…")
    run = _RUN.search(plain)
    if run is not None and plain.count(run[0][0]) == len(run[0]):  # the end of what was bold as a whole
        plain = plain[: run.start()].rstrip()
    if any(c.isalnum() for c in plain):  # an emoji beside a value decorates it
        plain = plain.strip(_DECORATION)
        while plain and is_emoji(plain[-1]):
            plain = plain[:-1].rstrip(" " + _DECORATION)
        while plain and is_emoji(plain[0]):
            plain = plain[1:].lstrip(" " + _DECORATION)
    return plain.strip()


_TAGGED = re.compile(r"<([a-z]{1,6})>([^<>]+)</\1>", re.IGNORECASE)
"""A value in an element of HTML, such as `<b>Blue</b>`."""
_RUN = re.compile(r"(?:\*{1,3}|_{2}|`|~~)$")


def is_emoji(char: str) -> bool:
    """Returns whether a character is an emoji or a part of one."""
    return (
        0x1F000 <= ord(char) < 0x20000  # after them are rare characters of Chinese
        or 0x2600 <= ord(char) <= 0x27BF
        or 0x2B00 <= ord(char) <= 0x2BFF
        or char in _DECORATION
    )
