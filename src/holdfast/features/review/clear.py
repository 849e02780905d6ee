"""Removal of all memories of a scope or an import, followed by a check that recall finds none of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from holdfast.core.arguments import checked_flag, safe_repr
from holdfast.core.certificates import Certificate
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.kinds import KINDS
from holdfast.core.places import ANYWHERE, SCOPE_GLOBAL, Scope, scope_of
from holdfast.core.record import Memory, Status
from holdfast.core.review import EVIDENCE_REMOVED, GROUNDS, Cleared, Proof
from holdfast.core.views import ANY_STATE, GONE, Filter, View, personal_view
from holdfast.features.access.permission import check_may_take_away, why_not_take_away
from holdfast.features.access.places import Selection, view_of
from holdfast.features.audit.certificates import issue
from holdfast.features.memories import titles
from holdfast.features.memories.browse import pages
from holdfast.features.memories.entity_links import check_may_remove, settle
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.memories.source_removal import drop_source
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.recall import recall as recalling
from holdfast.features.recall.query_vector import Mode
from holdfast.features.review.review import related_to
from holdfast.features.service import Service
from holdfast.stores.base.ports import Patch, Writer

PAGE = 1_000
PROBES = 12
"""Number of removed memories that recall searches for with their own words, in every mode and for the
past."""
PROBE_CHARS = 300
REASON = "scope cleared"
REVERTED = "source reverted"


def clear(
    service: Service, scope: object, *, project: str | None = None, workspace: str | None = None,
    hard: bool = False,
) -> Cleared:  # fmt: skip
    """Removes all memories of the caller from a scope, such as ("paper", "2301.1"): forgotten, so that
    `restore` brings each back, or with `hard` erased. Then checks with recall and list that nothing is left
    (S2.35).

    With a `project` or `workspace` only its memories are removed. An agent leaves what a person pinned or
    edited. Memories that rest on removed ones, in any place, wait for review. Raises InvalidInput.
    """
    checked_flag(hard, "hard")
    checked_scope = scope_of(scope)
    if checked_scope.type == SCOPE_GLOBAL or checked_scope.id is None:
        raise InvalidInput(
            "only a scope with an id can be cleared",
            code="place_invalid",
            hint='("paper", "2301.1"); `projects.delete` and `review.revert` remove a project or an import',
        )
    selection = Selection(project=ANYWHERE, workspace=ANYWHERE, scope=(checked_scope.type, checked_scope.id))

    def is_in_scope(memory: Memory) -> bool:
        inside = memory.scope == checked_scope and workspace in (None, memory.place.workspace)
        return inside and project in (None, memory.project)

    def collect(tx: Writer) -> list[Memory]:
        view = view_of(tx, service.principal, selection)
        return [m for m in pages(tx, view.narrowed(_states(view, hard))) if is_in_scope(m)]

    removed, stays, waits, certificate = _remove(service, collect, "clear", REASON, hard)
    proof = prove(service, removed, checked_scope)
    return Cleared(len(removed), hard, stays, waits, proof, certificate)


def revert(service: Service, source: str, *, hard: bool = False) -> Cleared:
    """Reverts one import: removes its evidence as `sources.delete` does, and the knowledge that names it
    as its source, except what a person pinned or edited. Knowledge derived from any of it, without naming
    the source, waits for review. Then checks with recall that nothing is left (S2.35). Raises NotFound,
    Refusal."""
    checked_flag(hard, "hard")

    def collect(tx: Writer) -> list[Memory]:
        view = personal_view(service.principal, GONE if hard else ANY_STATE)
        source_ids = [known_source.id for known_source in tx.sources(view, removed=hard)]
        if source not in source_ids:
            raise NotFound(f"there is no source {safe_repr(source)}", code="source_not_found")
        imported = [m for m in tx.related(view, [source], now=0) if m.source == source]
        for memory in imported:
            if KINDS[memory.kind].is_evidence and memory.place.owner == service.principal.user:
                check_may_take_away(service.principal, tx, memory)
        return imported

    def drop(tx: Writer, now: int) -> None:
        drop_source(service, tx, source, now=now, hard=hard)

    removed, stays, waits, certificate = _remove(service, collect, "revert", REVERTED, hard, source, drop)
    return Cleared(len(removed), hard, stays, waits, prove(service, removed, None), certificate)


def prove(service: Service, removed: Sequence[Memory], scope: Scope | None) -> Proof:
    """Searches for memories that should be removed: each by its id, and some with their own words by recall
    in every mode, everywhere and in their scope, and as of the time they spoke of."""
    ids = {memory.id for memory in removed}
    found_ids: set[str] = set()
    with service.store.read() as snap:
        view = personal_view(service.principal, ANY_STATE, closed=True)
        names = sorted(ids)
        for start in range(0, len(names), PAGE):
            found_ids |= {m.id for m in snap.several(view, names[start : start + PAGE], now=0)}
    # through a copy of the service, so that these recalls are not counted as uses
    uncounted = service.acting_as(service.principal)
    probes = removed[:: max(1, len(removed) // PROBES)][:PROBES]
    anywhere = Selection(project=ANYWHERE, workspace=ANYWHERE)
    pair = None if scope is None else (scope.type, scope.id)
    for memory in probes:
        words = (memory.title or memory.text)[:PROBE_CHARS]
        for mode in Mode:
            hits = recalling.recall(uncounted, words, replace(anywhere, scope=pair), mode=mode, limit=20)
            found_ids |= ids & {hit.memory.id for hit in hits}
        past = replace(anywhere, as_of=memory.holds_from)
        found_ids |= ids & {hit.memory.id for hit in recalling.recall(uncounted, words, past, limit=20)}
    modes = tuple(mode.value for mode in Mode)
    return Proof(len(ids), len(probes) * (len(modes) + 1), modes, tuple(sorted(found_ids)))


def _remove(
    service: Service,
    collect: Callable[[Writer], list[Memory]],
    action: str,
    reason: str,
    hard: bool,
    subject: str | None = None,
    also: Callable[[Writer, int], None] | None = None,
) -> tuple[list[Memory], tuple[Memory, ...], tuple[Memory, ...], Certificate | None]:
    """Forgets or erases the collected memories that may be removed, in one transaction with one event.
    Returns those removed, those that stay, those that rested on them and now wait for review, and the
    certificate if they were erased."""
    now = service.clock()
    principal = service.principal
    with service.store.write() as tx:
        own = [m for m in collect(tx) if m.place.owner == principal.user]
        stays = [m for m in own if _is_protected(service, tx, m, action)]
        kept_ids = {m.id for m in stays}
        # entities last: their links are forgotten and restored with them
        removed = sorted((m for m in own if m.id not in kept_ids), key=lambda m: m.kind == "entity")
        for memory in removed:
            check_may_remove(tx, principal, memory)
        waits = _hold_dependents(service, tx, [m.id for m in removed], kept_ids, now)
        everything = personal_view(principal, GONE)
        if hard or also is None:  # an import that was only hidden comes back when it is repeated
            Tombstones(service, tx).bury(removed)
        if also is not None:
            also(tx, now)
        if hard:
            tx.erase(everything, [m.id for m in removed])
            withdraw(service, tx, [m.id for m in removed])
        else:
            for memory in removed:
                if also is not None and KINDS[memory.kind].is_evidence:
                    continue  # removed with its source
                patch = Patch(deleted_at=now, deleted_reason=reason)
                tx.patch(everything, memory.id, patch, now=now)
                if memory.kind == "entity":
                    settle(service, tx, now, "forget", memory)
        titles.pass_on(service, tx, removed)
        digest = hashlib.sha256("\n".join(sorted(m.id for m in removed)).encode()).hexdigest()
        event = tx.add_event(
            at=now, actor=principal.label, action=action, subject=subject,
            detail={"count": len(removed), "hard": hard, "ids_sha256": digest, "waits": len(waits)},
        )  # fmt: skip
        certificate = issue(tx, service, event, (m.id for m in removed)) if hard else None
    if hard and removed:
        service.drop_counts(memory.id for memory in removed)
        service.store.scrub()
    return removed, tuple(stays), tuple(waits), certificate


def _is_protected(service: Service, tx: Writer, memory: Memory, action: str) -> bool:
    """Returns whether a memory stays: from a machine, if a person wrote, pinned or edited it; from a reverted
    import, knowledge that a person pinned or edited."""
    if why_not_take_away(service.principal, tx, memory) is not None:
        return True
    return action == "revert" and (memory.pinned or memory.edited) and not KINDS[memory.kind].is_evidence


def _hold_dependents(
    service: Service, tx: Writer, ids: list[str], kept_ids: set[str], now: int
) -> list[Memory]:
    """Holds knowledge for review that rests on removed memories, unless a person pinned or edited it."""
    view = personal_view(service.principal, ANY_STATE)
    pending = []
    for related in related_to(tx, service, ids) if ids else ():
        memory = related.memory
        is_own = memory.place.owner == service.principal.user
        if (
            related.tie not in GROUNDS
            or not is_own
            or memory.id in kept_ids
            or memory.pinned
            or memory.edited
        ):
            continue
        if memory.status is not Status.APPROVED or KINDS[memory.kind].is_evidence:
            continue
        patch = Patch(status=Status.PENDING, status_reason=EVIDENCE_REMOVED)
        pending.append(tx.patch(view, memory.id, patch, now=now))
        detail = {"rests_on": "removed"}
        actor = service.principal.label
        tx.add_event(at=now, actor=actor, action="hold", subject=memory.id, detail=detail)
    return pending


def _states(view: View, hard: bool) -> Filter:
    return replace(view.filter, statuses=frozenset(Status), deleted=None if hard else False)
