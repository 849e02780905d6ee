"""Messages of imported conversations that later versions of them replaced: out of recall, and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from holdfast.core.record import Memory, Status
from holdfast.core.views import ANY_STATE, View, personal_view
from holdfast.features.memories import titles
from holdfast.features.memories.browse import pages
from holdfast.features.service import Service
from holdfast.features.sessions.sessions import versions_here
from holdfast.stores.base.ports import Patch, Reader

REPLACED = "replaced by a later version in its conversation"
_STORED = frozenset({Status.APPROVED, Status.SUPERSEDED})


class Screens:
    """The conversations of one import as the newest exports show them, named by their sessions."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._existing: set[str] = set()
        self._older: set[str] = set()

    def open(self, versions: Mapping[str, int | None]) -> None:
        """Compares when conversations were changed, as far as their export tells, with what is here."""
        here = versions_here(self._service, versions)
        self._existing.update(here)
        for id, version in here.items():
            if version is not None and (exported := versions[id]) is not None and exported < version:
                self._older.add(id)

    def is_older(self, id: str) -> bool:
        """Returns whether a newer export of the conversation was imported before."""
        return id in self._older

    def follow(self, id: str, visible: Collection[str], replaced: Collection[str]) -> None:
        """Follows the screen of a conversation all of whose messages are stored."""
        if id in self._existing:
            follow_screen(self._service, id, visible, replaced)


def follow_screen(service: Service, session: str, visible: Collection[str], replaced: Collection[str]) -> int:
    """Takes the messages of a session that are no longer on the screen out of recall, as superseded ones, and
    brings back those that are on it again. Both are named by their external ids. What a person pinned or
    edited stays as it is. Returns the number of messages that changed."""
    view = personal_view(service.principal)
    with service.store.read() as snap:
        changes = _changes(snap, view, session, frozenset(visible), frozenset(replaced))
    if not changes:
        return 0
    now, actor = service.clock(), service.principal.label
    with service.store.write() as tx:
        changes = _changes(tx, view, session, frozenset(visible), frozenset(replaced))
        for memory in changes:
            if memory.status is Status.APPROVED:
                patch = Patch(status=Status.SUPERSEDED, status_reason=REPLACED, valid_until=now)
            else:
                patch = Patch(status=Status.APPROVED, clear=frozenset({"status_reason", "valid_until"}))
            tx.patch(view, memory.id, patch, now=now)
            action = "supersede" if memory.status is Status.APPROVED else "revive"
            tx.add_event(at=now, actor=actor, action=action, subject=memory.id, detail={})
        numbers = {change.place.session for change in changes if change.place.session is not None}
        titles.settle(service, tx, numbers, anew=True)
    return len(changes)


def _changes(
    reader: Reader, view: View, session: str, visible: frozenset[str], replaced: frozenset[str]
) -> list[Memory]:
    """Returns the messages of a session whose status is not that of the screen."""
    existing = reader.session(view, session)
    if existing is None:
        return []
    statuses = _STORED if replaced else frozenset({Status.SUPERSEDED})
    criteria = replace(ANY_STATE, session=existing.number, kinds=frozenset({"message"}), statuses=statuses)
    messages = pages(reader, view.narrowed(criteria))
    return [
        message
        for message in messages
        if (
            message.status is Status.APPROVED
            and message.external_id in replaced
            and not (message.pinned or message.edited)
        )
        or (
            message.status is Status.SUPERSEDED
            and message.external_id in visible
            and message.status_reason == REPLACED
        )
    ]
