"""Packs the units of a text into chunks of limited size (S1.58, S1.59)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.core.shortening import shortened

MAX_CHARS = 2_500
"""Most characters of a chunk."""
OVERLAP = 200
"""Most characters that two chunks share where a unit is split."""
DROPPED = 10
"""Most characters of a text that is too short for a chunk."""
_TITLE = 200


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a text that should stay whole: a function, a section, a paragraph.

    `path` names it from the outside in, for the title; units of one `group` may share a chunk; `symbols` are
    the qualified names that it defines.
    """

    start: int
    end: int
    path: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manner:
    """Limits for units that share a chunk.

    Units of a group are joined up to `fill` characters while one of two neighbours is smaller than `small`;
    with the next group only while the preceding part is smaller than `scrap`.
    """

    fill: int
    small: int
    scrap: int


def packed(text: str, units: Sequence[Unit], manner: Manner) -> list[Unit]:
    """Returns chunks as units: in order, at most `MAX_CHARS` long, trimmed, with every visible character.

    `units` follow each other without a gap. Linear in the length of the text.
    """
    chunks: list[Unit] = []
    for unit in _merged(text, units, manner):
        for start, end in _pieces(text, unit.start, unit.end):
            start, end = _trimmed(text, start, end)
            if end - start > 0:
                title = _title(unit.path)
                chunks.append(Unit(start, end, (title,) if title else (), unit.group, unit.symbols))
    if len(chunks) == 1 and chunks[0].end - chunks[0].start <= DROPPED:
        return []
    return chunks


def _merged(text: str, units: Sequence[Unit], manner: Manner) -> list[Unit]:
    """Returns units with small neighbours merged."""
    merged: list[Unit] = []
    together: list[Unit] = []
    size = ink = 0  # of `together`
    for unit in units:
        length = unit.end - unit.start
        own_ink = len(text[unit.start : min(unit.end, unit.start + 4 * MAX_CHARS)].strip())
        if together and _share(together[-1], unit, (size, ink), (length, own_ink), manner):
            together.append(unit)
            size, ink = size + length, ink + own_ink
            continue
        if together:
            merged.append(_joined(together))
        together, size, ink = [unit], length, own_ink
    if together:
        merged.append(_joined(together))
    return merged


def _share(before: Unit, unit: Unit, left: tuple[int, int], right: tuple[int, int], manner: Manner) -> bool:
    """Returns whether two neighbouring units go into one chunk."""
    if left[1] <= DROPPED or right[1] <= DROPPED:
        return True  # alone it would be dropped; if they are too long together, they are split again
    total = left[0] + right[0]
    goes_out = not unit.symbols and unit.path == before.path[: len(unit.path)]
    if before.group == unit.group or (goes_out and right[0] < manner.scrap):
        if (
            min(left[0], right[0]) < manner.scrap
        ):  # a few lines before or after a unit that may be split anyway
            return total <= MAX_CHARS or max(left[0], right[0]) > MAX_CHARS
        return total <= manner.fill and min(left[0], right[0]) < manner.small
    return total <= manner.fill and left[0] < manner.scrap


def _joined(units: list[Unit]) -> Unit:
    """Returns one unit that spans neighbours, with their common path, all symbols, and the last group."""
    if len(units) == 1:
        return units[0]
    paths = list(dict.fromkeys(unit.path for unit in units if unit.path))
    symbols = tuple(dict.fromkeys(name for unit in units for name in unit.symbols))
    return Unit(units[0].start, units[-1].end, _common(paths), units[-1].group, symbols)


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Returns one path for several: their common part, then the differences, comma-separated."""
    if len(paths) < 2:
        return paths[0] if paths else ()
    shared = 0
    while all(len(path) > shared and path[shared] == paths[0][shared] for path in paths):
        shared += 1
    tails = dict.fromkeys(path[shared] for path in paths if len(path) > shared)
    return (*paths[0][:shared], ", ".join(tails)) if tails else paths[0][:shared]


def _title(path: tuple[str, ...]) -> str:
    return shortened(" > ".join(path), _TITLE)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Returns the start and end of pieces of a span, none longer than a chunk."""
    pieces: list[tuple[int, int]] = []
    while end - start > MAX_CHARS:  # the last piece ends the loop
        cut = _cut_position(text, start + MAX_CHARS // 2, start + MAX_CHARS)
        pieces.append((start, cut))
        start = _again(text, cut)
    pieces.append((start, end))
    return pieces


def _cut_position(text: str, low: int, high: int) -> int:
    """Returns where to cut between two positions: after the last paragraph, else the last page, line,
    sentence or word; at the upper position if there is none."""
    for mark in ("\n\n", "\f", "\n", ". ", "。", " "):
        at = text.rfind(mark, low, high)
        if at >= 0:
            return at + len(mark)
    return high


def _again(text: str, cut: int) -> int:
    """Returns the start of the next piece: some lines or words before the cut, for context."""
    low = cut - OVERLAP
    for mark in ("\n", " "):
        at = text.find(mark, low, cut - 1)
        if at >= 0:
            return at + 1
    return low


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Returns a range without surrounding white space, but with the indentation of its first line."""
    piece = text[start:end]
    end = start + len(piece.rstrip())
    lead = len(piece) - len(piece.lstrip())
    return max(start, text.rfind("\n", start, min(start + lead, end)) + 1), end
