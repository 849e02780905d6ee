"""The part of the store protocol for what was forgotten, which imports must not bring back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.views import View


class TombstoneReader(Protocol):
    """Reads tombstones: keyed digests of places and texts, which tell nothing without the key."""

    def has_tombstones(self, view: View) -> bool:
        """Returns whether the view's user has forgotten anything that has a tombstone."""

    def tombstones(self, view: View, digests: Collection[str]) -> Mapping[str, bool]:
        """Returns which of these digests the view's user has forgotten, each with whether a person did."""

    def buried(self, view: View, prefix: str, *, after: str, limit: int) -> list[tuple[str, bool]]:
        """Returns tombstones of the view's user that begin with a prefix and follow `after`, in their order,
        each with whether a person forgot."""

    def forgotten_copies(
        self, view: View, owner: str, content_hash: str, external_key: str | None
    ) -> list[str]:
        """Returns the ids of an owner's forgotten memories in the view with a text or an external key."""


class TombstoneWriter(TombstoneReader, Protocol):
    """Writes tombstones."""

    def bury(self, view: View, digests: Collection[str], *, by_person: bool) -> None:
        """Records what the view's user has forgotten; what a person forgot stays so."""

    def lift(self, view: View, digests: Collection[str]) -> None:
        """Deletes tombstones of the view's user."""
