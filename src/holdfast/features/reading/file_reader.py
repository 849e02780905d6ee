"""Reads one file through no link and within limits, as text with its type, or reports why it was skipped."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from holdfast.features.reading import safe_open, sandbox
from holdfast.features.reading.decoding import Undecodable, decoded
from holdfast.features.reading.pages import page_of
from holdfast.features.reading.skip_reasons import Skipped, skipped
from holdfast.features.reading.types import MAX_TEXT, FileType, type_of

_TICK = 20_000_000
"""Nanoseconds within which two writes may leave the same modification time."""
_NO_TEXT_IN_PDF = "contains no text; scanned pages are not read"


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of one file and its properties.

    `filetype` and `language` are names of `types`; `sha256` is that of the text, in hexadecimal, for a page
    of HTML that of its source; `size` is in bytes and `modified_at` in nanoseconds, both of the very file
    that was read. `notes` tell a reader that the text was cut, or which encoding it had. `lines` are the
    first and the last line of the file for each line of the text, where these are others. `unclosed` counts
    the characters of a page that were removed after a private tag that is never closed.
    """

    text: str
    filetype: str
    language: str | None
    sha256: str
    size: int
    modified_at: int
    notes: tuple[str, ...] = ()
    lines: Sequence[tuple[int, int]] | None = None
    unclosed: int = 0


def read_file(root: Path, path: str) -> Extracted | Skipped:
    r"""Returns the text of a file below a root, or why it was skipped (S1.57, S1.60, S1.61).

    `path` is relative with forward slashes. Nothing is opened through a link, and nothing but a regular
    file. Text is decoded and its line ends become `\n`. Of a page of HTML it is what people see
    (`pages`). Documents are read by another process with limits on time and memory (`sandbox`). Never
    raises for the content of a file.
    """
    kind = type_of(path)
    if kind.never is not None:
        return skipped(path, kind.never, kind.why)
    try:
        with safe_open.open_root(root) as folder:
            descriptor, state = safe_open.open_file(folder, path)
    except safe_open.Outside:
        return skipped(path, "link_outside", "reached through a symbolic link or a path outside the folder")
    except safe_open.Special:
        return skipped(path, "not_a_file")
    except (FileNotFoundError, NotADirectoryError):
        return skipped(path, "vanished")
    except (OSError, ValueError) as error:
        return skipped(path, "unreadable", f"cannot be opened: {getattr(error, 'strerror', None) or error}")
    try:
        if state.st_size > kind.max_bytes:
            return skipped(path, "too_large", f"{state.st_size:,} bytes; the limit is {kind.max_bytes:,}")
        state = _at_rest(descriptor, state)
        read = _text(descriptor, path, kind) if kind.form == "text" else _document(descriptor, path, kind)
    except OSError as error:
        return skipped(path, "unreadable", f"cannot be read: {error.strerror or type(error).__name__}")
    finally:
        os.close(descriptor)
    if isinstance(read, Skipped):
        return read
    text, notes = read
    if len(text) > MAX_TEXT:
        return skipped(path, "too_large", f"{len(text):,} characters of text; the limit is {MAX_TEXT:,}")
    if not text or text.isspace():
        return skipped(path, "empty", _NO_TEXT_IN_PDF if kind.form == "pdf" else None)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    page = page_of(text) if kind.name == "html" else None
    if page is not None and page.text:
        return Extracted(
            page.text,
            "page",
            None,
            digest,
            state.st_size,
            state.st_mtime_ns,
            notes,
            page.lines,
            page.unclosed,
        )
    return Extracted(text, kind.name, kind.language, digest, state.st_size, state.st_mtime_ns, notes)


def _at_rest(descriptor: int, state: os.stat_result) -> os.stat_result:
    """Returns the state of a file that was not modified just now.

    A later change during or after reading then gives it another time. A file that is modified all the time is
    read as it is.
    """
    for _ in range(3):
        age = time.time_ns() - state.st_mtime_ns
        if not 0 <= age < _TICK:
            break
        time.sleep((_TICK - age) / 1e9)
        state = os.fstat(descriptor)
    return state


def _text(descriptor: int, path: str, kind: FileType) -> tuple[str, tuple[str, ...]] | Skipped:
    """Returns the text of a file and notes on it, or why it is skipped."""
    # a file may grow while it is read: the limit applies to the bytes read, not to its stated size
    data = safe_open.read_all(descriptor, min(kind.max_bytes, 4 * MAX_TEXT) + 1)
    try:
        return decoded(data)
    except Undecodable as error:
        return skipped(path, error.code)


def _document(descriptor: int, path: str, kind: FileType) -> tuple[str, tuple[str, ...]] | Skipped:
    result = sandbox.read(descriptor, kind.form)
    if result.code is not None:
        return skipped(path, result.code, result.reason)
    return result.text, result.notes
