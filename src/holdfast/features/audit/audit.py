"""The audit log: reads and verifies the chain of events (S2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile

from holdfast.core.arguments import checked_count, checked_flag, checked_limit
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


def list_events(
    service: Service, *, after: int = 0, before: int | None = None, newest_first: bool = False,
    limit: int | None = 100,
) -> list[Event]:  # fmt: skip
    """Returns events in order, from number `after` + 1 to number `before` - 1; the last of them first with
    `newest_first`."""
    checked_count(after, "after")
    if before is not None:
        checked_count(before, "before")
    if limit is not None:
        checked_limit(limit)
    view = personal_view(service.principal)
    with service.store.read() as snap:
        last = snap.head(view).sequence if before is None else before - 1
        if checked_flag(newest_first, "newest_first"):
            start = after if limit is None else max(after, last - limit)
            return list(snap.events(view, after=start, limit=max(0, last - start)))[::-1]
        page = snap.events(view, after=after, limit=limit)
        return list(page if before is None else takewhile(lambda event: event.sequence <= last, page))
