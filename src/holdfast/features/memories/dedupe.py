"""Deduplication: compares a new text with the memories of its place, then stores, merges or supersedes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.errors import InvalidInput, NotFound, Refusal
from holdfast.core.kinds import AGENT_SESSION_LIMIT, KINDS, Nature
from holdfast.core.record import Kept, Memory, Outcome, Status, external_key, is_same_knowledge
from holdfast.core.review import CONFIRMED, is_flagged_by_machine, moved_by
from holdfast.core.views import ANY_STATE, Filter, View, personal_view, place_view
from holdfast.features.access.permission import check_may_change, why_not_change, why_not_review
from holdfast.features.access.places import PlaceResolver, external_id_taken
from holdfast.features.admission.draft import Draft
from holdfast.features.memories import embed
from holdfast.features.memories import entity_links as graph_links
from holdfast.features.memories.lookahead import COMPARED, Lookahead
from holdfast.features.memories.naming import named_memory
from holdfast.features.memories.outdated import outdated
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.language.statements.compare import Verdict, compare
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Patch, Writer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.features.memories.lookahead import Coming

    Vectors = NDArray[np.float32] | None

_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)


class Deduplicator:
    """Stores texts one by one within one transaction."""

    def __init__(self, service: Service, tx: Writer, now: int, batch: Sequence[Coming]) -> None:
        self._service = service
        self._tx = tx
        self._now = now
        self.places = PlaceResolver(service, tx, now)
        self._actor = service.principal.label
        self._evidence: list[Memory] = []
        self._sources: set[str] = set()
        self._external_keys: set[str | None] = set()
        self._lookahead = Lookahead(tx, service.principal, self._model, now, batch)
        self._fresh: dict[str, Memory] = {}
        """The knowledge stored in this transaction, as it is by now."""
        self._before: list[tuple[str, Memory | None]] = []
        """Entries of `_fresh` before the current text changed them, by id; None if there was none."""

    def store(self, admitted: Admitted, vectors: Vectors, draft: Draft) -> Kept:
        """Stores one admitted text in its place, or returns the memory that already says the same."""
        memory, supersedes = admitted.memory, draft.supersedes
        self._before.clear()
        self._check_source(memory)
        existing = self._with_same_id(memory)
        if existing is not None:
            if draft.if_absent:
                raise external_id_taken(existing)
            return self._store_same_id(existing, admitted, vectors, draft)
        if KINDS[memory.kind].is_evidence:
            if supersedes is not None:
                raise InvalidInput("evidence cannot supersede another memory", code="argument_invalid")
            self._insert(admitted, vectors)
            self._evidence.append(memory)
            return self._outcome_of(memory)
        existing = self._lookahead.same(memory)
        if existing is not None:
            return self._store_same_text(existing, admitted, vectors)
        self._check_session_limit(memory)
        if supersedes is not None:
            return self._replace(
                self._superseded_memory(supersedes, memory), admitted, vectors, "as requested"
            )
        if KINDS[memory.kind].nature is Nature.KNOWLEDGE:
            return self._store_compared(admitted, vectors)
        return self._create(admitted, vectors)

    def forget_refused(self) -> None:
        """Forgets what was made for a text that was refused: it was rolled back."""
        for id, memory in reversed(self._before):
            if memory is None:
                del self._fresh[id]
            else:
                self._fresh[id] = memory
        self._before.clear()
        self.places = PlaceResolver(self._service, self._tx, self._now)

    def add_batch_event(self) -> None:
        """Writes one event for all evidence of the batch."""
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

    # the same memory again

    def _with_same_id(self, memory: Memory) -> Memory | None:
        """Returns the live memory with the same external id.

        A session that this transaction created holds only what the transaction stored there, so a long import
        skips these lookups.
        """
        session = memory.place.session
        if session in self.places.created_sessions and KINDS[memory.kind].is_evidence:
            key = external_key(memory.kind, memory.place, memory.external_id)
            if key not in self._external_keys:
                self._external_keys.add(key)
                return None
        return self._lookahead.external(memory)

    def _store_same_id(self, existing: Memory, admitted: Admitted, vectors: Vectors, draft: Draft) -> Kept:
        """Stores a text with an existing external id: nothing to do, or a new version (S1.41)."""
        memory = admitted.memory
        graph_links.check_same_thing(existing, memory)
        same = (existing.text, existing.title, existing.kind) == (memory.text, memory.title, memory.kind)
        same = same and memory.tags in ((), existing.tags) and memory.metadata in ({}, existing.metadata)
        # a superseded memory that is sent again stays superseded, or each import would revive it
        if same and (existing.status is Status.SUPERSEDED or not self._has_ended(existing)):
            return Kept(Outcome.DUPLICATE, existing, f"external id {memory.external_id!r} is already stored")
        if not same and draft.anew is not None:
            older = outdated(self._tx, self._service.principal, existing, memory, draft.changed_at)
            if older is not None:
                return older
        return self._new_version(
            existing, admitted, vectors, f"external id {memory.external_id!r} has a new text"
        )

    def _new_version(self, existing: Memory, admitted: Admitted, vectors: Vectors, why: str) -> Kept:
        check_may_change(self._service.principal, existing)
        stays = admitted.placed(existing.place, project=existing.project, session=existing.session)
        newer = next_version(existing, stays, self._now)
        if (
            existing.status is Status.PENDING
            and why_not_review(self._service.principal, existing) is not None
        ):
            newer = newer.with_memory(status=existing.status, status_reason=existing.status_reason)
        stored = self._tx.insert_version(self._place_view(existing, ANY_STATE), newer, vectors, self._model)
        self._lookahead.note_added(stored)
        self._note_changed(stored)
        embed.queue(self._service, self._tx, stored, vectors, self._now)
        self._add_event("revise", stored.id, {"version": stored.version})
        reason = f"{why}; version {stored.version} replaces version {existing.version}"
        return Kept(Outcome.SUPERSEDED, stored, reason, stored.redactions, related=existing.id)

    def _store_same_text(self, existing: Memory, admitted: Admitted, vectors: Vectors) -> Kept:
        memory = admitted.memory
        # an entity without notes of its own adds nothing
        if memory.kind == "entity" and memory.text not in (existing.text, memory.title):
            return self._new_version(existing, admitted, vectors, "the entity had other notes")
        may_change = why_not_change(self._service.principal, existing) is None
        if may_change and self._has_ended(existing) and existing.status in (Status.APPROVED, Status.PENDING):
            fields = ("expires_at", "valid_until")
            patch = Patch(
                expires_at=memory.expires_at,
                valid_until=memory.valid_until,
                clear=frozenset(name for name in fields if getattr(memory, name) is None),
            )
            stored = self._patch(existing, patch)
            self._add_event("revive", existing.id, {})
            return Kept(Outcome.CREATED, stored, "it had expired and is active again")
        if self._settles_review(existing, memory):
            patch = Patch(
                status=Status.APPROVED, confidence=memory.confidence, clear=frozenset({"status_reason"})
            )
            stored = self._patch(existing, patch)
            self._add_event("approve", existing.id, {"by": "repetition"})
            was = "was flagged by an agent" if is_flagged_by_machine(existing) else "was waiting for review"
            return Kept(Outcome.MERGED, stored, f"it {was} and is now approved", related=existing.id)
        if (
            may_change
            and (anchors := staleness.renewed(self._tx, self._service.principal, existing)) is not None
        ):
            stored = self._patch(existing, Patch(anchors=anchors))
            self._add_event("confirm", existing.id, {})
            reason = f"exactly this text is already stored; confirmed for {existing.about_file} as it is now"
            return Kept(Outcome.MERGED, stored, reason, related=existing.id)
        if not may_change and self._has_ended(existing):  # else recall would find neither text
            check_may_change(self._service.principal, existing)
        state = "" if existing.status is Status.APPROVED else f" and {existing.status.value}"
        return Kept(
            Outcome.DUPLICATE, existing, f"exactly this text is already stored{state}", related=existing.id
        )

    # similar memories

    def _store_compared(self, admitted: Admitted, vectors: Vectors) -> Kept:
        memory = admitted.memory
        for existing, similarity in self._neighbours(admitted, vectors):
            if existing.place.branch != memory.place.branch or existing.place.scope != memory.place.scope:
                continue
            comparison = compare(existing.embedding_text, memory.embedding_text, similarity=similarity)
            if comparison.verdict is Verdict.SAME and is_same_knowledge(memory, existing):
                return self._confirm(existing, memory, comparison.reason)
            if comparison.verdict is Verdict.CONTRADICTS and not self._are_about_different_people(
                existing, memory
            ):
                return self._store_contradiction(existing, admitted, vectors, comparison.reason)
        return self._create(admitted, vectors)

    def _neighbours(self, admitted: Admitted, vectors: Vectors) -> list[tuple[Memory, float]]:
        """Returns memories of the same place and kind that are near in meaning or, without vectors, in
        words."""
        memory = admitted.memory
        near = {one.id: (one, likeness) for one, likeness in self._lookahead.near(admitted, vectors)}
        for id, likeness in () if vectors is None else self._lookahead.near_fresh(memory, vectors):
            current = self._fresh.get(id)
            if current is not None and current.status in COMPARED:
                near[id] = current, likeness
        return sorted(near.values(), key=lambda pair: -pair[1])

    def _confirm(self, existing: Memory, memory: Memory, reason: str) -> Kept:
        if why_not_change(self._service.principal, existing) is not None:
            return Kept(
                Outcome.MERGED,
                existing,
                f"it says the same as a stored memory: {reason}",
                related=existing.id,
            )
        known = max(existing.confidence, memory.confidence)
        confidence = moved_by(known, CONFIRMED, self._service.principal)
        status = Status.APPROVED if self._settles_review(existing, memory) else None
        anchors = staleness.renewed(self._tx, self._service.principal, existing)
        patch = Patch(confidence=confidence, status=status, anchors=anchors)
        stored = self._patch(existing, patch)
        self._add_event("merge", existing.id, {"confidence": confidence})
        return Kept(
            Outcome.MERGED, stored, f"it says the same as a stored memory: {reason}", related=existing.id
        )

    def _store_contradiction(
        self, existing: Memory, admitted: Admitted, vectors: Vectors, comparison_reason: str
    ) -> Kept:
        memory = admitted.memory
        if existing.status is Status.PENDING:
            return self._create(admitted, vectors)
        if memory.status is Status.PENDING:
            reason = f"{memory.status_reason}; it contradicts memory {existing.id}"
            return self._create(admitted.with_memory(status_reason=reason, supersedes=existing.id), vectors)
        barred = why_not_change(self._service.principal, existing)
        if barred is not None:
            # without the text of the other memory: this reason must not outlive it
            reason = f"contradicts memory {existing.id}, which stays: {barred.message}"
            pending = {"status": Status.PENDING, "status_reason": reason, "supersedes": existing.id}
            return self._create(admitted.with_memory(**pending), vectors)
        # only a stated time counts: a clock that was set back must not bring back outdated statements
        if memory.at != memory.recorded_at and memory.at < existing.at:
            return self._store_outdated(existing, admitted, vectors, comparison_reason)
        return self._replace(existing, admitted, vectors, comparison_reason)

    def _replace(self, existing: Memory, admitted: Admitted, vectors: Vectors, why: str) -> Kept:
        """Supersedes the existing memory, whose validity ends (S2.37, S4.25)."""
        memory = admitted.memory
        if memory.status is Status.PENDING:  # it supersedes the old one once a person approves it
            return self._create(admitted.with_memory(supersedes=existing.id), vectors)
        stored = self._insert(admitted.with_memory(supersedes=existing.id), vectors)
        patch = Patch(
            status=Status.SUPERSEDED,
            status_reason="superseded",
            superseded_by=stored.id,
            valid_until=memory.holds_from,
        )
        self._patch(existing, patch)
        self._add_event("remember", stored.id, {"kind": stored.kind, "supersedes": existing.id})
        self._add_event("supersede", existing.id, {"by": stored.id})
        reason = f"updated: {_quoted(existing.text)} -> {_quoted(stored.text)} ({why})"
        return Kept(Outcome.SUPERSEDED, stored, reason, stored.redactions, related=existing.id)

    def _store_outdated(self, existing: Memory, admitted: Admitted, vectors: Vectors, why: str) -> Kept:
        """Stores a statement that is older than the existing one as superseded by it (S1.20)."""
        past = admitted.with_memory(
            status=Status.SUPERSEDED,
            status_reason="superseded",
            superseded_by=existing.id,
            valid_until=existing.holds_from,
        )
        stored = self._insert(past, vectors)
        self._add_event("remember", stored.id, {"kind": stored.kind, "superseded_by": existing.id})
        reason = f"it is older than {_quoted(existing.text)}, which stays ({why})"
        return Kept(Outcome.SUPERSEDED, stored, reason, stored.redactions, related=existing.id)

    # inserting

    def _create(self, admitted: Admitted, vectors: Vectors) -> Kept:
        stored = self._insert(admitted, vectors)
        about = {"about": list(stored.about)} if stored.about else {}
        self._add_event("remember", stored.id, {"kind": stored.kind, "status": stored.status.value, **about})
        return self._outcome_of(stored)

    def _insert(self, admitted: Admitted, vectors: Vectors) -> Memory:
        # the look-ups before have found nothing of the same identity, so nobody waits for what it becomes
        self._tx.insert_all([(admitted, vectors)], self._model)
        stored = admitted.memory
        self._lookahead.note_added(stored)
        embed.queue(self._service, self._tx, stored, vectors, self._now)
        if vectors is not None and KINDS[stored.kind].nature is Nature.KNOWLEDGE:
            self._lookahead.note_fresh(stored, vectors)
            self._before.append((stored.id, None))
            self._fresh[stored.id] = stored
        return stored

    def _patch(self, existing: Memory, patch: Patch) -> Memory:
        stored = self._tx.patch(self._place_view(existing, ANY_STATE), existing.id, patch, now=self._now)
        self._note_changed(stored)
        return stored

    def _note_changed(self, memory: Memory) -> None:
        self._lookahead.note_changed(memory)
        if memory.id in self._fresh:
            self._before.append((memory.id, self._fresh[memory.id]))
            self._fresh[memory.id] = memory

    def _outcome_of(self, memory: Memory) -> Kept:
        if memory.status is Status.PENDING:
            reason = f"waits for review: {memory.status_reason}"
            return Kept(Outcome.PENDING, memory, reason, memory.redactions)
        if memory.redactions:
            types = ", ".join(dict.fromkeys(memory.redactions))
            return Kept(Outcome.REDACTED, memory, f"stored without: {types}", memory.redactions)
        return Kept(Outcome.CREATED, memory, "stored")

    # helpers

    @property
    def _model(self) -> str:
        return self._service.embedder.model

    @staticmethod
    def _are_about_different_people(existing: Memory, memory: Memory) -> bool:
        """Returns whether two people speak about themselves: "my name is Ada" does not contradict
        another's."""
        return existing.place.owner != memory.place.owner and bool(_FIRST_PERSON.search(memory.text))

    def _superseded_memory(self, id: str, memory: Memory) -> Memory:
        named = named_memory(self._tx, self._service.principal, id)
        target = None if named is None else self._tx.get(self._place_view(memory, ANY_STATE), named.id)
        if target is None or KINDS[target.kind].is_evidence:
            raise NotFound(f"there is no memory {id!r:.60} in this place", code="memory_not_found")
        if target.status is Status.SUPERSEDED:
            raise InvalidInput(
                f"memory {target.id} is already superseded by {target.superseded_by}",
                code="argument_invalid",
                hint="use the id of the newer one",
            )
        check_may_change(self._service.principal, target)
        return target

    def _settles_review(self, existing: Memory, memory: Memory) -> bool:
        """Returns whether a repetition that needs no review approves the existing memory: one that waits, or
        that a machine has flagged as wrong."""
        is_open = existing.status is Status.PENDING or is_flagged_by_machine(existing)
        settles = is_open and memory.status is Status.APPROVED
        return settles and why_not_review(self._service.principal, existing) is None

    def _has_ended(self, existing: Memory) -> bool:
        """Returns whether a memory has expired or is no longer valid."""
        ends = (existing.expires_at, existing.valid_until)
        return not existing.pinned and any(end is not None and end <= self._now for end in ends)

    def _check_source(self, memory: Memory) -> None:
        if memory.source is None or memory.source in self._sources:
            return
        self._sources |= {source.id for source in self._tx.sources(personal_view(self._service.principal))}
        if memory.source not in self._sources:
            raise NotFound(f"there is no source {memory.source!r:.60}", code="source_not_found")

    def _check_session_limit(self, memory: Memory) -> None:
        if self._service.principal.agent is None or memory.place.session is None:
            return
        view = personal_view(self._service.principal)
        if self._tx.agent_count(view, memory.place.session, self._actor) >= AGENT_SESSION_LIMIT:
            raise Refusal(
                f"this agent has already stored {AGENT_SESSION_LIMIT} memories in the session",
                code="session_limit",
            )

    def _place_view(self, memory: Memory, narrowing: Filter) -> View:
        return place_view(memory.place, memory.kind, narrowing)

    def _add_event(self, action: str, subject: str | None, detail: dict[str, object]) -> None:
        self._tx.add_event(at=self._now, actor=self._actor, action=action, subject=subject, detail=detail)


def next_version(existing: Memory, admitted: Admitted, now: int) -> Admitted:
    """Builds the next version of an existing memory from an admitted text: same id, place and use, new
    text."""
    new = admitted.memory
    return admitted.with_memory(
        id=existing.id,
        version=existing.version + 1,
        recorded_at=existing.recorded_at,
        updated_at=now,
        at=new.at if new.at != new.recorded_at else existing.at,
        pinned=existing.pinned,
        edited=existing.edited,
        use_count=existing.use_count,
        last_used_at=existing.last_used_at,
        supersedes=existing.supersedes,
        about=existing.about,
        fingerprint=new.fingerprint or existing.fingerprint,
    )


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
