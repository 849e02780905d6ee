"""Pauses of hooks: everywhere or in one repository, until a time or until they are resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from holdfast.api.checkout import root_of
from holdfast.api.local_state import read_state, write_state
from holdfast.core.errors import StoreError
from holdfast.core.value_classes import value_class

_FILE = "paused.json"
_EVERYWHERE = "*"


@value_class
class Pause:
    """A pause: the folder of a repository, None for all, and its end in epoch milliseconds, None if it has
    none."""

    folder: Path | None
    until: int | None

    def holds(self, now: int) -> bool:
        """Returns whether it is in force."""
        return self.until is None or self.until > now


def pauses(now: int) -> list[Pause]:
    """Returns the pauses in force, that of everywhere first."""
    return [pause for pause in _noted() if pause.holds(now)]


def pause_at(folder: Path | None, now: int) -> Pause | None:
    """Returns the pause in force that covers a folder, or None."""
    return next((pause for pause in _covering(folder) if pause.holds(now)), None)


def last_end(folder: Path, now: int) -> int:
    """Returns when the last pause that covered a folder ended, 0 if there was none."""
    return max(
        (pause.until for pause in _covering(folder) if pause.until is not None and pause.until <= now),
        default=0,
    )


def pause(folder: Path | None, until: int | None) -> Pause:
    """Pauses hooks in the repository of a folder, or with None everywhere, in place of a pause there before.
    Raises StoreError `store_read_only`."""
    made = Pause(None if folder is None else root_of(folder), until)
    _write([*(pause for pause in _noted() if pause.folder != made.folder), made])
    return made


def resume(now: int) -> list[Pause]:
    """Ends all pauses in force and returns them. Raises StoreError `store_read_only`."""
    ended = pauses(now)
    if ended:
        _write([replace(pause, until=now) if pause.holds(now) else pause for pause in _noted()])
    return ended


def _noted() -> list[Pause]:
    """Returns the last pause of each place, also one that has ended."""
    entries = read_state(_FILE)
    if not isinstance(entries, dict):
        return []
    return [
        Pause(None if name == _EVERYWHERE else Path(name), until)
        for name, until in sorted(entries.items())
        if until is None or isinstance(until, int)
    ]


def _covering(folder: Path | None) -> list[Pause]:
    if not (noted := _noted()):
        return []
    root = None if folder is None else root_of(folder)
    return [pause for pause in noted if pause.folder is None or pause.folder == root]


def _write(pauses: list[Pause]) -> None:
    """Writes the pauses to the state folder. Raises StoreError."""
    content = {
        _EVERYWHERE if pause.folder is None else pause.folder.as_posix(): pause.until for pause in pauses
    }
    try:
        write_state(_FILE, content)
    except OSError as error:
        raise StoreError(
            f"the pause cannot be noted: {error.strerror}", code="store_read_only",
            hint="the state folder has to be writable",
        ) from error  # fmt: skip
