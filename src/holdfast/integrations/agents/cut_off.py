"""Sessions that were cut off, as by a closed terminal: a later session learns from the rest of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.api.local_state import read_state, write_state
from holdfast.integrations.agents.pauses import last_end

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

_FILE = "hooks.json"
LOOKED_AT = 10
"""Transcripts, the newest first, that are looked at."""
LEARNED_AT_ONCE = 2
"""Sessions that are learned from at one event, which has a deadline."""


def note_set_up(now: int) -> None:
    """Notes when hooks were first set up on this machine: what is older is learned from only if a person asks
    for it. A hook itself writes nothing but the store."""
    if read_state(_FILE) is None:
        with suppress(OSError):
            write_state(_FILE, {"since": now})


def cut_off(memory: Memory, transcript: Path, base: Path, now: int) -> list[Path]:
    """Returns the transcripts beside one, of other sessions in the same repository since hooks were set up or
    went on after a pause, that have lines which nothing was learned from."""
    candidates = sorted(_changed_since(last_end(base, now), transcript), reverse=True)[:LOOKED_AT]
    began = _set_up_at(memory, candidates)
    candidates = [] if began is None else [one for one in candidates if one[0] >= began]
    if not candidates:
        return []
    from holdfast.api.checkout import root_of
    from holdfast.api.transcripts import unread
    from holdfast.features.transfer.formats.worklog import root_of as folder_of

    root, left = root_of(base), []
    for path in unread(memory, [path for _, path in candidates]):
        folder = folder_of(path)
        if folder is not None and root_of(Path(folder)) == root:
            left.append(path)
    return left[:LEARNED_AT_ONCE]


def _set_up_at(memory: Memory, transcripts: list[tuple[int, Path]]) -> int | None:
    """Returns when hooks were set up on this machine; without a note of it, as with a plugin, when the first
    session was learned from, for a service the oldest of some transcripts that it has read. None if that is
    unknown."""
    noted = read_state(_FILE)
    if isinstance(noted, dict) and isinstance(noted.get("since"), int):
        return int(noted["since"])
    if memory.is_remote:
        from holdfast.api.transcripts import started_transcripts

        read = set(started_transcripts(memory, [path for _, path in transcripts]))
        return min((changed for changed, path in transcripts if path in read), default=None)
    from holdfast.features.learning.positions import first_read_at

    return first_read_at(memory._service)


def _changed_since(since: int, transcript: Path) -> Iterator[tuple[int, Path]]:
    """Yields the transcripts of other sessions beside one, with the time of their last change."""
    folder, pattern = transcript.parent, f"*{transcript.suffix}"
    if folder.name.isdigit() or transcript.name == "events.jsonl":  # a folder for each day, or each session
        folder, pattern = folder.parent, f"*/{pattern}"
    for path in folder.glob(pattern):
        with suppress(OSError):
            changed = os.lstat(path).st_mtime_ns // 1_000_000
            if changed >= since and path != transcript:
                yield changed, path
