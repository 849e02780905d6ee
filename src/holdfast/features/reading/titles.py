"""Titles of parts that say where they are: pages of a PDF; sheet, rows and columns of a table."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

_SHEET = re.compile(r"^# (.+)\n\n", re.MULTILINE)
_NUMBER = re.compile(r"[-+]?[\d.,' ]*\d[\d.,' ]*%?|")
_DELIMITERS = (" | ", "\t", ";", ",")
_LOOKED_AT = 10
"""Rows among which the names of columns are looked for: a title and notes may be above them."""
_NAMES_MAX = 120
"""Most characters of the names of columns in a title."""


class Titles:
    """Titles of the parts of one text, by the type of its file; `begins` are the starts of its lines."""

    def __init__(self, text: str, filetype: str, begins: Sequence[int]) -> None:
        self._text = text
        self._type = filetype
        self._begins = begins
        self._starts: list[int] = []
        """Starts of the pages, or of the sheets."""
        if filetype == "pdf" and "\f" in text:
            self._starts = [0, *(match.end() for match in re.finditer("\f", text))]
        elif filetype == "sheet":
            self._starts = [match.start() for match in _SHEET.finditer(text)]

    def of(self, start: int, end: int, title: str | None) -> str | None:
        """Returns the title of a part; `title` if there is nothing to add."""
        if self._type == "table":
            return title if start == 0 else self._columns(0, start) or title
        if not self._starts:
            return title
        first, last = bisect_right(self._starts, start), bisect_right(self._starts, end - 1)
        if self._type == "pdf":
            return f"page {first}" if first == last else f"pages {first}-{last}"
        if not first or first != last:
            return title
        return self._rows(first - 1, start, end)

    def _rows(self, sheet: int, start: int, end: int) -> str:
        """Returns the name of a sheet, and for a part of it its rows and the names of its columns."""
        heading = self._starts[sheet]
        after = self._starts[sheet + 1] if sheet + 1 < len(self._starts) else len(self._text)
        name = self._text[heading + 2 : self._text.index("\n", heading)]
        if start == heading and not self._text[end:after].strip():
            return name
        above = bisect_right(self._begins, heading) + 1  # lines above the first row: each row is one line
        first = max(bisect_right(self._begins, start) - above, 1)
        rows = f"{name}, rows {first}-{bisect_right(self._begins, end - 1) - above}"
        begin = self._begins[min(above, len(self._begins) - 1)]
        columns = self._columns(begin, start)
        return f"{rows}: {columns}" if columns else rows

    def _columns(self, begin: int, before: int) -> str:
        """Returns the row with the names of columns, the first with two texts and no number in it, if it
        begins `before` a part; otherwise an empty string."""
        at, seen = begin, 0
        while at < before and seen < _LOOKED_AT:
            end = self._text.find("\n", at)
            row = self._text[at : end if end >= 0 else len(self._text)].strip()
            delimiter = next((sign for sign in _DELIMITERS if sign in row), None)
            if delimiter is not None:
                cells = [cell.strip(' "') for cell in row.split(delimiter)]
                if not any(cell and _NUMBER.fullmatch(cell) for cell in cells):
                    names = " | ".join(cell for cell in cells if cell)
                    return names if len(names) <= _NAMES_MAX else f"{names[:_NAMES_MAX]}…"
            seen += bool(row)
            at = end + 1 if end >= 0 else before
        return ""
