"""Sources of imports: registered once for the same content (S2.4), listed and removed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import LIMIT_MAX, checked_count, checked_flag, safe_repr
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.kinds import EVIDENCE, KINDS
from holdfast.core.review import Result
from holdfast.core.sources import Source, SourceMoved
from holdfast.core.views import ANY_STATE, GONE, personal_view
from holdfast.features.access.permission import check_may_take_away_all
from holdfast.features.admission.digests import keyed_digest
from holdfast.features.admission.names import checked_name
from holdfast.features.memories.source_removal import drop_source
from holdfast.features.projects import relocate
from holdfast.features.service import Service
from holdfast.features.sessions.sessions import move_sessions, sessions_of_source

FILENAME_MAX = 1_000
_KNOWLEDGE = frozenset(KINDS) - EVIDENCE
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
    """Registers a source, or returns the one that the owner registered for the same content before."""
    digest = _digest(service, sha256)
    checked_count(message_count, "message_count")
    checked_count(conversation_count, "conversation_count")
    if filename is not None and (not isinstance(filename, str) or len(filename) > FILENAME_MAX):
        raise InvalidInput(
            f"filename must be text of at most {FILENAME_MAX} characters", code="argument_invalid"
        )
    now = service.clock()
    view = personal_view(service.principal)
    with service.store.write() as tx:
        existing = next((source for source in tx.sources(view) if source.digest == digest), None)
        if existing is not None:
            return existing
        source = Source(
            id=service.new_id(now),
            owner=service.principal.user,
            platform=checked_name(platform, "platform"),
            digest=digest,
            ingested_at=now,
            filename=None if filename is None else service.admission.clean_text(filename),
            message_count=message_count,
            conversation_count=conversation_count,
            metadata=service.admission.clean_json(metadata),
        )
        source = tx.put_source(source)
        detail = {"platform": source.platform, "messages": message_count}
        tx.add_event(
            at=now, actor=service.principal.label, action="add_source", subject=source.id, detail=detail
        )
        return source


def settle_source(service: Service, id: str, *, message_count: int, conversation_count: int) -> Source:
    """Records the counts of a source once all of it was read. Raises NotFound."""
    view = personal_view(service.principal)
    with service.store.write() as tx:
        existing = next((source for source in tx.sources(view) if source.id == id), None)
        if existing is None:
            raise NotFound(f"there is no source {safe_repr(id)}", code="source_not_found")
        return tx.put_source(
            replace(existing, message_count=message_count, conversation_count=conversation_count)
        )


def checked_sha256(value: object) -> str:
    """Returns a SHA-256 in hexadecimal unchanged. Raises InvalidInput `argument_invalid`."""
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise InvalidInput("sha256 must be 64 hexadecimal digits", code="argument_invalid")
    return value


def list_sources(service: Service, sha256: str | None = None) -> list[Source]:
    """Returns the owner's sources, oldest first; with a digest only that of the same content."""
    digest = None if sha256 is None else _digest(service, sha256)
    with service.store.read() as snap:
        sources = snap.sources(personal_view(service.principal))
        imports = [source for source in sources if source.visibility is None]
        return [source for source in imports if digest in (None, source.digest)]


def _digest(service: Service, sha256: str) -> str:
    """Returns the digest by which the store knows a content."""
    return keyed_digest(service.store.digest_key, checked_sha256(sha256))


def delete_source(service: Service, id: str, *, hard: bool = False) -> int:
    """Removes a source with its evidence: messages, episodes and passages (S1.64, S1.68).

    They are forgotten, and `restore` brings each back; with `hard` they and the source are erased, so that no
    byte is left, even if both were forgotten before. Knowledge made from them stays. Returns the number of
    memories. Raises NotFound, or Refusal `edited_by_person`.
    """
    checked_flag(hard, "hard")
    now = service.clock()
    everything = personal_view(service.principal, GONE, closed=True)
    with service.store.write() as tx:
        check_may_take_away_all(
            service.principal,
            tx,
            everything,
            lambda m: m.source == id and KINDS[m.kind].is_evidence and (hard or m.deleted_at is None),
        )
        removed_ids = drop_source(service, tx, _checked_id(id), now=now, hard=hard)
        tx.add_event(
            at=now,
            actor=service.principal.label,
            action="erase_source" if hard else "delete_source",
            subject=id,
            detail={"count": len(removed_ids)},
        )
    if hard:
        service.drop_counts(removed_ids)
        service.store.scrub()
    return len(removed_ids)


def move_source(service: Service, id: str, project: str | None) -> SourceMoved:
    """Moves all that came from a source to a project, or with None out of all projects: conversations with
    their messages, then knowledge. What is there already stays where it is. Raises NotFound."""
    view = personal_view(service.principal, replace(ANY_STATE, kinds=_KNOWLEDGE))
    with service.store.read() as snap:
        if not any(source.id == id for source in snap.sources(view)):
            raise NotFound(f"there is no source {safe_repr(id)}", code="source_not_found")
        sessions = sessions_of_source(snap, service, id)
        related = snap.related(view, [_checked_id(id)], now=service.clock())
        # observations and relations move with their entity
        ids = [m.id for m in related if m.source == id and m.project != project and not m.about]
    moved, left = 0, Counter[str]()
    for start in range(0, len(ids), LIMIT_MAX):
        for decision in relocate.move(service, ids[start : start + LIMIT_MAX], {"project": project}):
            if decision.result is Result.MOVED:
                moved += 1
            else:
                left[decision.code or decision.result.value] += 1
    return SourceMoved(move_sessions(service, sessions, project), moved, dict(left))


def move_content(service: Service, sha256: str, project: str | None) -> SourceMoved:
    """Moves what came from a source with this content, as `move_source` does; nothing if there is none."""
    sources = list_sources(service, sha256)
    return move_source(service, sources[0].id, project) if sources else SourceMoved(0, 0, {})


def _checked_id(id: object) -> str:
    if not isinstance(id, str) or len(id) > 100 or not id.isprintable():
        raise NotFound(f"there is no source {safe_repr(id)}", code="source_not_found")
    return id
