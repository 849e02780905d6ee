"""Revision of memories by a person or agent; the old text stays in the history."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import checked_flag
from holdfast.core.errors import Conflict, InvalidInput
from holdfast.core.kinds import KINDS, kind_named
from holdfast.core.places import Principal
from holdfast.core.record import NUMBERS, SHORT_TEXTS, Kept, Memory, Origin, Outcome, Status, status_of
from holdfast.core.times import DAY
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import (
    check_in_person,
    check_may_change,
    check_may_take_away,
    why_not_review,
)
from holdfast.features.access.places import external_id_taken, find_external, find_same
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.initial_values import PERSONAL, status_in_place, waits_in_place
from holdfast.features.memories import embed
from holdfast.features.memories.browse import check_version, existing_memory
from holdfast.features.memories.entity_links import check_may_revise
from holdfast.features.memories.exclusions import gate_of
from holdfast.features.memories.put_back import is_put_back, put_back
from holdfast.features.memories.revision import Revision
from holdfast.features.memories.tidying import count_changed
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.language.injection import flags_of_all
from holdfast.stores.base.ports import Patch, Reader, Writer

if TYPE_CHECKING:
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.ports import Vectors


def revise(service: Service, id: str, revision: Revision, **place: Any) -> Kept:
    """Changes a memory and returns the outcome. The new text is validated, embedded and hashed again, and
    held for review if it contains personal data (S2.17). Raises NotFound, InvalidInput, Conflict, Refusal.

    The origin of the text stays (S4.45): text of a tool or the web states no facts about the user, whoever
    adds a title, and whatever a machine makes of it (S1.23). A person who rewrites the text itself takes it
    over: the origin of that version is the user, and in a user's message it states facts. What a machine
    makes of a person's words is an agent's. The versions before it keep their origin.

    With the status pending and nothing else a person takes back their decision about what waited: that makes
    no new version.
    """
    now = service.clock()
    with service.store.read() as snap:
        old = existing_memory(snap, service, id, place)
    if is_put_back(revision):
        with service.store.write() as tx:
            memory = existing_memory(tx, service, old.id)
            waiting = put_back(service, tx, memory, if_version=revision.if_version)
        if waiting is not None:
            return Kept(Outcome.PENDING, waiting, f"waits for review: {waiting.status_reason}")
    _check_kind(old, revision)
    check_may_revise(old, revision)
    admitted = gate_of(service).admit(_draft(old, revision), id=old.id, now=now)
    vectors = embed.embed_now(service.embedder, [admitted])[0]
    with service.store.write() as tx:
        old = _still_the_same(service, tx, old, revision)
        newer = _next_version(service, tx, old, admitted, revision, now)
        _check_no_other(service, tx, old, newer.memory, revision)
        stored = _store(service, tx, _decided(service, tx, old, newer, revision), vectors, now)
    if vectors is None:
        service.bell.ring()
    if stored.status is Status.PENDING:
        return Kept(Outcome.PENDING, stored, f"waits for review: {stored.status_reason}", stored.redactions)
    return Kept(
        Outcome.SUPERSEDED,
        stored,
        f"version {stored.version} replaces version {old.version}",
        stored.redactions,
    )


def _check_kind(old: Memory, revision: Revision) -> None:
    """Raises InvalidInput `argument_invalid` for a kind of another nature."""
    if revision.kind is None:
        return
    before, after = KINDS[old.kind], kind_named(revision.kind)
    if after.nature is not before.nature or after.ends != before.ends:
        raise InvalidInput(
            f"a {old.kind} cannot become a {after.name}",
            code="argument_invalid",
            hint="evidence, entities and knowledge cannot become each other; store a new memory",
        )


def _still_the_same(service: Service, tx: Writer, old: Memory, revision: Revision) -> Memory:
    """Returns the memory as it is in this transaction. Raises Conflict if its version has changed, and
    AccessDenied or Refusal if the principal may not change it."""
    current = existing_memory(tx, service, old.id)
    if current.version != old.version:
        raise Conflict(
            f"memory {old.id} was changed by somebody else in the meantime",
            code="changed_meanwhile",
            hint="read it again, then revise it",
        )
    check_version(current, revision.if_version)
    check_may_take_away(service.principal, tx, current)
    return current


def _next_version(
    service: Service, tx: Writer, old: Memory, admitted: Admitted, revision: Revision, now: int
) -> Admitted:
    """Returns the next version, in the place of the old one, with the status that its text has there. Raises
    InvalidInput `nothing_to_change`."""
    stays = admitted.with_memory(about=old.about)
    if revision.expires_at is None and _keeps_expiry(service, tx, old, admitted.memory.kind):
        stays = stays.with_memory(expires_at=old.expires_at)
    newer = stays.in_place(old.place, project=old.project, session=old.session).next_version_of(old, now)
    memory = newer.memory
    status, reason = status_in_place(memory.status, memory.status_reason, memory.pii_risk, memory.visibility)
    newer = newer.with_memory(status=status, status_reason=reason)
    if _is_unchanged(old, newer.memory) and revision.status in (None, old.status.value):
        raise InvalidInput("the revision changes nothing", code="nothing_to_change")
    return newer


def _check_no_other(service: Service, tx: Writer, old: Memory, new: Memory, revision: Revision) -> None:
    """Raises Conflict if another memory has the external id, or the same knowledge."""
    if revision.external_id is not None:
        existing = find_external(tx, service.principal, new)
        if existing is not None and existing.id != old.id:
            raise external_id_taken(existing)
    if not KINDS[new.kind].is_evidence:
        duplicate = find_same(tx, new)
        if duplicate is not None and duplicate.id != old.id:
            raise Conflict(
                f"memory {duplicate.id} has exactly the same text",
                code="duplicate_text",
                hint="forget one of them",
            )


def _decided(service: Service, tx: Writer, old: Memory, newer: Admitted, revision: Revision) -> Admitted:
    """Returns the next version with its status after the revision, its origin and author. Raises Refusal for
    a decision that the principal may not make."""
    principal, memory = service.principal, newer.memory
    adds_risk = _adds_risk(service, old, memory)
    status, reason = _revised_status(old, memory, revision, adds_risk=adds_risk)
    refusal = why_not_review(principal, old)
    is_suspect = memory.status is Status.PENDING and (memory.text != old.text or adds_risk)
    approves = status is Status.APPROVED and (is_suspect or old.status is not Status.APPROVED)
    if refusal is not None and (approves or (status is Status.REJECTED and revision.status is not None)):
        if revision.status is not None:
            raise refusal
        status, reason = old.status, old.status_reason
    origin = _revised_origin(old, memory, principal)
    newer = newer.with_memory(
        status=status,
        status_reason=reason,
        origin=origin,
        created_by=principal.label,
        edited=old.edited or not principal.is_machine,
        superseded_by=old.superseded_by if status is Status.SUPERSEDED else None,
    )
    if not origin.is_trusted:  # a tool cannot make a user state facts
        newer = replace(newer, facts=())
    if memory.text != old.text:  # a new text is about the present state of the file
        newer = staleness.anchored(tx, principal, newer)
    return newer


def _store(service: Service, tx: Writer, newer: Admitted, vectors: Vectors | None, now: int) -> Memory:
    """Stores a new version with its event, and returns it."""
    view = personal_view(service.principal, ANY_STATE)
    stored = tx.insert_version(view, newer, vectors, service.embedder.model)
    embed.queue(service, tx, stored, vectors, now)
    count_changed(service, tx, [stored])
    if stored.status is Status.REJECTED:  # earlier versions are rejected as well
        stored = tx.patch(view, stored.id, Patch(status=stored.status), now=now)
    tx.add_event(
        at=now,
        actor=service.principal.label,
        action="revise",
        subject=stored.id,
        detail={"version": stored.version, "status": stored.status.value},
    )
    return stored


def pin(service: Service, id: str, pinned: bool, *, if_version: int | None = None) -> Memory:
    """Pins a memory (it never decays, expires or is superseded by a machine) or unpins it. Raises Refusal
    `person_needed` for a machine, Conflict `version_mismatch` if it is not at `if_version`."""
    checked_flag(pinned, "pinned")
    now = service.clock()
    with service.store.write() as tx:
        memory = existing_memory(tx, service, id)
        check_in_person(service.principal, "pins a memory")
        check_may_change(service.principal, memory)
        check_version(memory, if_version)
        if memory.pinned == pinned:
            return memory
        stored = tx.patch(
            personal_view(service.principal, ANY_STATE), memory.id, Patch(pinned=pinned), now=now
        )
        tx.add_event(
            at=now,
            actor=service.principal.label,
            action="pin" if pinned else "unpin",
            subject=memory.id,
            detail={},
        )
        return stored


def _revised_origin(old: Memory, new: Memory, principal: Principal) -> Origin:
    """Returns who says what a revision makes of a memory."""
    if not principal.is_machine:
        return old.origin if new.text == old.text else Origin.USER
    words = ("text", "kind", "metadata", *SHORT_TEXTS)
    is_reworded = any(getattr(new, name) != getattr(old, name) for name in words)
    return Origin.AGENT if is_reworded and old.origin.is_trusted else old.origin


def _draft(old: Memory, revision: Revision) -> Draft:
    """Returns a memory with its changes as a draft."""

    def pick(new: Any, previous: Any) -> Any:
        return previous if new is None else new

    text = pick(revision.text, old.text)
    if old.kind == "entity" and revision.text is None and old.text == old.title and revision.title:
        text = revision.title  # without notes of its own, an entity says its name, and only the present one
    text_changed = revision.text is not None and revision.text != old.text
    declared = (*SHORT_TEXTS, *NUMBERS)
    stated = {name: pick(getattr(revision, name, None), getattr(old, name)) for name in declared}
    if text_changed:
        stated["summary"] = revision.summary
    return Draft(
        text=text,
        kind=pick(revision.kind, old.kind),
        **stated,
        workspace=old.place.workspace,
        scope=old.place.scope,
        branch=old.place.branch,
        visibility=old.visibility.value,
        external_id=pick(revision.external_id, old.external_id) or None,
        role=old.role,
        confidence=pick(revision.confidence, old.confidence),
        status=None,
        tags=pick(revision.tags, old.tags),
        metadata=pick(revision.metadata, old.metadata),
        evidence=old.evidence,
        source=old.source,
        at=old.at,
        valid_from=pick(revision.valid_from, None if text_changed else old.valid_from),
        valid_until=pick(revision.valid_until, old.valid_until),
        expires_at=revision.expires_at,
    )


def _keeps_expiry(service: Service, reader: Reader, old: Memory, kind: str) -> bool:
    """Returns whether a memory of a new kind keeps its expiry: if both kinds have the same lifetime, or if
    the expiry was stated, not computed from the old kind when the memory was created, revised or revived."""
    before, after = (KINDS[name].lifetime(service.expiry_days) for name in (old.kind, kind))
    if before == after:
        return True
    if before is None or old.expires_at is None:
        return before is not None or old.expires_at is not None
    steps = reader.history(personal_view(service.principal, ANY_STATE), old.id)
    return old.expires_at - before * DAY not in {step.at for step in steps}


def _revised_status(
    old: Memory, new: Memory, revision: Revision, *, adds_risk: bool
) -> tuple[Status, str | None]:
    """Returns status and reason after a revision: a stated status counts, but new text with personal data or
    instructions waits for review (S2.15, S2.17)."""
    if revision.status is not None:
        status = status_of(revision.status)
        if status is Status.SUPERSEDED:
            raise InvalidInput("only another memory can supersede a memory", code="status_unknown")
        is_new = old.text != new.text or adds_risk
        if status is Status.APPROVED and is_new and waits_in_place(new.pii_risk, new.visibility):
            return Status.PENDING, PERSONAL
        return status, None if status is Status.APPROVED else f"{status.value} by hand"
    if old.status is Status.SUPERSEDED:
        return old.status, old.status_reason
    if new.status is Status.PENDING and old.text == new.text and not adds_risk:
        return old.status, old.status_reason
    if new.status is Status.PENDING or old.status is not Status.REJECTED:
        return new.status, new.status_reason
    return old.status, old.status_reason


def _adds_risk(service: Service, old: Memory, new: Memory) -> bool:
    """Returns whether new parts beside the text (title, tags, metadata) contain instructions, or personal
    data that others would see. They are checked by themselves: what was there before is no excuse."""
    before, after = (
        (*(getattr(memory, name) for name in SHORT_TEXTS), *memory.tags) for memory in (old, new)
    )
    texts = [text for text in after if text not in before]
    if new.metadata != old.metadata:
        texts.append(json.dumps(new.metadata, ensure_ascii=False))
    written = list(filter(None, texts))
    risk = max(service.admission.risks(written), default=0)
    return any(flags_of_all(written)) or waits_in_place(risk, new.visibility)


def _is_unchanged(old: Memory, new: Memory) -> bool:
    parts = [field.name for field in fields(Revision) if field.name not in ("status", "if_version")]
    return all(getattr(old, part) == getattr(new, part) for part in parts)
