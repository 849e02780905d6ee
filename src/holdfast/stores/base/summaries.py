"""The part of the store protocol for the rolling summaries of conversations, which hold no text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.summaries import SummaryRow
    from holdfast.core.views import View


class SummaryReader(Protocol):
    """Reads the rows of summaries."""

    def summaries(self, view: View, session: int) -> list[SummaryRow]:
        """Returns the rows of the summary of a session of the view's user, in their order."""


class SummaryWriter(SummaryReader, Protocol):
    """Writes the rows of summaries. Erasing a message deletes those of its session."""

    def put_summaries(self, view: View, session: int, rows: Sequence[SummaryRow], *, start: int) -> None:
        """Replaces the rows of the summary of a session of the view's user from the one numbered `start`
        on."""
