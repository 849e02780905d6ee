"""The part of the store protocol that finds a memory by what identifies it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.core.views import View


class LookupReader(Protocol):
    """Finds memories by external id, key or text."""

    def find(self, view: View, external_key: str) -> Memory | None:
        """Returns the live memory with an external key."""

    def keyed(self, view: View, external_id: str, *, limit: int, now: int) -> list[Memory]:
        """Returns memories with an external id, newest recorded first."""

    def with_hash(self, view: View, content_hash: str) -> list[Memory]:
        """Returns the live knowledge with a content hash in the view, oldest first; without descriptions that
        have an external id, by which they are found."""

    def known_hashes(self, view: View, hashes: Collection[str]) -> set[str]:
        """Returns those of some content hashes with which `with_hash` finds something."""

    def known_keys(self, view: View, keys: Collection[str]) -> set[str]:
        """Returns those of some external keys with which `find` finds something."""
