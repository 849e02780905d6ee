"""Review: decisions of a person on waiting memories, and feedback on recalled ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from holdfast.core.arguments import LIMIT_MAX, checked_flag, checked_limit, safe_repr
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.kinds import KINDS
from holdfast.core.record import Memory, Outcome, Status
from holdfast.core.review import (
    AGENT_FLAGGED,
    CONFIRMED,
    LINKS,
    STEPS,
    USER_FLAGGED,
    Decision,
    Flagged,
    Inbox,
    Related,
    Relations,
    Result,
    Verdict,
    Waiting,
    decided,
    moved_by,
    refused_decision,
    texts_in,
    tie_of,
    verdict_of,
    why_held,
)
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import (
    check_may_change,
    check_may_review,
    check_may_take_away,
    is_own,
    why_not_change,
)
from holdfast.features.access.places import Selection, view_of
from holdfast.features.admission.initial_values import APPROVED_FROM, flagged_as
from holdfast.features.memories.browse import check_version, existing_memory
from holdfast.features.memories.reinstate import check_no_duplicate, reinstating
from holdfast.features.memories.revise import revise
from holdfast.features.memories.revision import Revision
from holdfast.features.review import findings, news, sharing
from holdfast.features.service import Service
from holdfast.features.staleness.staleness import with_staleness
from holdfast.stores.base.ports import Patch, Reader, Writer

NOTE_MAX = 500
"""Maximum number of characters of a note or reason."""
_EDITS = frozenset(field.name for field in fields(Revision)) - {"status", "if_version", "confidence"}


def inbox(service: Service, selection: Selection, *, limit: int = 50, cursor: str | None = None) -> Inbox:
    """Returns the memories that wait and that the principal may decide on, each with its reason: for an
    approver first requests to share, then what a scan found, then waiting memories, oldest first by the time
    they speak of.

    Only owners and admins decide on a memory. An agent sees the memories that wait for its user.
    """
    checked_limit(limit)
    now = service.clock()
    pending: list[Memory] = []
    requests: list[tuple[str, Waiting]] = []
    with service.store.read() as snap:
        if cursor is None or str(cursor).startswith(sharing.CURSOR_PREFIX):
            requests, cursor = sharing.waiting(snap, service, selection, cursor), None
            if len(requests) >= limit:
                return Inbox(tuple(item for _, item in requests[:limit]), requests[limit - 1][0])
        limit -= len(requests)
        if cursor is None or str(cursor).startswith(findings.CURSOR_PREFIX):
            redactions, cursor = findings.waiting(snap, service, selection, cursor, limit), None
            requests += redactions
            if len(redactions) >= limit:
                return Inbox(tuple(item for _, item in requests), requests[-1][0])
            limit -= len(redactions)
        view = view_of(snap, service.principal, selection)
        view = view.narrowed(replace(view.filter, statuses=frozenset({Status.PENDING})))
        while True:
            page = snap.conversation(view, limit=LIMIT_MAX, cursor=cursor, now=now)
            pending += [m for m in page.memories if is_own(service.principal, m)]
            cursor = page.cursor
            if cursor is None or len(pending) > limit:
                break
        items = tuple(
            _waiting_item(snap, service, memory) for memory in with_staleness(snap, view, pending[:limit])
        )
    items = (*(item for _, item in requests), *items)
    more = len(pending) > limit
    last_memory = pending[limit - 1] if more else None
    return Inbox(items, f"{last_memory.id}.{last_memory.version}" if last_memory else None)


def approve(service: Service, id: str, *, beside: bool = False, if_version: int | None = None) -> Decision:
    """Approves a memory that waits, or was rejected or superseded before. A memory that it contradicts is
    superseded (S2.37), unless `beside`. Approving a request to share widens the visibility. Raises NotFound,
    Refusal, Conflict (`version_mismatch` if it is not at `if_version`), InvalidInput."""
    checked_flag(beside, "beside")
    with service.store.write() as tx:
        return _approve(service, tx, id, beside=beside, if_version=if_version)


def reject(service: Service, id: str, *, reason: str | None = None) -> Decision:
    """Excludes a memory from recall, in all its versions; rejecting a request to share leaves the visibility.
    Raises NotFound, Refusal, InvalidInput."""
    with service.store.write() as tx:
        return _reject(service, tx, id, reason=reason)


def edit(service: Service, id: str, /, *, beside: bool = False, **changes: Any) -> Decision:
    """Changes a memory and approves it in one step. The text is validated again: redacted, hashed and
    embedded, and it still waits if others would see personal data in it (S2.17). Raises the errors of
    `approve` and `revise`."""
    checked_flag(beside, "beside")
    unknown = changes.keys() - _EDITS
    if unknown:
        raise InvalidInput(
            f"{safe_repr(sorted(map(str, unknown))[0])} cannot be edited",
            code="argument_invalid",
            hint=f"{', '.join(sorted(_EDITS))}; `move` changes its place",
        )
    with service.store.read() as snap:
        old = existing_memory(snap, service, id)
    check_may_review(service.principal, old)
    confirmed = old.status in (Status.PENDING, Status.REJECTED)
    revision = Revision(
        **changes,
        status=None if old.status is Status.SUPERSEDED else Status.APPROVED.value,
        confidence=_confirmed_confidence(service, old) if confirmed else None,
    )
    outcome = revise(service, id, revision)
    assert outcome.memory is not None
    memory = outcome.memory
    if outcome.outcome is Outcome.PENDING or memory.status is not Status.APPROVED:
        return Decision(memory.id, Result(memory.status.value), memory, outcome.reason)
    if old.status is not Status.PENDING or memory.supersedes is None:
        return Decision(memory.id, Result.APPROVED, memory, outcome.reason)
    with service.store.write() as tx:
        return _supersede(service, tx, existing_memory(tx, service, memory.id), beside)


def decide(service: Service, decisions: Iterable[Mapping[str, Any]]) -> list[Decision]:
    """Applies many decisions and returns one result each, in order; a failure is reported as refused and does
    not stop the others (S2.35). Each has an `id`, a `decision` (approve, reject or edit) and the arguments of
    that method."""
    if isinstance(decisions, str | bytes | Mapping) or not isinstance(decisions, Iterable):
        raise InvalidInput("decisions must be a list of objects", code="argument_invalid")
    requested = list(decisions)
    if len(requested) > LIMIT_MAX:
        raise InvalidInput(f"at most {LIMIT_MAX} decisions are allowed at once", code="limit_invalid")
    results: list[Decision] = []
    for is_edit, run in _transactions(requested):
        if is_edit:
            results.append(_edit_one(service, run[0]))
            continue
        with service.store.write() as tx:
            results += [_decide_one(service, tx, decision) for decision in run]
    return results


def feedback(service: Service, id: str, verdict: str, *, note: str | None = None) -> Memory:
    """Records feedback on a recalled memory: its confidence rises or falls (S4.72). Knowledge that falls
    below the confidence that needs no review waits for one, unless it is pinned (S2.41). The note is stored
    as the reason of its status. Raises NotFound, InvalidInput, Refusal."""
    checked_verdict = verdict_of(verdict)
    text = _clean_note(service, note)
    now = service.clock()
    with service.store.write() as tx:
        memory = existing_memory(tx, service, id)
        check_may_change(service.principal, memory)
        confidence = moved_by(memory.confidence, STEPS[checked_verdict], service.principal)
        reason = f"{checked_verdict.value}: {text}" if text else None
        waits = (
            checked_verdict is not Verdict.HELPFUL
            and confidence < APPROVED_FROM
            and memory.status is Status.APPROVED
            and not memory.pinned
            and not KINDS[memory.kind].is_evidence
        )
        if waits:
            reason = reason or flagged_as(checked_verdict.value, confidence)
        patch = Patch(confidence=confidence, status=Status.PENDING if waits else None, status_reason=reason)
        stored = _patch(service, tx, memory, patch, now)
        detail = {"verdict": checked_verdict.value, "confidence": confidence, "status": stored.status.value}
        _add_event(service, tx, now, "feedback", memory.id, detail)
        return stored


def wrong(service: Service, id: str, *, note: str | None = None) -> Flagged:
    """Flags a memory as wrong: excludes it from recall, in all its versions, and returns what superseded it,
    what it superseded, and what rests on it, for review (S4.59). `approve` reverts that. Raises Conflict
    `duplicate_text` for a superseded memory whose text has been stored again since."""
    text = _clean_note(service, note)
    now = service.clock()
    with service.store.write() as tx:
        memory = existing_memory(tx, service, id)
        check_may_take_away(service.principal, tx, memory)
        if memory.status is Status.PENDING:
            check_may_review(service.principal, memory)
        if memory.status is Status.SUPERSEDED:
            check_no_duplicate(tx, memory)
        why = AGENT_FLAGGED if service.principal.is_machine else USER_FLAGGED
        patch = Patch(
            status=Status.REJECTED,
            status_reason=f"{why}: {text}" if text else why,
            confidence=moved_by(memory.confidence, STEPS[Verdict.WRONG], service.principal),
        )
        stored = _patch(service, tx, memory, patch, now)
        _add_event(service, tx, now, "wrong", memory.id, {"reason": why, "was": memory.status.value})
        return Flagged(stored, related_to(tx, service, [memory.id]))


def relations(service: Service, id: str) -> Relations:
    """Returns what a memory rests on and what depends on it, as far as the principal sees them. Raises
    NotFound."""
    with service.store.read() as snap:
        memory = existing_memory(snap, service, id)
        view = personal_view(service.principal, ANY_STATE)
        referenced = {text for text in texts_in(memory.evidence) if text != memory.id}
        named = snap.several(view, sorted(referenced), now=0) if referenced else []
        linked = {id: link for link in reversed(LINKS) for id in texts_in(memory.evidence.get(link))}
        links = tuple(Related(memory, linked[memory.id]) for memory in named if memory.id in linked)
        return Relations(tuple(named), related_to(snap, service, [memory.id]), links)


def related_to(reader: Reader, service: Service, ids: Sequence[str]) -> tuple[Related, ...]:
    """Returns the memories that depend on some others, as far as the principal sees them; superseding
    memories are followed to the end of the chain. Does not include the memories themselves."""
    view = personal_view(service.principal, ANY_STATE)
    seen_ids, related = set(ids), []
    ahead = list(ids)
    while ahead:
        fresh = [m for m in reader.related(view, ahead, now=0) if m.id not in seen_ids]
        ties = [Related(m, tie) for m in fresh if (tie := tie_of(m, set(ahead))) is not None]
        related += ties
        seen_ids |= {m.id for m in fresh}
        ahead = [entry.memory.id for entry in ties if entry.memory.supersedes in ahead]
    return tuple(related)


# one decision within a transaction


def _approve(
    service: Service, tx: Writer, id: str, *, beside: bool, if_version: int | None = None
) -> Decision:
    """Approves a memory. Returns the decision."""
    request = sharing.request_about(tx, service, id)
    if request is not None:
        check_version(request[1], if_version)
        return sharing.grant(service, tx, *request, service.clock())
    memory = existing_memory(tx, service, id)
    check_version(memory, if_version)
    check_may_review(service.principal, memory)
    if (accepted := news.accepted(service, tx, memory)) is not None:
        return accepted
    if memory.status is Status.APPROVED:
        raise InvalidInput(
            f"memory {memory.id} is already approved", code="nothing_to_change",
            hint=findings.hint_about(tx, service, memory.id),
        )  # fmt: skip
    now = service.clock()
    patch = Patch(clear=frozenset({"status_reason"}))
    if memory.status is Status.SUPERSEDED:
        check_no_duplicate(tx, memory)
        patch = reinstating(service, tx, memory)
    confidence = _confirmed_confidence(service, memory)
    patch = replace(patch, status=Status.APPROVED, confidence=confidence)
    stored = _patch(service, tx, memory, patch, now)
    _add_event(service, tx, now, "approve", memory.id, decided(memory))
    if memory.status is Status.PENDING and memory.supersedes is not None:
        return _supersede(service, tx, stored, beside)
    return Decision(stored.id, Result.APPROVED, stored, "approved")


def _supersede(service: Service, tx: Writer, memory: Memory, beside: bool) -> Decision:
    """Supersedes the memory that an approved one contradicts, unless it belongs to another user or is to
    stay."""
    now = service.clock()
    view = personal_view(service.principal, ANY_STATE)
    other = None if memory.supersedes is None else tx.get(view, memory.supersedes)
    gives_way = other is not None and other.status is Status.APPROVED and not beside
    if other is None or not gives_way or why_not_change(service.principal, other) is not None:
        stored = _patch(service, tx, memory, Patch(clear=frozenset({"supersedes"})), now)
        return Decision(stored.id, Result.APPROVED, stored, "approved")
    patch = Patch(
        status=Status.SUPERSEDED,
        status_reason="superseded",
        superseded_by=memory.id,
        valid_until=memory.holds_from,
    )
    _patch(service, tx, other, patch, now)
    detail = {"by": memory.id} | ({} if other.valid_until is None else {"until": other.valid_until})
    _add_event(service, tx, now, "supersede", other.id, detail)
    return Decision(
        memory.id, Result.APPROVED, memory, f"approved in place of memory {other.id}", related=other.id
    )


def _reject(service: Service, tx: Writer, id: str, *, reason: str | None) -> Decision:
    """Rejects a memory. Returns the decision."""
    text = _clean_note(service, reason)
    request = sharing.request_about(tx, service, id)
    if request is not None:
        return sharing.decline(service, tx, request[0], service.clock())
    memory = existing_memory(tx, service, id)
    check_may_review(service.principal, memory)
    if memory.status is Status.REJECTED:
        raise InvalidInput(f"memory {memory.id} is already rejected", code="nothing_to_change")
    if memory.status is Status.SUPERSEDED:
        check_no_duplicate(tx, memory)
    now = service.clock()
    patch = Patch(status=Status.REJECTED, status_reason=text or "rejected in review")
    stored = _patch(service, tx, memory, patch, now)
    _add_event(service, tx, now, "reject", memory.id, decided(memory))
    return Decision(stored.id, Result.REJECTED, stored, "rejected")


# many decisions


def _transactions(requested: list[Any]) -> Iterable[tuple[bool, list[Any]]]:
    """Yields decisions in order, grouped by transaction; an edit embeds, and is on its own."""
    run: list[Any] = []
    for decision in requested:
        is_edit = isinstance(decision, Mapping) and decision.get("decision") == "edit"
        if is_edit:
            if run:
                yield False, run
            yield True, [decision]
            run = []
        else:
            run.append(decision)
    if run:
        yield False, run


def _decide_one(service: Service, tx: Writer, decision: Any) -> Decision:
    """Approves or rejects as a decision says; one that fails changes nothing and is returned as refused."""

    def act() -> Decision:
        arguments = _arguments_of(decision)
        with tx.attempt():
            if decision["decision"] == "approve":
                beside = checked_flag(arguments.pop("beside", False), "beside")
                seen = arguments.pop("if_version", None)
                _check_no_more(arguments)
                return _approve(service, tx, str(decision["id"]), beside=beside, if_version=seen)
            if decision["decision"] == "reject":
                reason = arguments.pop("reason", None)
                _check_no_more(arguments)
                return _reject(service, tx, str(decision["id"]), reason=reason)
            raise InvalidInput(
                f"there is no decision {safe_repr(decision['decision'])}",
                code="argument_invalid",
                hint="approve, reject or edit",
            )

    return _decision_or_refusal(_id_of(decision), act)


def _edit_one(service: Service, decision: Any) -> Decision:
    return _decision_or_refusal(
        _id_of(decision), lambda: edit(service, decision["id"], **_arguments_of(decision))
    )


def _decision_or_refusal(id: str, act: Callable[[], Decision]) -> Decision:
    try:
        return act()
    except HoldfastError as error:
        return refused_decision(id, error)


def _id_of(decision: Any) -> str:
    id = decision.get("id") if isinstance(decision, Mapping) else None
    return id if isinstance(id, str) else ""


def _arguments_of(decision: Any) -> dict[str, Any]:
    """Returns the arguments of one decision. Raises InvalidInput."""
    if (
        not isinstance(decision, Mapping)
        or not _id_of(decision)
        or not isinstance(decision.get("decision"), str)
    ):
        raise InvalidInput("a decision must be an object with an id and a decision", code="argument_invalid")
    return {str(name): value for name, value in decision.items() if name not in ("id", "decision")}


def _check_no_more(arguments: Mapping[str, Any]) -> None:
    if arguments:
        name = safe_repr(sorted(arguments)[0])
        raise InvalidInput(f"this decision has no argument {name}", code="argument_invalid")


# helpers


def _waiting_item(reader: Reader, service: Service, memory: Memory) -> Waiting:
    """Returns a waiting memory with its reason and the memory that its approval would supersede, None if it
    would supersede none."""
    view = personal_view(service.principal, ANY_STATE)
    other = None if memory.supersedes is None else reader.get(view, memory.supersedes)
    if other is not None and (other.status is not Status.APPROVED or not is_own(service.principal, other)):
        other = None  # it would not be superseded
    return Waiting(memory, why_held(memory), other)


def _confirmed_confidence(service: Service, memory: Memory) -> float:
    """Returns the confidence after the approval of a person (S4.72)."""
    return moved_by(max(memory.confidence, APPROVED_FROM), CONFIRMED, service.principal)


def _patch(service: Service, tx: Writer, memory: Memory, patch: Patch, now: int) -> Memory:
    return tx.patch(personal_view(service.principal, ANY_STATE), memory.id, patch, now=now)


def _clean_note(service: Service, note: object) -> str | None:
    """Returns a note as it may be stored, without secrets; None if there is none or nothing remains. Raises
    InvalidInput."""
    if note is None:
        return None
    if not isinstance(note, str) or len(note) > NOTE_MAX:
        raise InvalidInput(f"a note must be text of at most {NOTE_MAX} characters", code="argument_invalid")
    return service.admission.clean_text(note) or None


def _add_event(
    service: Service, tx: Writer, now: int, action: str, subject: str, detail: dict[str, Any]
) -> None:
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=subject, detail=detail)
