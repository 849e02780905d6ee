"""Cuts a long text into the passages that are indexed, so that no vector stands for too much text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.core.shortening import shortened
from holdfast.core.text import byte_pattern
from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from holdfast.core.record import Memory

WINDOW = 800
"""Characters of a passage (about 200 tokens): the vector of a long text matches nothing well, and short
passages recalled long messages better than the 512 tokens of S1.42 (docs/measured/ranking.md)."""
OVERLAP = 100
"""Characters that two neighbouring passages share (about 25 tokens)."""
ABOUT_MIN = 30
"""Minimum number of characters for the subject of an advice."""
_ADVISING = (
    r"must(?:n['’]t)?|never|always|should(?:n['’]t)?|ought|(?:do|does)(?: not|n['’]t)|cannot"
    r"|can['’]t|avoid|instead|(?:need|needs|have|has) to|make sure|be sure|ensure|remember to|beware|careful"
    r"|workaround|required?|only|fix(?:ed)?|solved|solution"
)
_STARTING = r"use|run|set|call|check|add|remove|keep|restart|pin|start|stop"
"""Words that give advice where a sentence begins with them."""
_FOREIGN = (
    r"nie(?:mals)?|immer|muss|müssen|musst|darf|dürfen|soll(?:te)?n?|statt(?:dessen)?|vermeide[nt]?"
    r"|achte[nt]?|nötig|abhilfe|lösung|jamais|toujours|il faut|doit|éviter|nunca|siempre|debe|evitar"
)
_ADVICE = re.compile(
    rf"(?<!\w)(?:{_ADVISING}|(?:^|(?<=[.:;!] ))(?:{_STARTING})|{_FOREIGN})(?!\w)",
    re.IGNORECASE | re.MULTILINE,
)
"""Words of a sentence that gives advice."""
_MAY_ADVISE = rf"(?i)\b(?:{_ADVISING}|{_STARTING}|{_FOREIGN})\b|éviter"
"""For RE2, to which only ASCII letters are parts of words: it matches wherever `_ADVICE` does."""
_ALSO_ASCII = "İıſ\u212a"
"""Letters that `re` takes for another case of i, s and k, and that bound words of ASCII for RE2."""
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")


@value_class
class FilePlace:
    """The location of a passage in its file (S1.5).

    Lines count from 1 and include the last one; they are None if unknown. `symbols` are the names defined
    there.
    """

    path: str
    first: int | None = None
    last: int | None = None
    symbols: tuple[str, ...] = ()


def place_of(memory: Memory, part: str | None = None) -> FilePlace | None:
    """Returns the location of a passage, or of a part of its text, in its file; None for other memories."""
    path, lines = memory.metadata.get("path"), memory.metadata.get("lines")
    if memory.kind != "passage" or not isinstance(path, str):
        return None
    symbols = tuple(str(symbol) for symbol in memory.metadata.get("symbols") or ())
    if not (isinstance(lines, list) and len(lines) == 2 and all(isinstance(symbol, int) for symbol in lines)):
        return FilePlace(path, symbols=symbols)
    first, last = lines
    start = -1 if part is None else memory.text.find(part)
    # redactions may have removed lines: then only the range of the whole is exact
    if part is not None and start >= 0 and memory.text.count("\n") == last - first:
        first += memory.text.count("\n", 0, start)
        last = first + part.rstrip("\n").count("\n")
    return FilePlace(path, first, last, symbols)


def passages_of(text: str) -> list[tuple[int, int]]:
    """Returns the start and end of each passage.

    Cuts after a line break or a sentence if one is near. Every character is in a passage, and the last
    passage ends the text (S1.42, S1.59).
    """
    if len(text) <= WINDOW:
        return [(0, len(text))]
    spans: list[tuple[int, int]] = []
    start = 0
    while True:
        end = start + WINDOW
        if end >= len(text):
            spans.append((start, len(text)))
            return spans
        end = _last_break(text, start + WINDOW // 2, end)
        spans.append((start, end))
        start = end - OVERLAP


def _last_break(text: str, low: int, high: int) -> int:
    """Returns the end of the last break in a range: of a paragraph, else of a line, a sentence or a word;
    `high` if the range has none."""
    for mark in ("\n\n", "\n", ". ", "。", " "):
        at = text.rfind(mark, low, high)
        if at >= 0:
            return at + len(mark)
    return high


def summary_of(text: str, limit: int) -> str:
    """Shortens a text to a number of characters: its first sentences and, if none of them gives advice, the
    sentence that gives it best (S4.13)."""
    brief = brief_of(text, limit)
    advice = max(_SENTENCE.split(text), key=_advises)
    if _advises(advice) <= _advises(brief):
        return brief
    room = limit - len(advice) - 1
    # its subject, if there is room
    return f"{brief_of(text, room)} {advice}" if room >= ABOUT_MIN else shortened(advice, limit)


def _advises(sentence: str) -> int:
    """Counts the words of a sentence that give advice."""
    data = sentence.encode("utf-8", "surrogatepass")
    if byte_pattern(_MAY_ADVISE).search(data) is None and not any(map(sentence.__contains__, _ALSO_ASCII)):
        return 0
    return len({word.casefold() for word in _ADVICE.findall(sentence)})


def brief_of(text: str, limit: int) -> str:
    """Returns the first sentences of a text that fit into so many characters (S4.13)."""
    brief = ""
    for sentence in _SENTENCE.split(text[: limit * 4]):
        if brief and len(brief) + 1 + len(sentence) > limit:
            break
        brief = f"{brief} {sentence}".strip()
    return shortened(brief, limit)
