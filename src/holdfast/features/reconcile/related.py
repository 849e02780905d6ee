"""Related sources: other files, databases and codebases with descriptions like those of one."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.arguments import LIMIT_MAX, checked_limit
from holdfast.core.hits import Hits
from holdfast.core.places import ANYWHERE
from holdfast.core.reconciled import CONNECTION, DATA_TABLE, FILE
from holdfast.core.views import personal_view
from holdfast.features.access.places import Selection
from holdfast.features.recall.recall import EXCLUDE_MAX, QUERY_MAX, recall
from holdfast.features.reconcile.entities import type_of
from holdfast.features.reconcile.sources import existing_described
from holdfast.features.service import Service

KINDS = tuple(type_of(name).kind for name in (FILE, CONNECTION, DATA_TABLE))
"""The kinds of descriptions that say what a source is about, the most telling first."""
WIDER = 5
"""Descriptions that are looked at for each source that is returned."""


def related(service: Service, id: str, *, limit: int = 5) -> Hits:
    """Returns of the sources most like one their most similar description, best first (S3.38). Raises
    NotFound `source_not_found`."""
    checked_limit(limit)
    view = personal_view(service.principal)
    with service.store.read() as snap:
        source = existing_described(snap, service, id)
        rows = [
            row for row in snap.fingerprints(view, source.id) if row.kind in KINDS and not row.is_proposal
        ]
        rows.sort(key=lambda row: KINDS.index(row.kind))
        whole = snap.several(view, [row.id for row in rows[:1]], now=service.clock())
    if not whole:
        return Hits(())
    found = recall(
        service, whole[0].text[:QUERY_MAX], Selection(ANYWHERE, workspace=ANYWHERE, kinds=KINDS),
        limit=min(WIDER * limit, LIMIT_MAX), exclude=[row.id for row in rows[:EXCLUDE_MAX]],
    )  # fmt: skip
    best = {hit.memory.place.source: hit for hit in reversed(found.items)}
    best.pop(source.id, None)
    items = sorted(best.values(), key=found.items.index)
    return replace(found, items=tuple(items[:limit]))
