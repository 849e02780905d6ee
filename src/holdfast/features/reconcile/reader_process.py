"""Reads files in a process of their own, whose memory and processor time are bounded, whatever they hold."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.features.reading.sandbox import Sandbox
from holdfast.features.reading.skip_reasons import Unreadable

SECONDS, SECONDS_PER_MIB, SECONDS_PER_FILE, SECONDS_MAX = 60, 10, 1, 600
"""Seconds of processor time for a source, more for a larger one: a workbook of 6 MiB with two million
cells takes 32."""
WAITING = 6
"""By how much the time may be longer on a machine that does other things meanwhile."""

_SANDBOX = Sandbox("holdfast.features.reconcile.reader_worker")


def read(path: Path) -> dict[str, Any]:
    """Returns the payload of a file or folder. Raises InvalidInput `file_too_large` for one that takes more
    memory or time than a source may, and what its reader raises."""
    seconds = _seconds_for(path)
    try:
        answer = _SANDBOX.ask({"path": os.fsencode(path).hex(), "seconds": seconds}, WAITING * seconds)
    except Unreadable as error:
        answer = {"unread": error.code, "reason": error.reason}
    if "error" in answer:
        raise InvalidInput(**answer["error"])
    if "unread" in answer:
        raise _refusal(path, answer["unread"], answer.get("reason"), seconds)
    payload: dict[str, Any] = answer["payload"]
    return payload


def _refusal(path: Path, code: str, reason: str | None, seconds: int) -> InvalidInput:
    """Returns the error for a file that the reader process refused."""
    if code in ("too_large", "timeout"):
        what = "memory than a source may have" if code == "too_large" else f"than {seconds:,} seconds of work"
        return InvalidInput(
            f"reading {path.name} takes more {what}", code="file_too_large",
            hint="split it, or leave out what nobody asks for",
        )  # fmt: skip
    return InvalidInput(
        f"{path.name} cannot be read: {reason}", code="file_unreadable",
        hint="open it in the program that made it, and save it again",
    )  # fmt: skip


def _seconds_for(path: Path) -> int:
    """Returns the seconds of processor time for a source, by its size and its number of files."""
    files: Iterable[Path] = [path]
    if path.is_dir():
        files = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    seconds: float = SECONDS
    for file in files:
        seconds += SECONDS_PER_FILE + SECONDS_PER_MIB * _size(file) / (1 << 20)
        if seconds >= SECONDS_MAX:  # of a whole disk, the other files need no look
            break
    return min(SECONDS_MAX, int(seconds))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
