"""Normalizes texts for the comparison of statements and classifies single words."""

from __future__ import annotations

import re
import unicodedata

from holdfast.language.statements.words import TECH

_STOPS = (".", "。", "!")
_CODE_LAYOUT = re.compile(r"```|\n[ \t]+\S")
_FOLD: dict[int, int | str | None] = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {
    0x3000: " ",
    0xA0: " ",
    0x2019: "'",
    0x2018: "'",
    0x201C: '"',
    0x201D: '"',
    0x201E: '"',
    0x2010: "-",
    0x2011: "-",
    0x2013: "-",
    0x2014: "-",
    0xAD: None,
    0x200B: None,
    0xFEFF: None,
}
_FOLD |= {0x2080 + digit: str(digit) for digit in range(10)}
_FOLD |= dict(zip(range(0xFB00, 0xFB07), ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_CJK_SPACE = re.compile(rf"(?<=[{_IDEOGRAPHS}]) | (?=[{_IDEOGRAPHS}])")

EXACT = '=`"'
"""First characters of literal tokens: identifiers and paths, code, quoted text."""


def tidy(text: str) -> str:
    """Returns a text with uniform quotes, character widths and spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_FOLD)
        text = _CJK_SPACE.sub("", " ".join(text.split())) if "\n" not in text else text
    return text.strip()


def without_full_stop(words: list[str]) -> list[str]:
    """Returns the words of a normalized text without its final full stop, for a comparison in any
    language."""
    last = words[-1] if words else ""
    return [*words[:-1], last[:-1]] if last[-1:] in _STOPS and last[-2:-1].isalpha() else words


def has_layout(text: str) -> bool:
    """Returns whether lines and spaces carry meaning: fenced code, indented lines."""
    return "\n" in text and _CODE_LAYOUT.search(text) is not None


def is_name(token: str) -> bool:
    """Returns whether a token is a name: it kept its capital, or it is a well-known tool."""
    return token[0].isupper() or token in TECH


def is_number(token: str) -> bool:
    """Returns whether a token is a number, a time, a date or anything else that begins with a digit."""
    return token[0].isdecimal() or (len(token) > 1 and token[0] in "+-" and token[1].isdecimal())


def adds_s(inflected: str, stem: str) -> bool:
    """Returns whether `many` is `one` with the ending -s of the plural or of the verb."""
    if not inflected.endswith("s") or len(stem) < 3:
        return False
    if inflected[:-1] == stem:
        return not stem.endswith("s")
    if stem.endswith("y"):
        return inflected[:-3] == stem[:-1] and inflected.endswith("ies")
    return inflected[:-2] == stem and inflected.endswith("es") and stem.endswith(("s", "x", "z", "ch", "sh"))
