"""The transaction of new texts: each is linked, placed and compared with the memories of its place."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from holdfast.core.errors import HoldfastError, InvalidInput, NotFound, Refusal
from holdfast.core.record import Kept
from holdfast.features.admission.draft import Draft
from holdfast.features.memories.dedupe import Deduplicator
from holdfast.features.memories.entity_links import attached
from holdfast.features.memories.prepare import Prepared
from holdfast.features.recall import uses
from holdfast.features.service import Service
from holdfast.features.staleness import staleness


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
        deduplicator = Deduplicator(service, tx, prepared.now)
        for index, admitted, rows in prepared.admitted:
            try:
                with tx.attempt():
                    draft, linked = attached(tx, service.principal, drafts[index], admitted)
                    placed = deduplicator.places.place(linked, draft.project, draft.session)
                    anchored = staleness.anchored(tx, service.principal, placed)
                    outcomes[index] = deduplicator.store(anchored, rows, draft.supersedes)
            except HoldfastError as error:
                is_refusal = isinstance(error, InvalidInput | NotFound | Refusal)
                if not is_refusal and error.code != "session_in_other_project":
                    raise
                errors[index] = error
                deduplicator.reset_places()
        if rehearse or not outcomes:
            raise _NothingStored
        deduplicator.add_batch_event()
        uses.write(service, tx)
    if not rehearse and any(rows is None for _, _, rows in prepared.admitted):
        service.bell.ring()
    return outcomes, errors


class _NothingStored(Exception):
    """A signal that rolls back a transaction in which every text was refused, or a rehearsal."""
