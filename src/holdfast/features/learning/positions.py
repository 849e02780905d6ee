"""Positions up to which the logs of sessions were read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from holdfast.core.sources import TRANSCRIPT, Source
from holdfast.core.views import personal_view
from holdfast.features.admission.digests import keyed_digest
from holdfast.features.learning.rules.log import Position
from holdfast.features.service import Service


def offset_of(service: Service, key: str) -> int:
    """Returns how far the log with this key was read, in bytes."""
    return int(cursor_of(service, Position(key, 0)).metadata.get("offset", 0))


def unread(service: Service, positions: Collection[Position]) -> list[Position]:
    """Returns the positions that lie beyond those up to which their logs were read."""
    with service.store.read() as snap:
        sources = snap.sources(personal_view(service.principal))
    read = {source.digest: source.metadata.get("offset", 0) for source in sources}
    key = service.store.digest_key
    return [one for one in positions if read.get(keyed_digest(key, one.key), 0) < one.offset]


def pass_over(service: Service, position: Position) -> None:
    """Notes a log as read up to a position, so that nothing before it is learned."""
    cursor = cursor_of(service, position)
    with service.store.write() as tx:
        tx.put_source(replace(cursor, metadata={**cursor.metadata, "offset": position.offset}))


def cursor_of(service: Service, position: Position | None) -> Source:
    """Returns the record of how far a log was read, with the number of lessons so far."""
    digest = "" if position is None else keyed_digest(service.store.digest_key, position.key)
    if digest:
        with service.store.read() as snap:
            for source in snap.sources(personal_view(service.principal)):
                if source.digest == digest:
                    return source
    now, name = service.clock(), None if position is None else position.name
    return Source(service.new_id(now), service.principal.user, TRANSCRIPT, digest, now, name)
