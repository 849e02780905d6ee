"""The counter of changes after which the memories of a user are tidied (`features/review/tidy.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from holdfast.core.jobs import TIDY
from holdfast.core.kinds import KINDS, Nature
from holdfast.core.record import Memory
from holdfast.core.times import DAY
from holdfast.core.views import personal_view
from holdfast.features.jobs.schedule import plan
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer

CHANGES = 50
"""Changes in one project, or outside of all, after which the memories of a user are tidied at once: what is
merged is in one place, and what is done in one project has no influence on what follows in another."""
_TIDIED = frozenset({Nature.KNOWLEDGE, Nature.DERIVED})


def count_descriptions(service: Service, tx: Writer, project: int | None, changes: int) -> None:
    """Counts changed descriptions of a source in a project, within their transaction. The next tidying is a
    day later at the latest."""
    if changes and service.tidy != "off":
        _count(service, tx, project, changes)
        plan(service, tx, TIDY, due=service.clock() + DAY)


def count_changed(service: Service, tx: Writer, memories: Iterable[Memory]) -> None:
    """Counts the user's own knowledge and descriptions among changed memories, within their transaction
    (S3.36). Messages, passages and entities are never tidied."""
    if service.tidy != "off":
        own = [
            memory
            for memory in memories
            if memory.place.owner == service.principal.user and _is_tidied(memory)
        ]
        for project, changes in Counter(memory.place.project for memory in own).items():
            _count(service, tx, project, changes)


def _is_tidied(memory: Memory) -> bool:
    return KINDS[memory.kind].nature in _TIDIED and not memory.about


def _count(service: Service, tx: Writer, project: int | None, changes: int) -> None:
    if tx.count_changes(personal_view(service.principal), project or 0, changes, enough=CHANGES):
        plan(service, tx, TIDY, due=service.clock())
