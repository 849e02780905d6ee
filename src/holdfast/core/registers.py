"""The registers of a tenant across a restore: what of policies, holds and consents a backup does not know.

Registers are folds of events, so what is carried over are the events themselves, with who did it and when.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from holdfast.core.backup_places import BACKUP_PLACES
from holdfast.core.events import Event
from holdfast.core.retention import HOLDS, LIFTED, PLACED, REMOVED, RETENTION


@dataclass(frozen=True, slots=True)
class Carried:
    """The events that bring the registers of a backup to those of the store that it replaces: first what was
    lifted, then the rest. Between the two is erased again what was erased while no hold kept it."""

    lifts: tuple[Event, ...] = ()
    acts: tuple[Event, ...] = ()


def carried(copied: Iterable[Event], here: Iterable[Event], *, follows: bool) -> Carried:
    """Returns the acts in the registers `here`, of a store that is replaced, which those of a backup lack:
    the last one of each policy, hold and consent.

    A hold of the backup is lifted only if the history of the store goes on from the backup (`follows`), and
    none is put in the place of another one of its name.
    """
    there, last_lifts, last = _last(copied), dict[Hashable, Event](), dict[Hashable, Event]()
    for event in here:
        last[_key(event)] = event
        if event.action == LIFTED:
            last_lifts[_key(event)] = event
    lifts, acts = list[Event](), list[Event]()
    for key, event in last.items():
        before = there.get(key)
        if before is not None and _act(before) == _act(event):
            continue
        stands = before is not None and before.action == PLACED
        lift = last_lifts.get(key)
        if stands and follows and lift is not None:
            lifts.append(lift)
        elif stands and event.action == PLACED and before is not None and before.detail != event.detail:
            event = replace(event, detail={**event.detail, "name": f"{event.detail['name']} (carried)"})
        if event.action == LIFTED or (before is None and event.action == REMOVED):
            continue
        acts.append(event)
    return Carried(tuple(lifts), tuple(sorted(acts, key=lambda act: act.sequence)))


def _last(events: Iterable[Event]) -> dict[Hashable, Event]:
    return {_key(event): event for event in events}


def _key(event: Event) -> Hashable:
    """Returns what an act is about: a hold by name, a policy by what it covers, a consent by user, a place of
    backups by all that is noted of it."""
    names = {
        HOLDS: ("name",), RETENTION: ("kind", "project"), BACKUP_PLACES: ("location", "store", "origin"),
    }.get(event.subject or "", ("user", "purpose"))  # fmt: skip
    return event.subject, *(event.detail[name] for name in names)


def _act(event: Event) -> tuple[object, ...]:
    return event.at, event.actor, event.action, event.detail
