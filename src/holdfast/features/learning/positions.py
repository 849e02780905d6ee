"""Positions up to which the logs of sessions were read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from holdfast.core.arguments import checked_names
from holdfast.core.errors import InvalidInput
from holdfast.core.sources import TRANSCRIPT, Source
from holdfast.core.views import personal_view
from holdfast.features.admission.digests import keyed_digest
from holdfast.features.learning.rules.log import Position
from holdfast.features.service import Service

KEYS_MAX = 100
"""Maximum number of logs that are asked about at once."""


def offset_of(service: Service, key: str) -> int:
    """Returns how far the log with this key was read, in bytes."""
    return int(cursor_of(service, Position(key, 0)).metadata.get("offset", 0))


def offsets_of(service: Service, keys: Collection[str]) -> Mapping[str, int]:
    """Returns how far logs were read, in bytes, by key; 0 for one that was not. Raises InvalidInput."""
    names = checked_names(keys, "keys")
    if len(names) > KEYS_MAX:
        raise InvalidInput(f"at most {KEYS_MAX} logs at once", code="argument_invalid")
    read = {source.digest: int(source.metadata.get("offset", 0)) for source in _read(service)}
    secret = service.store.digest_key
    return {key: read.get(keyed_digest(secret, key), 0) for key in names}


def first_read_at(service: Service) -> int | None:
    """Returns when the first log was read; None if none was."""
    return min((source.ingested_at for source in _read(service)), default=None)


def _read(service: Service) -> list[Source]:
    """Returns the records of the logs that were read."""
    with service.store.read() as snap:
        sources = snap.sources(personal_view(service.principal))
    return [source for source in sources if source.platform == TRANSCRIPT]


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
