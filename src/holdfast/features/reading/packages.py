"""Checks zip archives of XML before any library unpacks them, and reads EPUB."""

from __future__ import annotations

import posixpath
import struct
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from holdfast.features.reading.decoding import Undecodable, decoded
from holdfast.features.reading.markup import attributes, readable
from holdfast.features.reading.skip_reasons import Unreadable

MAX_UNPACKED = 256 << 20
"""Most bytes of all parts of a package together."""
MAX_RATIO = 200
"""Highest compression ratio of a part above one mebibyte; office XML compresses 5 to 40 times."""
MAX_PARTS = 20_000
_MAX_DIRECTORY = 8 << 20
_RATIO_MATTERS = 1 << 20
_ENCRYPTED = 1
_PROLOG = 1 << 16
_OLE = b"\xd0\xcf\x11\xe0"


def check(stream: BinaryIO, *, may_be_other: bool = False) -> None:
    """Refuses an archive that unpacks to too much, and XML that declares a document type with entities.

    Leaves the stream at its start. `may_be_other` accepts files that are not archives. Raises Unreadable.
    """
    head = stream.read(4)
    stream.seek(0)
    if head[:2] == b"PK":
        with _open_zip(stream) as archive:
            for part in archive.infolist():
                if part.filename.lower().endswith((".xml", ".rels", ".vml")):
                    _check_prolog(archive, part)
    elif head == _OLE and not may_be_other:
        raise Unreadable("encrypted", "protected by a password, or in an older format than its name says")
    elif not may_be_other:
        raise Unreadable("broken")
    elif head != _OLE and _declares_entities(stream.read(_PROLOG)):
        raise Unreadable("unsafe")
    stream.seek(0)


def epub(stream: BinaryIO, _notes: list[str]) -> Iterator[str]:
    """Yields the chapters of a book in reading order, with Markdown headings."""
    with _open_zip(stream) as archive:
        names = {part.filename for part in archive.infolist()}
        if "META-INF/encryption.xml" in names and "META-INF/rights.xml" in names:
            raise Unreadable("encrypted", "protected by digital rights management")
        package = next(
            (root["full-path"] for root in attributes(_part(archive, "META-INF/container.xml"), "rootfile")
             if root.get("full-path")), None,
        )  # fmt: skip
        if package is None:
            raise Unreadable("broken")
        description = _part(archive, package)
        items = {item.get("id", ""): item.get("href", "") for item in attributes(description, "item")}
        for reference in attributes(description, "itemref"):
            href = unquote(items.get(reference.get("idref", ""), "")).partition("#")[0]
            name = posixpath.normpath(posixpath.join(posixpath.dirname(package), href))
            if name in names:
                yield readable(_part(archive, name)).strip() + "\n\n"


def _open_zip(stream: BinaryIO) -> ZipFile:
    """Opens a ZIP file. Raises Unreadable if it is broken or too large to be safe."""
    if _directory_size(stream) > _MAX_DIRECTORY:
        raise Unreadable("unsafe")
    try:
        archive = ZipFile(stream)
    except (BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise Unreadable("broken") from error
    parts = archive.infolist()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise Unreadable("unsafe")
    for part in parts:
        if part.flag_bits & _ENCRYPTED:
            raise Unreadable("encrypted")
        if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise Unreadable("unsafe", "uses a compression method that documents do not use")
        if part.file_size > max(_RATIO_MATTERS, part.compress_size * MAX_RATIO):
            raise Unreadable("unsafe")
    return archive


def _part(archive: ZipFile, name: str) -> str:
    """Returns the text of a file in an archive. Raises Unreadable if it is missing, damaged or no text."""
    try:
        # never more than the size that was checked
        return decoded(archive.read(name))[0]
    except (KeyError, BadZipFile, Undecodable) as error:
        raise Unreadable("broken") from error


def _check_prolog(archive: ZipFile, part: ZipInfo) -> None:
    """Raises Unreadable if a part of a package declares XML entities."""
    try:
        with archive.open(part) as stream:
            if _declares_entities(stream.read(_PROLOG)):
                raise Unreadable("unsafe")
    except (BadZipFile, NotImplementedError) as error:
        raise Unreadable("broken") from error


def _declares_entities(head: bytes) -> bool:
    """Returns whether there is a document type, which office programs never write; in UTF-16 NULs separate
    its letters."""
    return b"<!DOCTYPE" in head.replace(b"\0", b"")


def _directory_size(stream: BinaryIO) -> int:
    """Returns the size in bytes of the archive's directory, read before anything is allocated for it."""
    end = stream.seek(0, 2)
    stream.seek(max(0, end - (1 << 16) - 22 - 76))
    tail = stream.read()
    stream.seek(0)
    record = tail.rfind(b"PK\x05\x06")
    if record < 0 or len(tail) < record + 22:
        return 0
    size: int = struct.unpack_from("<L", tail, record + 12)[0]
    wide = record - 76  # the 64-bit record, if there is one, wins
    if wide >= 0 and tail[wide : wide + 4] == b"PK\x06\x06":
        size = struct.unpack_from("<Q", tail, wide + 40)[0]
    return size
