"""Describes words and where they stand, as the network sees them: by form and class, not by letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from holdfast.language.secrets.tagger.cues import DAYS, NUMBERS, cues_of
from holdfast.language.secrets.tagger.tokens import HIDDEN, Token
from holdfast.language.secrets.words import FUNCTION_WORDS, is_state
from holdfast.language.vocabulary import known_parts

Found = Sequence[tuple[int, int, str]]
"""Start, end and kind of what rules found, in characters."""

_SIGNS = frozenset(".,;:!?'\"()[]/=-–—>→*`…#|<{}")
_QUOTES = frozenset("\"“”„«»‹›'’‘`")
_INNER_SIGNS = frozenset("-._'’@#$!*&%+")
_NUMERALS = {
    "date": re.compile(r"(?:19|20)\d\d|\d{1,2}\.\d{1,2}\.?(?:\d{2,4})?|\d{4}-\d\d-\d\d"
        r"|\d{1,2}-\d{1,2}-\d{2,4}"),
    "unit": re.compile(
        r"\d+(?:[.,]\d+)?(?:st|nd|rd|th|h|am|pm|kg|km|cm|mm|gb|mb|tb|eur|€|%|x|k|m|min|s|ms|px|er|te|ten|v|w"
        r"|°c?)|[€$£]\d.*|\d+[€$£%°]"
    ),
    "version": re.compile(r"v?\d+(?:\.\d+)+"),
    "phone": re.compile(r"\+?\d[\d-]{8,}|0\d{2,4}"),
    "dialled": re.compile(r"\d(?:-\d){2,}"),
}  # fmt: skip
_SPEAKER = re.compile(
    r"(?:\[[^\]\n]{1,24}\]\s*)?(?:[-*>•]\s*)?<?([^\W\d_][\w.' -]{0,24}?)\s?(?:\([^)\n]{1,16}\))?"
    r"(?::|>|->)(?=\s)"
)


def _bounded(count: int, bounds: Sequence[int]) -> int:
    return next((bound for bound in reversed(bounds) if count >= bound), 0)


_LENGTHS = (1, 2, 3, 4, 5, 6, 7, 9, 11, 14, 19)
_DIGITS = (1, 2, 3, 4, 5, 6, 7, 9, 13)
_WORDS_OF_LINE = (1, 2, 3, 4, 5, 9)


@lru_cache(16_384)
def of_word(word: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Returns the properties of a token by itself, and the places of its known words in the vocabulary."""
    if word[0] == "\n":
        return (("break", "breaks") if len(word) > 1 else ("break",)), ()
    if word[0] == HIDDEN:
        return ("hidden",), ()
    if not any(map(str.isalnum, word)):
        sign = word[0]
        return (
            "mark",
            f"mark:{sign if sign in _SIGNS else ''}",
            *(("quote",) if sign in _QUOTES else ()),
        ), ()
    names, rows = list(_of_form(word)), tuple[int, ...]()
    if any(map(str.isalpha, word)):
        parts, rows = known_parts(word)
        names += parts
    return tuple(names), rows


def _of_form(word: str) -> Iterator[str]:
    """Yields the properties of a word that its characters and the lists of words give."""
    lower = word.lower()
    letters, digits = sum(map(str.isalpha, word)), sum(map(str.isdigit, word))
    signs = len(word) - letters - digits
    yield from ("word", f"length:{_bounded(len(word), _LENGTHS)}")
    if digits:
        yield from ("digits", f"digits:{_bounded(digits, _DIGITS)}")
        yield from _of_digits(word, letters, signs)
    if letters:
        is_title = word[0].isupper() and word[1:] == lower[1:]
        yield "lower" if word == lower else "upper" if word.isupper() else "title" if is_title else "mixed"
        if letters == 1:
            yield "letter"
    if signs:
        yield f"signs:{min(signs, 3)}"
        for sign in {char if char in _INNER_SIGNS else "" for char in word if not char.isalnum()}:
            yield f"sign:{sign}"
    if lower in FUNCTION_WORDS:
        yield "function"
    if lower.isalpha() and is_state(lower):
        yield "state"
    if lower in NUMBERS:
        yield "numeral"
    if lower in DAYS:
        yield "day"
    for cue in cues_of(lower):
        yield f"cue:{cue}"


def _of_digits(word: str, letters: int, signs: int) -> Iterator[str]:
    """Yields what a word with digits is besides its length: where they are, and whether it may be a date, an
    amount with a unit, a version or the like."""
    if not letters:
        yield "number" if not signs else "number with signs"
    else:
        yield "letters and digits"
        if word[-1].isdigit() and word.rstrip("0123456789").isalpha():
            yield "digits behind"
        if word[-4:].isdigit():
            yield "year behind"
        if word[0].isdigit():
            yield "digits first"
        yield f"digits:{'upper' if word.isupper() else 'lower' if word.islower() else 'mixed'}"
    for name, pattern in _NUMERALS.items():
        if pattern.fullmatch(word.lower()):
            yield name


class _Line:
    """A line of a text: where it begins, who speaks in it and whether it asks."""

    __slots__ = ("asks", "begin", "is_blank", "said", "speaker", "words")

    def __init__(self, text: str, begin: int) -> None:
        speaker = _SPEAKER.match(text)
        self.begin = begin
        self.said = begin + speaker.end() if speaker else begin
        self.speaker = speaker.group(1).lower() if speaker else ""
        self.asks = text.rstrip(" \"'”’)").endswith("?")
        self.words = _bounded(len(text.split()), _WORDS_OF_LINE)
        self.is_blank = not text.strip()


def _lines(text: str) -> list[_Line]:
    """Returns the lines of a text, blank ones included; an empty text has one."""
    lines: list[_Line] = []
    begin = 0
    for line in text.split("\n"):
        lines.append(_Line(line, begin))
        begin += len(line) + 1
    return lines


def of_places(text: str, tokens: Sequence[Token], findings: Found) -> Iterator[tuple[str, ...]]:
    """Yields for each token the properties of its place: in its line, its conversation, and among what rules
    found."""
    lines = _lines(text)
    lower = [word.lower() for word, _, _ in tokens]
    counts = Counter(lower) if len(set(lower)) < len(lower) else {}
    may_be_quoted = not _QUOTES.isdisjoint(text)
    number, end = 0, -1  # of the line, of the token before
    above: _Line | None = None
    line, behind = lines[0], lines[1].begin if len(lines) > 1 else len(text)
    of_line = _of_line(line, above, len(lines))
    joined = "joined", *of_line
    for token, low in zip(tokens, lower, strict=True):
        word, start, stop = token
        while start >= behind:
            above = above if line.is_blank else line
            number += 1
            line, behind = lines[number], lines[number + 1].begin if number + 1 < len(lines) else len(text)
            of_line = _of_line(line, above, len(lines))
            joined = "joined", *of_line
        is_joined = start == end
        end = stop if word[0] != "\n" else -1
        if not (word.isalnum() or any(map(str.isalnum, word))):
            names: tuple[str, ...] = ("joined",) if is_joined else ()
        elif start < line.said:
            names = ("joined", "speaker") if is_joined else ("speaker",)
        else:
            names = joined if is_joined else of_line
            if counts and counts[low] > 1 and "function" not in of_word(word)[0]:
                names += ("repeated",)
            if may_be_quoted and _is_quoted(text, token):
                names += ("quoted",)
        if findings:
            names += tuple(f"rule:{kind}" for first, last, kind in findings if first < stop and start < last)
        yield names


def _of_line(line: _Line, above: _Line | None, count: int) -> tuple[str, ...]:
    """Returns the properties of a word in a line, below another and among so many."""
    names = ("spoken",) * (line.speaker != "") + ("asking",) * line.asks
    if count > 1:
        names += (f"line:{line.words}",)
    if above is not None:
        names += ("asked",) * above.asks
        names += ("goes on",) * (line.speaker != "" and line.speaker == above.speaker)
    return names


def _is_quoted(text: str, token: Token) -> bool:
    before = text[token.start - 1 : token.start]
    behind = text[token.end : token.end + 3].lstrip(".,!?")[:1]
    return before in _QUOTES and behind in _QUOTES
