"""Members, pins and statuses as the chain of events has them, compared with those in the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdfast.core.events import Event
from holdfast.core.members import Member
from holdfast.core.record import Memory, Status

_STATUS = {"approve": Status.APPROVED, "reject": Status.REJECTED, "supersede": Status.SUPERSEDED}
"""The status that an action gives to its memory."""
_PINNED = {"pin": True, "unpin": False}
_HARMLESS = frozenset({
    *_PINNED, "ask_to_share", "withdraw_sharing", "decline_sharing", "move", "promote", "forget",
})  # fmt: skip
"""Actions that leave the status of a memory as it is."""
_JOINS = frozenset({"add_member", "set_role"})


class Replay:
    """The state that the events read so far lead to, where they determine it."""

    def __init__(self) -> None:
        self._roles: dict[str, str | None] = {}
        self._statuses: dict[str, Status] = {}
        self._pins: dict[str, bool] = {}
        self._present: dict[str, tuple[int, Status, bool]] = {}

    def read(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yields the events, and notes what each of them does."""
        for event in events:
            self._note(event)
            yield event

    def see(self, memories: Iterable[Memory]) -> None:
        """Notes the state of memories; of several versions the last one counts."""
        for memory in memories:
            previous = self._present.get(memory.id)
            if previous is None or previous[0] < memory.version:
                self._present[memory.id] = (memory.version, memory.status, memory.pinned)

    def contradictions(self, members: Iterable[Member]) -> list[str]:
        """Returns a line for each member or memory that is not as the events say."""
        problems: list[str] = []
        present = {member.user: member.role.value for member in members if member.removed_at is None}
        for user in sorted({*present, *self._roles}):
            role = self._roles.get(user)
            if present.get(user) != role:
                problems.append(
                    f"the member {user!r:.80} is {present.get(user, 'none')}, the events say {role or 'none'}"
                )
        for id, (_, status, pinned) in self._present.items():
            if self._statuses.get(id, status) is not status:
                problems.append(f"{id} is {status.value}, the events say {self._statuses[id].value}")
            if self._pins.get(id, pinned) is not pinned:
                problems.append(f"{id} is {'' if pinned else 'not '}pinned, the events say otherwise")
        return problems

    def _note(self, event: Event) -> None:
        """Applies an event to the replayed state."""
        subject, action = event.subject, event.action
        if action in _JOINS:
            self._roles[str(event.detail.get("user"))] = event.detail.get("role")
        elif action == "remove_member":
            self._roles[str(event.detail.get("user"))] = None
        elif subject is None:
            return
        elif action in _STATUS:
            self._statuses[subject] = _STATUS[action]
        elif action in _PINNED:
            self._pins[subject] = _PINNED[action]
        elif action not in _HARMLESS:
            self._statuses.pop(subject, None)
            self._pins.pop(subject, None)
