"""Deduplication: decides what becomes of a new text beside the memories of its place. It writes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidInput, NotFound, Refusal
from holdfast.core.kinds import AGENT_SESSION_LIMIT, KINDS, Nature
from holdfast.core.record import Memory, Outcome, Status, is_same_knowledge
from holdfast.core.review import CONFIRMED, is_flagged_by_machine, moved_by
from holdfast.core.views import ANY_STATE, personal_view, place_view
from holdfast.features.access.permission import (
    check_may_change,
    check_may_take_away,
    why_not_change,
    why_not_review,
    why_not_take_away,
)
from holdfast.features.access.places import external_id_taken
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.sanitizer import EXCLUDED
from holdfast.features.memories.entity_links import check_same_thing
from holdfast.features.memories.exclusions import exclusions_in
from holdfast.features.memories.naming import named_memory
from holdfast.features.memories.outdated import why_outdated
from holdfast.features.staleness import staleness
from holdfast.language.statements.compare import Verdict, compare
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Patch, Reader

if TYPE_CHECKING:
    from holdfast.core.places import Principal
    from holdfast.features.memories.lookahead import Lookahead, Vectors
    from holdfast.language.exclusion import Exclusion

_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of a text, and what is to be written for it.

    `text` is stored as a new memory, or as the next version of `existing` if it has its id. `patch` changes
    `existing`. `events` are the action, subject and detail of each event. With neither a text nor a patch
    nothing is written. `related` is the id of the memory that the text was compared with.
    """

    outcome: Outcome
    reason: str
    existing: Memory | None = None
    text: Admitted | None = None
    patch: Patch | None = None
    events: tuple[tuple[str, str, dict[str, Any]], ...] = ()
    related: str | None = None


class Deduplicator:
    """Decides for the texts of one transaction, one by one."""

    def __init__(self, reader: Reader, principal: Principal, now: int, lookahead: Lookahead) -> None:
        self._reader = reader
        self._principal = principal
        self._now = now
        self._lookahead = lookahead
        self._sources: set[str] = set()
        self._exclusions: tuple[Exclusion, ...] | None = None

    def decide(self, admitted: Admitted, vectors: Vectors, draft: Draft, *, in_new_session: bool) -> Decision:
        """Decides whether a text is stored in its place, or which memory already says the same. Raises
        InvalidInput, NotFound, Conflict or Refusal for one that cannot be stored."""
        memory, supersedes = admitted.memory, draft.supersedes
        self._check_source(memory)
        existing = self._lookahead.external(memory, in_new_session=in_new_session)
        if existing is not None:
            if draft.if_absent:
                raise external_id_taken(existing)
            return self._same_id(existing, admitted, draft)
        if KINDS[memory.kind].is_evidence:
            if supersedes is not None:
                raise InvalidInput("evidence cannot supersede another memory", code="argument_invalid")
            return Decision(*_outcome_of(memory), text=admitted)
        existing = self._lookahead.same(memory)
        if existing is not None:
            return self._same_text(existing, admitted)
        self._check_session_limit(memory)
        if supersedes is not None:
            return _replacement(self._superseded_memory(supersedes, memory), admitted, "as requested")
        if KINDS[memory.kind].nature is Nature.KNOWLEDGE:
            return self._compared(admitted, vectors)
        return _created(admitted)

    # the same memory again

    def _same_id(self, existing: Memory, admitted: Admitted, draft: Draft) -> Decision:
        """Decides about a text with an existing external id: nothing to do, or a new version (S1.41)."""
        memory = admitted.memory
        check_same_thing(existing, memory)
        same = (existing.text, existing.kind) == (memory.text, memory.kind)
        # the title of a message is that of its conversation, which has a name here
        named_here = memory.place.session is not None and KINDS[memory.kind].is_evidence
        is_title_open = named_here and (memory.title is None or draft.anew is not None)
        same = same and (is_title_open or existing.title == memory.title)
        same = same and memory.tags in ((), existing.tags) and memory.metadata in ({}, existing.metadata)
        # a superseded memory that is sent again stays superseded, or each import would revive it
        if same and (existing.status is Status.SUPERSEDED or not self._has_ended(existing)):
            reason = f"external id {memory.external_id!r} is already stored"
            return Decision(Outcome.DUPLICATE, reason, existing)
        if not same and self._is_cut_from(existing, memory):
            return Decision(
                Outcome.DUPLICATE, f"external id {memory.external_id!r} is already stored", existing
            )
        if not same and draft.anew is not None:
            older = why_outdated(self._reader, self._principal, existing, memory, draft.changed_at)
            if older is not None:
                return Decision(Outcome.OUTDATED, older, existing, related=existing.id)
        return self._new_version(existing, admitted, f"external id {memory.external_id!r} has a new text")

    def _is_cut_from(self, existing: Memory, memory: Memory) -> bool:
        """Returns whether a text is what is stored, without what is never to be remembered from now on: what
        was stored before stays as it is."""
        if EXCLUDED not in memory.redactions or existing.kind != memory.kind:
            return False
        from holdfast.language.exclusion import taken_out  # its grammar is slow to compile

        if self._exclusions is None:
            self._exclusions = exclusions_in(self._reader, self._principal, self._now)
        return taken_out(existing.text, self._exclusions)[0] == memory.text

    def _new_version(self, existing: Memory, admitted: Admitted, why: str) -> Decision:
        """Returns the decision to store a text as a new version of an existing memory."""
        check_may_take_away(self._principal, self._reader, existing)
        stays = admitted.in_place(existing.place, project=existing.project, session=existing.session)
        newer = stays.next_version_of(existing, self._now)
        if existing.status is Status.PENDING and why_not_review(self._principal, existing) is not None:
            newer = newer.with_memory(status=existing.status, status_reason=existing.status_reason)
        version = newer.memory.version
        return Decision(
            Outcome.SUPERSEDED,
            f"{why}; version {version} replaces version {existing.version}",
            existing,
            text=newer,
            events=(("revise", existing.id, {"version": version}),),
            related=existing.id,
        )

    def _same_text(self, existing: Memory, admitted: Admitted) -> Decision:
        """Decides about a text that is stored word for word: it may have expired, wait for review, or be
        about a file that has changed."""
        memory = admitted.memory
        # an entity without notes of its own adds nothing
        if memory.kind == "entity" and memory.text not in (existing.text, memory.title):
            return self._new_version(existing, admitted, "the entity had other notes")
        may_change = why_not_change(self._principal, existing) is None
        has_ended = self._has_ended(existing)
        if may_change and has_ended and existing.status in (Status.APPROVED, Status.PENDING):
            fields = ("expires_at", "valid_until")
            patch = Patch(
                expires_at=memory.expires_at,
                valid_until=memory.valid_until,
                clear=frozenset(name for name in fields if getattr(memory, name) is None),
            )
            return Decision(
                Outcome.CREATED, "it had expired and is active again", existing, patch=patch,
                events=(("revive", existing.id, {}),),
            )  # fmt: skip
        if self._settles_review(existing, memory):
            was = "was flagged by an agent" if is_flagged_by_machine(existing) else "was waiting for review"
            patch = Patch(
                status=Status.APPROVED, confidence=memory.confidence, clear=frozenset({"status_reason"})
            )
            event = "approve", existing.id, {"by": "repetition"}
            return _merged(existing, f"it {was} and is now approved", patch, event)
        anchors = staleness.renewed(self._reader, self._principal, existing) if may_change else None
        if anchors is not None:
            reason = f"exactly this text is already stored; confirmed for {existing.about_file} as it is now"
            return _merged(existing, reason, Patch(anchors=anchors), ("confirm", existing.id, {}))
        if not may_change and has_ended:  # else recall would find neither text
            check_may_change(self._principal, existing)
        state = "" if existing.status is Status.APPROVED else f" and {existing.status.value}"
        reason = f"exactly this text is already stored{state}"
        return Decision(Outcome.DUPLICATE, reason, existing, related=existing.id)

    # similar memories

    def _compared(self, admitted: Admitted, vectors: Vectors) -> Decision:
        """Decides about knowledge by the nearest memory that says the same or contradicts it."""
        memory = admitted.memory
        for existing, similarity in self._lookahead.nearest(admitted, vectors):
            if existing.place.branch != memory.place.branch or existing.place.scope != memory.place.scope:
                continue
            comparison = compare(existing.embedding_text, memory.embedding_text, similarity=similarity)
            if comparison.verdict is Verdict.SAME and is_same_knowledge(memory, existing):
                return self._confirmation(existing, memory, comparison.reason)
            if comparison.verdict is Verdict.CONTRADICTS and not _are_about_different_people(
                existing, memory
            ):
                return self._contradiction(existing, admitted, comparison.reason)
        return _created(admitted)

    def _confirmation(self, existing: Memory, memory: Memory, why: str) -> Decision:
        """Returns the decision on a text that says the same as an existing memory."""
        reason = f"it says the same as a stored memory: {why}"
        if why_not_change(self._principal, existing) is not None:
            return Decision(Outcome.MERGED, reason, existing, related=existing.id)
        highest = max(existing.confidence, memory.confidence)
        confidence = moved_by(highest, CONFIRMED, self._principal)
        status = Status.APPROVED if self._settles_review(existing, memory) else None
        anchors = staleness.renewed(self._reader, self._principal, existing)
        patch = Patch(confidence=confidence, status=status, anchors=anchors)
        return _merged(existing, reason, patch, ("merge", existing.id, {"confidence": confidence}))

    def _contradiction(self, existing: Memory, admitted: Admitted, why: str) -> Decision:
        """Returns the decision on a text that contradicts an existing memory."""
        memory = admitted.memory
        if existing.status is Status.PENDING:
            return _created(admitted)
        if memory.status is Status.PENDING:
            reason = f"{memory.status_reason}; it contradicts memory {existing.id}"
            return _created(admitted.with_memory(status_reason=reason, supersedes=existing.id))
        barred = why_not_change(self._principal, existing)
        if _ends_before(memory, existing):
            barred = why_not_take_away(self._principal, self._reader, existing)
        if barred is not None:
            # without the text of the other memory: this reason must not outlive it
            reason = f"contradicts memory {existing.id}, which stays: {barred.message}"
            pending = {"status": Status.PENDING, "status_reason": reason, "supersedes": existing.id}
            return _created(admitted.with_memory(**pending))
        # only a stated time counts: a clock that was set back must not bring back outdated statements
        if memory.at != memory.recorded_at and memory.at < existing.at:
            return _past(existing, admitted, why)
        return _replacement(existing, admitted, why)

    # conditions

    def _superseded_memory(self, id: str, memory: Memory) -> Memory:
        """Returns the memory that a text replaces by its id. Raises NotFound, AccessDenied, or InvalidInput
        if it was replaced before."""
        named = named_memory(self._reader, self._principal, id)
        view = place_view(memory.place, memory.kind, ANY_STATE)
        target = None if named is None else self._reader.get(view, named.id)
        if target is None or KINDS[target.kind].is_evidence:
            raise NotFound(f"there is no memory {id!r:.60} in this place", code="memory_not_found")
        if target.status is Status.SUPERSEDED:
            raise InvalidInput(
                f"memory {target.id} is already superseded by {target.superseded_by}",
                code="argument_invalid",
                hint="use the id of the newer one",
            )
        if _ends_before(memory, target):
            check_may_take_away(self._principal, self._reader, target)
        check_may_change(self._principal, target)
        return target

    def _settles_review(self, existing: Memory, memory: Memory) -> bool:
        """Returns whether a repetition that needs no review approves the existing memory: one that waits, or
        that a machine has flagged as wrong."""
        is_open = existing.status is Status.PENDING or is_flagged_by_machine(existing)
        settles = is_open and memory.status is Status.APPROVED
        return settles and why_not_review(self._principal, existing) is None

    def _has_ended(self, existing: Memory) -> bool:
        """Returns whether a memory has expired or is no longer valid."""
        ends = (existing.expires_at, existing.valid_until)
        return not existing.pinned and any(end is not None and end <= self._now for end in ends)

    def _check_source(self, memory: Memory) -> None:
        """Raises NotFound if the principal sees no such source; reads them again for an id that is new."""
        if memory.source is None or memory.source in self._sources:
            return
        self._sources |= {source.id for source in self._reader.sources(personal_view(self._principal))}
        if memory.source not in self._sources:
            raise NotFound(f"there is no source {memory.source!r:.60}", code="source_not_found")

    def _check_session_limit(self, memory: Memory) -> None:
        """Raises Refusal if an agent has stored too much in a session."""
        if self._principal.agent is None or memory.place.session is None:
            return
        view = personal_view(self._principal)
        count = self._reader.agent_count(view, memory.place.session, self._principal.label)
        if count >= AGENT_SESSION_LIMIT:
            raise Refusal(
                f"this agent has already stored {AGENT_SESSION_LIMIT} memories in the session",
                code="session_limit",
            )


def _ends_before(newer: Memory, older: Memory) -> bool:
    """Returns whether a memory stops being recalled before the one whose place it takes."""
    ends = ((newer.expires_at, older.expires_at), (newer.valid_until, older.valid_until))
    return any(new is not None and (old is None or new < old) for new, old in ends)


def _created(admitted: Admitted) -> Decision:
    memory = admitted.memory
    about = {"about": list(memory.about)} if memory.about else {}
    event = "remember", memory.id, {"kind": memory.kind, "status": memory.status.value, **about}
    return Decision(*_outcome_of(memory), text=admitted, events=(event,))


def _outcome_of(memory: Memory) -> tuple[Outcome, str]:
    """Returns the outcome of a memory that is new, with its reason."""
    if memory.status is Status.PENDING:
        return Outcome.PENDING, f"waits for review: {memory.status_reason}"
    if memory.redactions:
        return Outcome.REDACTED, f"stored without: {', '.join(dict.fromkeys(memory.redactions))}"
    return Outcome.CREATED, "stored"


def _merged(existing: Memory, reason: str, patch: Patch, event: tuple[str, str, dict[str, Any]]) -> Decision:
    return Decision(Outcome.MERGED, reason, existing, patch=patch, events=(event,), related=existing.id)


def _replacement(existing: Memory, admitted: Admitted, why: str) -> Decision:
    """Supersedes the existing memory, whose validity ends (S2.37, S4.25)."""
    newer = admitted.with_memory(supersedes=existing.id)
    memory = newer.memory
    if memory.status is Status.PENDING:  # it supersedes the old one once a person approves it
        return _created(newer)
    patch = Patch(
        status=Status.SUPERSEDED,
        status_reason="superseded",
        superseded_by=memory.id,
        valid_until=memory.holds_from,
    )
    until = {} if existing.valid_until is None else {"until": existing.valid_until}
    return Decision(
        Outcome.SUPERSEDED,
        f"updated: {_quoted(existing.text)} -> {_quoted(memory.text)} ({why})",
        existing,
        text=newer,
        patch=patch,
        events=(
            ("remember", memory.id, {"kind": memory.kind, "supersedes": existing.id}),
            ("supersede", existing.id, {"by": memory.id, **until}),
        ),
        related=existing.id,
    )


def _past(existing: Memory, admitted: Admitted, why: str) -> Decision:
    """Stores a statement that is older than the existing one as superseded by it (S1.20)."""
    past = admitted.with_memory(
        status=Status.SUPERSEDED,
        status_reason="superseded",
        superseded_by=existing.id,
        valid_until=existing.holds_from,
    )
    memory = past.memory
    return Decision(
        Outcome.SUPERSEDED,
        f"it is older than {_quoted(existing.text)}, which stays ({why})",
        existing,
        text=past,
        events=(("remember", memory.id, {"kind": memory.kind, "superseded_by": existing.id}),),
        related=existing.id,
    )


def _are_about_different_people(existing: Memory, memory: Memory) -> bool:
    """Returns whether two people speak about themselves: "my name is Ada" does not contradict another's."""
    return existing.place.owner != memory.place.owner and bool(_FIRST_PERSON.search(memory.text))


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
