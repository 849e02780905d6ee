"""Holds scheduled erasures back after a jump of the clock, by which things would be due that are not."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from holdfast.core.events import Event
from holdfast.core.times import DAY, to_iso, to_millis
from holdfast.core.views import personal_view
from holdfast.features.retention.applying import count_due
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

JUMP = 8 * DAY
"""Milliseconds between two events of a store, or the last one and now, from which the clock counts as
changed: more than a week, since some stores are looked after once a week."""
STEADY_FOR = DAY
"""Milliseconds for which the events have to show one clock, before anything is erased by it."""
WAIT = "wait_for_clock"
"""The event that notes a wait. A day later it lets the clock go ahead without another one for as long as that
was, and eight days, unless the events show that the clock went back: a store may be used once a month."""
_PAGE = 500

log = logging.getLogger("holdfast.retention")


def holds_back(service: Service, purge_days: int) -> bool:
    """Returns whether nothing may be erased by schedule for now, as the events of the last day do not follow
    one clock, and no earlier wait explains it. If anything would be erased, an event notes that it waits, and
    from then on shows the clock."""
    now, view = service.clock(), personal_view(service.principal)
    with service.store.read() as snap:
        before = _jump(snap, service, now)
        if before is None:
            return False
        is_due = bool(
            snap.projects_due(view, at=now)
            or (purge_days and snap.forgotten_with_projects(view, before=now - purge_days * DAY))
            or count_due(snap, service, now)
        )
    if is_due:
        log.warning(
            "nothing is erased by schedule for a day: the clock went from %s to %s", before, to_iso(now)
        )
        with service.store.write() as tx:
            tx.add_event(
                at=now, actor=service.principal.label, action=WAIT, subject=None,
                detail={"before": before, "after": to_iso(now)},
            )  # fmt: skip
    return True


def _jump(snap: Reader, service: Service, now: int) -> str | None:
    """Returns the time before the last jump of the clock if that was within a day; None without one, or if
    an earlier wait has shown that this store is seldom used."""
    later, before, went_back = now, None, False
    for event in _newest_first(snap, service):
        went_back = went_back or event.at - later > STEADY_FOR
        if before is None:
            if abs(later - event.at) > JUMP:
                before = event.at
            elif event.at <= now - STEADY_FOR:
                return None
        if before is not None and event.action == WAIT and event.at <= now - STEADY_FOR:
            if not went_back and now - event.at <= _length(event) + JUMP:
                return None
            break
        later = event.at
    return None if before is None else to_iso(before)


def _length(wait: Event) -> int:
    """Returns how far the clock had gone ahead when this wait began, in milliseconds."""
    return wait.at - to_millis(wait.detail["before"])


def _newest_first(snap: Reader, service: Service) -> Iterator[Event]:
    view = personal_view(service.principal)
    last = snap.head(view).sequence
    while last > 0:
        first = max(0, last - _PAGE)
        page = list(snap.events(view, after=first, limit=last - first))
        yield from reversed(page)
        last = first
