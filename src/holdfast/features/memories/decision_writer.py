"""Writes what was decided about new texts, within one transaction."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from holdfast.core.kinds import KINDS
from holdfast.core.record import Kept, Memory
from holdfast.core.views import ANY_STATE, View, place_view
from holdfast.features.memories import embed
from holdfast.features.service import Service
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Writer

if TYPE_CHECKING:
    from holdfast.features.memories.dedupe import Decision
    from holdfast.features.memories.lookahead import Lookahead, Vectors


class DecisionWriter:
    """Writes decisions one by one, and one event for all evidence among them."""

    def __init__(self, service: Service, tx: Writer, now: int, lookahead: Lookahead) -> None:
        self._service = service
        self._tx = tx
        self._now = now
        self._lookahead = lookahead
        self._evidence: list[Memory] = []

    def write(self, decision: Decision, vectors: Vectors) -> Kept:
        """Writes a decision and returns the outcome of its text."""
        stored, existing = decision.existing, decision.existing
        if decision.text is not None:
            stored = self._added(decision.text, existing, vectors)
        if decision.patch is not None and existing is not None:
            patched = self._tx.patch(_view(existing), existing.id, decision.patch, now=self._now)
            self._lookahead.note_changed(patched)
            stored = patched if decision.text is None else stored
        for action, subject, detail in decision.events:
            self._add_event(action, subject, detail)
        redactions = () if decision.text is None or stored is None else stored.redactions
        return Kept(decision.outcome, stored, decision.reason, redactions, related=decision.related)

    def add_batch_event(self) -> None:
        """Writes one event for all evidence."""
        if len(self._evidence) == 1:
            self._add_event("remember", self._evidence[0].id, {"kind": self._evidence[0].kind})
        elif self._evidence:
            ids = [memory.id for memory in self._evidence]
            digest = hashlib.sha256("\n".join(ids).encode()).hexdigest()
            kinds = sorted({memory.kind for memory in self._evidence})
            self._add_event(
                "remember_batch",
                None,
                {"count": len(ids), "first": ids[0], "last": ids[-1], "ids_sha256": digest, "kinds": kinds},
            )

    def _added(self, text: Admitted, existing: Memory | None, vectors: Vectors) -> Memory:
        """Inserts a text as a new memory, or as the next version of an existing one."""
        model = self._service.embedder.model
        if existing is not None and text.memory.id == existing.id:
            stored = self._tx.insert_version(_view(existing), text, vectors, model)
            self._lookahead.note_added(stored)
            self._lookahead.note_changed(stored)
        else:
            # the look-ups before have found nothing of the same identity, so nobody waits for what it becomes
            self._tx.insert_all([(text, vectors)], model)
            stored = text.memory
            self._lookahead.note_added(stored, vectors)
            if KINDS[stored.kind].is_evidence:
                self._evidence.append(stored)
        embed.queue(self._service, self._tx, stored, vectors, self._now)
        return stored

    def _add_event(self, action: str, subject: str | None, detail: dict[str, Any]) -> None:
        actor = self._service.principal.label
        self._tx.add_event(at=self._now, actor=actor, action=action, subject=subject, detail=detail)


def _view(memory: Memory) -> View:
    return place_view(memory.place, memory.kind, ANY_STATE)
