"""The part of the store protocol about entities and their links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.record import Memory
    from holdfast.core.views import View


class GraphReader(Protocol):
    """Reads entities by name, and what refers to them."""

    def entities_named(self, view: View, names: Sequence[str], *, now: int) -> list[Memory]:
        """Returns entities with any of these folded names, oldest first."""

    def links(self, view: View, ids: Sequence[str], *, limit: int | None, now: int) -> list[Memory]:
        """Returns observations and relations of any of these entities, newest recorded first."""

    def mentions(self, view: View, ids: Sequence[str], *, now: int) -> dict[str, tuple[int, int]]:
        """Returns the number of links of each of these entities and when the last was recorded; entities
        without links are left out.
        """


class GraphWriter(Protocol):
    """Keeps links in step with their entities."""

    def settle_links(self, view: View, ids: Sequence[str], *, now: int) -> list[str]:
        """Moves the links of these entities to their project, or hides them (`core/graph.is_in_sight`),
        after the entities were forgotten, restored or moved; of any author. Returns the ids that changed.
        """
