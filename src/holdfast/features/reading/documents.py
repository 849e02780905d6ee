"""Extracts the text of each document format, with Markdown headings and within limits."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from holdfast.features.reading import mail, packages
from holdfast.features.reading.decoding import Undecodable, decoded
from holdfast.features.reading.optional_packages import missing_extra
from holdfast.features.reading.skip_reasons import Unreadable
from holdfast.features.reading.types import MAX_TEXT

MAX_PAGES = 5_000
"""Most pages of a PDF, or slides of a presentation."""
MAX_NOTEBOOK = 32_000_000
MAX_ROWS = 50_000
"""Most rows of all sheets of a workbook."""
MAX_COLUMNS = 200


def text_of(stream: BinaryIO, form: str) -> tuple[str, list[str]]:
    """Returns the text of a document and notes about omissions.

    Headings are written as "# …", pages of a PDF are separated by form feeds. Raises Unreadable,
    HoldfastError `extra_missing`, and whatever a library raises for a damaged file: it is called in a
    separate process.
    """
    notes: list[str] = []
    try:
        text = _joined(_READERS[form](stream, notes), notes)
    except ModuleNotFoundError as error:
        raise missing_extra(error, "files") from error
    return text, notes


def _joined(pieces: Iterable[str], notes: list[str]) -> str:
    """Returns pieces of text as one, up to the limit."""
    parts: list[str] = []
    remaining = MAX_TEXT
    for piece in pieces:
        piece = piece.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
        if len(piece) > remaining:
            parts.append(piece[:remaining])
            notes.append(f"cut after {MAX_TEXT:,} characters")
            break
        parts.append(piece)
        remaining -= len(piece)
    return "".join(parts)


def _pdf(stream: BinaryIO, notes: list[str]) -> Iterator[str]:
    """Yields the text of a PDF file, page by page. Raises Unreadable."""
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError

    try:
        reader = PdfReader(stream, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("encrypted")
        count = len(reader.pages)
        if count > MAX_PAGES:
            notes.append(f"the first {MAX_PAGES:,} of {count:,} pages")
        failed = 0
        for number in range(min(count, MAX_PAGES)):
            try:
                text = reader.pages[number].extract_text()
            except (DependencyError, FileNotDecryptedError, MemoryError, RecursionError):
                raise
            except Exception:  # the other pages of a damaged document are still read
                failed += 1
                continue
            yield ("\f" if number else "") + text.replace("\f", "\n").strip()
        if failed:
            notes.append(f"{failed:,} of {count:,} pages are damaged")
    except (DependencyError, FileNotDecryptedError) as error:
        raise Unreadable("encrypted", "is encrypted by an unsupported method") from error


def _docx(stream: BinaryIO, _notes: list[str]) -> Iterator[str]:
    """Yields the paragraphs and tables of a .docx file. Raises Unreadable."""
    packages.check(stream)
    from docx import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    for block in Document(stream).iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                cells: list[str] = []
                for cell in row.cells:
                    text = " ".join(cell.text.split())
                    if not cells or cells[-1] != text:  # a merged cell is repeated for each column
                        cells.append(text)
                yield " | ".join(cells) + "\n"
            yield "\n"
        elif isinstance(block, Paragraph) and block.text.strip():
            yield _headed(block.text, _level(block.style.name if block.style is not None else None))


def _level(style: str | None) -> int:
    """Returns the level of a heading by its style, 0 for other paragraphs."""
    name = style or ""
    if name == "Title":
        return 1
    if name.startswith("Heading ") and name[8:].isdigit():
        return min(int(name[8:]), 6)
    return 0


def _headed(text: str, level: int) -> str:
    return f"{'#' * level} {' '.join(text.split())}\n\n" if level else f"{text.strip()}\n\n"


def _pptx(stream: BinaryIO, notes: list[str]) -> Iterator[str]:
    """Yields the text of the slides of a .pptx file. Raises Unreadable."""
    packages.check(stream)
    from pptx import Presentation

    for number, slide in enumerate(Presentation(stream).slides, 1):
        if number > MAX_PAGES:
            notes.append(f"the first {MAX_PAGES:,} slides")
            return
        title = slide.shapes.title
        heading = " ".join(title.text_frame.text.split()) if title is not None else ""
        yield f"# Slide {number}{': ' if heading else ''}{heading}\n\n"
        for shape in _shapes(slide.shapes):
            if title is not None and shape.shape_id == title.shape_id:
                continue
            if shape.has_text_frame and shape.text_frame.text.strip():
                yield shape.text_frame.text.strip() + "\n\n"
            elif getattr(shape, "has_table", False):
                for row in shape.table.rows:
                    yield " | ".join(" ".join(cell.text.split()) for cell in row.cells) + "\n"
                yield "\n"
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            speaker_notes = slide.notes_slide.notes_text_frame.text.strip()
            if speaker_notes:
                yield f"Notes: {speaker_notes}\n\n"


def _shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yields the shapes of a slide and of its groups, in reading order; deep groups do not exhaust the
    stack."""
    waiting = list(shapes)[::-1]
    while waiting:
        shape = waiting.pop()
        if hasattr(shape, "shapes"):
            waiting.extend(list(shape.shapes)[::-1])
        else:
            yield shape


def _sheet(stream: BinaryIO, notes: list[str]) -> Iterator[str]:
    """Yields the rows of a workbook as text. Raises Unreadable."""
    packages.check(stream, may_be_other=True)
    from python_calamine import CalamineWorkbook, PasswordError

    try:
        book = CalamineWorkbook.from_filelike(stream)
    except PasswordError as error:
        raise Unreadable("encrypted") from error
    remaining = MAX_ROWS
    for name in book.sheet_names:
        yield f"# {' '.join(name.split())}\n\n"
        sheet = book.get_sheet_by_name(name)
        blank = sheet.start[0] if sheet.start is not None else 0  # rows above the first that has a cell
        for row in sheet.iter_rows():
            if remaining == 0:
                notes.append(f"the first {MAX_ROWS:,} rows")
                return
            cells = [_cell(value) for value in row[:MAX_COLUMNS]]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                remaining -= 1
                yield "\n" * blank + " | ".join(cells) + "\n"  # a line for each row, so that rows count
            blank = 0 if cells else blank + 1
        yield "\n"


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value).split())


def _open_document(stream: BinaryIO, notes: list[str]) -> Iterator[str]:
    """Yields the text of Writer and Impress files, which may also be one flat XML file."""
    packages.check(stream, may_be_other=True)
    from odfdo import Document

    body = Document(io.BytesIO(stream.read())).body
    pages = body.get_elements("descendant::draw:page")
    if pages:
        for number, page in enumerate(pages[:MAX_PAGES], 1):
            yield f"# Slide {number}\n\n"
            yield from _flow(page)
        if len(pages) > MAX_PAGES:
            notes.append(f"the first {MAX_PAGES:,} slides")
    else:
        yield from _flow(body)


def _flow(element: Any) -> Iterator[str]:
    """Yields the headings, in Markdown, and paragraphs below an element in order, without empty ones."""
    for block in element.get_elements("descendant::text:h | descendant::text:p"):
        text = "".join(block.inner_text if hasattr(block, "inner_text") else str(block)).strip()
        if text:
            level = block.get_attribute("text:outline-level") if block.tag == "text:h" else None
            yield _headed(text, min(int(level), 6) if level is not None and str(level).isdigit() else 0)


def _rtf(stream: BinaryIO, _notes: list[str]) -> Iterator[str]:
    """Yields the text of an .rtf file. Raises Unreadable."""
    from striprtf.striprtf import rtf_to_text

    data = stream.read(MAX_NOTEBOOK + 1)
    if len(data) > MAX_NOTEBOOK:
        raise Unreadable("too_large")
    if not data.lstrip().startswith(b"{\\rtf"):
        raise Unreadable("broken")
    yield str(rtf_to_text(data.decode("latin-1"), errors="replace"))  # type: ignore[no-untyped-call]


def _notebook(stream: BinaryIO, _notes: list[str]) -> Iterator[str]:
    """Yields the cells of a notebook. Raises Unreadable."""
    data = stream.read(MAX_NOTEBOOK + 1)
    if len(data) > MAX_NOTEBOOK:
        raise Unreadable("too_large")
    try:
        book = json.loads(decoded(data)[0])
        cells = book.get("cells") or [cell for sheet in book["worksheets"] for cell in sheet["cells"]]
        language = (book.get("metadata", {}).get("kernelspec") or {}).get("language") or "python"
    except (Undecodable, ValueError, AttributeError, TypeError, KeyError) as error:
        raise Unreadable("broken") from error
    for cell in cells:
        source = cell.get("source", cell.get("input", ""))
        text = "".join(source) if isinstance(source, list) else str(source)
        if text.strip():
            is_code = cell.get("cell_type") == "code"
            yield f"```{language}\n{text.strip()}\n```\n\n" if is_code else f"{text.strip()}\n\n"


_READERS: dict[str, Callable[[BinaryIO, list[str]], Iterator[str]]] = {
    "pdf": _pdf,
    "docx": _docx,
    "pptx": _pptx,
    "sheet": _sheet,
    "odt": _open_document,
    "odp": _open_document,
    "rtf": _rtf,
    "eml": mail.eml,
    "mbox": mail.mbox,
    "msg": mail.msg,
    "epub": packages.epub,
    "notebook": _notebook,
}
