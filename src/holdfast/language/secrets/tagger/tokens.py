"""Splits a text into words, signs and line breaks, each of which is judged by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

HIDDEN = "\0"
"""What stands for a secret that was found before, however long it is."""
_TOKEN = re.compile(r"\n+|\0+|[^\s\0\"“”„«»‹›()\[\]{}<>=:/|,;→—–…`]+|[\"“”„«»‹›()\[\]{}<>=:/|,;→—–…`]")
_OPENING, _CLOSING = "'’‘‚*_~#-•+", "'’‘.!?*_~"
_DIALLED = "#*"  # signs that are part of a number behind them: `#4711`


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a sign, a run of line breaks or of NUL, with its place."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """Returns the tokens of a text in order. Signs inside a word belong to it, those around it do not."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        word, (start, end) = match.group(), match.span()
        if len(word) == 1 or word.isalnum() or word[0] in "\n\0":
            tokens.append(Token(word, start, end))
            continue
        lead = len(word) - len(word.lstrip(_OPENING))
        if lead == 1 and word[0] in _DIALLED and word[1].isdigit():
            lead = 0
        closed = len(word.rstrip(_CLOSING))
        if lead >= closed:
            tokens.append(Token(word, start, end))
            continue
        tokens += (Token(word[at], start + at, start + at + 1) for at in range(lead))
        tokens.append(Token(word[lead:closed], start + lead, start + closed))
        tokens += (Token(word[at], start + at, start + at + 1) for at in range(closed, len(word)))
    return tokens
