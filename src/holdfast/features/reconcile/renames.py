"""Sources that were renamed: found again by what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from holdfast.core.reconciled import VANISHED, Entities, Fingerprint
from holdfast.core.sources import Source
from holdfast.core.views import personal_view
from holdfast.features.reconcile.apply import Payload
from holdfast.features.reconcile.entities import contents_of, id_of, type_of
from holdfast.features.reconcile.sources import described_view, digest_of, why_not_reconcile
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader


def find_renamed(
    reader: Reader, service: Service, payload: Payload, project: str | None, ids: Collection[str]
) -> Source | None:
    """Returns the only one of the sources with these ids that holds what a payload holds: all of it and
    nothing else, in the same project. None if there are several, since nothing tells which it is."""
    view = personal_view(service.principal)
    home = None if project is None else reader.project(view, project)
    if project is not None and home is None:
        return None
    matches = [
        source
        for source in reader.described(view)
        if source.id in ids
        and source.deleted_at is None
        and source.platform == payload.platform
        and source.project == (None if home is None else home.number)
        and why_not_reconcile(service.principal, source) is None
        and _holds(reader.fingerprints(described_view(source), source.id), payload.entities)
    ]
    return matches[0] if len(matches) == 1 else None


def is_renamed(service: Service, source: Source, file: str) -> bool:
    """Returns whether a source was called otherwise than `file` until now."""
    return source.digest != digest_of(service, file, source.project)


def _holds(rows: Sequence[Fingerprint], entities: Entities) -> bool:
    """Returns whether descriptions, or those that were removed last because all was gone, are those of the
    entities, whatever these are called."""
    unread = {(type_of(entity.type).kind, id_of(entity)) for entity in entities if entity.error is not None}
    rows = [row for row in rows if not row.is_proposal and (row.kind, row.external_id) not in unread]
    current = [row for row in rows if row.deleted_at is None]
    if all(row.is_held for row in current):
        removed = [row for row in rows if row.deleted_at is not None and row.deleted_reason == VANISHED]
        last = max((row.deleted_at or 0 for row in removed), default=0)
        current += [row for row in removed if row.deleted_at == last]
    readable = [entity for entity in entities if entity.error is None]
    contents = Counter(
        (type_of(entity.type).kind, content)
        for entity, content in zip(readable, contents_of(readable), strict=True)
    )
    forgotten = [row for row in rows if row.deleted_at is not None and not row.may_return]
    contents -= Counter((row.kind, row.content) for row in forgotten)
    return bool(current) and contents == Counter((row.kind, row.content) for row in current)
