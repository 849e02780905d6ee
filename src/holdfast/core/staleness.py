"""Staleness: changes of the file that a memory is about, and their effect on its score."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from holdfast.core.value_classes import value_class

ANCHORS = ("file_source", "file_sha256", "symbol_sha256")
"""Evidence that ties a memory to the present text of a file: the source of the file, and the keyed digests of
the file and of the definition that the memory names."""


class FileChange(StrEnum):
    """The most serious change of a file since a memory about it was written."""

    RENAMED = "renamed"
    """It was renamed, with the same content."""
    FILE_CHANGED = "file_changed"
    """Its text changed; whether that concerns the memory is unknown."""
    SYMBOL_CHANGED = "symbol_changed"
    """The named definition changed."""
    SYMBOL_REMOVED = "symbol_removed"
    """The named definition was removed."""
    REMOVED = "removed"
    """It was deleted."""


REMAINS: Mapping[FileChange, float] = {
    FileChange.RENAMED: 1.0,
    FileChange.FILE_CHANGED: 0.85,
    FileChange.SYMBOL_CHANGED: 0.6,
    FileChange.SYMBOL_REMOVED: 0.6,
    FileChange.REMOVED: 0.6,
}
"""Factor of the score of a memory after each change, 0 to 1."""


@value_class
class Staleness:
    """The change of the file that a memory is about.

    `path` is the name in the memory and `now` the present path in its folder, None if unknown; `symbol` is
    the definition that the memory names, if that matters. `is_kept` says that the memory is a passage of the
    file that a person keeps, not a statement about it.
    """

    change: FileChange
    path: str
    now: str | None = None
    symbol: str | None = None
    is_renamed: bool = False
    is_kept: bool = False

    def __str__(self) -> str:
        """Returns the change as a sentence for people and agents."""
        renamed = f"{self.path} was renamed to {self.now or 'another name'}" if self.is_renamed else ""
        return "; ".join(filter(None, (renamed, self._changed)))

    @property
    def _changed(self) -> str:
        """Returns the change of the file or symbol as a clause; empty for a new name alone."""
        since = "this was kept" if self.is_kept else "this was written"
        return {
            FileChange.RENAMED: "",
            FileChange.FILE_CHANGED: f"{self.now} changed after {since}",
            FileChange.SYMBOL_CHANGED: f"{self.symbol} in {self.now} changed after {since}",
            FileChange.SYMBOL_REMOVED: f"{self.symbol} was removed from {self.now}",
            FileChange.REMOVED: f"{self.path} was removed",
        }[self.change]


def remaining(staleness: Staleness | None) -> float:
    """Returns the factor of the score of a memory, 0 to 1; 1 if no change is known."""
    return 1.0 if staleness is None else REMAINS[staleness.change]


def with_anchors(evidence: Mapping[str, Any], hashes: Mapping[str, str]) -> dict[str, Any]:
    """Returns the evidence with `hashes` as its only anchors."""
    return {name: value for name, value in evidence.items() if name not in ANCHORS} | dict(hashes)


def symbol_key(name: str) -> str:
    """Returns the key of a symbol: a hash of its name, since a name is text."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
