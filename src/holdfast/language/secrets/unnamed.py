"""Says what may be a secret in a text without any word for one, and which texts are read for it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.values import is_distinctive

LONGEST_NOTE = 1_200
"""Bytes of a text that may be a note or message; what is longer names the secrets that it holds."""
_LEAST, _MOST = 6, 64  # characters
_ASSIGNED = r"(?:=|[\"'\]]\s*[:=]|\w:[ \t]*[\"'`])[ \t]*[\"'`]?$"
"""What stands before a value in data and programs, where its name decides."""
_BESIDE = re.compile(rb"[\w/=&#@+%.-]")
_NEAR = 40  # bytes
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3,4}){1,2}")
_UNSPACED = byte_pattern(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
"""Scripts that write sentences without blanks: they look like one word."""


def may_be_random(value: str) -> bool:
    """Returns whether a value is hardly a word of a language, nor several, nor a number."""
    return (
        _LEAST <= len(value) <= _MOST
        and any(map(str.isalpha, value))
        and not any(map(str.isspace, value))
        and is_distinctive(value)
    )


def is_ordinary(value: str) -> bool:
    """Returns whether a value is a colour, or words of a script without blanks."""
    return (
        _COLOUR.fullmatch(value) is not None or _UNSPACED.search(value.encode("utf-8", "replace")) is not None
    )


def stands_alone(data: bytes, start: int, end: int) -> bool:
    """Returns whether a value is a word of a sentence or note: no part of an address or path, and nothing
    that is assigned to a name."""
    return (
        _BESIDE.match(data[start - 1 : start]) is None
        and _BESIDE.match(data[end : end + 1].rstrip(b".")) is None
        and byte_pattern(_ASSIGNED).search(data[max(0, start - _NEAR) : start]) is None
    )


def handing_over(texts: Sequence[str], others: Collection[int]) -> set[int]:
    """Returns the indexes of notes and messages, besides others, in which the network may find a secret that
    they do not name."""
    notes = [
        place for place, text in enumerate(texts) if place not in others and 0 < len(text) <= LONGEST_NOTE
    ]
    if not notes:
        return set()
    from holdfast.language.secrets.tagger.decide import may_hand_over  # NumPy and its weights take time

    return {place for place in notes if may_hand_over(texts[place])}
