"""Opening of an import: detects the format and reads it item by item, never as a whole (S2.21)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from types import ModuleType
from typing import BinaryIO

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import (
    basic_memory,
    claude_mem,
    files,
    folder,
    jsonstream,
    letta,
    mcp_memory,
    mcp_memory_service,
    mem0,
    mem0_store,
    messenger,
    notes,
    own,
    plaintext,
    zep,
)
from holdfast.features.transfer.formats.assemble import Assembler
from holdfast.features.transfer.formats.chat import ChatReader
from holdfast.features.transfer.formats.containers import (
    OPENMEMORY_LINES,
    Container,
    InFile,
    archived_texts,
    openmemory_in_archive,
    openmemory_in_folder,
    unpacked_export,
)
from holdfast.features.transfer.formats.fields import as_map
from holdfast.features.transfer.formats.model import FILE, PLATFORMS, Item, Meter, Skip, Skipped
from holdfast.readers import rows
from holdfast.readers.databases import MAGIC

_JSON_READERS: dict[str, ModuleType] = {"mcp-memory": mcp_memory, "mem0": mem0, "letta": letta, "zep": zep}
_DATABASE_READERS: dict[str, ModuleType] = {
    "claude-mem": claude_mem,
    "mcp-memory-service": mcp_memory_service,
    "mem0": mem0_store,
}
FORMATS = tuple(
    dict.fromkeys((*PLATFORMS, *_JSON_READERS, *_DATABASE_READERS, "basic-memory", "notes", "holdfast"))
)
"""The formats of imports; without a name the format is detected."""
_HEAD = 1 << 16
_LINES = (".jsonl", ".ndjson")
_MARKDOWN = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class OpenedImport:
    """An opened import.

    `sha256` is that of the file, or of all files in the folder; `items` can be iterated once; `skipped` is
    complete after the last item.
    """

    format: str
    name: str
    sha256: str
    items: Iterator[Item]
    skipped: Callable[[], tuple[Skipped, ...]]
    meter: Meter
    """How much of it was read."""


@contextmanager
def open_import(path: Path | str, format: str | None = None) -> Iterator[OpenedImport]:
    """Opens a path: a file of any format, an export that was unpacked to a folder, or a folder of notes.

    Raises InvalidInput: file_not_found, not_a_file, file_unreadable, file_too_large, archive_unsafe or
    format_unknown, here or while the items are read.
    """
    if path == "":
        raise InvalidInput("the path is empty", code="file_not_found", hint="the current folder is `.`")
    path = Path(path)
    checked_format(format)
    if path.is_dir() and format in (None, "mem0") and (backup := openmemory_in_folder(path)) is not None:
        path = backup
    if path.is_dir():
        yield _folder(path, format)
        return
    with files.open_file(path) as stream:
        yield _file(stream, path.name, format, path)


@contextmanager
def opened_bytes(data: bytes, filename: str = "", format: str | None = None) -> Iterator[OpenedImport]:
    """Opens bytes in memory, such as an upload; `filename` is used for detecting the format only."""
    checked_format(format)
    name = PurePath(filename).name.encode("utf-8", "replace").decode()
    yield _file(io.BytesIO(data), name or "the text", format, None)


def checked_format(format: str | None) -> str | None:
    """Returns the name of a format, or None for detection, unchanged. Raises InvalidInput
    `format_unknown`."""
    if format is not None and format not in FORMATS:
        raise InvalidInput(
            f"there is no format {format!r}", code="format_unknown", hint="use " + ", ".join(FORMATS)
        )
    return format


def _folder(path: Path, format: str | None) -> OpenedImport:
    """Opens a folder as an unpacked chat export if it is one, otherwise as text files. Raises InvalidInput if
    it has none."""
    if format is None or format in PLATFORMS:
        export = unpacked_export(path)
        if export is not None:
            return _chat(export, format, export.digest())
    notice = Assembler()
    text_files = folder.below(path, notice.skip)
    if not text_files:
        raise InvalidInput(f"there are no notes in {path}", code="format_unknown", hint="pass a file")
    if format is None:
        format = "basic-memory" if basic_memory.recognises(text_files) else "notes"
    return _texts(text_files, path.resolve().name, format, folder.digest(text_files), notice)


def _texts(
    text_files: list[folder.TextFile], root: str, format: str, sha256: str, notice: Assembler
) -> OpenedImport:
    """Opens text files as notes or basic-memory; ids of notes derive from `root`. Raises InvalidInput for any
    other format."""
    if format not in ("notes", "basic-memory"):
        raise InvalidInput(f"{format} is not read from a folder", code="not_a_file", hint="pass a file")
    read: Callable[..., Iterator[Item]] = notes.notes if format == "notes" else basic_memory.items
    meter = Meter(len(text_files))
    items = read(_metered(text_files, meter), root, notice.skip)
    return OpenedImport(format, root, sha256, items, lambda: notice.skipped, meter)


def _metered(text_files: list[folder.TextFile], meter: Meter) -> Iterator[folder.TextFile]:
    for file in text_files:
        yield file
        meter.add(1)


def _file(stream: BinaryIO, name: str, format: str | None, path: Path | None) -> OpenedImport:
    """Opens an import of one file: an archive, a database, a chat, notes or JSON."""
    is_archive = files.check_size(stream, name)
    sha256 = files.digest(stream, name)
    if is_archive and (format is None or format not in PLATFORMS):
        notice = Assembler()
        if text_files := archived_texts(stream, name, notice.skip):
            form = format or ("basic-memory" if basic_memory.recognises(text_files) else "notes")
            return _texts(text_files, PurePath(name).stem, form, folder.digest(text_files), notice)
    if (
        is_archive
        and format in (None, "mem0")
        and (backup := openmemory_in_archive(stream, name)) is not None
    ):
        notice = Assembler()
        notice.skip(OPENMEMORY_LINES, "the same memories again", FILE)
        return _json(backup, name, "mem0", sha256, notice)
    head = stream.read(len(MAGIC))
    stream.seek(0)
    if head == MAGIC:
        return _database(path or stream.read(), name, format, sha256)
    detected = format or _detect_format(stream, name)
    stream.seek(0)
    if detected in PLATFORMS or detected == "chat":
        return _chat(InFile(stream, name), detected if format else None, sha256)
    if detected in ("notes", "basic-memory"):
        return _texts([folder.TextFile(path or stream, name)], name, detected, sha256, Assembler())
    return _json(stream, name, detected, sha256, Assembler())


def _json(stream: BinaryIO, name: str, detected: str, sha256: str, notice: Assembler) -> OpenedImport:
    """Opens a file of JSON or JSON Lines that is no chat."""
    meter = Meter(stream.seek(0, io.SEEK_END))
    stream.seek(0)
    chunks = files.Document(name, stream, meter=meter).text()
    if detected == "holdfast":
        records = _with_first_read(own.records(chunks, name, notice.skip))
        return OpenedImport(detected, name, sha256, records, lambda: notice.skipped, meter)
    values = _values(chunks, name, notice.skip)
    reader = _JSON_READERS.get(detected)
    if reader is None:
        raise InvalidInput(f"{name} is not a database of {detected}", code="format_unknown")
    items = _at_least_one(reader.items(values, notice.skip), name, detected)
    return OpenedImport(detected, name, sha256, items, lambda: notice.skipped, meter)


def _database(source: Path | bytes, name: str, format: str | None, sha256: str) -> OpenedImport:
    """Opens a database in a file, whose program its tables tell. Raises InvalidInput if none is known, or
    another one than `format` names."""
    tables = rows.tables_of(source)
    matches = [form for form, reader in _DATABASE_READERS.items() if reader.recognises(tables)]
    detected = matches[0] if matches else ""
    if not matches or format not in (None, detected):
        raise InvalidInput(
            f"{name} is a database of no known program", code="format_unknown",
            hint=f"databases of {', '.join(_DATABASE_READERS)} are read",
        )  # fmt: skip
    notice = Assembler()
    items = _DATABASE_READERS[detected].items(tables, partial(rows.rows_of, source), notice.skip)
    return OpenedImport(detected, name, sha256, _with_first_read(items), lambda: notice.skipped, Meter())


def _chat(container: Container, platform: str | None, sha256: str) -> OpenedImport:
    """Opens a chat export and reads its first item, which tells the platform if none is given."""
    reading = ChatReader(container, platform)
    items = _with_first_read(iter(reading))
    return OpenedImport(
        reading.platform or "", container.name, sha256, items, lambda: reading.skipped, container.meter
    )


def _with_first_read(items: Iterator[Item]) -> Iterator[Item]:
    """Returns the iterator after reading its first item, so that an early error is raised at once."""
    for first in items:
        return chain([first], items)
    return iter(())


def _at_least_one(items: Iterator[Item], name: str, format: str) -> Iterator[Item]:
    """Yields the items. Raises InvalidInput at the end if there were none."""
    any_ = False
    for item in items:
        any_ = True
        yield item
    if not any_:
        raise InvalidInput(f"there are no {format} items in {name}", code="format_unknown")


def _values(chunks: Iterator[str], name: str, skip: Skip) -> Iterator[object]:
    """Yields the values of a JSON or JSON Lines file; the part after a syntax error is skipped."""
    if PurePath(name).suffix.lower() in _LINES:
        yield from jsonstream.lines(chunks, name, skip)
        return
    yield from jsonstream.until_broken(jsonstream.items(chunks, name), name, skip)


def _detect_format(stream: BinaryIO, name: str) -> str:
    """Returns the format by the first bytes; "chat" leaves the choice to the readers of chats."""
    stream.seek(0)
    head = stream.read(_HEAD)
    if head.startswith(b"PK") or b"\0" in head[:1_000]:
        return "chat"
    opening = head.decode("utf-8-sig", "ignore")
    suffix = PurePath(name).suffix.lower()
    if own.recognises(opening):
        return "holdfast"
    if opening.lstrip()[:1] in ("{", "["):
        return _detect_json_format(stream, name) or "chat"
    if suffix in _MARKDOWN and not plaintext.has_turns(opening) and not messenger.recognises(opening):
        return "notes"
    return "chat"


def _detect_json_format(stream: BinaryIO, name: str) -> str | None:
    """Returns the format of which the first value is, None if it is of a chat."""
    stream.seek(0)
    chunks = files.Document(name, stream).text()
    try:
        if PurePath(name).suffix.lower() in _LINES:
            first = next(jsonstream.lines(chunks, name, lambda *_: None), None)
        else:
            first = next(jsonstream.items(chunks, name), None)
    except InvalidInput:
        return None
    return next((form for form, reader in _JSON_READERS.items() if reader.recognises(as_map(first))), None)
