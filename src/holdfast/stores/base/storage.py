"""The part of the store protocol about how much users keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.storage import Amount, Growth, Totals
    from holdfast.core.views import View


class StorageReader(Protocol):
    """Reads how much users keep."""

    def storage(self, view: View) -> Amount:
        """Returns what the view's user keeps, wherever it is."""

    def storage_of_all(self, view: View) -> Totals:
        """Returns what all users keep, for who runs the store."""


class StorageWriter(Protocol):
    """Tells what a transaction adds."""

    def grown(self) -> Sequence[Growth]:
        """Returns what each user to whose memories this transaction adds versions would keep."""
