"""Names the other side of each hit that something contradicts, as far as the view of the recall shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from holdfast.core.claims import Claim, claim_of
from holdfast.core.facts import Act
from holdfast.core.hits import Hits
from holdfast.core.kinds import KINDS, Nature
from holdfast.core.quotations import BeliefSource, OtherBelief
from holdfast.core.record import PERSONAL_RISK, Memory, Status
from holdfast.core.views import View
from holdfast.features.access.permission import is_own
from holdfast.features.access.places import Selection, view_of
from holdfast.features.beliefs.rivals import RULES, SAID_BEFORE, SAID_LATER, newer_first
from holdfast.features.service import Service
from holdfast.language.claims.version import RULES as RULES_READ
from holdfast.language.passages import brief_of
from holdfast.language.terms import query_terms
from holdfast.stores.base.ports import Question, Reader

OTHERS_MAX = 3
"""Most sides that a hit names, the newest."""
TEXT_MAX = 200
PENDING_MAX, CLAIMS_MAX = 200, 200
"""Most waiting memories, and most claims, that are looked through, the newest: a recall is waited for."""
RULES_MAX, NEAR_MAX = 5, 20
"""Most hits that are compared with other rules, the best, and most of these others."""
WAITS = "waits for review"
_Sides = dict[str, list[OtherBelief]]


def with_disputes(service: Service, hits: Hits, selection: Selection, *, flagged: bool = True) -> Hits:
    """Returns the hits, each with what contradicts it: what waits for review to replace it, another rule, or
    what the same person said later. Only the place of the recall counts, none of its other conditions.

    What waits is named unless it is of a doubtful origin, for nobody has approved it. Without `flagged`,
    nothing is named that is kept from prompts.
    """
    memories = [hit.memory for hit in hits]
    if not memories:
        return hits
    place = Selection(
        selection.project, selection.session, selection.workspace, selection.strict_workspace,
        branch=selection.branch, as_of=selection.as_of, exclude_sessions=selection.exclude_sessions,
        personal=selection.personal,
    )  # fmt: skip
    with service.store.read() as snap:
        view = view_of(snap, service.principal, place)
        pairs = [*_waiting(snap, service, view, memories), *_rules(snap, service, view, memories)]
        pairs += _claims(snap, service, view, memories, flagged=flagged)
    sides: _Sides = {}
    for id, other in sorted(pairs, key=lambda pair: -pair[1].source.at):
        added = sides.setdefault(id, [])
        if len(added) < OTHERS_MAX and other.source.memory not in {belief.source.memory for belief in added}:
            added.append(other)
    if not sides:
        return hits
    items = (replace(hit, contradicted_by=tuple(sides.get(hit.memory.id, ()))) for hit in hits)
    return replace(hits, items=tuple(items))


def _waiting(
    snap: Reader, service: Service, view: View, memories: Sequence[Memory]
) -> Iterable[tuple[str, OtherBelief]]:
    """Yields what would replace a hit once it is approved."""
    ids = {memory.id for memory in memories if KINDS[memory.kind].nature is Nature.KNOWLEDGE}
    if not ids:
        return
    waiting = view.narrowed(replace(view.filter, statuses=frozenset({Status.PENDING}), as_of=None))
    for proposal in snap.page(waiting, limit=PENDING_MAX, cursor=None, now=service.clock()).memories:
        doubtful = proposal.flags or not proposal.origin.is_trusted or proposal.pii_risk >= PERSONAL_RISK
        if proposal.supersedes in ids and is_own(service.principal, proposal) and not doubtful:
            yield proposal.supersedes, _other(proposal, WAITS)


def _rules(
    snap: Reader, service: Service, view: View, memories: Sequence[Memory]
) -> Iterable[tuple[str, OtherBelief]]:
    """Yields the rules that contradict a hit, of those that share words with it."""
    rules = {
        memory.id: memory for memory in [memory for memory in memories if memory.kind in RULES][:RULES_MAX]
    }
    if not rules:
        return
    now = service.clock()
    terms = dict.fromkeys(term for memory in rules.values() for term in query_terms(memory.text))
    narrowed = view.narrowed(replace(view.filter, kinds=RULES))
    question = Question(tuple(terms), None, service.embedder.model, 0, NEAR_MAX, now)
    numbers = snap.candidates(narrowed, question).number.tolist()
    candidates = {memory.id: memory for _, memory in snap.numbered(narrowed, numbers, now=now)}
    for id, memory in rules.items():
        for other in candidates.values():
            if other.id == id or other.scope != memory.scope or other.place.branch != memory.place.branch:
                continue
            pair = newer_first(memory, other)
            if pair is not None:
                yield id, _other(other, SAID_LATER if pair[0] is other else SAID_BEFORE)


def _claims(
    snap: Reader, service: Service, view: View, memories: Sequence[Memory], *, flagged: bool
) -> Iterable[tuple[str, OtherBelief]]:
    """Yields what the user said otherwise than in a hit, of texts that were read for claims."""
    now = service.clock()
    by_id = {memory.id: memory for memory in memories}
    stated = snap.facts(view, now=now, claims=RULES_READ, memories=by_id)
    stale = {link.memory for link in stated if link.statement.act is Act.READING}  # read by other rules
    here = [
        (link.memory, claim_of(link.statement))
        for link in stated
        if link.statement.act is Act.CLAIM and link.memory not in stale
    ]
    if not here:
        return
    own = [claim for _, claim in here]
    from holdfast.features.beliefs.dismissals import dismissals_in, is_dismissed
    from holdfast.features.beliefs.fold import disputes, rival_attributes, said_in

    related = snap.facts(
        view, now=now, claims=RULES_READ, topics=rival_attributes(claim.attribute for claim in own)
    )
    newest = (
        link for link in reversed(related) if link.statement.act is Act.CLAIM and link.memory not in by_id
    )
    read = ((link.memory, claim_of(link.statement)) for link in newest)
    elsewhere = list(islice((pair for pair in read if _may_dispute(pair[1], own)), CLAIMS_MAX))
    others = sorted({id for id, _ in elsewhere})
    loaded = by_id | {memory.id: memory for memory in snap.several(view, others, now=now)}
    dismissals = dismissals_in(snap, service.principal, now)
    claims = [
        said_in(loaded[id], claim)
        for id, claim in [*here, *elsewhere]
        if id in loaded and not is_dismissed(claim, dismissals)
    ]
    claims.sort(key=lambda entry: (entry.source.at, entry.source.memory))
    for id, sides in disputes(claims).items():
        for side in sides if id in by_id else ():
            if flagged or not loaded[side.source.memory].is_kept_from_prompts:
                yield id, side


def _may_dispute(claim: Claim, claims: Sequence[Claim]) -> bool:
    """Returns whether a claim may contradict one of a hit: of the same subject, and where an attribute has
    many values, with the same one."""
    from holdfast.features.beliefs.fold import has_rival_values, is_same_value

    return any(
        claim.subject.casefold() == claim_of_own.subject.casefold()
        and (
            has_rival_values(claim.attribute)
            or has_rival_values(claim_of_own.attribute)
            or is_same_value(claim.value, claim_of_own.value)
        )
        for claim_of_own in claims
    )


def _other(memory: Memory, reason: str) -> OtherBelief:
    text = brief_of(" ".join(memory.brief.split()), TEXT_MAX)
    source = BeliefSource(memory.id, text, memory.holds_from, memory.said_by, memory.session, memory.project)
    return OtherBelief(text, source, reason)
