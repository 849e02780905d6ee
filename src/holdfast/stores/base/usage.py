"""The part of the store protocol about what working sessions were given, and what users keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.stores.base.storage import StorageReader, StorageWriter

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.core.usage import Cited, DeliveredContext, Delivery, Tally
    from holdfast.core.views import View


class UsageReader(StorageReader, Protocol):
    """Reads deliveries to sessions, counts of them, and how much is kept."""

    def delivered(self, view: View, project: int, session: str) -> frozenset[str]:
        """Returns the ids of memories and digests of modules delivered to the view's user in a working
        session. `project` is 0 for none, `session` a digest (S4.37).
        """

    def citations(self, view: View, context: str) -> list[Cited]:
        """Returns what the citations of a context stand for that the view's user was given, in their order;
        those of erased memories are left out."""

    def deliveries(self, view: View, id: str) -> list[Delivery]:
        """Returns the sessions of the view's user that were given a memory, the last first."""

    def tallies(self, view: View, project: int | None, session: str | None) -> list[Tally]:
        """Returns delivery counts of the sessions of the view's user, of one project and one session if
        they are given (S4.60).
        """


class UsageWriter(StorageWriter, Protocol):
    """Writes deliveries to sessions, and counts of them."""

    def deliver(
        self,
        view: View,
        project: int,
        session: str,
        ids: Collection[str],
        tally: Tally,
        *,
        actor: str,
        now: int,
        before: int,
    ) -> None:
        """Records what was delivered to the view's user in a session and adds to its counts; deletes
        sessions of the user whose last delivery was before `before`.
        """

    def cite(self, view: View, citations: DeliveredContext) -> None:
        """Records what the citations of a context for the view's user stand for. They are deleted with the
        records of deliveries of their session and project, and once they are as old as these may be."""

    def take_back(self, view: View, *, project: int | None = None, session: str | None = None) -> None:
        """Deletes the record of deliveries to the view's user, in a project or a session."""

    def leave(self, view: View) -> None:
        """Deletes what is noted about the view's user other than memories: deliveries, jobs, the counter of
        tidying and tombstones, and the name in the record of what models cost."""
