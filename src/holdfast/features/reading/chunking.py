"""Cuts a text into chunks at its syntax or headings, and lists the symbols that it defines."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from holdfast.features.reading import line_blocks, prose, syntax
from holdfast.features.reading.chunk_packing import Manner, packed
from holdfast.features.reading.line_blocks import starts
from holdfast.features.reading.titles import Titles

_CODE = Manner(fill=1_200, small=500, scrap=120)
_LINES = Manner(fill=1_800, small=1_800, scrap=0)
_PROSE = Manner(fill=2_500, small=2_500, scrap=400)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a file: a half-open range of characters, with its lines counted from 1.

    `title` is its location ("class Session > def refresh", "pages 3-4"), None if unknown; `symbols` are
    the qualified names that it defines ("Session.refresh").
    """

    start: int
    end: int
    title: str | None
    symbols: tuple[str, ...]
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in a source file.

    It has a qualified name ("Session.refresh"), a kind ("function", "class", "method" …), lines from 1
    including its comments and decorators, and the SHA-256 of its text with white space folded.
    """

    name: str
    kind: str
    first_line: int
    last_line: int
    sha256: str


def cut(
    text: str, filetype: str, language: str | None, lines: Sequence[tuple[int, int]] | None = None
) -> tuple[list[Chunk], list[Symbol]]:
    """Returns the chunks of a file's text, and the definitions in its source code, both in order (S1.58,
    S1.59). Deterministic and linear.

    A chunk has at most 2,500 characters. Two share characters, at most 200, only where one function or
    paragraph was too long. Every visible character is in a chunk, except for a text of 10 or fewer. Code
    is cut at functions, classes and methods, with the comments and decorators that belong to them; prose
    at headings and paragraphs; anything else at blank lines. `lines` are those of the file for each line
    of a text that is not the file's own.

    Definitions are functions, classes, methods and constants; none for a language without a grammar, for a
    file that is too long to parse, and without the extra `code`. The hash of one stays the same when it only
    moves or is reformatted.
    """
    items, begins = _items(text, language), starts(text)
    chunks = _chunks(text, filetype, language, items, begins)
    if lines is not None:
        chunks = [
            replace(chunk, first_line=lines[chunk.first_line - 1][0], last_line=lines[chunk.last_line - 1][1])
            for chunk in chunks
        ]
    return chunks, _symbols(text, items, begins)


def _items(text: str, language: str | None) -> list[syntax.Item] | None:
    return syntax.items(text, language) if language is not None and syntax.is_known(language) else None


def _chunks(
    text: str, filetype: str, language: str | None, items: list[syntax.Item] | None, begins: list[int]
) -> list[Chunk]:
    """Returns the chunks of a text, cut as its file type needs."""
    if items is not None:
        units, manner = syntax.units(text, items, begins), _CODE
    elif filetype in prose.FILETYPES:
        units, manner = prose.units(text, filetype), _PROSE
    else:
        units, manner = line_blocks.units(text, language), _LINES
    titles = Titles(text, filetype, begins)
    return [
        Chunk(
            unit.start,
            unit.end,
            titles.of(unit.start, unit.end, unit.path[0] if unit.path else None),
            unit.symbols,
            bisect_right(begins, unit.start),
            bisect_right(begins, unit.end - 1),
        )
        for unit in packed(text, units, manner)
    ]


def _symbols(text: str, items: list[syntax.Item] | None, begins: list[int]) -> list[Symbol]:
    ends = [*begins, len(text)]
    return [_symbol(text, ends, item) for item in _flat(items or [])]


def _flat(items: list[syntax.Item]) -> Iterator[syntax.Item]:
    for item in items:
        yield item
        yield from _flat(item.members)


def _symbol(text: str, ends: list[int], item: syntax.Item) -> Symbol:
    last = min(item.last, len(ends) - 1)
    own = " ".join(text[ends[item.first] : ends[last]].split())
    digest = hashlib.sha256(own.encode("utf-8", "surrogatepass")).hexdigest()
    return Symbol(item.qualified, item.kind, item.first + 1, max(item.first + 1, last), digest)
