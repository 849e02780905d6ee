"""Sources: import batches, registered once for the same content (S2.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from holdfast.domain.errors import InvalidInput
from holdfast.domain.sources import Source
from holdfast.domain.views import personal_view
from holdfast.engine.admit import checked_name, clean_json, clean_text
from holdfast.engine.service import Service

_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


def add_source(
    service: Service,
    platform: str,
    sha256: str,
    *,
    filename: str | None = None,
    message_count: int = 0,
    conversation_count: int = 0,
    metadata: Mapping[str, Any] | None = None,
) -> Source:
    """The source with this content: registered, or the one that the owner registered before."""
    if not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
        raise InvalidInput("sha256 is 64 hexadecimal digits", code="argument_invalid")
    for count in (message_count, conversation_count):
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < 1 << 53:
            raise InvalidInput("a count is a whole number from 0", code="argument_invalid")
    if filename is not None and not isinstance(filename, str):
        raise InvalidInput("filename is text", code="argument_invalid")
    now = service.clock()
    view = personal_view(service.principal)
    with service.store.write() as tx:
        known = next((source for source in tx.sources(view) if source.sha256 == sha256), None)
        if known is not None:
            return known
        source = Source(
            id=service.new_id(now),
            owner=service.principal.user,
            platform=checked_name(platform, "platform"),
            sha256=sha256,
            ingested_at=now,
            filename=None if filename is None else clean_text(filename),
            message_count=message_count,
            conversation_count=conversation_count,
            metadata=clean_json(metadata),
        )
        tx.put_source(source)
        detail = {"platform": source.platform, "messages": message_count}
        tx.add_event(
            at=now, actor=service.principal.label, action="add_source", subject=source.id, detail=detail
        )
        return source


def list_sources(service: Service) -> list[Source]:
    """The owner's sources, oldest first."""
    with service.store.read() as snap:
        return snap.sources(personal_view(service.principal))
