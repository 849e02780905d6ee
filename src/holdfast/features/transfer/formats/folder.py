"""Text files of a folder, in a fixed order, with limits on their number and size."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import files
from holdfast.features.transfer.formats.model import FILE, NOT_TEXT, PART, Skip, unclosed_reason
from holdfast.language.private import emptied

SUFFIXES = (".md", ".markdown", ".txt")
MAX_FILES = 100_000
MAX_FILE = 16 << 20
"""Maximum size of a note in bytes."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """One file of a folder or an archive, or an open one; `name` is its relative path, with forward slashes.
    A file of an archive is opened when it is read, so that no more than one is in memory."""

    source: Path | BinaryIO | Callable[[], BinaryIO]
    name: str

    @property
    def changed_at(self) -> int | None:
        """Returns when the file was changed (UTC epoch milliseconds); None without a path or a file."""
        try:
            return int(self.source.stat().st_mtime * 1_000) if isinstance(self.source, Path) else None
        except OSError:
            return None

    def text(self) -> str:
        """Returns the whole text with `\\n` line ends. Raises InvalidInput."""
        with self._open() as stream:
            if files.size_of(stream, self.name) > MAX_FILE:
                raise files.too_large(self.name, MAX_FILE)
            text = "".join(files.Document(self.name, stream).text())
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def digest(self) -> str:
        """Returns the SHA-256 of the file; the size of a path's file that is too large for a note. Raises
        InvalidInput."""
        with self._open() as stream:
            if isinstance(self.source, Path) and (size := os.fstat(stream.fileno()).st_size) > MAX_FILE:
                return str(size)
            return files.digest(stream, self.name)

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        """Opens the source for reading, and closes it afterwards unless it was open before."""
        if isinstance(self.source, Path):
            with files.open_file(self.source) as stream:
                yield stream
        elif callable(self.source):
            with self.source() as stream:
                yield stream
        else:
            yield self.source


def below(root: Path, skip: Skip) -> list[TextFile]:
    """Returns the text files of a folder, or the file itself. Links, hidden and other files are skipped.

    Raises InvalidInput `file_unreadable` or `file_too_large`.
    """
    if root.is_file():
        return [TextFile(root, root.name)]
    text_files: list[TextFile] = []

    def failed(error: OSError) -> None:
        raise files.unreadable(str(root), error)

    for folder, folders, names in os.walk(root, onerror=failed):
        folder_path = Path(folder)
        for name in folders:
            if (folder_path / name).is_symlink():
                skip(_name(folder_path / name, root), "a link", FILE)
            elif name.startswith("."):
                skip(_name(folder_path / name, root), "a hidden folder", FILE)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = folder_path / name
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                skip(_name(path, root), "a link", FILE)
                continue
            if name.startswith("."):
                skip(_name(path, root), "a hidden file", FILE)
                continue
            if not stat.S_ISREG(mode) or not name.lower().endswith(SUFFIXES):
                skip(_name(path, root), NOT_TEXT, FILE)
                continue
            text_files.append(TextFile(path, _name(path, root)))
            if len(text_files) > MAX_FILES:
                raise InvalidInput(f"{root} contains more than {MAX_FILES:,} notes", code="file_too_large")
    return text_files


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def digest(text_files: list[TextFile]) -> str:
    """Returns a SHA-256 over the names and contents of files, which identifies a folder as a source."""
    value = hashlib.sha256()
    for file in text_files:
        value.update(f"{file.name}\n{file.digest()}\n".encode("utf-8", "surrogateescape"))
    return value.hexdigest()


def texts(text_files: Iterable[TextFile], skip: Skip) -> Iterator[tuple[TextFile, str]]:
    """Yields each file with its text; unreadable and empty ones are skipped. Private blocks are emptied in
    the whole text: the sections of a note are cleaned one by one, and none shows where a block ends."""
    for file in text_files:
        try:
            text = file.text()
        except InvalidInput as error:
            skip(file.name, error.message, FILE)
            continue
        if text.strip():
            text, lost = emptied(text)
            if lost:
                skip(file.name, unclosed_reason(lost), PART)
            yield file, text
        else:
            skip(file.name, "no text", FILE)
