"""Folders as sources: their files, state and figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from holdfast.core.jobs import Job
from holdfast.core.places import Place, Pool, Visibility
from holdfast.core.record import Memory
from holdfast.core.times import to_millis
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, described, read_record, wire

FOLDER = "folder"
"""The platform of a source that is a folder."""
STALE_AFTER = 4 * 3_600_000
"""Milliseconds without progress after which indexing counts as interrupted (S1.66)."""


class FolderState(StrEnum):
    """The indexing state of a folder (S1.8)."""

    IDLE = "idle"
    INDEXING = "indexing"
    ERROR = "error"
    DISABLED = "disabled"
    """Connected to no project: neither indexed, watched nor visible."""


class FileState(StrEnum):
    """The result of indexing a file."""

    INDEXED = "indexed"
    SKIPPED = "skipped"
    """Not read, for the reason in `reason`."""
    ERROR = "error"
    """Could not be read this time."""


NANOS = 1_000_000
"""Nanoseconds of a millisecond."""


@value_class
class Folder(Plain):
    """A folder that is a source: which of its files are read, who sees it, and its indexing state.

    `id` is that of its source; `slug` is its name for its owner. `projects` are the names of the projects it
    is connected to, `numbers` their internal numbers. Times are UTC epoch milliseconds. `error` is a code.
    """

    id: str
    owner: str
    slug: str
    name: str
    root: str
    created_at: Millis
    visibility: Visibility = Visibility.PRIVATE
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    watched: bool = True
    state: FolderState = FolderState.IDLE
    error: str | None = field(
        default=None, metadata=wire(about="The code of what kept it from being indexed.")
    )
    started_at: Millis | None = None
    completed_at: Millis | None = None
    projects: tuple[str, ...] = ()
    numbers: frozenset[int] = field(default=frozenset(), metadata=wire(hidden=True))

    @property
    def pool(self) -> Pool:
        """Returns the pool of all passages of this folder, whatever projects it is connected to."""
        return self.place().pool("passage")

    def place(self, file: int | None = None) -> Place:
        """Returns the place of a passage of one of its files."""
        return Place(self.owner, self.visibility, source=self.id, file=file)

    def contains(self, path: str) -> bool:
        """Returns whether a path on disk is the folder or below it."""
        return is_below(path, self.root)

    def within(self, projects: Mapping[int, str]) -> Folder:
        """Returns a copy that is connected to these projects, by number and name."""
        return replace(self, projects=tuple(sorted(projects.values())), numbers=frozenset(projects))


@value_class
class File(Plain):
    """One file of a folder as it was last read.

    `path` is relative to the root, `modified_at` in nanoseconds, `digest` that of the text by the key of the
    store, so that no text can be guessed from it. `reason` is the code of why it was not read, or not all of
    it. `symbols` are such digests of the definitions in it, by the hash of their names (`symbol_key`).
    """

    source: str = field(metadata=wire(hidden=True, absent=""))
    path: str
    state: FileState
    size: int
    modified_at: int = field(metadata=wire(hidden=True, absent=0))
    indexed_at: Millis
    number: int = field(default=0, metadata=wire(hidden=True))
    reason: str | None = None
    filetype: str | None = None
    language: str | None = None
    digest: str | None = None
    chunks: int = 0
    renamed_from: str | None = None
    symbols: dict[str, str] = field(default_factory=dict, metadata=wire(hidden=True))

    @property
    @described(name="modified_at")
    def changed_at(self) -> Millis:
        """Returns the time of the last modification."""
        return self.modified_at // NANOS

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> File:
        """Reads a file from JSON."""
        file = read_record(cls, value)
        return replace(file, modified_at=to_millis(value["modified_at"]) * NANOS)


@value_class
class Renamed:
    """Files that moved, as they were known before: by their present path, and by the hash of their text if
    the path was not looked up."""

    by_path: Mapping[str, File] = field(default_factory=dict)
    by_text: Mapping[str, File] = field(default_factory=dict)

    def before(self, file: File) -> File | None:
        """Returns the previous record of a file that was renamed, or None."""
        return self.by_path.get(file.path) or self.by_text.get(file.digest or "")


@value_class
class FileCounts(Plain):
    """Numbers of files of a folder by state, and the size of the indexed ones."""

    indexed: int = 0
    skipped: int = 0
    failed: int = 0
    size: int = field(default=0, metadata=wire(name="bytes"))
    chunks: int = 0


def slug_of(name: str, existing: Collection[str]) -> str:
    """Returns a slug for a folder: its name in plain letters and "-dir", with a number if that is taken
    (S1.63)."""
    base = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].rstrip("-") or "folder"
    slug, number = f"{base}-dir", 2
    while slug in existing:
        slug, number = f"{base}-dir-{number}", number + 1
    return slug


def is_below(path: str, root: str) -> bool:
    """Returns whether a path is `root` or below it; both are absolute and normalised."""
    steps = path.split("/")
    plain = path.startswith("/") and not any(step in ("", ".", "..") for step in steps[1:])
    return plain and (path == root or path.startswith(root.rstrip("/") + "/"))


PRIVATE_PART = "private_part"
"""The reason of an indexed file: a part of it is not, because it is marked as private."""

HISTOGRAM = (100, 250, 500, 1_000, 1_500, 2_000, 2_500)
"""Upper bounds, in characters, of the groups in which passages are counted; the last group has none."""


def chunk_stats(sizes: Sequence[tuple[int, str]]) -> dict[str, Any]:
    """Returns statistics on the passages of a folder from the size and the content hash of each: their
    number, the share of duplicates, and a histogram of lengths (S1.65)."""
    total, unique = len(sizes), len({digest for _, digest in sizes})
    lengths = [size for size, _ in sizes]
    bounds = [*HISTOGRAM, None]
    below, groups = 0, []
    for bound in bounds:
        upto = sum(1 for size in lengths if bound is None or size <= bound)
        groups.append({"up_to": bound, "chunks": upto - below})
        below = upto
    return {
        "total": total,
        "unique": unique,
        "duplicate_rate": round(1 - unique / total, 4) if total else 0.0,
        "min": min(lengths, default=0),
        "average": round(sum(lengths) / total, 1) if total else 0.0,
        "max": max(lengths, default=0),
        "histogram": groups,
    }


_WITH_LINE = re.compile(r":\d+(?::\d+)?$")
_WITH_SYMBOL = re.compile(r"^(?P<path>[^:]{2,}?)::?(?P<symbol>[A-Za-z_$][\w$.#]*(?:::[\w$]+)*)(?:\(\))?$")


def about_of(text: str) -> tuple[str, str | None]:
    """Returns path and symbol of `src/cli.py:load` or `src/cli.py::Shop::load`.

    The line number of `src/cli.py:12` is left out, because it does not last. The symbol is None if none is
    named.
    """
    plain = _WITH_LINE.sub("", text.strip())
    match = _WITH_SYMBOL.match(plain)
    return (plain, None) if match is None else (match["path"], match["symbol"].replace("::", "."))


def chunk_digest(memory: Memory) -> str | None:
    """Returns the digest that identifies a passage of a file by title and text; None for any other memory."""
    if memory.place.file is None or memory.external_id is None:
        return None
    return memory.external_id.split("/")[1]


@value_class
class FolderStatus(Plain):
    """A folder with the counts of its files and its last job."""

    folder: Folder = field(metadata=wire(flat=True))
    counts: FileCounts = field(metadata=wire(name="files"))
    job: Job | None = None


@dataclass(slots=True)
class Indexed:
    """The result of indexing a folder: each file is counted once.

    `unchanged` have the same size and time as before, `touched` only the same text. `left` counts by code the
    files that were not read, `redactions` what was removed. `bytes` and `chunks` are those of files that were
    read again. `unclosed` maps files with an unclosed private block to the number of characters left out.
    `modules` lists, by project, the modules that lost their last file.
    """

    new: int = 0
    changed: int = 0
    touched: int = 0
    renamed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0
    bytes: int = 0
    left: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    unclosed: dict[str, int] = field(default_factory=dict)
    modules: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Returns plain JSON types: counts and codes only, so that a job and an event may hold them."""
        names = ("new", "changed", "touched", "renamed", "removed", "unchanged", "chunks", "bytes")
        counts = {name: getattr(self, name) for name in names}
        codes = {"left": dict(self.left), "redactions": dict(self.redactions)}
        modules_gone = sum(map(len, self.modules.values()))
        return counts | codes | {"unclosed": len(self.unclosed), "modules_gone": modules_gone}
