"""Containers of the files of an import: one file, a zip archive, or the folder it was unpacked to."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO, Protocol

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import files
from holdfast.features.transfer.formats.export_files import (
    PARTS,
    Role,
    is_export,
    place_of,
    reason_of,
    role_of,
)
from holdfast.features.transfer.formats.files import Document
from holdfast.features.transfer.formats.folder import SUFFIXES, TextFile
from holdfast.features.transfer.formats.model import FILE, NOT_TEXT, Meter, Skip

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

MAX_RATIO = 200
"""Maximum expansion of an archive; chats as JSON compress about 4 to 20 times."""
MAX_DIRECTORY = 16 << 20
"""Maximum size of an archive's directory in bytes: about 200,000 files."""
NOTES_MAX = 256 << 20
"""Maximum size of the notes in an archive."""
MAX_FILES = 200_000
"""Maximum number of files of an unpacked export."""

_RATIO_MATTERS = 1 << 20


class Container(Protocol):
    """The files of one import. `meter` says how much of them was read."""

    @property
    def name(self) -> str: ...
    @property
    def meter(self) -> Meter: ...

    def documents(self, skip: Skip) -> Iterator[Document]:
        """Yields the files that are read, in their order; the others are skipped. Raises InvalidInput."""

    def digest(self) -> str:
        """Returns a SHA-256 that is the same for the same content. Raises InvalidInput."""


@dataclass(frozen=True, slots=True)
class InFile:
    """One file, or a zip archive."""

    stream: BinaryIO
    name: str
    meter: Meter = field(default_factory=Meter)

    def documents(self, skip: Skip) -> Iterator[Document]:
        if files.check_size(self.stream, self.name):
            yield from _in_archive(self.stream, self.name, self.meter, skip)
            return
        self.meter.total = self.stream.seek(0, os.SEEK_END)
        self.stream.seek(0)
        role = role_of(PurePath(self.name).name) or Role.CHATS
        yield Document(self.name, self.stream, role, self.meter)

    def digest(self) -> str:
        return files.digest(self.stream, self.name)


@dataclass(frozen=True, slots=True)
class InFolder:
    """An export that was unpacked to a folder; Claude's may be several archives. No link is followed."""

    root: Path
    name: str
    paths: tuple[str, ...]
    meter: Meter = field(default_factory=Meter)

    def documents(self, skip: Skip) -> Iterator[Document]:
        roles = {path: role for path in self.paths if (role := role_of(path)) is not None}
        archives = [path for path in self.paths if PARTS.fullmatch(PurePath(path).name.casefold())]
        for path in self.paths:
            if PurePath(path).name.startswith("."):
                skip(path, "a hidden file", FILE)
            elif path not in roles and path not in archives:
                skip(place_of(path), reason_of(path), FILE)
        if not {*roles.values()} - {Role.ACCOUNT} and not archives:
            raise _nothing_in(self.name)
        self.meter.total = sum(_size(self.root / path) for path in roles)
        if self.meter.total > files.MAX_BYTES:
            raise files.too_large(self.name, files.MAX_BYTES)
        for path in sorted(archives, key=lambda path: "conversations" in path):
            with files.open_file(self.root / path) as stream:
                if files.check_size(stream, path):
                    yield from _in_archive(stream, path, self.meter, skip)
                else:
                    skip(path, "not an archive", FILE)
        for path in sorted(roles, key=lambda path: (roles[path], path)):
            with files.open_file(self.root / path) as stream:
                yield Document(path, stream, roles[path], self.meter)

    def digest(self) -> str:
        value = hashlib.sha256()
        for path in self.paths:
            if role_of(path) is not None or PARTS.fullmatch(PurePath(path).name.casefold()):
                with files.open_file(self.root / path) as stream:
                    value.update(f"{path}\n{files.digest(stream, path)}\n".encode("utf-8", "surrogateescape"))
        return value.hexdigest()


def unpacked_export(root: Path) -> InFolder | None:
    """Returns the export that was unpacked to a folder; None if the folder holds something else."""
    paths: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder) / name
            try:
                is_file = stat.S_ISREG(path.lstat().st_mode)
            except OSError:
                continue
            if is_file:
                paths.append(path.relative_to(root).as_posix())
                if len(paths) > MAX_FILES:
                    return None
    return InFolder(root, root.resolve().name, tuple(paths)) if is_export(paths) else None


def archived_texts(stream: BinaryIO, name: str, skip: Skip) -> list[TextFile]:
    """Returns the text files of a zip archive of notes, which are read from the stream; none if it is an
    export. Raises InvalidInput."""
    archive = _opened_zip(stream, name)
    entries = _files_in(archive)
    texts: list[ZipInfo] = []
    others: list[ZipInfo] = []
    for entry in entries:
        (texts if entry.filename.lower().endswith(SUFFIXES) else others).append(entry)
    if not texts or any(role_of(entry.filename) is not None for entry in entries):
        stream.seek(0)
        return []
    if sum(entry.file_size for entry in texts) > NOTES_MAX:
        raise _unsafe(name, f"unpacks to more than {NOTES_MAX >> 20} MiB of notes")
    for entry in others:
        skip(entry.filename, NOT_TEXT, FILE)
    texts.sort(key=lambda entry: entry.filename)
    return [TextFile(partial(_unpacked, archive, entry, name), entry.filename) for entry in texts]


OPENMEMORY_JSON, OPENMEMORY_LINES = "memories.json", "memories.jsonl.gz"
"""The two files of a backup of OpenMemory; both hold its memories."""


def openmemory_in_archive(stream: BinaryIO, name: str) -> BinaryIO | None:
    """Returns the memories in a backup of OpenMemory; None if the archive is none. Raises InvalidInput."""
    with _opened_zip(stream, name) as archive:
        entries = {PurePath(entry.filename).name: entry for entry in archive.infolist()}
        if not {OPENMEMORY_JSON, OPENMEMORY_LINES} <= entries.keys():
            stream.seek(0)
            return None
        if entries[OPENMEMORY_JSON].file_size > NOTES_MAX:
            raise _unsafe(name, f"unpacks to more than {NOTES_MAX >> 20} MiB of memories")
        try:
            with _unpacked(archive, entries[OPENMEMORY_JSON], name) as unpacked:
                return io.BytesIO(unpacked.read())
        except files.read_errors() as error:
            raise files.unreadable(f"{OPENMEMORY_JSON} in {name}", error) from error


def openmemory_in_folder(root: Path) -> Path | None:
    """Returns the memories in a folder to which a backup of OpenMemory was unpacked; None for another. No
    link is followed."""
    files_of_backup = [root / name for name in (OPENMEMORY_JSON, OPENMEMORY_LINES)]
    is_whole = all(path.is_file() and not path.is_symlink() for path in files_of_backup)
    return files_of_backup[0] if is_whole else None


def _opened_zip(stream: BinaryIO, name: str) -> ZipFile:
    """Opens a zip archive. Raises InvalidInput for a damaged one or one with too many files."""
    import zipfile

    if _directory_size(stream) > MAX_DIRECTORY:
        raise _unsafe(name, "contains too many files")
    try:
        return zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise files.unreadable(name, error) from error


def _files_in(archive: ZipFile) -> list[ZipInfo]:
    """Returns the entries of an archive that are files; one without a name is none."""
    return [entry for entry in archive.infolist() if entry.filename and not entry.is_dir()]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _nothing_in(name: str) -> InvalidInput:
    return InvalidInput(f"there is no conversations.json in {name}", code="format_unknown", hint=files.HINT)


def _in_archive(stream: BinaryIO, name: str, meter: Meter, skip: Skip) -> Iterator[Document]:
    """Yields the documents of an archive. Raises InvalidInput if there are none."""
    with _opened_zip(stream, name) as archive:
        entries = _files_in(archive)
        roles = {entry.filename: role for entry in entries if (role := role_of(entry.filename)) is not None}
        if not {*roles.values()} - {Role.ACCOUNT}:
            raise _nothing_in(name)
        for entry in entries:
            if entry.filename not in roles:
                skip(place_of(entry.filename), reason_of(entry.filename), FILE)
        read = [entry for entry in entries if entry.filename in roles]
        size = sum(entry.file_size for entry in read)
        if size > files.MAX_BYTES:
            raise _unsafe(name, f"unpacks to more than {files.MAX_BYTES >> 20} MiB")
        meter.total += size
        for entry in sorted(read, key=lambda entry: (roles[entry.filename], entry.filename)):
            stream_of_entry = _unpacked(archive, entry, name)
            yield Document(entry.filename, stream_of_entry, roles[entry.filename], meter)


def _unpacked(archive: ZipFile, entry: ZipInfo, name: str) -> BinaryIO:
    """Opens an entry of an archive. Raises InvalidInput for unsafe ones."""
    import zipfile

    # other methods may allocate gigabytes of memory before the first byte
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _unsafe(name, "uses a compression that chat exports do not use")
    if entry.file_size > max(_RATIO_MATTERS, entry.compress_size * MAX_RATIO):
        raise _unsafe(name, f"unpacks to more than {MAX_RATIO} times its size")
    try:
        # reads no more than the size that was just checked
        return archive.open(entry)  # type: ignore[return-value]
    except (RuntimeError, zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise files.unreadable(f"{entry.filename} in {name}", error) from error


def _directory_size(stream: BinaryIO) -> int:
    """Returns the size of the archive's directory in bytes, read before anything is allocated for it."""
    end = stream.seek(0, 2)
    stream.seek(max(0, end - (1 << 16) - 22 - 76))
    tail = stream.read()
    record = len(tail) - 22  # as zipfile looks for it: at the end, or before a comment
    if record < 0 or tail[record : record + 4] != b"PK\x05\x06" or tail[-2:] != b"\0\0":
        record = tail.rfind(b"PK\x05\x06")
    if record < 0 or len(tail) < record + 22:
        return 0
    size: int = struct.unpack_from("<L", tail, record + 12)[0]
    # a 64-bit record, 76 bytes earlier, may take precedence
    wide = record - 76
    if wide >= 0 and tail[wide : wide + 4] == b"PK\x06\x06":
        wide_size: int = struct.unpack_from("<Q", tail, wide + 40)[0]
        size = wide_size if size == 0xFFFFFFFF else max(size, wide_size)
    return size


def _unsafe(name: str, reason: str) -> InvalidInput:
    """Returns the error for an archive that is not safe to unpack; `reason` continues a sentence that its
    name begins."""
    return InvalidInput(
        f"{name} {reason}",
        code="archive_unsafe",
        hint="if you trust it, unpack it and import conversations.json",
    )
