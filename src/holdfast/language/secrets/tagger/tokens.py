"""Splits a text into words, signs and line breaks, each of which is judged by itself."""

from __future__ import annotations

import re
from typing import NamedTuple

HIDDEN = "\0"
"""What stands for a secret that was found before, however long it is."""
_TOKEN = re.compile(r"\n+|\0+|[^\s\0\"“”„«»‹›()\[\]{}<>=:/|,;→—–…`]+|[\"“”„«»‹›()\[\]{}<>=:/|,;→—–…`]")
_OPENING, _CLOSING = "'’‘‚*_~#-•+", "'’‘.!?*_~"
_DIALLED = "#*"  # signs that are part of a number after them: `#4711`


class Token(NamedTuple):
    """A word, a sign, a run of line breaks or of NUL, with its place."""

    text: str
    start: int
    end: int


_new = tuple.__new__  # in half the time


def tokens_of(text: str) -> list[Token]:
    """Returns the tokens of a text in order. Signs inside a word belong to it, those around it do not."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        word, start = match.group(), match.start()
        end = start + len(word)
        if not (word.isalnum() or len(word) == 1 or word[0] in "\n\0"):
            lead = len(word) - len(word.lstrip(_OPENING))
            if lead == 1 and word[0] in _DIALLED and word[1].isdigit():
                lead = 0
            closed = len(word.rstrip(_CLOSING))
            if lead < closed:
                tokens += (Token(word[at], start + at, start + at + 1) for at in range(lead))
                tokens.append(Token(word[lead:closed], start + lead, start + closed))
                tokens += (Token(word[at], start + at, start + at + 1) for at in range(closed, len(word)))
                continue
        tokens.append(_new(Token, (word, start, end)))
    return tokens
