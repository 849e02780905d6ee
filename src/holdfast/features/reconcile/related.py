"""Related sources: other files, databases and codebases with descriptions like those of one."""

from __future__ import annotations

from holdfast.core.arguments import LIMIT_MAX, checked_limit
from holdfast.core.hits import Hits
from holdfast.core.places import ANYWHERE
from holdfast.core.reconciled import CONNECTION, DATA_TABLE, FILE
from holdfast.core.views import personal_view
from holdfast.features.access.places import Selection
from holdfast.features.recall.recall import QUERY_MAX, checked_query
from holdfast.features.recall.results import hits_of
from holdfast.features.recall.search import search, selected
from holdfast.features.reconcile.entities import type_of
from holdfast.features.reconcile.sources import existing_described
from holdfast.features.service import Service

KINDS = tuple(type_of(name).kind for name in (FILE, CONNECTION, DATA_TABLE))
"""The kinds of descriptions that say what a source is about, the most telling first."""
WIDER = 5
"""Descriptions that are looked at for each source that is returned."""


def related(service: Service, id: str, *, limit: int = 5) -> Hits:
    """Returns of the sources most like one their most similar description, best first (S3.38). It
    is no use of these: a description that only this shows still grows stale. Raises NotFound
    `source_not_found`."""
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
    wide, own = min(WIDER * limit, LIMIT_MAX), [row.id for row in rows]
    selection = Selection(ANYWHERE, workspace=ANYWHERE, kinds=KINDS)
    text = checked_query(whole[0].text[:QUERY_MAX])
    result = search(service, text, selection, limit=wide, spare=min(len(own), LIMIT_MAX))
    candidates = selected(result, limit=wide, exclude=own)
    best = {memory.place.source: (ranked, memory) for ranked, memory in reversed(candidates)}
    best.pop(source.id, None)
    items = sorted(best.values(), key=candidates.index)[:limit]
    confidence = max((ranked.confidence for ranked, _ in items), default=0.0)
    return Hits(hits_of(items, result.titles), result.signals.total, result.degraded, confidence=confidence)
