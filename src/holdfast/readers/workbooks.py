"""Workbooks (.xlsx, .ods and older forms): tables, regions that look like tables, formulas and charts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from holdfast.core.errors import InvalidInput
from holdfast.core.reconciled import CHART, DATA_TABLE, FILE, FILE_ID, SHEET_TABLE, Entity, payload_with
from holdfast.readers import profile
from holdfast.readers.extras import required
from holdfast.readers.wide import refuse_wide

SUFFIXES = frozenset({".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"})
ROWS_MAX = 100_000
"""Most rows of a sheet that are read."""
FORMULAS_UNTIL = 30 << 20
"""Bytes of a file from which its formulas and charts are not read, which takes long."""
EXAMPLES = 12
"""Most formulas that a region lists."""

_QUOTED = re.compile(r"^'(\w+)'!")
"""The name of a sheet in quotes that it does not need."""
_CELL = re.compile(r"!([A-Z]{1,3})(\d+)$")
_ODS_CELL = re.compile(r"(?:\$?(?:'([^']+)'|([^.:$\s]+)))?\.\$?([A-Z]{1,3})\$?(\d+)")
_ODS_CHARTS = {"circle": "pie", "ring": "doughnut", "filled-radar": "radar"}
"""The names of charts in .ods files that are called otherwise elsewhere."""
Grid = Sequence[Sequence[Any]]


def read(path: Path) -> dict[str, Any]:
    """Returns the payload of a workbook. Raises InvalidInput `extra_missing`, `file_unreadable`."""
    calamine = required("python_calamine", "data", "a workbook")
    try:
        refuse_wide(path)
        book = calamine.CalamineWorkbook.from_path(str(path))
        grids = {name: _grid(book, name) for name in book.sheet_names}
    except (calamine.CalamineError, OSError, ValueError, BadZipFile, RuntimeError) as error:
        raise InvalidInput(
            f"{path.name} cannot be read as a workbook: {error}", code="file_unreadable",
            hint="open and save it again, or remove its password",
        ) from None  # fmt: skip
    tables, formulas, charts = _parts(path)
    entities: list[Entity] = []
    for sheet, grid in grids.items():
        own = {name: box for name, box in tables.get(sheet, {}).items() if not _is_single(box)}
        entities += _tables(sheet, grid, own, formulas.get(sheet, {}))
        entities += _regions(sheet, grid, own.values(), formulas.get(sheet, {}))
    parts = [
        {
            "name": entity.data.get("name") or f"{entity.data['sheet']}!{entity.data['bounds']}",
            "rows": entity.data["rows"],
        }
        for entity in entities
    ]
    entities += [
        Entity(
            CHART,
            f"{chart['sheet']}:{chart['place']}",
            _with_series_names(chart, grids.get(chart["sheet"], ())),
        )
        for chart in charts
    ]
    whole = {
        "kind": "Workbook", "sheets": list(grids), "tables": parts,
        "charts": [str(chart["name"]) for chart in charts],
        "counts": {"formula": sum(map(len, formulas.values()))},
    }  # fmt: skip
    if parts or charts or any(formulas.values()):  # else nothing of it is described (S3.11)
        entities.append(Entity(FILE, FILE_ID, {key: value for key, value in whole.items() if value}))
    return payload_with(path.name, "workbook", entities)


def _grid(book: Any, name: str) -> Grid:
    """Returns the values of a sheet from its first row and column on."""
    sheet = book.get_sheet_by_name(name)
    return [
        [None if value == "" else value for value in row]
        for row in sheet.to_python(skip_empty_area=False, nrows=ROWS_MAX)
    ]


# tables and regions

Box = tuple[int, int, int, int]
"""The first row and column and the last, counted from 0."""


def _is_single(box: Box) -> bool:
    """Returns whether a named table has no more than a heading and a value: it is no table (S3.6)."""
    top, left, bottom, right = box
    return right == left and bottom - top <= 1


def _tables(
    sheet: str, grid: Grid, boxes: Mapping[str, Box], formulas: Mapping[tuple[int, int], str]
) -> Iterator[Entity]:
    """Yields the tables that somebody has named: they keep their identity however they grow."""
    for name, box in boxes.items():
        yield Entity(DATA_TABLE, f"{sheet}:{name}", _described(sheet, grid, box, formulas, name=name))


def _regions(
    sheet: str, grid: Grid, tables: Iterable[Box], formulas: Mapping[tuple[int, int], str]
) -> Iterator[Entity]:  # fmt: skip
    """Yields rectangles of filled cells of at least two by two that no table covers (S3.6); their identity
    is where they begin."""
    covered = list(tables)
    for box in _boxes(grid, (0, 0, len(grid) - 1, max(map(len, grid), default=0) - 1)):
        top, left, bottom, right = box
        if any(
            box[0] <= region[2] and region[0] <= box[2] and box[1] <= region[3] and region[1] <= box[3]
            for region in covered
        ):
            continue
        label = None
        while (
            top < bottom
            and sum(_is_filled(grid, top, at) for at in range(left, right + 1)) == 1 < right - left + 1
        ):
            label = label or str(
                next(grid[top][at] for at in range(left, right + 1) if _is_filled(grid, top, at))
            )
            top += 1
        label = label or _heading(grid, box)
        if bottom - top < 1 or right - left < 1:
            continue
        data = _described(sheet, grid, (top, left, bottom, right), formulas, name=label)
        yield Entity(SHEET_TABLE, f"{sheet}:{cell_name(top, left)}", data)


def _heading(grid: Grid, box: Box) -> str | None:
    """Returns the text that is alone above a region, with at most one blank row between them."""
    top, left, _, right = box
    for row in range(top - 1, max(top - 3, -1), -1):
        filled = [at for at in range(left, right + 1) if _is_filled(grid, row, at)]
        if filled:
            is_alone = sum(cell is not None for cell in grid[row]) == 1 and isinstance(
                grid[row][filled[0]], str
            )
            return str(grid[row][filled[0]]) if is_alone else None
    return None


def _described(
    sheet: str, grid: Grid, box: Box, formulas: Mapping[tuple[int, int], str], *, name: str | None
) -> dict[str, Any]:
    """Returns a region of a sheet as a table, with its formulas."""
    top, left, bottom, right = box
    rows = [
        [_value(grid, row, at) for at in range(left, right + 1)]
        for row in range(top, min(bottom + 1, len(grid)))
    ]
    header, body = (rows[0], rows[1:]) if rows else ([], [])
    if body and not any(
        title is None or isinstance(title, str) for title in header
    ):  # numbers and dates name nothing
        header, body = [None] * len(header), rows
    titles = [_label(title) if title is not None else f"column {at}" for at, title in enumerate(header, 1)]
    data = profile.table(name or "", titles, body[: profile.ROWS], sheet=sheet)
    data["rows"] = len(body)
    if len(body) > profile.ROWS:
        data["sampled"] = profile.ROWS
    data["bounds"] = f"{cell_name(top, left)}:{cell_name(bottom, right)}"
    computed: dict[int, list[str]] = {}
    for (row, at), formula in sorted(formulas.items()):
        if top <= row <= bottom and left <= at <= right:
            computed.setdefault(at, []).append(formula)
    if computed:
        for at, column in enumerate(data.get("columns", ()), left):
            if at in computed and column["type"] == "empty":  # saved by a program that does not calculate
                column.pop("empty", None)
                column["type"] = "computed"
        data["formulas"] = [
            f"{titles[at - left]} {texts[0]}" + (f" ({len(texts):,} cells)" if len(texts) > 1 else "")
            for at, texts in list(computed.items())[:EXAMPLES]
        ]
    return {key: value for key, value in data.items() if value not in (None, "", [])}


def _label(value: Any) -> str:
    """Returns a cell that names a column, such as a year, which a workbook keeps as 2024.0."""
    is_whole = isinstance(value, float) and value.is_integer()
    return " ".join(str(int(value) if is_whole else value).split())


def _boxes(grid: Grid, box: Box) -> Iterator[Box]:
    """Yields the rectangles of filled cells that blank rows and columns separate, from the top."""
    top, left, bottom, right = box
    rows = [
        at
        for at in range(top, bottom + 1)
        if any(_is_filled(grid, at, column) for column in range(left, right + 1))
    ]
    for first, last in _runs(rows):
        columns = [
            at
            for at in range(left, right + 1)
            if any(_is_filled(grid, row, at) for row in range(first, last + 1))
        ]
        for begin, end in _runs(columns):
            inner = (first, begin, last, end)
            if inner == box:
                yield inner
            else:
                yield from _boxes(grid, inner)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yields the first and last of each run of consecutive numbers."""
    first = last = None
    for number in numbers:
        if last is not None and number != last + 1:
            assert first is not None
            yield first, last
            first = number
        first, last = number if first is None else first, number
    if first is not None and last is not None:
        yield first, last


def _value(grid: Grid, row: int, column: int) -> Any:
    return grid[row][column] if row < len(grid) and column < len(grid[row]) else None


def _is_filled(grid: Grid, row: int, column: int) -> bool:
    return _value(grid, row, column) is not None


def cell_name(row: int, column: int) -> str:
    """Returns the name of a cell, such as B3 for row 2 and column 1."""
    letters, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


# what values do not show

_Parts = tuple[dict[str, dict[str, Box]], dict[str, dict[tuple[int, int], str]], list[dict[str, Any]]]


def _parts(path: Path) -> _Parts:
    """Returns the named tables and the formulas of each sheet, and the charts."""
    if path.stat().st_size > FORMULAS_UNTIL:
        return {}, {}, []
    try:
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            return _xlsx_parts(path)
        return _ods_parts(path) if path.suffix.lower() == ".ods" else ({}, {}, [])
    except MemoryError:  # formulas and charts take many times the memory of the values, which are still read
        return {}, {}, []


def _xlsx_parts(path: Path) -> _Parts:
    """Reads the tables, formulas and charts of an .xlsx file."""
    openpyxl = required("openpyxl", "data", "a workbook")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parts that it would not save again
        book = openpyxl.load_workbook(path, data_only=False, keep_links=False)
    tables: dict[str, dict[str, Box]] = {}
    formulas: dict[str, dict[tuple[int, int], str]] = {}
    charts: list[dict[str, Any]] = []
    for sheet in book.worksheets:
        for table in sheet.tables.values():
            left, top, right, bottom = openpyxl.utils.range_boundaries(table.ref)
            tables.setdefault(sheet.title, {})[table.name] = (top - 1, left - 1, bottom - 1, right - 1)
        by_cell = formulas.setdefault(sheet.title, {})
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    value = getattr(cell.value, "text", cell.value)
                    by_cell[cell.row - 1, cell.column - 1] = str(value)
        charts += [_chart(sheet.title, chart) for chart in sheet._charts]
    return tables, formulas, charts


def _chart(sheet: str, chart: Any) -> dict[str, Any]:
    """Returns what a chart is called, and what it shows of which cells."""
    anchor = getattr(chart.anchor, "_from", None)
    place = cell_name(anchor.row, anchor.col) if anchor is not None else "?"
    series = []
    by = None
    for plot in chart.series:
        values, title = _cells(plot, "val", "yVal"), _cells(plot, "tx")
        by = by or _cells(plot, "cat", "xVal")
        if values is not None:
            series.append([values, title])
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(chart).__name__).lower()
    name = _title(chart) or f"{kind} at {place}"
    axes = [text for axis in ("x_axis", "y_axis") if (text := _title(getattr(chart, axis, None)))]
    data = {
        "name": name,
        "kind": kind.capitalize(),
        "sheet": sheet,
        "place": place,
        "shows": series,
        "by": by,
        "axes": axes,
    }
    return {key: value for key, value in data.items() if value}


def _cells(series: Any, *names: str) -> str | None:
    """Returns the cells that a part of a series refers to, such as Summary!B4:B6."""
    for name in names:
        part = getattr(series, name, None)
        reference = getattr(part, "numRef", None) or getattr(part, "strRef", None)
        if reference is not None:
            return _QUOTED.sub(r"\1!", str(reference.f).replace("$", ""))
    return None


def _with_series_names(chart: dict[str, Any], grid: Grid) -> dict[str, Any]:
    """Returns a chart with the names of its series, read from the cells that hold them."""
    shows = []
    for cells, title in chart.get("shows", ()):
        place = _CELL.search(title or "")
        name = _value(grid, int(place[2]) - 1, _column_number(place[1])) if place else None
        shows.append(f"{name} ({cells})" if name is not None else cells)
    return {**chart, "shows": shows}


def _column_number(letters: str) -> int:
    """Returns the position of a column from its letters: 0 for A."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1


def _title(owner: Any) -> str | None:
    """Returns the text of the title of a chart or an axis."""
    rich = getattr(getattr(getattr(owner, "title", None), "tx", None), "rich", None)
    runs = [run.t for paragraph in (rich.p if rich else ()) for run in (paragraph.r or ())]
    return "".join(runs).strip() or None


def _ods_parts(path: Path) -> _Parts:
    """Reads the formulas and charts of an .ods file."""
    odfdo = required("odfdo", "data", "an .ods file")
    document = odfdo.Document(str(path))
    formulas: dict[str, dict[tuple[int, int], str]] = {}
    charts: list[dict[str, Any]] = []
    for table in document.body.tables:
        by_cell = formulas.setdefault(table.name, {})
        charts += _ods_charts(document, table.name, table.get_elements("table:shapes//draw:frame"))
        below = 0
        for row in table.get_elements("descendant::table:table-row"):
            top, below = below, below + _repeated(row, "rows")
            right = 0
            for cell in row.get_elements("table:table-cell | table:covered-table-cell"):
                left, right = right, right + _repeated(cell, "columns")
                if formula := cell.get_attribute("table:formula"):
                    plain = re.sub(r"^(?:of|oooc):", "", str(formula)).replace("[.", "").replace("]", "")
                    cells = product(range(top, below), range(left, right))
                    by_cell.update(dict.fromkeys(islice(cells, ROWS_MAX), plain))
                if frames := cell.get_elements("draw:frame"):
                    charts += _ods_charts(document, table.name, frames, cell_name(top, left))
    return {}, formulas, charts


def _repeated(element: Any, axis: str) -> int:
    """Returns for how many rows or columns an element stands: one that is only formatted, often for all to
    the end of the sheet."""
    return int(element.get_attribute(f"table:number-{axis}-repeated") or 1)


def _ods_charts(
    document: Any, sheet: str, frames: Iterable[Any], place: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yields the charts in frames of a sheet, each a document of its own within the file."""
    for frame in frames:
        for link in frame.get_elements("draw:object"):
            href = str(link.get_attribute("xlink:href") or "").removeprefix("./").rstrip("/")
            try:
                content = document.get_part(f"{href}/content.xml").body.get_element("//chart:chart")
            except (KeyError, ValueError, AttributeError):
                continue
            if content is not None:
                where = place or str(frame.get_attribute("draw:name") or href)
                yield _ods_chart(sheet, where, content)


def _ods_chart(sheet: str, place: str, chart: Any) -> dict[str, Any]:
    """Returns what a chart of an .ods file is called, and what it shows of which cells."""
    form = str(chart.get_attribute("chart:class") or "").removeprefix("chart:")
    kind = f"{_ODS_CHARTS.get(form, form)} chart".strip()
    series = []
    for element in chart.get_elements("descendant::chart:series"):
        values = _ods_cells(element.get_attribute("chart:values-cell-range-address"))
        if values is not None:
            series.append([values, _ods_cells(element.get_attribute("chart:label-cell-address"))])
    categories = chart.get_element("descendant::chart:categories")
    by = None if categories is None else _ods_cells(categories.get_attribute("table:cell-range-address"))
    axes = [_ods_text(element) for element in chart.get_elements("descendant::chart:axis/chart:title")]
    data = {
        "name": _ods_text(chart.get_element("chart:title")) or f"{kind} at {place}",
        "kind": kind.capitalize(), "sheet": sheet, "place": place, "shows": series, "by": by,
        "axes": [text for text in axes if text],
    }  # fmt: skip
    return {key: value for key, value in data.items() if value}


def _ods_cells(address: Any) -> str | None:
    """Returns cells in the form of other workbooks, such as Plan!B2:B5 for `$Plan.$B$2:.$B$5`."""
    matches = _ODS_CELL.findall(str(address or ""))
    if not matches:
        return None
    (quoted, plain, *_), cells = matches[0], [f"{column}{row}" for _, _, column, row in matches[:2]]
    sheet = quoted or plain
    named = sheet if sheet.isidentifier() else f"'{sheet}'"
    return f"{named}!{':'.join(cells)}" if sheet else ":".join(cells)


def _ods_text(element: Any) -> str:
    return "" if element is None else " ".join(str(element.text_recursive).split())
