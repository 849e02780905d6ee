"""To which working sessions a memory was given."""

from __future__ import annotations

from holdfast.core.usage import session_key
from holdfast.core.usage_results import Delivered
from holdfast.core.views import personal_view
from holdfast.features.memories.browse import existing_memory
from holdfast.features.service import Service


def deliveries_of(service: Service, id: str) -> list[Delivered]:
    """Returns to which working sessions of the principal a memory was given, the last first. Raises
    NotFound."""
    view = personal_view(service.principal)
    with service.store.read() as snap:
        memory = existing_memory(snap, service, id)
        found = snap.deliveries(view, memory.id)
        if not found:
            return []
        names = {session_key(one.external_id): one for one in snap.sessions(view)}
        projects = {one.number: one.name for one in snap.projects(view)}
    return [
        Delivered(
            None if (known := names.get(one.session)) is None else known.external_id,
            None if known is None else known.name, projects.get(one.project), one.at, one.actor,
        )
        for one in found
    ]  # fmt: skip
