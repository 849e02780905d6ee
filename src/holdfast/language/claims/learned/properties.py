"""Splits a message into tokens and describes each: its form, and its place in the message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize

_WORD = r"[^\W_](?:[^\W_]|[\u0300-\u036f])*"  # with accents that are characters of their own
_TOKEN = re.compile(rf"\n+|{_WORD}(?:['’\-]{_WORD})*'?|[^\w\s]|_+")
_LENGTHS = (12, 9, 7, 5, 4, 3, 2, 1)
_SIGNS = frozenset(".,;:!?'\"()[]/-–—…“”„«»*#<>{}`@&+=|")
_ENDS = frozenset(".!?")
_QUOTES = frozenset('"„“”«»')
_FAR = 60  # tokens


class Token(NamedTuple):
    """A word, a sign or a run of line breaks, with its place in the text."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Returns whether it has a letter or digit."""
        return any(map(str.isalnum, self.text))


def tokens_of(text: str) -> list[Token]:
    """Returns the tokens of a text in order, each with its accents joined to its letters."""
    return [Token(normalize("NFC", match[0]), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def of_form(word: str) -> list[str]:
    """Returns the properties of a token by itself: of its length, case, digits, beginning and end."""
    if word[0] == "\n":
        return ["break"]
    if not any(map(str.isalnum, word)):
        return ["sign", f"sign:{word[0] if word[0] in _SIGNS else ''}"]
    lower = word.lower()
    names = ["word", f"length:{next(most for most in _LENGTHS if most <= len(word))}"]
    if word.isdigit():
        names += ["number", f"digits:{min(len(word), 5)}"]
    elif any(map(str.isdigit, word)):
        names.append("letters and digits")
    is_title = word[0].isupper() and word[1:] == lower[1:]
    names.append(
        "lower" if word == lower else "upper" if word.isupper() else "title" if is_title else "mixed"
    )
    names += [f"end:{lower[-count:]}" for count in (2, 3) if len(lower) > count + 1]
    if len(lower) > 4:
        names.append(f"begin:{lower[:3]}")
    return names


def of_places(tokens: Sequence[Token]) -> Iterator[list[str]]:
    """Yields the properties of each token's place: in its sentence, in quotation marks, in the message."""
    is_first, is_quoted, end = True, False, -1
    for number, (token, asks) in enumerate(zip(tokens, _asking(tokens), strict=True)):
        is_quoted ^= token.text in _QUOTES
        flags = {
            "first": is_first,
            "asked": asks,
            "quoted": is_quoted,
            "joined": token.start == end,
            "opening": number == 0,
            "far": number > _FAR,
        }
        yield [name for name, holds in flags.items() if holds]
        is_first, end = _ends(token), token.end


def _asking(tokens: Sequence[Token]) -> list[bool]:
    """Returns for each token whether its sentence ends with a question mark."""
    result, asks = [False] * len(tokens), False
    for number in range(len(tokens) - 1, -1, -1):
        if _ends(tokens[number]):
            asks = tokens[number].text == "?"
        result[number] = asks
    return result


def _ends(token: Token) -> bool:
    """Returns whether a token ends a sentence."""
    return token.text in _ENDS or token.text[0] == "\n"
