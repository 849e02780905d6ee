"""The transaction of new texts: each is placed, compared with the memories of its place, and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from holdfast.core.errors import HoldfastError, InvalidInput, NotFound, Refusal
from holdfast.core.record import Kept, Memory, Outcome
from holdfast.features.access.places import PlaceResolver
from holdfast.features.admission.draft import Draft
from holdfast.features.memories import titles
from holdfast.features.memories.audience import with_audience
from holdfast.features.memories.decision_writer import DecisionWriter
from holdfast.features.memories.dedupe import Deduplicator
from holdfast.features.memories.entity_links import attached
from holdfast.features.memories.lookahead import Lookahead
from holdfast.features.memories.prepare import Prepared
from holdfast.features.memories.tidying import count_changed
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.recall import uses
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.stores.base.ports import Writer

_PLACES = frozenset({"session_in_other_project", "project_archived", "project_off", "session_archived",
                     "external_id_taken"})  # fmt: skip
"""Codes of conflicts that concern one text and not the others."""
_ADDED = frozenset({Outcome.CREATED, Outcome.REDACTED, Outcome.PENDING, Outcome.SUPERSEDED})


def store_admitted(
    service: Service, drafts: Sequence[Draft], prepared: Prepared, *, rehearse: bool
) -> tuple[dict[int, Kept], dict[int, HoldfastError]]:
    """Stores the admitted texts in one transaction. Returns outcomes and errors by index."""
    outcomes: dict[int, Kept] = {}
    errors: dict[int, HoldfastError] = {}
    if not prepared.admitted:
        return outcomes, errors
    # a refused text leaves nothing behind, not even a new project, whether alone or among others
    with suppress(_NothingStored), service.store.write() as tx:
        principal, now = service.principal, prepared.now
        batch = [(drafts[index], admitted, rows) for index, admitted, rows in prepared.admitted]
        lookahead = Lookahead(tx, principal, service.embedder.model, now, batch)
        deduplicator = Deduplicator(tx, principal, now, lookahead)
        writer = DecisionWriter(service, tx, now, lookahead)
        tombstones = Tombstones(service, tx)
        places = PlaceResolver(service, tx, now)
        for index, admitted, vectors in prepared.admitted:
            lookahead.next_text()
            try:
                with tx.attempt():
                    draft, linked = attached(tx, principal, drafts[index], admitted)
                    placed = places.place(linked, draft.project, draft.session)
                    forgotten = tombstones.outcome_if_forgotten(
                        placed.memory, anew=draft.anew is True, imported=draft.anew is False
                    )
                    anchored = staleness.anchored(tx, principal, placed)
                    is_new = anchored.memory.place.session in places.created_sessions
                    decision = deduplicator.decide(anchored, vectors, draft, in_new_session=is_new)
                    outcomes[index] = writer.write(decision, vectors)
                    if forgotten is not None:  # only now: who may not write there hears nothing of it
                        raise _Forgotten(forgotten)
                continue
            except _Forgotten as signal:  # not even its session is left behind
                outcomes[index] = signal.outcome
            except HoldfastError as error:
                is_refusal = isinstance(error, InvalidInput | NotFound | Refusal)
                if not is_refusal and error.code not in _PLACES:
                    raise
                errors[index] = error
            lookahead.forget_text()
            places = PlaceResolver(service, tx, now)
        if rehearse or all(outcome.outcome is Outcome.FORGOTTEN for outcome in outcomes.values()):
            raise _NothingStored
        outcomes = _finish(service, tx, writer, outcomes)
    if not rehearse and (service.next_embedder or any(rows is None for _, _, rows in prepared.admitted)):
        service.bell.ring()
    return outcomes, errors


def _finish(
    service: Service, tx: Writer, writer: DecisionWriter, outcomes: dict[int, Kept]
) -> dict[int, Kept]:
    """Does what follows the last text of a transaction: titles of sessions, one event, counts, and the job
    that reads names. Returns the outcomes with the titles, and with who sees each memory."""
    added = [memory for kept in outcomes.values() if kept.outcome in _ADDED and (memory := kept.memory)]
    if titled := titles.settle_added(service, tx, added):
        outcomes = {index: _titled(kept, titled) for index, kept in outcomes.items()}
    outcomes = with_audience(tx, service.principal, outcomes)
    writer.add_batch_event()
    count_changed(service, tx, added)
    messages = [turn for outcome in outcomes.values() if (turn := outcome.memory) and turn.kind == "message"]
    if messages:
        from holdfast.features.memories.name_sources import plan_names

        plan_names(service, tx, messages)
    uses.write(service, tx)
    return outcomes


def _titled(result: Kept, titled: Mapping[str, Memory]) -> Kept:
    """Returns an outcome whose memory has the title that it got."""
    memory = result.memory and titled.get(result.memory.id)
    return result if memory is None else replace(result, memory=memory)


class _Forgotten(Exception):
    """A signal that rolls back one text that was forgotten."""

    def __init__(self, outcome: Kept) -> None:
        super().__init__()
        self.outcome = outcome


class _NothingStored(Exception):
    """A signal that rolls back a transaction in which every text was refused, or a rehearsal."""
