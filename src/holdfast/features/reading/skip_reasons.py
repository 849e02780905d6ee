"""Reasons why files and folders are skipped: a code for programs and a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass

REASONS: dict[str, str] = {
    "excluded": "excluded by a pattern of this folder",
    "excluded_by_default": "excluded by default: build output, cache, vendored code or lock file",
    "ignored": "ignored by .gitignore",
    "not_included": "matches none of the include patterns of this folder",
    "rules_too_costly": "its patterns take too long and are not applied",
    "link": "a symbolic link; its target is read at its own path",
    "link_outside": "a symbolic link to a target outside the folder",
    "not_a_file": "not a regular file",
    "name_unreadable": "its name is not UTF-8",
    "too_deep": "nested too deeply in folders",
    "never_read": "a file type that is never read",
    "holds_secrets": "a file type that holds secrets",
    "unreadable": "cannot be opened",
    "vanished": "no longer exists",
    "too_large": "too large to read",
    "empty": "contains no text",
    "binary": "contains binary data",
    "encoding_unknown": "its encoding is unknown; save it as UTF-8",
    "encrypted": "protected by a password",
    "extra_missing": "requires pip install 'holdfast[files]'",
    "unsafe": "unpacks to far more than its size, or declares XML entities",
    "broken": "damaged, or not the type that its name says",
    "failed": "an unexpected error ended reading it; please report it",
    "timeout": "took too long to read",
    "private_part": "indexed, but for what is marked as private",
}
"""Reason codes with their meaning; the sentence of a `Skipped` may be more specific."""


@dataclass(frozen=True, slots=True)
class Skipped:
    r"""A file or a whole folder (its path ends with "/") that was not read (S1.60).

    `path` is relative to the root, with forward slashes, and can always be stored: bytes that are not UTF-8
    are escaped as `\xff`. `reason_code` is one of `REASONS`.
    """

    path: str
    reason_code: str
    reason: str


def skipped(path: str, code: str, reason: str | None = None) -> Skipped:
    """Returns a `Skipped` with the reason's usual sentence, or a more specific one."""
    return Skipped(storable(path), code, reason or REASONS[code])


def storable(path: str) -> str:
    """Returns the path with non-UTF-8 bytes escaped, for storage and display."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class Unreadable(Exception):
    """An error for a document that cannot be read; `code` is one of `REASONS`."""

    def __init__(self, code: str, reason: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason or REASONS[code]
