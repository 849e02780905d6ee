"""Folders and files of tables (.csv, .tsv, .parquet, .arrow, .feather): one table for each file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from holdfast.core.errors import HoldfastError
from holdfast.core.reconciled import DATA_TABLE, FILE, FILE_ID, Entity, payload_with
from holdfast.readers import profile
from holdfast.readers.extras import required

PLAIN = frozenset({".csv", ".tsv", ".tab"})
COLUMNAR = frozenset({".parquet", ".pq", ".arrow", ".feather", ".ipc"})
SUFFIXES = PLAIN | COLUMNAR
SNIFFED = 64 << 10
LINE_MAX = 1 << 20
"""Most characters of a line of a text file."""
FILES_MAX = 2_000
SAMPLE_BYTES = 64 << 20
"""Most bytes of a columnar file that its sample has, such as with images in a column."""
STEP_BYTES = 2 << 20
"""Bytes of a columnar file whose values are looked at together."""
OF_BINARY = 1_000
"""Values that stand for those of a column that is not read, as many of them empty as there."""
READ_BYTES = 1 << 20
"""Bytes of a Parquet file that are read at a time, instead of a column of a row group."""


_NOT_TEXT = re.compile("[\x00-\x06\x0e-\x19]")
"""Control characters that no table has."""


class _NoTable(Exception):
    """A file that holds no table, with the reason."""


def read_file(path: Path) -> dict[str, Any]:
    """Returns the payload of one file."""
    entity = table_of(path, path.name)
    return payload_with(path.name, "table", [entity])


def read_folder(root: Path) -> dict[str, Any]:
    """Returns the payload of a folder with the tables below it; hidden files and links are left out."""
    paths = sorted(
        path
        for path in root.rglob("*")
        if path.suffix.lower() in SUFFIXES
        and path.is_file()
        and not path.is_symlink()
        and not any(part.startswith(".") for part in path.relative_to(root).parts)
    )[:FILES_MAX]
    entities = [_table_in_folder(path, path.relative_to(root).as_posix()) for path in paths]
    if entities:  # of a folder without tables there is nothing to say
        whole = {"kind": "Folder of tables", "files": [entity.id for entity in entities]}
        entities.append(Entity(FILE, FILE_ID, whole))
    return payload_with(root.name, "tables", entities)


def _table_in_folder(path: Path, name: str) -> Entity:
    """Returns the table of one of several files, or the reason why it cannot be read: the others are."""
    try:
        return table_of(path, name)
    except HoldfastError as error:
        return Entity(DATA_TABLE, name, {}, ": ".join(filter(None, (error.message, error.hint))))


def table_of(path: Path, name: str) -> Entity:
    """Returns the table of a file, or the reason why it cannot be read."""
    try:
        return Entity(DATA_TABLE, name, (_table if path.suffix.lower() in PLAIN else _columnar)(path, name))
    except HoldfastError:
        raise
    except MemoryError:
        return Entity(DATA_TABLE, name, {}, "it takes too much memory to read")
    except _NoTable as error:
        return Entity(DATA_TABLE, name, {}, str(error))
    except OSError as error:
        return Entity(DATA_TABLE, name, {}, f"it cannot be opened: {error.strerror or error}")
    except Exception:  # libraries raise any exception for damaged files
        what = f"it is damaged or not a {path.suffix.lower()} file: write it again"
        return Entity(DATA_TABLE, name, {}, what)


def _table(path: Path, name: str) -> dict[str, Any]:
    """Returns the columns of a CSV file and how many rows it has. Raises _NoTable."""
    encoding = _encoding(path)
    with path.open(newline="", encoding=encoding, errors="replace") as file:
        start = file.read(SNIFFED)
        if _NOT_TEXT.search(start) or start.count("\ufffd") * 10 > len(start):
            raise _NoTable("it is not text: save it as CSV in UTF-8")
        file.seek(0)
        rows = csv.reader(_lines(file), _dialect(start, path))
        header = next(rows, [])
        sampled = list(islice(_filled(rows), profile.ROWS))
        rest = sum(1 for _ in _filled(rows))
    if not header:
        raise _NoTable("it is empty")
    if _is_data(header, sampled):
        sampled.insert(0, header)
        header = [f"column {at}" for at in range(1, len(header) + 1)]
    data = profile.table(name, header, sampled, kind="file")
    return {**data, "rows": len(sampled) + rest} | ({"sampled": len(sampled)} if rest else {})


def _lines(file: TextIO) -> Iterator[str]:
    """Yields lines of bounded length. Raises _NoTable for a longer one."""
    while line := file.readline(LINE_MAX):
        if len(line) == LINE_MAX:
            raise _NoTable(f"a line has more than {LINE_MAX:,} characters")
        yield line


def _columnar(path: Path, name: str) -> dict[str, Any]:
    """Returns a table of Parquet or Arrow: rows and types as the file declares them, columns profiled from
    its first rows, one after the other and a few rows at a time, so that no large part is in memory."""
    required("pyarrow", "data", "a Parquet or Arrow file")
    is_parquet = path.suffix.lower() in (".parquet", ".pq")
    file = (_Parquet if is_parquet else _Arrow)(path)
    sample = _rows_in(SAMPLE_BYTES, file.size, file.count, profile.ROWS)
    step = _rows_in(STEP_BYTES, file.size, file.count, sample)
    columns = []
    for at, declared in enumerate(file.schema):
        values = islice(chain.from_iterable(file.column(at, step)), min(sample, file.count))
        about = (declared.metadata or {}).get(b"description") or (declared.metadata or {}).get(b"comment")
        comment = about.decode("utf-8", "replace") if about else None
        columns.append(profile.column(declared.name, values, type=str(declared.type), comment=comment))
    data = {
        "kind": "file", "name": name, "rows": file.count, "sampled": sample if sample < file.count else None,
        "columns": columns, "keys": profile.keys_of(columns),
    }  # fmt: skip
    return {key: value for key, value in data.items() if value not in (None, [])}


class _Parquet:
    """A Parquet file: its schema, number of rows and bytes, and the values of each column."""

    def __init__(self, path: Path) -> None:
        parquet = required("pyarrow.parquet", "data", "a Parquet file")
        self._file = parquet.ParquetFile(path, buffer_size=READ_BYTES)
        self.schema, whole = self._file.schema_arrow, self._file.metadata
        self.count: int = whole.num_rows
        self.size: int = sum(whole.row_group(at).total_byte_size for at in range(whole.num_row_groups))

    def column(self, at: int, step: int) -> Iterator[list[Any]]:
        """Yields the values of a column, so many rows at a time. Of what is binary, such as images, only how
        much is empty is known without reading it: one page of a file may be all of a row group."""
        name = self.schema.names[at]
        leaves = {
            leaf.path: self._nulls(number)
            for number, leaf in enumerate(map(self._file.schema.column, range(len(self._file.schema.names))))
            if leaf.path == name or leaf.path.startswith(f"{name}.")
        }
        nulls = next(iter(leaves.values())) if len(leaves) == 1 else None
        if nulls is not None:
            yield [None if int((row + 1) * nulls) > int(row * nulls) else b"" for row in range(OF_BINARY)]
            return
        read = [path for path, nulls in leaves.items() if nulls is None]
        same = self.schema.names[:at].count(name)  # columns before it that are called the same
        for batch in self._file.iter_batches(step, columns=read or [name], use_threads=False):
            places = [place for place, title in enumerate(batch.schema.names) if title == name]
            yield batch.column(places[same]).to_pylist()

    def _nulls(self, leaf: int) -> float | None:
        """Returns how much of a part of a column is empty if it is binary and the file says so."""
        about = self._file.schema.column(leaf)
        is_binary = about.physical_type in ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
        if not is_binary or about.logical_type.type != "NONE" or not self.count:
            return None
        groups = map(self._file.metadata.row_group, range(self._file.metadata.num_row_groups))
        per_group = [group.column(leaf).statistics for group in groups]
        if not all(statistics is not None and statistics.has_null_count for statistics in per_group):
            return None
        return float(min(1.0, sum(statistics.null_count for statistics in per_group) / self.count))


class _Arrow:
    """An Arrow file or stream: what `_Parquet` says of one."""

    def __init__(self, path: Path) -> None:
        self._path, self.size = path, path.stat().st_size
        with self._open([]) as (self.schema, _):
            columns = [0] if self.schema.names else []
        with self._open(columns) as (_, batches):
            self.count: int = sum(batch.num_rows for batch in batches)

    def column(self, at: int, step: int) -> Iterator[list[Any]]:
        """Yields the values of a column, so many rows at a time."""
        with self._open([at]) as (_, batches):
            for batch in batches:
                for start in range(0, batch.num_rows, step):
                    yield batch.column(0).slice(start, step).to_pylist()

    @contextmanager
    def _open(self, columns: list[int]) -> Iterator[tuple[Any, Iterable[Any]]]:
        """Opens the file for some columns, all for none, and returns its schema and its parts."""
        arrow, ipc = (required(module, "data", "an Arrow file") for module in ("pyarrow", "pyarrow.ipc"))
        options = ipc.IpcReadOptions(included_fields=columns, use_threads=False)
        with arrow.memory_map(str(self._path)) as mapped:
            try:
                file = ipc.open_file(mapped, options=options)
            except arrow.ArrowInvalid:  # a stream has no end by which it is known as a file
                mapped.seek(0)
                stream = ipc.open_stream(mapped, options=options)
                yield stream.schema, stream
            else:
                yield file.schema, map(file.get_batch, range(file.num_record_batches))


def _rows_in(size: int, size_total: int, rows: int, most: int) -> int:
    """Returns how many rows are read at once of so many, which have so many bytes as a whole."""
    return max(1, min(most, rows, size * max(rows, 1) // max(size_total, 1)))


def _filled(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    return (row for row in rows if any(cell.strip() for cell in row))


def _encoding(path: Path) -> str:
    """Returns the encoding of a text file: UTF-16 by its mark, UTF-8, else Windows-1252."""
    with path.open("rb") as file:
        start = file.read(SNIFFED)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        start[: start.rfind(b"\n") + 1 or len(start)].decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _dialect(start: str, path: Path) -> type[csv.Dialect] | csv.Dialect:
    """Returns how the fields of a table are separated, by the suffix or the first lines."""
    if path.suffix.lower() in (".tsv", ".tab"):
        return csv.excel_tab
    try:
        return csv.Sniffer().sniff(start[: start.rfind("\n") + 1 or len(start)], ",;\t|")
    except csv.Error:
        return csv.excel


def _is_data(header: list[str], rows: list[list[str]]) -> bool:
    """Returns whether the first row holds values, not names: it repeats, or has a number where the others
    have numbers."""
    if len(set(header)) < len(header) or not all(cell.strip() for cell in header):
        return not any(cell.strip() for cell in header) or (len(rows) > 0 and header in rows)
    kinds = [
        profile.column("", (row[at] if at < len(row) else None for row in rows[:50]))
        for at in range(len(header))
    ]
    own = [profile.column("", [cell])["type"] for cell in header]
    return any(
        type_ in ("integer", "number", "date", "month") and type_ == kind["type"]
        for type_, kind in zip(own, kinds, strict=True)
    )
