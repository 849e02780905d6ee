"""Changes for one principal after events of the chain: visible memories, and areas to read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from holdfast.core.events import Event
from holdfast.core.kinds import ENTITIES
from holdfast.core.places import approves, user_of
from holdfast.core.record import Memory, Status
from holdfast.core.views import GONE, personal_view
from holdfast.features.access.access import ALLOWED, Need
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

SHOWN_MAX = 100
"""Memories that are named one by one."""
_USE = "use"
"""The event of memories that were given to somebody: it changes none of them."""
_QUIET = (_USE, "sign_in", "sign_out", "evaluate")
"""Events after which no memory and no list looks different."""
_UNTOUCHED = ("restore", "pin", "unpin")
"""Acts on a memory that leave the time of its last change."""
_AREAS = (
    ("member", "members"), ("set_role", "members"),
    ("project", "projects"), ("session", "sessions"), ("folder", "folders"),
    ("index", "folders"), ("source", "sources"), ("import", "sources"), ("map", "maps"), ("job", "jobs"),
    ("key", "keys"), ("model", "models"), ("disclosure", "models"), ("sharing", "review"),
    ("ask_to_share", "review"), ("promote", "review"),
)  # fmt: skip
"""Words in the names of acts, and the area that they belong to."""
_MANAGED = frozenset({"members", "keys", "models"})


@dataclass(frozen=True, slots=True)
class Live:
    """The position of a listener in the chain, and what the view held there."""

    sequence: int
    view_state: tuple[object, ...] = ()


@dataclass(slots=True)
class Changed:
    """Changes in one view: memories as they are now, by id, and areas."""

    memories: dict[str, Memory] = field(default_factory=dict)
    areas: set[str] = field(default_factory=set)

    def as_dict(self) -> dict[str, object]:
        """Returns the changes as plain JSON, without texts."""
        named = list(self.memories.values())[-SHOWN_MAX:]
        return {
            "memories": [
                {
                    "id": memory.id, "kind": memory.kind, "project": memory.project,
                    "session": memory.session,
                    "status": "gone" if memory.deleted_at is not None else memory.status.value,
                    "version": memory.version,
                }
                for memory in named
            ],
            "areas": sorted(self.areas),
        }  # fmt: skip


def start(service: Service, sequence: int) -> Live:
    """Returns the position of a listener who begins at an event."""
    with service.store.read() as snap:
        return Live(sequence, _view_state(snap, service))


def changes(service: Service, live: Live, events: Sequence[Event], *, limited: bool) -> tuple[Changed, Live]:
    """Returns what some events changed for the service's principal, and the new position.

    Only what the principal sees decides: events about other things leave no trace. `limited` says that the
    credential is limited to projects.
    """
    user, changed = service.principal.user, Changed()
    announced = [event for event in events if event.action not in _QUIET]
    with service.store.read() as snap:
        now = service.clock()
        ids = list({event.subject for event in announced if event.subject is not None})
        visible = {
            memory.id: memory for memory in snap.several(personal_view(service.principal, GONE), ids, now=now)
        }
        if any(event.action == _USE and user_of(event.actor) == user for event in events):
            changed.areas.add("deliveries")
        for event in announced:
            memory = visible.get(event.subject or "")
            is_mine = user_of(event.actor) == user
            if memory is not None:
                if is_mine or event.action in _UNTOUCHED or _touched(memory) >= event.at:
                    changed.memories[memory.id] = memory
                    changed.areas |= _areas_of(memory)
            elif is_mine:
                changed.areas |= _areas_by(event.action) or {"memories"}
                if event.subject is None:
                    changed.areas.add("memories")
            elif not limited and _is_for_all(service, event.action):
                changed.areas |= _areas_by(event.action)
        # always looked at, so that events about other things make no difference
        held = _view_state(snap, service) if announced else live.view_state
        if held != live.view_state and not changed.memories:
            changed.areas |= {"memories", "sessions", "review"}
    last = events[-1].sequence if events else live.sequence
    return changed, Live(last, held)


def _view_state(snap: Reader, service: Service) -> tuple[object, ...]:
    """Returns what distinguishes two states of a view when many memories came or went at once."""
    view, now = personal_view(service.principal, GONE), service.clock()
    newest = snap.page(view, limit=1, cursor=None, now=now).memories
    return snap.count(view, now=now), *((memory.id, memory.version) for memory in newest)


def _touched(memory: Memory) -> int:
    return max(memory.updated_at, memory.recorded_at, memory.deleted_at or 0)


def _areas_of(memory: Memory) -> set[str]:
    """Returns the areas of the interface that show a memory."""
    areas = {"memories", "facts"}
    if memory.status is not Status.APPROVED:
        areas.add("review")
    if memory.session is not None:
        areas.add("sessions")
    if memory.kind in ENTITIES:
        areas.add("entities")
    return areas


def _areas_by(action: str) -> set[str]:
    """Returns the areas of an act, whose name begins or goes on with the word: `remember` is no act on a
    member."""
    return {area for word, area in _AREAS if f"_{word}" in f"_{action}"}


def _is_for_all(service: Service, action: str) -> bool:
    """Returns whether an act of others concerns what this principal may list anyway: projects, where users
    share, and for who manages the tenant members, keys, models and what is asked to be shared."""
    areas = _areas_by(action)
    if areas == {"projects"}:
        return service.shares
    if areas == {"review"}:
        return approves(service.principal)
    return bool(areas) and areas <= _MANAGED and Need.MANAGE in ALLOWED[service.principal.role]
