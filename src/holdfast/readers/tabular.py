"""Folders and files of tables (.csv, .tsv, .parquet, .arrow, .feather): one table for each file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from holdfast.core.reconciled import DATA_TABLE, FILE, FILE_ID, Entity, payload_with
from holdfast.readers import profile
from holdfast.readers.extras import required

PLAIN = frozenset({".csv", ".tsv", ".tab"})
COLUMNAR = frozenset({".parquet", ".pq", ".arrow", ".feather", ".ipc"})
SUFFIXES = PLAIN | COLUMNAR
SNIFFED = 64 << 10
FILES_MAX = 2_000
SAMPLE_BYTES = 64 << 20
"""Most bytes of a columnar file that are read at once, such as of images in a column."""


_NOT_TEXT = re.compile("[\x00-\x06\x0e-\x19]")
"""Control characters that no table has."""


def read_file(path: Path) -> dict[str, Any]:
    """Returns the payload of one file."""
    entity = _entity(path, path.name)
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
    entities = [_entity(path, path.relative_to(root).as_posix()) for path in paths]
    whole = {"kind": "Folder of tables", "files": [one.id for one in entities]}
    entities.append(Entity(FILE, FILE_ID, whole))
    return payload_with(root.name, "tables", entities)


def _entity(path: Path, name: str) -> Entity:
    try:
        return Entity(DATA_TABLE, name, (_table if path.suffix.lower() in PLAIN else _columnar)(path, name))
    except (OSError, csv.Error, ValueError) as error:
        return Entity(DATA_TABLE, name, {}, f"{type(error).__name__}: {error}")


def _table(path: Path, name: str) -> dict[str, Any]:
    encoding = _encoding(path)
    with path.open(newline="", encoding=encoding, errors="replace") as file:
        start = file.read(SNIFFED)
        if _NOT_TEXT.search(start) or start.count("\ufffd") * 10 > len(start):
            raise ValueError("it is not text")
        file.seek(0)
        rows = csv.reader(file, _dialect(start, path))
        header = next(rows, [])
        sampled = list(islice(_filled(rows), profile.ROWS))
        rest = sum(1 for _ in _filled(rows))
    if not header:
        raise ValueError("it is empty")
    if _is_data(header, sampled):
        sampled.insert(0, header)
        header = [f"column {at}" for at in range(1, len(header) + 1)]
    data = profile.table(name, header, sampled, kind="file")
    return {**data, "rows": len(sampled) + rest} | ({"sampled": len(sampled)} if rest else {})


def _columnar(path: Path, name: str) -> dict[str, Any]:
    """Returns a table of Parquet or Arrow: rows and types as the file declares them, columns profiled from
    its first rows."""
    required("pyarrow", "data", "a Parquet or Arrow file")
    if path.suffix.lower() in (".parquet", ".pq"):
        whole = required("pyarrow.parquet", "data", "a Parquet file").ParquetFile(path)
        schema, count = whole.schema_arrow, whole.metadata.num_rows
        sizes = [whole.metadata.row_group(at).total_byte_size for at in range(whole.metadata.num_row_groups)]
        batches = whole.iter_batches(_sample_of(count, sum(sizes)))
    else:
        dataset = required("pyarrow.dataset", "data", "an Arrow file").dataset(path, format="feather")
        schema, count = dataset.schema, dataset.count_rows()
        batches = dataset.to_batches(batch_size=_sample_of(count, path.stat().st_size))
    first = next(iter(batches), None)
    columns = []
    for at, declared in enumerate(schema):
        values = first.column(at).to_pylist() if first is not None else []
        about = (declared.metadata or {}).get(b"description") or (declared.metadata or {}).get(b"comment")
        comment = about.decode("utf-8", "replace") if about else None
        columns.append(profile.column(declared.name, values, type=str(declared.type), comment=comment))
    read = first.num_rows if first is not None else 0
    data = {
        "kind": "file", "name": name, "rows": count, "sampled": read if read < count else None,
        "columns": columns, "keys": profile.keys_of(columns),
    }  # fmt: skip
    return {key: value for key, value in data.items() if value not in (None, [])}


def _sample_of(rows: int, size: int) -> int:
    """Returns how many rows are read of a table of so many rows and bytes."""
    return max(1, min(profile.ROWS, rows, SAMPLE_BYTES * max(rows, 1) // max(size, 1)))


def _filled(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    return (row for row in rows if any(cell.strip() for cell in row))


def _encoding(path: Path) -> str:
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
        one in ("integer", "number", "date") and one == kind["type"]
        for one, kind in zip(own, kinds, strict=True)
    )
