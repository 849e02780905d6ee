"""The part of the store protocol about sources: import batches, files, and what is described."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.core.reconciled import Fingerprint
    from holdfast.core.sources import Source
    from holdfast.core.views import View


class SourceReader(Protocol):
    """Reads sources, and the fingerprints of descriptions."""

    def sources(self, view: View, *, removed: bool = False) -> list[Source]:
        """Returns the import batches of the view's user, oldest first; with `removed` also removed ones."""

    def described(self, view: View) -> list[Source]:
        """Returns sources of any owner whose content is described, as far as the view includes their pools
        or its user owns them, oldest first; removed ones included."""

    def fingerprints(self, view: View, source: str) -> list[Fingerprint]:
        """Returns the state of all descriptions of a source, forgotten ones included, in the order of their
        insertion."""

    def compare_fingerprints(
        self, view: View, source: str, digests: Collection[str]
    ) -> tuple[set[str], list[Fingerprint]]:
        """Returns which of these digests descriptions of a source have that were not forgotten, and the state
        of its other descriptions, without proposals: of tens of thousands few rows are read whole."""


class SourceWriter(Protocol):
    """Writes sources."""

    def put_source(self, source: Source) -> Source:
        """Registers a source, or restores the deleted one of the same owner and content. Raises Conflict
        `duplicate_text` for the id of another one."""

    def rename_source(self, view: View, id: str, digest: str) -> None:
        """Gives a source that is described the digest of another name. Raises Conflict `duplicate_text` if
        its owner has a source of that name."""

    def drop_source(self, view: View, id: str, *, now: int, hard: bool) -> list[str]:
        """Deletes a source of the user and forgets its evidence, or with `hard` erases both, even if they
        were forgotten before. Returns the ids of these memories. Raises NotFound.
        """
