"""Conversations that an import brings as they are here already: nothing of them is stored again."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from holdfast.core.projects import ProjectState
from holdfast.core.record import Memory, Status
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.admission.admission import Admission
from holdfast.features.admission.digests import SHORT, keyed_digest
from holdfast.features.memories.browse import pages
from holdfast.features.memories.exclusions import gate_of
from holdfast.features.service import Service
from holdfast.features.sessions.replaced import REPLACED
from holdfast.features.sessions.sessions import DIGEST, SOURCE

KNOWN = "the conversation is here already"
"""Why a message of an unchanged conversation is not stored again."""
_FACES = frozenset({"cli", "http", "integrations", "mcp", "web"})
"""The parts of the package that hand imports over and decide nothing. Any other may decide."""


class Unchanged:
    """Recognises conversations that were imported before, in full and by the same rules and settings."""

    def __init__(self, service: Service, place: Mapping[str, Any]) -> None:
        self._service = service
        self._base = repr((_rules(), _settings(gate_of(service)), sorted(place.items())))

    def digest_of(self, conversation: Any) -> str:
        """Returns the keyed digest of a conversation, its place and what decides about its texts."""
        content = hashlib.sha256(
            f"{self._base}\0{conversation!r}".encode("utf-8", "surrogatepass")
        ).hexdigest()
        return keyed_digest(self._service.store.digest_key, content)[:SHORT]

    def find(self, id: str, digest: str, messages: Collection[str]) -> dict[str, Memory] | None:
        """Returns the messages of a conversation by their ids if all of them are here as they were imported;
        None if one was forgotten, edited or has ended, or if anything else has changed."""
        service, view = self._service, personal_view(self._service.principal)
        with service.store.read() as snap:
            session = snap.session(view, id)
            if session is None or session.archived:
                return None
            project = None if session.project is None else snap.project(view, session.project)
            if session.project is not None and (project is None or project.state is not ProjectState.ACTIVE):
                return None
            if SOURCE not in session.metadata or session.metadata.get(DIGEST) != digest:
                return None
            criteria = replace(ANY_STATE, session=session.number, kinds=frozenset({"message"}))
            here = {
                memory.external_id: memory
                for memory in pages(snap, view.narrowed(criteria))
                if memory.external_id is not None and _stands(memory, service.clock())
            }
        return {id: here[id] for id in messages} if here.keys() >= set(messages) else None


def _stands(memory: Memory, now: int) -> bool:
    """Returns whether a message is as it was imported: not edited, forgotten, rejected or ended. One that a
    later version in its conversation replaced still counts."""
    if memory.edited or memory.deleted_at is not None:
        return False
    if memory.status is Status.SUPERSEDED:
        return memory.status_reason == REPLACED
    has_ended = (memory.expires_at or now + 1) <= now or (memory.valid_until or now + 1) <= now
    return memory.status is Status.APPROVED and not has_ended


def _settings(gate: Admission) -> tuple[Any, ...]:
    return (
        gate.principal.label, gate.entropy, repr(gate.topics.all), gate.expiry_days, gate.pii_patterns,
        [exclusion.text for exclusion in gate.exclusions],
    )  # fmt: skip


@cache
def _rules() -> str:
    """Returns the digest of the package but for its faces."""
    root, digest = Path(__file__).parents[2], hashlib.sha256()
    for part in sorted(root.iterdir()):
        if part.name in _FACES or part.name == "__pycache__":
            continue
        for path in sorted(part.rglob("*")) if part.is_dir() else [part]:
            if path.parent.name != "__pycache__" and path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()
