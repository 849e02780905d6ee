"""Removal of a source with its evidence, and of the titles that it gave to sessions."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.kinds import KINDS
from holdfast.core.views import GONE, personal_view
from holdfast.features.memories import titles
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer


def drop_source(service: Service, tx: Writer, id: str, *, now: int, hard: bool) -> list[str]:
    """Deletes a source as the store does, and with `hard` so that its evidence stays away; the sessions that
    it named lose their titles, and those left empty are erased."""
    view = personal_view(service.principal, GONE)
    imported = []
    if hard:  # what was only hidden comes back with the same import
        imported = [memory for memory in tx.related(view, [id], now=0) if memory.source == id]
        Tombstones(service, tx).bury(memory for memory in imported if KINDS[memory.kind].is_evidence)
    removed_ids = tx.drop_source(view, id, now=now, hard=hard)
    if hard:
        withdraw(service, tx, removed_ids)
        for session in tx.sessions(view):
            if session.metadata.get("source") != id:
                continue
            if session.message_count == 0:
                tx.drop_session(view, session.number)
            else:
                tx.put_session(replace(session, name=None, metadata={}, updated_at=now))
                titles.settle(service, tx, [session.number], former={session.number: session.name})
        titles.pass_on(service, tx, imported)
    return removed_ids
