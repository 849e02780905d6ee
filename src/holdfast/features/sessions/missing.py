"""Conversations that a newer export of the same account no longer has: found, and left as they are."""

from __future__ import annotations

from collections.abc import Collection

from holdfast.core.projects import Session
from holdfast.core.views import personal_view
from holdfast.features.service import Service
from holdfast.features.sessions.sessions import SOURCE


def missing_from(
    service: Service, platform: str, exported: Collection[str], until: int | None
) -> list[Session]:
    """Returns the sessions that are not among those `exported` from a platform whose last message is from
    `until`, though earlier imports brought them with some that are: so they come from the same account. What
    began later is in no export of that time."""
    if until is None:
        return []
    view = personal_view(service.principal)
    with service.store.read() as snap:
        sources = {source.id for source in snap.sources(view, removed=True) if source.platform == platform}
        brought = [session for session in snap.sessions(view) if session.metadata.get(SOURCE) in sources]
    same_account = {session.metadata[SOURCE] for session in brought if session.external_id in exported}
    return [
        session
        for session in brought
        if session.metadata[SOURCE] in same_account
        and session.external_id not in exported
        and session.created_at <= until
    ]
