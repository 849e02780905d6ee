"""Finds secrets in tables: the cells below the header of a column that names a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_text
from holdfast.language.secrets.names import ALL_NAMES, SUFFIX, NameRule, family_of
from holdfast.language.secrets.part import Part, Spans, is_secret
from holdfast.language.secrets.values import is_name_like, is_unlike_words
from holdfast.language.secrets.words import AMBIGUOUS

_OTHER_COLUMNS = (
    "user username name email mail login host url site service account role id notes note comment title"
    " type server"
    " system address domain port application app website description benutzer benutzername dienst konto rolle"
    " adresse utilisateur nom compte r\u00f4le usuario nombre cuenta correo rol database db group"
    " environment env"
    " client_id owner status expires last_login device ssid network folder uri tenant"
).split()


_ACCOUNTS = (
    "user username email mail login host url site service account server system address domain application"
    " app website benutzer benutzername dienst konto utilisateur compte usuario cuenta correo database db"
    " device ssid network"
).split()
_HEADER_MAX = 2_000
"""Bytes of a header."""
_EDGE = r"[ \t]*[\"'`*]{0,2}"
_HEADER_ROW = (
    rf"(?:^|[|,;\t])[ \t]*[\"'`*]{{0,2}}(?:[\w.-]+[ _-])?(?:{ALL_NAMES}){SUFFIX}{_EDGE}[ \t]*(?:[|,;\t]|\r?$)"
    rf"|[^\s]  +(?:{ALL_NAMES}){SUFFIX}[ \t]*(?:  |\r?$)|^(?:{ALL_NAMES}){SUFFIX}  +\S"
)


_Cells = Callable[[bytes], list[tuple[int, int]]]
"""Returns the start and end of each cell of a row."""


@cache
def _header_pattern() -> Any:
    return byte_pattern(f"(?im){_HEADER_ROW}")


@cache
def _cell_name() -> Any:
    return byte_pattern(rf"(?i)(?:[\w.-]+[ _-])?(?:{ALL_NAMES}){SUFFIX}(?:[ ]?\([^)]*\))?")


def in_tables(text: Part) -> Spans:
    """Yields the cells of each column whose header is the name of a secret."""
    data = text.data
    if data.find(b"\n", text.begin, text.end) < 0:
        return
    done = 0
    for match in text.matches(_header_pattern()):
        if match.start() < done:
            continue
        last = match.end() - 1
        begin = data.rfind(b"\n", 0, last if data[last : last + 1] == b"\n" else last + 1) + 1
        stop = data.find(b"\n", begin)
        if stop < 0:
            return
        columns = _columns_of(data[begin:stop].rstrip(b"\r"))
        if columns is None:
            continue
        done = stop
        for row_begin, row, cells in _rows_below(data, stop + 1, columns):
            yield from _secrets_of(row_begin, row, cells, columns)
            done = row_begin + len(row)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a table, by its header."""

    split: _Cells
    rules: list[NameRule | None]
    """For each column the rule of the secret that it names."""
    is_odd: list[bool]
    """For each column whether its name means a secret only beside an account."""
    has_known: bool
    """Whether there is a column that often accompanies secrets, such as `user` or `host`."""


def _columns_of(header: bytes) -> _Columns | None:
    """Returns the columns of a header; None if it is no header of a table with secrets."""
    split = _splitter(header) if len(header) <= _HEADER_MAX else None
    if split is None:
        return None
    names = [header[begin:end].strip(b" \"'`*") for begin, end in split(header)]
    spelled = [name.decode("utf-8", "replace").casefold() for name in names]
    rules = [
        family_of(low) if _cell_name().fullmatch(name) else None
        for name, low in zip(names, spelled, strict=True)
    ]
    if not any(rules) or len(names) < 2:
        return None
    has_account = any(name in _ACCOUNTS for name in spelled)
    return _Columns(
        split,
        rules,
        [not has_account and name in AMBIGUOUS for name in spelled],
        any(name in _OTHER_COLUMNS for name in spelled),
    )


def _rows_below(
    data: bytes, position: int, columns: _Columns
) -> Iterator[tuple[int, bytes, list[tuple[int, int]]]]:
    """Yields where each row of a table begins, the row, and the start and end of its cells."""
    is_markdown = False
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        row = data[position:end].rstrip(b"\r")
        if row and not row.strip(b"|-: \t+="):
            is_markdown = True
        else:
            cells = columns.split(row)
            if len(cells) != len(columns.rules) or not (columns.has_known or is_markdown):
                return
            yield position, row, cells
        position = end + 1


def _secrets_of(position: int, row: bytes, cells: list[tuple[int, int]], columns: _Columns) -> Spans:
    """Yields the secrets in a row that begins at a position."""
    for (begin, end), rule, is_odd in zip(cells, columns.rules, columns.is_odd, strict=True):
        cell = row[begin:end]
        bare = cell.strip(b" \t\"'`*")
        if rule is None or not bare or (is_odd and not is_unlike_words(bare.decode("utf-8", "replace"))):
            continue
        if _is_cell_secret(bare, rule) and not (rule.type == "secret" and _is_name(bare)):
            start = position + begin + cell.find(bare)
            yield start, start + len(bare), rule.type


_INSERT = (
    r"(?i)insert\s+into\s+[^\s(]+\s*\(([^()\0]{1,400})\)\s*values\s*"
    r"(\((?:'(?:[^'\0]|'')*'|[^'\n\0])*(?:\n[ \t]*\((?:'(?:[^'\0]|'')*'|[^'\n\0])*)*)"
)
_ROW = r"\(((?:'(?:[^']|'')*'|[^'()]|\((?:'[^']*'|[^()'])*\))*)\)"


def in_rows(text: Part) -> Spans:
    """Yields the values of SQL that go into a column which names a secret."""
    if not text.has(byte_pattern(r"(?i)insert\s+into")):
        return
    for match in text.matches(byte_pattern(_INSERT)):
        columns = [name.strip(b" \t\"'`[]") for name in match.group(1).split(b",")]
        secrets = [
            (place, family_of(name.decode("utf-8", "replace").casefold()))
            for place, name in enumerate(columns)
            if _cell_name().fullmatch(name)
        ]
        if not secrets:
            continue
        for row in byte_pattern(_ROW).finditer(text.data, match.start(2), match.end(2)):
            values = list(_values().finditer(text.data, row.start(1), row.end(1)))
            for place, rule in secrets:
                value = values[place] if place < len(values) else None
                if value and value.start(1) >= 0 and _is_cell_secret(value.group(1), rule):
                    yield value.start(1), value.end(1), rule.type


@cache
def _values() -> Any:
    return byte_pattern(r"'((?:[^']|'')*)'|[^,()' ]+(?:\([^()]*\))?")


def _is_name(cell: bytes) -> bool:
    """Returns whether a cell says what a secret is for, which a column called "Secret" lists as often as the
    secrets."""
    return is_name_like(cell.decode("utf-8", "replace"))


def _is_cell_secret(cell: bytes, rule: NameRule) -> bool:
    if b" " in cell:
        return not is_text(cell.decode("utf-8", "replace"), quoted=True) and b"\0" not in cell
    return b"\0" not in cell and is_secret(cell, Form.LITERAL, rule)


def _splitter(header: bytes) -> _Cells | None:
    """Returns how the rows of a table are split, by its header."""
    for mark in (b"|", b"\t", b";", b","):
        if mark in header:
            return lambda row, mark=mark: _split(row, mark)  # type: ignore[misc]
    return _split_by_blanks if b"  " in header.strip() else None


def _split(row: bytes, mark: bytes) -> list[tuple[int, int]]:
    """Returns the start and end of each cell of a row."""
    cells: list[tuple[int, int]] = []
    begin = 0
    quoted = False
    if mark == b"|":
        stripped = row.strip()
        if stripped.startswith(b"|"):
            begin = row.find(b"|") + 1
    for at in range(begin, len(row)):
        char = row[at : at + 1]
        if char == b'"' and mark != b"|":
            quoted = not quoted
        elif char == mark and not quoted:
            cells.append((begin, at))
            begin = at + 1
    if mark != b"|" or row[begin:].strip():
        cells.append((begin, len(row)))
    return cells


def _split_by_blanks(row: bytes) -> list[tuple[int, int]]:
    return [match.span() for match in byte_pattern(r"\S+(?: \S+)*").finditer(row)]
