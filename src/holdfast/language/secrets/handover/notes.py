"""Finds words whose spelling is told: "haystack, all lowercase", "Heuhaufen, mit großem H"."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.handover import telling
from holdfast.language.secrets.handover.lexicon import alternatives
from holdfast.language.secrets.handover.nearness import is_spoken_of
from holdfast.language.secrets.handover.telling import Value
from holdfast.language.secrets.part import PROSE, Spans

_NEAR = ("name", "entry", "phrase")  # what is spoken of around a word that is typed
_BACK = 90  # bytes before a note that contain the word
_MOST_WORDS = 6
_QUOTES = " \t\"'\u201c\u201d\u201e\u00ab\u00bb"


def in_notes(data: bytes) -> Spans:
    """Yields (start, end, type) in bytes of each word, or few words, before a note on their spelling."""
    for match in _note().finditer(data):
        begin = max(data.rfind(b"\n", 0, match.start()) + 1, data.rfind(b"\0", 0, match.start()) + 1)
        begin = max(begin, match.start() - _BACK)
        window = data[begin : match.start()]
        leads = [lead.end() for lead in _lead().finditer(window)]
        text = window[leads[-1] if leads else 0 :].decode("utf-8", "replace")
        value = text.strip(_QUOTES)
        if not value or len(value.split()) > _MOST_WORDS or (begin == match.start() - _BACK and not leads):
            continue
        start = match.start() - len(text.encode()) + len(text[: text.index(value)].encode())
        end = start + len(value.encode())
        if telling.is_noted(Value(value)) and is_spoken_of(data, _NEAR, "around", start, end):
            yield start, end, PROSE


@cache
def _note() -> Any:
    return byte_pattern(
        r"(?im)[\"'\x{201c}\x{201d}\x{bb}]?(?:[ \t]*[,.;:(\x{2013}\x{2014}-]{1,2}[ \t]*|[ \t]+)"
        + alternatives("note")
    )


@cache
def _lead() -> Any:
    """Returns a pattern of signs and words after which a value begins."""
    words = "|".join(map(alternatives, ("is", "types", "with", "so")))
    return byte_pattern(
        rf"(?i)[.:;!?,(\x{{2013}}\x{{2014}}\x{{2026}}\x{{201e}}\x{{ab}}\"]|(?:^|[ \t])(?:{words})[ \t]+"
    )
