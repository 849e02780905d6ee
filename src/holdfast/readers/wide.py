"""The refusal of workbooks whose sheets span more cells than fit into memory."""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO
from zipfile import ZipFile, is_zipfile

CELLS_MAX = 30_000_000
"""Most cells of the rectangle that a sheet spans, filled or not."""
UNPACKED_MAX = 1 << 30
"""Most bytes of the parts of a file."""

_PLACED = re.compile(rb"[<:]c\s[^<>]{0,200}?\br=[\"']([A-Z]{1,3})(\d{1,7})[\"']")
_OVERLAP = 256  # bytes: a cell may be cut by two pieces


def refuse_wide(path: Path) -> None:
    """Raises ValueError for a workbook of which a sheet spans more cells than fit into memory: it would be
    made a grid, however few are filled, and end the process."""
    if not is_zipfile(path):
        return  # other forms have narrow sheets, or limits of their own
    with ZipFile(path) as archive:
        parts = [part for part in archive.infolist() if part.filename.endswith(".xml")]
        if sum(part.file_size for part in archive.infolist()) > UNPACKED_MAX:
            raise ValueError(f"it unpacks to more than {UNPACKED_MAX >> 20:,} MiB")
        for part in parts:
            with archive.open(part) as stream:
                if _spanned(stream) > CELLS_MAX:
                    raise ValueError(f"a sheet spans more than {CELLS_MAX:,} cells")


def _spanned(stream: IO[bytes]) -> int:
    """Returns how many cells the rectangle of all cells of a sheet has."""
    first_row = first_column = 1 << 30
    last_row = last_column = -1
    rest = b""
    while piece := stream.read(1 << 20):
        text = rest + piece
        for letters, row in set(_PLACED.findall(text)):
            column = 0
            for letter in letters:
                column = column * 26 + letter - 64
            first_row, last_row = min(first_row, int(row)), max(last_row, int(row))
            first_column, last_column = min(first_column, column), max(last_column, column)
        rest = text[-_OVERLAP:]
    return max(0, last_row - first_row + 1) * max(0, last_column - first_column + 1)
