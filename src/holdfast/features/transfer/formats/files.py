"""Opening of an import file as text, with limits on everything."""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats.export_files import Role
from holdfast.features.transfer.formats.model import Meter

MAX_BYTES = 1 << 30
"""Maximum size of the chats in one file, or in one unpacked archive: 1 GiB."""
_CHUNK = 1 << 20
HINT = "use the export's .zip, its conversations.json, or a .json, .jsonl, .txt or .md file"


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """Opens a regular file for reading. Raises InvalidInput file_not_found, not_a_file or file_unreadable."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            kind = "a directory" if path.is_dir() else "not a regular file"
            raise InvalidInput(f"{path} is {kind}", code="not_a_file", hint=HINT)
        stream = path.open("rb")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InvalidInput(f"{path} does not exist", code="file_not_found") from error
    except (OSError, ValueError) as error:
        raise unreadable(str(path), error) from error
    with stream:
        yield stream


def unreadable(name: str, error: Exception) -> InvalidInput:
    """Builds the error for a file that cannot be read or decoded."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return InvalidInput(f"{name} cannot be read: {reason}", code="file_unreadable")


def digest(stream: BinaryIO, name: str) -> str:
    """Returns the SHA-256 of the file, in hexadecimal; leaves the stream at its start."""
    value = hashlib.sha256()
    try:
        while piece := stream.read(_CHUNK):
            value.update(piece)
        stream.seek(0)
    except read_errors() as error:
        raise unreadable(name, error) from error
    return value.hexdigest()


def read_errors() -> tuple[type[Exception], ...]:
    """Returns what reading a file, or an entry of an archive, may raise."""
    import zipfile
    import zlib

    return OSError, EOFError, RuntimeError, zlib.error, zipfile.BadZipFile


def size_of(stream: BinaryIO, name: str) -> int:
    """Returns the size of a file in bytes; leaves the stream at its start. Raises InvalidInput."""
    try:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
    except read_errors() as error:
        raise unreadable(name, error) from error
    return size


@dataclass(frozen=True, slots=True)
class Document:
    """One file with chats in it."""

    name: str
    stream: BinaryIO
    role: Role = Role.CHATS
    meter: Meter | None = None

    def text(self) -> Iterator[str]:
        """Yields the text in pieces of about a million characters. Raises InvalidInput."""
        decoder: codecs.IncrementalDecoder | None = None
        try:
            while piece := self.stream.read(_CHUNK):
                if decoder is None:
                    decoder = _decoder(piece)
                text = decoder.decode(piece)
                if "\0" in text:
                    raise InvalidInput(
                        f"{self.name} is a binary file, not a chat export", code="format_unknown", hint=HINT
                    )
                yield text
                if self.meter is not None:
                    self.meter.add(len(piece))
            if decoder is not None:
                yield decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            raise InvalidInput(
                f"{self.name} is not valid {error.encoding.upper()}: {error.reason}",
                code="file_unreadable",
                hint="export it again, or save it as UTF-8",
            ) from error
        except read_errors() as error:
            raise unreadable(self.name, error) from error


def check_size(stream: BinaryIO, name: str) -> bool:
    """Returns whether a file is an archive; refuses a file that is too large, or a damaged archive, before it
    is read. An archive may be larger, since only its chats count. Leaves the stream at its start."""
    is_archive = stream.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
    size = stream.seek(0, 2)
    if is_archive:
        import zipfile

        if not zipfile.is_zipfile(stream):
            raise InvalidInput(f"{name} cannot be read: it is a damaged archive", code="file_unreadable")
    elif size > MAX_BYTES:
        raise too_large(name, MAX_BYTES)
    stream.seek(0)
    return is_archive


def too_large(name: str, limit: int) -> InvalidInput:
    """Builds the error for more bytes or characters than may be read at once."""
    return InvalidInput(f"{name} is larger than {limit >> 20} MiB", code="file_too_large")


def _decoder(head: bytes) -> codecs.IncrementalDecoder:
    """Returns a decoder for UTF-8, or for UTF-16 if the file has its byte order mark, as Windows programs
    write it."""
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")()
