"""Lists folders and reads files for remote clients, within limits and inside the root."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import HoldfastError, InvalidInput, NotFound
from holdfast.core.times import to_iso
from holdfast.core.wire import Millis, Plain, computed, read_record, wire
from holdfast.features.reading import safe_open
from holdfast.features.reading.exclusions import Exclusions
from holdfast.features.reading.skip_reasons import storable
from holdfast.features.reading.types import type_of
from holdfast.language.masking import masked
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD

MAX_DEPTH = 10
MAX_ENTRIES = 5_000
MAX_BYTES = 5_000_000
_BINARY = 0.1
"""Share of characters outside UTF-8 above which a file counts as binary (S1.70)."""
_AHEAD = 1 << 16
"""Bytes read beyond those shown, to detect a secret that begins among them."""
_ENCODED = 4
"""Most levels of percent-encoding of a path; more are refused."""
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")


@dataclass(slots=True)
class Entry(Plain):
    """A file or folder in a listing.

    `type` is "folder", "file", "link" or "other"; `path` is relative to the root. Only files have a `size` in
    bytes and a `modified_at` in milliseconds. `is_cut` marks a folder with more entries than listed, because
    the depth or the number of entries was reached.
    """

    name: str
    path: str
    type: str
    size: int | None = field(default=None, metadata=wire(optional=True))
    modified_at: Millis | None = field(default=None, metadata=wire(optional=True))
    is_cut: bool = field(default=False, metadata=wire(name="truncated", optional=True))
    entries: list[Entry] = field(default_factory=list, metadata=wire(optional=True))

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Entry:
        """Reads an entry from JSON."""
        return read_record(
            cls, {"size": None, "modified_at": None, "truncated": False, "entries": [], **value}
        )

    def as_dict(self) -> dict[str, Any]:
        """Returns plain JSON values."""
        own: dict[str, Any] = {"name": self.name, "path": self.path, "type": self.type}
        if self.type == "folder":
            own |= {"truncated": self.is_cut, "entries": [entry.as_dict() for entry in self.entries]}
        elif self.type == "file" and self.modified_at is not None:
            own |= {"size": self.size, "modified_at": to_iso(self.modified_at)}
        return own


@dataclass(frozen=True, slots=True)
class Content(Plain):
    """The beginning of a file. `text` is empty if `left_out` is "binary" or "holds_secrets"; `size` is the
    file's, in bytes."""

    path: str
    text: str
    size: int
    is_truncated: bool = field(metadata=wire(name="truncated"))
    left_out: str | None = None

    @property
    @computed
    def binary(self) -> bool:
        """Returns whether the file is binary."""
        return self.left_out == "binary"


def list_tree(
    root: Path,
    path: str = "",
    max_depth: int = 2,
    max_entries: int = 500,
    *,
    exclusions: Exclusions | None = None,
) -> Entry:
    """Returns a folder with its entries: folders first, then files, by name regardless of case (S1.70).

    `max_depth` (0 to 10) is the number of levels below the folder itself that are listed, 0 for none;
    `max_entries` (1 to 5,000) counts all entries, level by level. Links are listed, not followed. `root` is a
    real path; paths in `exclusions` are treated as missing. Raises InvalidInput `argument_invalid`,
    `path_outside` or `file_unreadable`; NotFound `path_not_found`.
    """
    _check(max_depth, "max_depth", 0, MAX_DEPTH)
    _check(max_entries, "max_entries", 1, MAX_ENTRIES)
    path = _resolved(root, path, exclusions)
    top = Entry(path.rpartition("/")[2], path, "folder")
    try:
        with safe_open.open_root(root) as descriptor:
            _fill(descriptor, top, max_depth, max_entries, exclusions)
    except (OSError, ValueError, safe_open.Outside) as error:
        raise _error(path, error) from error
    return top


def read_text(
    root: Path,
    path: str,
    max_bytes: int = 65_536,
    *,
    exclusions: Exclusions | None = None,
    entropy: float = ENTROPY_THRESHOLD,
) -> Content:
    """Returns the beginning of a file as text: at most `max_bytes` bytes (1 to 5,000,000), read as UTF-8
    (S1.70, S1.71).

    A link is followed if its target is inside the root. Files that hold secrets by their name are not shown;
    secrets and private blocks in others are redacted, also where the text ends within them. Paths in
    `exclusions` are treated as missing, `entropy` is that of `masked`. Raises InvalidInput
    `argument_invalid`, `path_outside`, `path_is_directory`, `not_a_file` or `file_unreadable`; NotFound
    `path_not_found`.
    """
    _check(max_bytes, "max_bytes", 1, MAX_BYTES)
    inside = _resolved(root, path, exclusions)
    if not inside:
        raise InvalidInput("the path names the folder itself", code="path_is_directory")
    try:
        with safe_open.open_root(root) as folder:
            descriptor, state = safe_open.open_file(folder, inside)
        try:
            if type_of(inside).never == "holds_secrets" or type_of(path).never == "holds_secrets":
                return Content(inside, "", state.st_size, False, "holds_secrets")
            data = safe_open.read_all(descriptor, max_bytes + _AHEAD)
        finally:
            os.close(descriptor)
    except safe_open.Special as error:
        if error.is_folder:
            raise InvalidInput(f"{safe_repr(path)} is a folder", code="path_is_directory") from error
        raise InvalidInput(f"{safe_repr(path)} is not a regular file", code="not_a_file") from error
    except (OSError, ValueError, safe_open.Outside) as error:
        raise _error(path, error) from error
    is_truncated = len(data) > max_bytes
    text = _decoded(data[:max_bytes], is_truncated)
    if text is None:
        return Content(inside, "", state.st_size, is_truncated, "binary")
    size = max(state.st_size, len(data))
    # a secret that ends later cannot be recognized by its beginning alone
    decoded = data.decode("utf-8", "replace").removeprefix("\ufeff")
    clean = masked(decoded, entropy=entropy, is_page=type_of(inside).name == "html")
    return Content(inside, clean.part(0, len(text))[0], size, is_truncated)


def _fill(root: int, top: Entry, max_depth: int, max_entries: int, exclusions: Exclusions | None) -> None:
    """Fills the listing level by level, so that a large folder does not hide its neighbours."""
    level, remaining = [top], max_entries
    for depth in range(max_depth + 1):
        deeper: list[Entry] = []
        for folder in level:
            if remaining == 0:
                folder.is_cut = True
                continue
            try:
                entries = _entries(root, folder.path, exclusions)
            except (OSError, safe_open.Outside):
                if folder is top:
                    raise
                folder.is_cut = True  # it is unreadable, or was removed
                continue
            folder.entries, folder.is_cut = entries[:remaining], len(entries) > remaining
            remaining -= len(folder.entries)
            deeper.extend(entry for entry in folder.entries if entry.type == "folder")
        level = deeper
        if depth == max_depth:
            for folder in level:
                folder.is_cut = True


def _entries(root: int, path: str, exclusions: Exclusions | None) -> list[Entry]:
    """Returns the entries of a folder, without excluded ones."""
    descriptor = safe_open.open_folder(root, path)
    try:
        with os.scandir(descriptor) as listing:
            entries = [_entry(entry, path) for entry in listing]
    finally:
        os.close(descriptor)
    if exclusions is not None:
        entries = [entry for entry in entries if not exclusions.covers(entry.path)]
    return sorted(entries, key=lambda entry: (entry.type != "folder", entry.name.casefold(), entry.name))


def _entry(entry: os.DirEntry[str], folder: str) -> Entry:
    """Returns an entry of a folder with its type."""
    name = storable(entry.name)
    path = f"{folder}/{name}" if folder else name
    if entry.is_symlink():
        return Entry(name, path, "link")
    if entry.is_dir(follow_symlinks=False):
        return Entry(name, path, "folder")
    try:
        state = entry.stat(follow_symlinks=False)
    except OSError:
        return Entry(name, path, "other")
    if not stat.S_ISREG(state.st_mode):
        return Entry(name, path, "other")
    return Entry(name, path, "file", state.st_size, state.st_mtime_ns // 1_000_000)


def _resolved(root: Path, path: str, exclusions: Exclusions | None) -> str:
    """Returns the requested path relative to the root, with links inside the root followed.

    If it is exchanged for a link before it is opened, opening does not follow it.
    """
    if not isinstance(path, str):
        raise InvalidInput(f"path {safe_repr(path)} is not text", code="argument_invalid")
    _check_shape(path)
    plain = "/".join(part for part in path.split("/") if part not in ("", "."))
    try:
        top = os.path.realpath(root)
        target = os.path.realpath(os.path.join(top, plain))
        target.encode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        raise _error(path, error) from error
    inside = "" if target == top else target.removeprefix(top.rstrip("/") + "/")
    if inside == target:
        raise _outside(path)
    if exclusions is not None and (exclusions.covers(inside) or exclusions.covers(plain)):
        raise NotFound(f"there is no {safe_repr(path)} in the folder", code="path_not_found")
    return inside


def _check_shape(path: str) -> None:
    """Refuses paths that lead out in any notation: "..", absolute, backslashes, encoded, with NUL."""
    shape = path
    for _ in range(_ENCODED):
        if (decoded := unquote(shape)) == shape:
            break
        shape = decoded
    else:
        raise _outside(path)
    for form in (path, shape):
        if "\0" in form or form.startswith(("/", "\\")) or _DRIVE.match(form):
            raise _outside(path)
        if ".." in re.split(r"[/\\]", form):
            raise _outside(path)


def _decoded(data: bytes, is_truncated: bool) -> str | None:
    """Decodes bytes without an incomplete character at the end; None for binary data."""
    if b"\0" in data:
        return None
    if is_truncated:
        for distance in range(1, min(4, len(data)) + 1):
            if data[-distance] & 0xC0 != 0x80:  # the first byte of the last character
                first = data[-distance]
                length = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
                data = data[:-distance] if length > distance else data
                break
    text = data.decode("utf-8", "replace")
    return None if text.count("\ufffd") > _BINARY * len(text) else text.removeprefix("\ufeff")


def _check(value: object, name: str, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(f"{name} is a whole number from {low} to {high:,}", code="argument_invalid")


def _outside(path: str) -> InvalidInput:
    return InvalidInput(f"{safe_repr(path)} is outside the folder", code="path_outside")


def _error(path: str, error: Exception) -> HoldfastError:
    """Returns the error for a path that cannot be opened: outside of the root, unreadable, or not there."""
    if isinstance(error, safe_open.Outside):
        return _outside(path)
    if isinstance(error, PermissionError):
        return InvalidInput(f"{safe_repr(path)} cannot be read: {error.strerror}", code="file_unreadable")
    return NotFound(f"there is no {safe_repr(path)} in the folder", code="path_not_found")
