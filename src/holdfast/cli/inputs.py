"""Texts that commands are given: as words, on standard input, or in a file."""

from __future__ import annotations

import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from holdfast.cli.face import Usage
from holdfast.core.errors import InvalidInput

BYTES_MAX = 64 * 1024 * 1024
"""Bytes read from a file or a pipe; more is no text for one memory."""


def text_given(words: Sequence[str], file: str | None, *, pipe: bool) -> str | None:
    """Returns the text: from `--file`, from standard input for `-` (or, with `pipe`, if something is piped in
    and nothing else is passed), otherwise the words; None if there is none.
    """
    if file is not None and words:
        raise Usage("give a text or --file, not both")
    if file is not None:
        return read_file(file)
    if list(words) == ["-"] or (pipe and not words and _is_piped()):
        if sys.stdin is None:
            raise Usage("standard input is closed")
        return _decoded(sys.stdin.buffer.read(BYTES_MAX + 1), "standard input")
    return " ".join(words) if words else None


def _is_piped() -> bool:
    # a process may be started without any standard input
    return sys.stdin is not None and not sys.stdin.isatty()


def read_file(name: str) -> str:
    """Returns the text in a file. Raises InvalidInput file_not_found, not_a_file, file_too_large,
    file_unreadable.
    """
    path = Path(name)
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise InvalidInput(
                f"{name} is {what}", code="not_a_file", hint="name a file, or pipe the text in"
            )
        with path.open("rb") as stream:
            data = stream.read(BYTES_MAX + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InvalidInput(
            f"there is no file {name}", code="file_not_found", hint="check the path"
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{name!r} cannot be read: {reason}", code="file_unreadable") from error
    return _decoded(data, name)


def _decoded(data: bytes, name: str) -> str:
    """Returns the text of a file. Raises InvalidInput if it is too large, binary or not UTF-8."""
    if len(data) > BYTES_MAX:
        raise InvalidInput(f"{name} holds more than {BYTES_MAX >> 20} MiB", code="file_too_large")
    if b"\0" in data:
        raise InvalidInput(f"{name} is binary, not text", code="file_unreadable", hint="give plain text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{name} is not text in UTF-8 (byte {error.start})",
            code="file_unreadable",
            hint="convert it first, such as with iconv -f LATIN1 -t UTF-8",
        ) from error
