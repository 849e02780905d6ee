"""Moving everything of one's own from one project to another at once."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.graph import LINKS
from holdfast.core.kinds import KINDS
from holdfast.core.project_results import Moved
from holdfast.core.views import personal_view
from holdfast.features.access.places import PlaceResolver
from holdfast.features.projects.projects import existing_project
from holdfast.features.projects.retagging import move_memories
from holdfast.features.service import Service

_KINDS = frozenset(name for name, kind in KINDS.items() if not kind.is_evidence and name not in LINKS)


def move_all(service: Service, source: str, target: str) -> Moved:
    """Moves the caller's conversations and memories from one project to another: all of them, or none if the
    target has one of them already. What others keep stays. Raises NotFound, Conflict `duplicate_text`."""
    now = service.clock()
    with service.store.write() as tx:
        home = existing_project(tx, service, source)
        to = PlaceResolver(service, tx, now).project(target)
        sessions = tx.sessions(personal_view(service.principal), project=home.number)
        moved = [session for session in sessions if to.number != home.number]
        for session in moved:
            tx.put_session(
                replace(session, project_number=to.number, project=to.name, updated_at=session.updated_at)
            )
        memories = move_memories(service, tx, home, to, _KINDS, now, sessions=len(moved))
        return Moved(to.name, memories, len(moved))
