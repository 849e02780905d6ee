"""Insights without what was said in erased messages: written anew from what is left, or erased with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from holdfast.core.insights import INSIGHT, InsightStatement, parts_of, said_in, sources_of
from holdfast.core.record import Memory
from holdfast.core.views import GONE, personal_view
from holdfast.features.admission.draft import Draft
from holdfast.features.memories import embed
from holdfast.features.memories.browse import pages
from holdfast.features.memories.name_sources import withdraw_names
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer


def rewritten(insight: Memory, statements: Sequence[InsightStatement], before: Iterable[str] = ()) -> Draft:
    """Returns the draft of an insight with these statements, in its place and of its origin."""
    return Draft(
        **parts_of(statements, before),
        kind=INSIGHT,
        title=insight.title,
        workspace=insight.place.workspace,
        scope=insight.place.scope,
        visibility=insight.visibility.value,
        external_id=insight.external_id,
        taken_from=insight.origin,
        source=insight.source,
        confidence=insight.confidence,
        tags=insight.tags,
        at=insight.at,
    )


def withdraw(service: Service, tx: Writer, ids: Collection[str]) -> list[str]:
    """Takes out of all insights that the principal sees what was said in messages that are being erased, with
    the versions that held it, and erases what was read from no other message: entities and relations. Returns
    the ids of those that are gone or were written anew: their vectors and use counts in this process are of
    what was erased."""
    view = personal_view(service.principal, replace(GONE, kinds=frozenset({INSIGHT})), closed=True)
    erased = frozenset(ids)
    insights = [
        memory
        for memory in pages(tx, view)
        if not erased.isdisjoint(sources_of(memory)) and memory.id not in erased
    ]
    for insight in insights:
        protected = insight.pinned or insight.edited
        if not (protected and service.principal.is_machine):
            _withdraw(service, tx, insight, erased)
    return [*(memory.id for memory in insights), *withdraw_names(service, tx, erased)]


def _withdraw(service: Service, tx: Writer, insight: Memory, erased: frozenset[str]) -> None:
    """Erases an insight with its versions, and stores what is left of its present one under the same id."""
    now = service.clock()
    left = _remaining_statements(insight, erased)
    view = personal_view(service.principal, GONE, closed=True)
    tx.erase(view, [insight.id])
    action = "erase"
    if left:
        draft = rewritten(insight, left, sources_of(insight) - erased)
        admitted = replace(service.admission, exclusions=()).admit(draft, id=insight.id, now=now)
        same = (
            "recorded_at", "created_by", "status", "status_reason", "pinned", "edited", "use_count",
            "last_used_at", "deleted_at", "deleted_reason", "supersedes", "superseded_by", "confidence",
        )  # fmt: skip
        restored = admitted.with_memory(**{name: getattr(insight, name) for name in same}, updated_at=now)
        placed = restored.in_place(insight.place, project=insight.project, session=None)
        vectors = embed.embed_now(service.embedder, [placed])[0]
        tx.insert(placed, vectors, service.embedder.model)
        embed.queue(service, tx, placed.memory, vectors, now)
        action = "withdraw"
    actor = service.principal.label
    tx.add_event(at=now, actor=actor, action=action, subject=insight.id, detail={})


def _remaining_statements(insight: Memory, erased: frozenset[str]) -> list[InsightStatement]:
    """Returns the statements of an insight that no erased message says. Of a text that a person wrote its
    words are cut out."""
    statements = said_in(insight)
    if any(statement.message for statement in statements):
        left = [statement for statement in statements if statement.message not in erased]
        texts = {statement.text for statement in left}
        return [
            replace(statement, corrected=None) if statement.corrected not in texts else statement
            for statement in left
        ]
    text = insight.text
    for statement in insight.evidence.get("statements", ()):
        if isinstance(statement, dict) and statement.get("message") in erased:
            text = text.replace(str(statement.get("text")), "")
    lines = [line.strip() for line in text.splitlines() if line.strip(" .()")]
    return [replace(statements[0], text="\n".join(lines))] if lines else []
