"""The audit log: reads and verifies the chain of events (S2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from holdfast.core.arguments import checked_count, checked_limit
from holdfast.core.events import Event, verify
from holdfast.core.views import personal_view
from holdfast.features.service import Service


def verify_audit(
    service: Service, through: Callable[[Iterable[Event]], Iterable[Event]] = lambda events: events
) -> int:
    """Checks the whole chain against its acknowledged head; returns the number of events. They are read
    `through` a function that may take note of them. Raises Damaged `audit_broken` or `history_lost`."""
    view = personal_view(service.principal)
    # read the head before the snapshot: a writer may extend the chain in between
    with service.store.read() as snap:
        head = snap.head(view)
    with service.store.read() as snap:
        return verify(through(snap.events(view)), head)


def list_events(service: Service, *, after: int = 0, limit: int | None = 100) -> list[Event]:
    """Returns events in order, from number `after` + 1."""
    checked_count(after, "after")
    if limit is not None:
        checked_limit(limit)
    with service.store.read() as snap:
        return list(snap.events(personal_view(service.principal), after=after, limit=limit))
