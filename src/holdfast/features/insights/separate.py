"""Undoes a merge: what was merged into an insight last becomes an insight of its own, and stays apart."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.errors import InvalidInput
from holdfast.core.insights import INSIGHT, InsightStatement, said_in, sources_of
from holdfast.core.record import Memory
from holdfast.core.review import Decision, Result
from holdfast.core.tidying import KEPT_APART
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import check_may_change
from holdfast.features.memories import embed
from holdfast.features.memories.browse import existing_memory
from holdfast.features.memories.exclusions import gate_of
from holdfast.features.memories.insight_sources import rewritten
from holdfast.features.service import Service
from holdfast.language.topics import topic_id


def separate(service: Service, id: str) -> Decision:
    """Undoes the last merge into an insight, and returns the insight that its statements make alone. What
    they corrected holds again. Raises NotFound, InvalidInput `nothing_to_change`, Refusal."""
    now = service.clock()
    view, actor = personal_view(service.principal, ANY_STATE), service.principal.label
    with service.store.write() as tx:
        gate = gate_of(service, tx)
        current = existing_memory(tx, service, id)
        check_may_change(service.principal, current)
        stay, go = _divided(current)
        before = sources_of(current) - {statement.message for statement in go}
        alone = replace(
            rewritten(current, go),
            title=go[0].topic[:1].upper() + go[0].topic[1:],
            external_id=f"{topic_id(go[0].topic)}:{go[0].message}",
        )
        texts = [
            gate.admit(rewritten(current, stay, before), id=current.id, now=now),
            gate.admit(alone, id=service.new_id(now), now=now),
        ]
        base, apart = (
            text.with_memory(status=current.status, created_by=actor).in_place(
                current.place, project=current.project, session=None
            )
            for text in texts
        )
        newer = base.next_version_of(current, now).with_memory(status_reason=current.status_reason)
        rows = embed.embed_now(service.embedder, texts)
        stored = tx.insert_version(view, newer, rows[0], service.embedder.model)
        other = tx.insert(apart.with_memory(status_reason=KEPT_APART), rows[1], service.embedder.model)
        for memory, vectors in ((stored, rows[0]), (other, rows[1])):
            embed.queue(service, tx, memory, vectors, now)
        detail = {"version": stored.version, "into": other.id}
        tx.add_event(at=now, actor=actor, action="separate", subject=stored.id, detail=detail)
        detail = {"kind": INSIGHT, "status": other.status.value}
        tx.add_event(at=now, actor=actor, action="remember", subject=other.id, detail=detail)
    service.bell.ring()
    reason = f"what was merged last into memory {stored.id} is a memory of its own"
    return Decision(other.id, Result(other.status.value), other, reason, related=stored.id)


def _divided(current: Memory) -> tuple[list[InsightStatement], list[InsightStatement]]:
    """Returns the statements of an insight before its last merge, and those that came with it."""
    statements = said_in(current) if current.kind == INSIGHT else []
    last = max((statement.since for statement in statements), default=0)
    go = [statement for statement in statements if statement.since == last]
    stay = [statement for statement in statements if statement.since < last]
    if not stay:
        raise InvalidInput(
            f"nothing was merged into memory {current.id}", code="nothing_to_change",
            hint="only insights of conversations are merged from several; `holdfast history` shows versions",
        )  # fmt: skip
    removed = {statement.text for statement in go} - {statement.text for statement in stay}
    return (
        [
            replace(statement, corrected=None) if statement.corrected in removed else statement
            for statement in stay
        ],
        [replace(statement, since=1, corrected=None) for statement in go],
    )
