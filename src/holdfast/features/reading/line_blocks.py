"""Cuts texts without a known syntax into blocks between blank lines, and finds line offsets."""

from __future__ import annotations

import re
from io import StringIO
from itertools import accumulate, pairwise

from holdfast.features.reading.chunk_packing import Unit

SHORTEST = 100
"""Fewest characters of a block."""
_NAMED = re.compile(
    r"^[ \t]{0,8}(?:(?:export|default|public|private|protected|internal|static|final|abstract|sealed|open"
    r"|override|async|unsafe|inline|virtual|data|partial|local|pub)[ \t]+){0,5}"
    r"(?P<kind>class|interface|struct|enum|trait|module|namespace|protocol|extension|object|record|def|fun"
    r"|func|function|fn|sub|proc|procedure|type)[ \t]+(?P<name>[A-Za-z_][\w.:]{0,100})",
    re.MULTILINE,
)


def starts(text: str) -> list[int]:
    r"""Returns the offset of each line; lines end with `\n` only."""
    offsets = list(accumulate(map(len, StringIO(text)), initial=0))
    if text and text[-1] != "\n":
        offsets.pop()  # no line begins at the end of the last one
    return offsets


def units(text: str, language: str | None) -> list[Unit]:
    """Returns blocks that a blank line ends and an unindented line begins; for code, with their symbols."""
    marks: list[int] = [0]
    at = text.find("\n\n")
    while at >= 0:
        begin = at + 2
        while begin < len(text) and text[begin] == "\n":
            begin += 1
        if begin < len(text) and text[begin] not in " \t})]" and begin - marks[-1] >= SHORTEST:
            marks.append(begin)
        at = text.find("\n\n", begin)
    marks.append(len(text))
    return [_unit(text, start, end, language) for start, end in pairwise(marks) if end > start]


def _unit(text: str, start: int, end: int, language: str | None) -> Unit:
    """Returns a block of lines with the names that it defines."""
    if language is None:
        return Unit(start, end)
    matches = list(_NAMED.finditer(text, start, end))
    if not matches:
        return Unit(start, end)
    names = tuple(dict.fromkeys(match["name"] for match in matches))
    return Unit(start, end, (f"{matches[0]['kind']} {matches[0]['name']}",), (), names)
