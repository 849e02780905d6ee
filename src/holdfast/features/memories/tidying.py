"""The counter of changes after which the memories of a user are tidied (`features/review/tidy.py`)."""

from __future__ import annotations

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
"""Changes after which the memories of a user are tidied at once. They are counted for a user, not for a
project, since tidying goes through all that a user owns."""
_TIDIED = frozenset({Nature.KNOWLEDGE, Nature.DERIVED})


def count_descriptions(service: Service, tx: Writer, changes: int) -> None:
    """Counts changed descriptions within their transaction. The next tidying is a day later at the latest."""
    if changes and service.tidy != "off":
        _count(service, tx, changes)
        plan(service, tx, TIDY, due=service.clock() + DAY)


def count_changed(service: Service, tx: Writer, changed: Iterable[Memory]) -> None:
    """Counts the user's own knowledge and descriptions among changed memories, within their transaction
    (S3.36). Messages, passages and entities are never tidied."""
    if service.tidy != "off":
        _count(service, tx, sum(_is_own(service, one) and _is_tidied(one) for one in changed))


def _is_own(service: Service, memory: Memory) -> bool:
    return memory.place.owner == service.principal.user


def _is_tidied(memory: Memory) -> bool:
    return KINDS[memory.kind].nature in _TIDIED and not memory.about


def _count(service: Service, tx: Writer, changes: int) -> None:
    if changes and tx.count_changes(personal_view(service.principal), changes, enough=CHANGES):
        plan(service, tx, TIDY, due=service.clock())
