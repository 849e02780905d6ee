"""Results of a scan: what today's rules find in what was stored before. None shows what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from holdfast.core.wire import Plain, wire

CLEAN: Final = "clean"
"""The action of an event: what the rules find was taken out of a version."""
KEEP_FOUND: Final = "keep_found"
"""The action of an event: a person keeps what a scan found, and no scan proposes it again."""
REOPEN_FOUND: Final = "reopen_found"
"""The action of an event: that decision is taken back."""
SCANNED: Final = "scan"
"""The action of an event: a scan has gone through all that somebody, or everybody, keeps."""


@dataclass(frozen=True, slots=True)
class ScanMatch(Plain):
    """A memory in which the rules find something, and the redaction that a scan proposes."""

    id: str
    kind: str
    project: str | None
    versions: tuple[int, ...] = field(metadata=wire(about="The versions that hold it."))
    types: Mapping[str, int] = field(metadata=wire(about="What is found, by its type, in all versions."))
    parts: tuple[str, ...] = field(metadata=wire(about="Where, such as `text`, `title` or `metadata`."))
    becomes: str = field(metadata=wire(about="The beginning of the text without it."))
    forgotten: bool = False
    held: bool = field(default=False, metadata=wire(about="Whether a legal hold keeps it as it is."))


@dataclass(frozen=True, slots=True)
class ScannedName(Plain):
    """A name or setting of a project, or a name of a session, in which the rules find something. Whoever may
    rename or change it does so by hand."""

    kind: str = field(metadata=wire(about="`project` or `session`."))
    name: str = field(metadata=wire(about="Its name, and of a session its id, without what was found."))
    types: Mapping[str, int] = field(metadata=wire(about="What is found, by its type."))
    parts: tuple[str, ...] = field(metadata=wire(about="Where, such as `name`, `id` or `notes`."))


@dataclass(frozen=True, slots=True)
class Scanned(Plain):
    """One page of a scan: how many memories and versions of them were looked at, what was found, and how many
    memories a person decided to keep as they are. `names` are on the first page. `cursor` is that of the next
    page, None after the last."""

    memories: int
    versions: int
    found: tuple[ScanMatch, ...]
    kept: int
    cursor: str | None
    names: tuple[ScannedName, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A memory of `owner` in which a scan found something that waits for a decision; `personal` says whether
    it also looked for personal data that no setting describes. `found_at` is UTC epoch milliseconds."""

    id: str
    owner: str
    found_at: int
    personal: bool
