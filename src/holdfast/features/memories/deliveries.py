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
        deliveries = snap.deliveries(view, memory.id)
        if not deliveries:
            return []
        names = {session_key(session.external_id): session for session in snap.sessions(view)}
        projects = {project.number: project.name for project in snap.projects(view)}
    return [
        Delivered(
            None if (recipient := names.get(delivery.session)) is None else recipient.external_id,
            None if recipient is None else recipient.name, projects.get(delivery.project), delivery.at,
            delivery.actor,
        )
        for delivery in deliveries
    ]  # fmt: skip
